"""`haunt play` of a game that a team plays: who fills the seats, and what is said of the end."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.record import Record, replay, verify
from workers.cli import main

GAME = "treasure-hunters"
PLAY = ("play", GAME, "--seed", "1", "--no-sandbox")
Haunt = Callable[..., tuple[int, str, str]]


@pytest.fixture
def haunt(capsys: pytest.CaptureFixture[str]) -> Haunt:
    """Run one command in this process: its exit status, stdout and stderr."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("random", "--seats", "2"), ["random"] * 2),
        (("random", "--seats", "4"), ["random"] * 4),
        (("random", "greedy", "random"), ["random", "greedy", "random"]),
        (("random", "greedy", "--seats", "2"), ["random", "greedy"]),
    ],
)
def test_one_bot_fills_all_seats_and_several_sit_one_by_one(
    haunt: Haunt, words: tuple[str, ...], names: list[str]
) -> None:
    status, out, _ = haunt(*PLAY, *words, "--json")
    assert status == 0
    record = Record.from_json(out.strip())
    verify(record)
    assert [seat.name for seat in record.seats] == names


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("random",), "--seats N"),
        (("random", "--seats", "5"), "2 to 4 seats"),
        (("random", "random", "--seats", "3"), "2 bots cannot fill 3 seats"),
        (("random", "--seats", "2", "--bundle"), "one BOT for each seat"),
    ],
)
def test_a_team_that_cannot_be_seated_is_wrong_use(haunt: Haunt, words: tuple[str, ...], said: str) -> None:
    status, out, err = haunt(*PLAY, *words)
    assert (status, out) == (2, "")
    assert said in err


def test_one_bot_cannot_fill_the_seats_of_rivals(haunt: Haunt) -> None:
    status, _, err = haunt("play", "dont-go-in-there", "random", "--seats", "2")
    assert status == 2
    assert "One bot cannot fill 2 seats" in err


def test_a_team_wins_or_loses_and_its_figures_are_told(haunt: Haunt) -> None:
    said = json.loads(haunt(*PLAY, "random", "--seats", "2", "-n", "3", "--json")[1])
    records = [Record.from_json(json.dumps(match)) for match in said["matches"]]
    won = sum(record.scores[0] == 1 for record in records)
    (row,) = said["summary"]["bots"]
    assert (row["wins"], row["ties"], row["losses"]) == (won, 0, 3 - won)
    ends = [replay(record).figures() for record in records]
    assert said["summary"]["figures"]["jewels"] == round(sum(end["jewels"] for end in ends) / 3, 3)
    assert "ended" not in said["summary"]["figures"], "a word has no mean"
    _, out, _ = haunt(*PLAY, "random", "--seats", "2", "-n", "3")
    assert "won  lost  faults" in out
    assert "On average: jewels" in out
    assert "ties" not in out


def test_the_end_of_one_match_is_told_in_words(haunt: Haunt, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    _, out, _ = haunt(*PLAY, "random", "--seats", "2", "--out", path)
    record = Record.from_json(path.read_text().strip())
    figures = replay(record).figures()
    verdict = "The team has won." if record.scores[0] else "The team has lost."
    shown = haunt("show", path)[1]
    for text in (out, shown):
        assert verdict in text
        assert f"jewels {figures['jewels']}" in text
        assert f"turns {figures['turns']}" in text
    assert json.loads(haunt("show", path, "--json")[1])["figures"] == figures
    assert "random (P2) moves" in shown


@pytest.mark.parametrize("people", [("human",), ("human", "human")])
def test_a_team_of_people_hides_nothing_from_itself(
    haunt: Haunt, monkeypatch: pytest.MonkeyPatch, people: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n" * 2000)))
    status, out, err = haunt(*PLAY, *people, "--seats", "2", "--json")
    assert status == 0
    record: dict[str, Any] = json.loads(out)
    assert [seat["name"] for seat in record["seats"]] == ["human", "human"]
    assert "Hand over" not in err
    assert "P1, your move" in err
    assert "P2, your move" in err
    rolls = [line for line in err.splitlines() if " rolls for " in line]
    assert len(rolls) == replay(Record.from_json(out.strip())).figures()["turns"], "nothing is told twice"
