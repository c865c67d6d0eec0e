"""Tournaments that run themselves, on real processes: whatever is killed meanwhile, they end, and end right.

Nine authors with three bots each; a double elimination in pairs and one in pods of three, started by the
clock, and a series that comes back each minute. Five times something is killed.
"""

from __future__ import annotations

import io
import json
import os
import random
import secrets
import signal
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
import pytest

from engine.chance import commit, derive
from ladder.common.embedded import EmbeddedError
from ladder.common.embedded.visitor import Visitor, until
from tests.e2e.house import NOT_ONCE, RunningHouse
from tests.e2e.recount import Recount

LADDER = "dont-go-in-there-2"
AUTHORS = ("ada", "ben", "cleo", "dan", "eve", "fay", "gus", "hal", "ida")
BOTS = 3
"""Of each author."""
PROGRAM = """
import random

from sdk import run

DICE = random.Random({number})


def choose(observation, legal, context):
    return legal[max(DICE.choices(range(len(legal)), k=1 + {number} // 4))]["id"]


run(choose)
"""
"""A bot that leans to the last of the legal moves, more so the greater its number."""
QUIET = {
    "SIGNUP": "open",
    "WORKER_SLOTS": "2",
    "BUNDLES_PER_DAY": "1",  # ladder matches are not what is watched here
    "SERIES_MINUTES": "1",
    "RATE_PASSWORD": "1000/min",
}

PAIRS = {"title": "Pairs", "seats": 2, "min_entries": 16, "max_entries": 16, "entries_per_user": 2}
PODS = {"title": "Pods", "seats": 3, "min_entries": 27, "max_entries": 27, "entries_per_user": 3}
EACH_MINUTE = {
    "title": "Each minute",
    "ladder": LADDER,
    "format": "single_elimination",
    "entry_rule": "rated",
    "least_rating": 0,
    "max_entries": 4,
    "cron": "* * * * *",
    "registration_s": 5,
}

PLAYED = """
    SELECT count(*) FROM matches_match m JOIN matches_bundle b ON b.id = m.bundle_id
    WHERE b.purpose = 'tournament' AND m.status = 'finished'
"""
LEFT_OVER = """
    SELECT m.id, m.status FROM matches_match m JOIN matches_bundle b ON b.id = m.bundle_id
    JOIN tournaments_tablebundle u ON u.bundle_id = b.id JOIN tournaments_table t ON t.id = u.table_id
    JOIN tournaments_tournament n ON n.id = t.tournament_id
    WHERE n.slug = ANY(%s)
    AND (m.status NOT IN ('finished', 'void') OR b.finished_at IS NULL OR t.status <> 'decided'
         OR EXISTS (SELECT 1 FROM matches_attempt a WHERE a.match_id = m.id AND a.status = 'leased'))
"""
ONCE = ("frozen", "started", "finished")
"""What happens to a tournament once."""

_T = TypeVar("_T")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningHouse]:
    running = RunningHouse(tmp_path / "var", **QUIET).start()
    yield running
    running.close()


@pytest.mark.slow
@pytest.mark.sandbox
def test_tournaments_end_and_end_right_whatever_dies_on_the_way(house: RunningHouse, tmp_path: Path) -> None:
    seed = os.environ.get("E2E_SEED") or secrets.token_hex(4)
    print(f"E2E_SEED={seed}")
    with ExitStack() as stack:
        authors = [stack.enter_context(Visitor(house.url, name)) for name in AUTHORS]
        bots = [sign_up_with_bots(author, number) for number, author in enumerate(authors)]
        until(lambda: all_active(authors, bots), "27 active bots", within_s=1200, every_s=1)
        organiser = authors[0]
        series = organiser.post("series", json=EACH_MINUTE)["slug"]
        slugs = [
            announced(PAIRS, authors[:8], [own[:2] for own in bots]),
            announced(PODS, authors, bots),
        ]
        for slug in slugs:
            starts_soon(organiser, slug)

        things_are_killed(house, random.Random(seed))

        ended = [
            until(lambda slug=slug: finished(organiser, slug), f"end of {slug}", within_s=1200)
            for slug in slugs
        ]
        for tournament in ended:
            it_ended_right(organiser, tournament, tmp_path / tournament["slug"])
        editions = until(lambda: fired(organiser, series), "second of the series", within_s=900)
        nothing_is_left_of_it(house, [*slugs, *(one["slug"] for one in editions)])


def sign_up_with_bots(author: Visitor, number: int) -> list[dict[str, Any]]:
    """Three small bots of an author, uploaded for one ladder."""
    author.sign_up()
    made = []
    for strength in range(number * BOTS, (number + 1) * BOTS):
        bot = author.post("bots", json={"name": f"{author.username.title()} {strength}"})
        author.post(f"bots/{bot['id']}/entries", json={"ladder": LADDER})
        file = ("bot.zip", packed(strength), "application/zip")
        made.append(author.post(f"bots/{bot['id']}/versions", files={"file": file}))
    return made


def packed(number: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("bot.toml", 'language = "python"\nentry = "main.py"\ngames = ["dont-go-in-there"]\n')
        archive.writestr("main.py", PROGRAM.format(number=number))
    return data.getvalue()


def all_active(authors: list[Visitor], bots: list[list[dict[str, Any]]]) -> bool:
    versions = [
        author.get(f"versions/{version['id']}")
        for author, own in zip(authors, bots, strict=True)
        for version in own
    ]
    assert not [one for one in versions if one["state"] == "rejected"]
    return all(one["state"] == "active" for one in versions)


def announced(plan: dict[str, Any], authors: list[Visitor], bots: list[list[dict[str, Any]]]) -> str:
    """A tournament that the first of them makes, and that all enter."""
    whole = {**plan, "ladder": LADDER, "format": "double_elimination", "starts_at": in_(3600)}
    slug = str(authors[0].post("tournaments", json=whole)["slug"])
    for author, own in zip(authors, bots, strict=False):
        for version in own:
            author.post(f"tournaments/{slug}/entries", json={"bot": version["bot"]})
    return slug


def starts_soon(organiser: Visitor, slug: str) -> None:
    """Move its start to a few seconds from now; further, where the house takes as long to hear of it."""
    for seconds in (3, 20, 120):
        try:
            organiser.post(f"tournaments/{slug}/move", json={"starts_at": in_(seconds)})
        except EmbeddedError as refused:
            if "has passed" not in str(refused):
                raise
        else:
            return
    raise AssertionError("the house took minutes to hear of it")


def in_(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


def things_are_killed(house: RunningHouse, dice: random.Random) -> None:
    """At five moments of the play, each of these once; the order and the moments are the dice's."""
    blows: list[tuple[str, Callable[[], None]]] = [
        ("the match worker", lambda: house.kill_group("match-worker")),
        ("the ladder's worker", lambda: house.kill_group("ladder-worker")),
        ("the site, and Valkey is emptied", lambda: site_and_broker(house)),
        ("ticks and beat", lambda: ticks_and_beat(house)),
        ("the supervisor with everybody", lambda: everybody(house)),
    ]
    dice.shuffle(blows)
    for played, (what, blow) in zip(sorted(dice.sample(range(1, 110), len(blows))), blows, strict=True):
        until(lambda: patient(lambda: house.one(PLAYED)) >= played, f"{played} matches", within_s=900)  # noqa: B023
        time.sleep(dice.random())
        print(f"after {house.one(PLAYED)} matches: {what}")
        blow()


def site_and_broker(house: RunningHouse) -> None:
    house.kill_group("web")
    with house.valkey() as valkey:
        valkey.flushall()


def ticks_and_beat(house: RunningHouse) -> None:
    house.kill_group("ticks-worker")
    house.kill_group("beat")


def everybody(house: RunningHouse) -> None:
    """SIGKILL to the supervisor, the workers and the site at once; then it is started again."""
    living = house.living()
    house.process.kill()
    for name, (pid, _) in living.items():
        if name not in ("postgres", "valkey"):
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
    house.ended(60.0)
    until(lambda: not house.living(), "end of the servers", within_s=180)
    house.start()


def patient(look: Callable[[], _T]) -> _T | None:
    """None while somebody who was killed has not come back."""
    with suppress(httpx.TransportError, psycopg.OperationalError):
        return look()
    return None


def finished(visitor: Visitor, slug: str) -> dict[str, Any] | None:
    told: dict[str, Any] | None = patient(lambda: visitor.get(f"tournaments/{slug}"))
    assert told is None or told["state"] != "cancelled", told
    return told if told and told["state"] == "finished" else None


def it_ended_right(visitor: Visitor, tournament: dict[str, Any], folder: Path) -> None:
    """Places, seeds and records, counted again from what everybody may see."""
    path = f"tournaments/{tournament['slug']}"
    entries = visitor.get(f"{path}/entries")
    matches = pages(visitor, f"{path}/matches")
    again = Recount(tournament, visitor.get(f"{path}/bracket"), entries, matches)
    again.check_tables()
    again.check_ways()
    places = {bot: place for place, bot in enumerate(again.places(), 1)}
    assert len(places) == tournament["max_entries"]
    assert {one["bot"]: one["rank"] for one in entries} == places
    rows = visitor.get(f"{path}/standings")["rows"]
    assert {row["bot"]: row["rank"] for row in rows} == places

    events = [event["kind"] for event in pages(visitor, f"{path}/events")]
    assert [events.count(kind) for kind in ONCE] == [1, 1, 1]
    assert events.count("table_decided") == len(again.tables)

    records = seeds_are_those_promised(visitor, tournament, again)
    assert len(records) == len(matches)
    assert visitor.prove(records, folder) == len(records)


def seeds_are_those_promised(visitor: Visitor, tournament: dict[str, Any], again: Recount) -> list[str]:
    """The seed is the one committed to, and each bundle's comes from it. Gives all records."""
    assert commit(tournament["seed"]) == tournament["commitment"]
    records = []
    for table in again.tables.values():
        for number, bundle in enumerate(table.bundles, 1):
            seed = derive(tournament["seed"], f"table/{table.key}/{number}")
            for match in bundle:
                assert match["commitment"] == commit(seed)
                records.append(visitor.text(f"matches/{match['id']}/record"))
                assert json.loads(records[-1])["seed"] == seed
    return records


def pages(visitor: Visitor, path: str) -> list[dict[str, Any]]:
    """All rows of a list."""
    rows: list[dict[str, Any]] = []
    page = visitor.get(path)
    while True:
        rows += page["results"]
        if not page["next"]:
            return rows
        page = visitor.get(page["next"])


def fired(visitor: Visitor, series: str) -> list[dict[str, Any]] | None:
    """Two editions that have ended, each with a winner, at different minutes; the series is stopped then."""
    found = visitor.get("tournaments", series=series)["results"]
    done = [one for one in found if one["state"] == "finished"]
    if len(done) < 2:
        return None
    visitor.post(f"series/{series}/stop", json={})
    assert len({one["starts_at"] for one in found}) == len(found)
    for one in done:
        ranks = [entry["rank"] for entry in visitor.get(f"tournaments/{one['slug']}/entries")]
        assert sorted(ranks) == [1, 2, 3, 4]
    return done


def nothing_is_left_of_it(house: RunningHouse, slugs: list[str]) -> None:
    """Each match has one report and one record; none waits, no table is open, no lease is held."""
    assert house.rows(NOT_ONCE) == []
    assert house.rows(LEFT_OVER, slugs) == []
