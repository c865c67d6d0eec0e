"""`haunt tournament` against a real server, and brackets drawn in a terminal of 80 columns."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer
from rich.cells import cell_len
from rich.console import Console

from ladder.accounts.services import token_create
from ladder.tournaments.formats import elimination
from ladder.tournaments.formats.brackets import Source
from ladder.tournaments.formats.plan import bracket_of, next_step
from ladder.tournaments.formats.terms import Entrant, Format, Outcome, TableSpec, Terms
from ladder.tournaments.models import Tournament
from tests.ladder import house
from tests.ladder.tournaments import hall
from workers.cli import main
from workers.cli.bracket import draw
from workers.cli.tournament import address, duration, when
from workers.cli.watch import News, picture

Haunt = Callable[..., tuple[int, Any]]
NAMES = ("Candlewick", "Moth", "幽霊屋敷の主", "Lantern keeper of the attic", "Bat")


@pytest.fixture
def haunt(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Haunt:
    """One command with --json as ada: exit status and document."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HAUNT_URL", live_server.url)
    key = token_create(user=house.user("ada"), name="t", scopes=["enter"])[1]
    monkeypatch.setenv("HAUNT_TOKEN", key)

    def run(*words: str | Path) -> tuple[int, Any]:
        capsys.readouterr()
        try:
            status = main(["tournament", *map(str, words), "--json"])
        except SystemExit as stop:
            status = int(stop.code or 0)
        said = capsys.readouterr().out
        return status, json.loads(said) if said else None

    return run


CREATE = ("create", "Friday night", "--ladder", "dont-go-in-there-2", "--format", "single-elimination")


@pytest.mark.django_db(transaction=True)
def test_make_enter_withdraw(
    haunt: Haunt, live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = house.ladder(2)
    ada = house.User.objects.get(username="ada")
    house.version("mine", owner=ada, on=ladder)
    assert haunt("list") == (0, {"tournaments": []})
    status, said = haunt(*CREATE, "--max-entries", "8", "--min-entries", "8", "--estimate")
    assert (status, said["matches"], said["rounds"]) == (0, 14, 3)
    assert haunt(*CREATE)[0] == 2, "nobody said when"
    status, said = haunt(*CREATE, "--starts", "30m", "--advance", "2")
    assert (status, said["error"]["code"]) == (1, "invalid")
    assert "advance: 2 of 2 cannot advance" in said["error"]["message"]
    status, made = haunt(*CREATE, "--starts", "30m", "--registration-ends", "20m", "--house-fills")
    assert status == 0
    assert made["address"] == f"{live_server.url}/tournaments/{made['slug']}/"
    assert (made["house_fills"], made["state"]) == (True, "open")
    start = datetime.fromisoformat(made["starts_at"]) - datetime.now(UTC)
    assert timedelta(minutes=29) < start <= timedelta(minutes=30)

    assert haunt("list", "--mine")[1]["tournaments"][0]["slug"] == made["slug"]
    status, said = haunt("enter", made["slug"], "nothing")
    assert (status, said["error"]["code"]) == (1, "no_such_bot")
    assert haunt("enter", made["slug"], "mine", "--version", "7")[1]["error"]["code"] == "not_found"
    status, entry = haunt("enter", made["address"], "Mine", "--version", "1")
    assert (status, entry["name"], bool(entry["wish"])) == (0, "mine", True)
    assert haunt("enter", made["slug"], "mine")[1]["error"]["code"] == "entered"
    assert [one["name"] for one in haunt("show", made["slug"])[1]["entries"]] == ["mine"]
    assert main(["tournament", "bracket", made["slug"]]) == 0
    assert "no tables yet" in capsys.readouterr().out
    assert haunt("withdraw", made["slug"], "MINE") == (0, {"withdrawn": "mine"})
    assert haunt("withdraw", made["slug"], "mine")[1]["error"]["code"] == "not_found"
    assert haunt("show", "a/b?c#d")[1]["error"]["code"] == "not_found"


@pytest.mark.django_db(transaction=True)
def test_watch_to_the_end_then_read_it(
    haunt: Haunt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=3)
    worker = house.worker()
    assert haunt("watch", made.slug, "--every", "0")[0] == 2

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupted)
    assert main(["tournament", "watch", made.slug]) == 130

    def play(_: float) -> None:
        hall.tick(made)
        if made.state != Tournament.State.FINISHED:
            hall.play_round(worker)

    monkeypatch.setattr("time.sleep", play)
    capsys.readouterr()
    assert main(["tournament", "watch", made.slug]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = haunt("results", made.slug)[1]["rows"]
    assert lines[0].startswith("Friday: open, 3 entries")
    assert lines[-1] == f"Friday: finished. {rows[0]['name']} won."
    assert [line.split()[0] for line in lines if "is decided" in line] == ["W1.1", "W2.1"]
    assert len(lines) == len(set(lines))
    status, said = haunt("watch", made.slug)
    assert (status, said["standings"]["rows"]) == (0, rows)

    assert main(["tournament", "bracket", made.slug]) == 0
    drawn = capsys.readouterr().out
    assert all(cell_len(line) <= 80 for line in drawn.splitlines())
    assert f"✓{rows[0]['name']}" in drawn
    assert main(["tournament", "results", made.slug, "--out", str(tmp_path / "r.csv")]) == 0
    assert rows[1]["why"] in " ".join(capsys.readouterr().out.split())
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == [row["name"] for row in rows]
    assert haunt("results", made.slug, "--out", tmp_path / "r.json")[0] == 0
    assert json.loads((tmp_path / "r.json").read_text())["tournament"]["slug"] == made.slug
    assert haunt("results", made.slug, "--out", tmp_path / "r.txt")[0] == 2
    assert haunt("results", made.slug, "--out", tmp_path / "no" / "r.csv")[1]["error"]["code"] == "unwritable"


# ------------------------------------------------------------------------- drawing, without a server


def document(terms: Terms, entries: int, *, played: int = 10_000) -> dict[str, Any]:
    """A bracket as the API tells it, so many of its tables decided."""
    field = [Entrant(number, number) for number in range(1, entries + 1)]
    rng, made, done = random.Random(entries), list[TableSpec](), list[Outcome]()
    while len(done) < played and not (step := next_step(terms, field, made, done)).is_over:
        made += step.tables
        for table in step.tables:
            order = sorted(table.entrants, key=lambda one: one + rng.random() * entries / 2)
            points = {one: 1 - place / max(1, len(order) - 1) for place, one in enumerate(order)}
            done.append(Outcome(table.key, table.round, tuple(order), points))
    known = {outcome.key: outcome for outcome in done}
    seats = {Source(seeding=number): number for number in range(1, entries + 1)}
    nodes = []
    for node in bracket_of(terms, entries).nodes:
        outcome = known.get(node.key)
        slots = [slot(source, elimination.occupant(source, seats, known), outcome) for source in node.sources]
        slots.sort(key=lambda one: one["place"] or 0)
        facts = {
            name: getattr(node, name) for name in ("key", "side", "round", "number", "advance", "goes_to")
        }
        nodes.append({**facts, "slots": slots, "status": "decided" if outcome else "waiting"})
    return {"nodes": nodes, "edges": []}


def slot(source: Source, guest: int | None, outcome: Outcome | None) -> dict[str, Any]:
    sat = outcome is not None and guest in outcome.order
    return {
        "name": None if guest is None else f"{NAMES[guest % len(NAMES)]} {guest}",
        "comes_from": {"seeding": source.seeding, "table": source.table, "place": source.place},
        "place": outcome.order.index(guest) + 1 if outcome and sat and guest else None,
        "points": outcome.points[guest] if outcome and sat and guest else None,
        "is_forfeit": False,
    }


@pytest.mark.parametrize("format_", [Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION])
@pytest.mark.parametrize(
    ("entries", "seats", "advance"), [(2, 2, 1), (5, 2, 1), (16, 4, 2), (27, 3, 1), (64, 2, 1)]
)
@pytest.mark.parametrize("played", [0, 7, 10_000])
def test_any_bracket_fits_80_columns_and_shows_every_table(
    format_: Format, entries: int, seats: int, advance: int, played: int
) -> None:
    bracket = document(Terms(format=format_, seats=seats, advance=advance), entries, played=played)
    lines = draw(bracket, 80)
    assert max(map(cell_len, lines)) <= 80
    text = "\n".join(lines)
    assert all(f"┌{node['key']}─" in text for node in bracket["nodes"])
    assert sum(line.count("✓") for line in lines) == sum(
        node["advance"] for node in bracket["nodes"] if node["status"] == "decided"
    )


def test_a_bracket_of_four() -> None:
    terms = Terms(format=Format.SINGLE_ELIMINATION, seats=2)
    assert draw(document(terms, 4, played=2), 50) == [
        "W1, round 1               W2, round 2",
        "┌W1.1─────────────────┐",
        "│✓1 Moth 1           1│",
        "│ 4 Bat 4            0│─┐ ┌W2.1─────────────────┐",
        "└─────────────────────┘ │ │ Moth 1              │",
        "┌W1.2─────────────────┐ ├─│ 幽霊屋敷の主 2      │",
        "│✓2 幽霊屋敷の主 2   1│ │ └─────────────────────┘",
        "│ 3 Lantern keeper … 0│─┘",
        "└─────────────────────┘",
    ]


def test_what_forfeits_and_who_never_came_are_told() -> None:
    bracket = document(Terms(format=Format.SINGLE_ELIMINATION, seats=2), 2)
    node = bracket["nodes"][0]
    node["slots"][1] |= {"name": None, "place": None, "points": None}
    node["slots"][0] |= {"is_forfeit": True}
    text = "\n".join(draw(bracket, 80))
    assert "✗" in text
    assert "nobody" in text


def test_the_live_picture_keeps_to_the_terminal() -> None:
    bracket = document(Terms(format=Format.SINGLE_ELIMINATION, seats=2), 64, played=40)
    tables = [{**node, "status": "playing"} for node in bracket["nodes"] if node["round"] == 1]
    row = {"name": "[bold]\x1b[31m", "version_number": 1, "points": 1.5, "why": ""}
    estimate = {"played": 3, "matches": 126, "remaining_s": 200, "is_measured": True}
    found = {
        "title": "Friday", "state": "running", "is_paused": False, "reason": "", "shows_results": True,
        "estimate": estimate, "entries": 64, "starts_at": "2030-01-04T20:00:00Z",
    }  # fmt: skip
    news = News(
        found,
        [{"number": 1, "title": "Last 64", "tables": tables}],
        {"rows": [{**row, "rank": rank} for rank in range(1, 65)]},
    )
    console = Console(width=80, height=24, record=True, file=io.StringIO())
    console.print(picture(news, height=24))
    text = console.export_text()
    assert len(text.splitlines()) <= 24
    assert "3 of 126 matches, about 3 min 20 s left" in text
    assert "Round 1: Last 64" in text
    assert "[bold]\\u{1b}[31m" in text, "names are names, not orders"


def test_words_and_hours() -> None:
    assert duration(7_500) == "2 h 5 min"
    assert address("http://127.0.0.1:8000/tournaments/friday/") == "friday"
    soon = when("+2h") - datetime.now(UTC)
    assert timedelta(minutes=119) < soon <= timedelta(hours=2)
    assert when("2030-01-04T20:00:00Z") == datetime(2030, 1, 4, 20, tzinfo=UTC)
    for text in ("tomorrow", "5", "9999999999d", ""):
        with pytest.raises(Exception, match="is no time"):
            when(text)
