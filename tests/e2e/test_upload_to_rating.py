"""The whole promise, on real processes: uploads become ratings, whatever dies on the way.

One house, two authors. A match worker is killed in the middle of a match, Valkey is emptied, and in the end
every match has counted exactly once and every record proves itself.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ladder.common.embedded.environment import BASE_DIR
from ladder.common.embedded.visitor import Visitor, until
from tests.e2e.house import NOT_ONCE, RunningHouse

KIT = BASE_DIR / "bots" / "kits" / "python"
LADDERS = ("dont-go-in-there-2", "dont-go-in-there-4", "haunt-the-house-3")
# Sleeping costs wall time alone: long enough to be caught in the middle, far below what a seat may wait.
SLOW = (
    ("def choose(", "import time\n\n\ndef choose("),
    ("    return legal[0]", "    time.sleep(0.15)\n    return legal[0]"),
)

WITH = """
    WITH rated AS (
        SELECT m.* FROM matches_match m JOIN matches_bundle b ON b.id = m.bundle_id WHERE b.purpose = 'ladder'
    )
"""
RUNNING = WITH + " SELECT id FROM rated WHERE status = 'running'"
QUEUED = WITH + " SELECT id FROM rated WHERE status = 'queued'"
FINISHED = WITH + " SELECT id, has_fault FROM rated WHERE status = 'finished'"
IN_THE_MIDDLE = (
    WITH
    + """
    SELECT id FROM rated WHERE status = 'running'
    AND started_at BETWEEN now() - interval '0.8 s' AND now() - interval '0.2 s'
    AND EXISTS (
        SELECT 1 FROM matches_matchseat s JOIN programs_version v ON v.id = s.version_id
        JOIN programs_bot p ON p.id = v.bot_id WHERE s.match_id = rated.id AND p.name = 'Slow'
    )
    """
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningHouse]:
    running = RunningHouse(tmp_path / "var", SIGNUP="open", WORKER_SLOTS="2").start()
    yield running
    running.close()


def program(folder: Path, *changes: tuple[str, str]) -> Path:
    """The starter bot with some changes."""
    shutil.copytree(KIT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    main = folder / "main.py"
    text = main.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    main.write_text(text)
    return folder


def author(house: RunningHouse, name: str, bot: str, folder: Path) -> Visitor:
    """Somebody who signed up and whose bot is active."""
    visitor = Visitor(house.url, name)
    visitor.sign_up()
    version = visitor.haunt("upload", folder, "--bot", bot, "--new", "--wait", within_s=180)
    assert version["state"] == "active", version
    return visitor


@pytest.mark.slow
@pytest.mark.sandbox
def test_from_upload_to_rating_whatever_dies_on_the_way(house: RunningHouse, tmp_path: Path) -> None:
    quick = program(tmp_path / "quick", ("return legal[0]", "return legal[-1]"))
    slow = program(tmp_path / "slow", *SLOW)
    with author(house, "ada", "Quick", quick) as ada, author(house, "ben", "Slow", slow):
        until(lambda: rated(ada, "Quick") and rated(ada, "Slow"), "rating of both bots", within_s=300)

        a_killed_worker_costs_one_attempt(house)
        an_emptied_valkey_costs_nothing(house)

        everything_counted_once(house, ada)
        records = [record for ladder in LADDERS for record in ada.records(ladder)]
        assert len(records) == ended(house)
        assert ada.prove(records, tmp_path / "records") == len(records)


def rated(visitor: Visitor, bot: str) -> int:
    return sum(row["matches"] for row in visitor.standings(LADDERS[0]) if row["bot"] == bot)


def a_killed_worker_costs_one_attempt(house: RunningHouse) -> None:
    """SIGKILL in the middle of a match: it is leased again, finished, and reported once."""
    match = until(lambda: kill_in_a_match(house), "match caught in the middle", within_s=300)
    killed_at = house.one("SELECT now()")
    again = until(lambda: attempts(house, match)[1:], "second attempt", within_s=240)
    waited = (again[0]["leased_at"] - killed_at).total_seconds()
    print(f"leased again after {waited:.1f} s")
    assert waited < 180, "a lease, a look of the reaper, the worker's start; on a quiet machine 20 s"
    until(lambda: status(house, match) == "finished", "end of the match that was begun again", within_s=180)
    tries = attempts(house, match)
    assert [one["status"] for one in tries].count("reported") == 1
    assert tries[-1]["status"] == "reported"
    told = tries[0]["status"] == "void" and tries[0]["void_code"] == "worker_died"
    assert told or tries[0]["status"] in {"expired", "superseded"}, (
        "its next worker tells, or the lease runs out"
    )


def kill_in_a_match(house: RunningHouse) -> int | None:
    """Kill the worker with all its processes while the slow bot plays. The match, if it was still running."""
    running = house.rows(IN_THE_MIDDLE)
    if not running:
        return None
    house.kill_group("match-worker")
    match = int(running[0]["id"])
    return match if status(house, match) == "running" else None


def an_emptied_valkey_costs_nothing(house: RunningHouse) -> None:
    """FLUSHALL: what waited in the database is played all the same."""
    queued = until(lambda: house.rows(QUEUED), "queued match", within_s=180)
    with house.valkey() as valkey:
        valkey.flushall()
    waiting = [row["id"] for row in queued]
    done = "SELECT count(*) FROM matches_match WHERE id = ANY(%s) AND status = 'finished'"
    until(lambda: house.one(done, waiting) == len(waiting), "end of the queued matches", within_s=300)


def everything_counted_once(house: RunningHouse, visitor: Visitor) -> None:
    """With the dispatcher held still: standings, results, records and reports agree, match by match."""
    ticks, _ = house.living()["ticks-worker"]
    os.kill(ticks, signal.SIGSTOP)
    try:
        until(lambda: not house.rows(RUNNING), "end of what is played", within_s=180)
        until(lambda: counts(visitor) == results(house), "ratings that hold every result", within_s=180)
    finally:
        os.kill(ticks, signal.SIGCONT)
    finished = house.rows(FINISHED)
    assert len(finished) > 10
    assert [row for row in finished if row["has_fault"]] == []
    assert house.rows(NOT_ONCE) == []


def counts(visitor: Visitor) -> dict[tuple[str, str], int]:
    """Ladder and bot -> matches, as the standings tell them."""
    return {
        (ladder, row["bot"]): row["matches"]
        for ladder in LADDERS
        for row in visitor.get(f"ladders/{ladder}/standings", all="1")["rows"]
        if row["matches"]
    }


def results(house: RunningHouse) -> dict[tuple[str, str], int]:
    """The same, counted from the results of bundles that have ended."""
    rows = house.rows(
        """
        SELECT l.slug, p.name, count(DISTINCT m.id) AS matches FROM matches_match m
        JOIN matches_bundle b ON b.id = m.bundle_id JOIN matches_season n ON n.id = b.season_id
        JOIN matches_ladder l ON l.id = n.ladder_id JOIN matches_matchseat s ON s.match_id = m.id
        JOIN programs_version v ON v.id = s.version_id JOIN programs_bot p ON p.id = v.bot_id
        WHERE b.purpose = 'ladder' AND b.finished_at IS NOT NULL AND m.status = 'finished' GROUP BY 1, 2
        """
    )
    return {(row["slug"], row["name"]): row["matches"] for row in rows}


def ended(house: RunningHouse) -> int:
    """Records of rated matches whose bundles have ended."""
    count = """
        SELECT count(*) FROM matches_matchrecord r JOIN matches_match m ON m.id = r.match_id
        JOIN matches_bundle b ON b.id = m.bundle_id
        WHERE b.purpose = 'ladder' AND b.finished_at IS NOT NULL
    """
    return int(house.one(count))


def status(house: RunningHouse, match: int) -> str:
    return str(house.one("SELECT status FROM matches_match WHERE id = %s", match))


def attempts(house: RunningHouse, match: int) -> list[dict[str, Any]]:
    return house.rows(
        "SELECT status, void_code, leased_at FROM matches_attempt WHERE match_id = %s ORDER BY fence", match
    )
