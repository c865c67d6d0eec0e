"""A person on a seat of `haunt play`: what is shown, what may be typed, and what the record says."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.protocol import read_answer
from engine.chance import Dealer
from engine.core import CHANCE
from engine.record import Record, verify
from engine.registry import make_game
from tests.workers.matches import GENEROUS, house
from workers.cli import main
from workers.cli.choosing import meant
from workers.cli.person import Desk, Person, PersonSeat
from workers.cli.terminal import Terminal
from workers.player import LIMITS
from workers.referee import play_match
from workers.sandbox.bare import BareLauncher

GAME = "dont-go-in-there"
ROOT = Path(__file__).resolve().parents[2]
PLAY = ("play", GAME, "--seed", "1", "--no-sandbox")
PROMPT = "your move (? for help): "
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Run one command with these lines on stdin: its exit status, stdout and stderr."""

    def run(lines: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        capsys.readouterr()
        status = main(list(words))
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def opening() -> list[dict[str, Any]]:
    """What the first seat may choose from in the match of PLAY."""
    game, dealer = make_game(GAME, 2), Dealer("1")
    state = game.initial_state()
    while state.actor() == CHANCE:
        state.apply(dealer.choose(state))
    return [game.actions.decode(action) for action in state.legal_actions()]


def said(move: dict[str, Any]) -> str:
    return make_game(GAME, 2).move_text(move)


# ---------------------------------------------------------------- which move is meant

MOVES: list[dict[str, Any]] = [
    {"type": "place", "room": "attic", "space": 1},
    {"type": "place", "room": "attic", "space": 10},
    {"type": "place", "room": "secret_passage", "space": 1},
    {"type": "keep"},
    {"type": "tome", "curse_type": "music_box"},
]
TEXTS = [
    "place room Attic, space 1",
    "place room Attic, space 10",
    "place room Secret Passage, space 1",
    "keep",
    "name the Music Box (a type)",
]


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ("2", [1]),
        ("4", [3]),
        ("0", []),
        ("6", []),
        ("music box", [4]),
        ("name the music box (a type)", [4]),
        ("tome", [4]),
        ("tome mus", [4]),
        ("9" * 5000, []),
        ("keep", [3]),
        ("KE", [3]),
        ("place", [0, 1, 2]),
        ("place room attic, space 1", [0]),
        ("Place  Room Attic space 1", [0]),
        ("place room attic space", [0, 1]),
        ("attic 1", [0]),
        ("att 10", [1]),
        ("sec", [2]),
        ("passage secret", [2]),
        ("10 attic place", [1]),
        ("cellar", []),
        (",", []),
        ('{"type":"keep"}', [3]),
        ('{"space":1,"room":"attic","type":"place"}', [0]),
        ('{"room":"secret_passage"}', [2]),
        ('{"type":"place"}', [0, 1, 2]),
        ('{"type":"pl', []),
        ('{"room":["attic"]}', []),
        ("{" * 9000, []),
    ],
)
def test_a_line_means_the_moves_that_fit_it_best(words: str, moves: list[int]) -> None:
    assert meant(words, MOVES, TEXTS) == moves


# ---------------------------------------------------------------- a match with a person in it


def test_a_person_plays_and_the_record_is_proved(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    status, out, _ = typed("1\n" * 90, *PLAY, "random", "human", "--out", str(path))
    assert status == 0
    record = Record.from_json(path.read_text().strip())
    verify(record)
    assert [seat.name for seat in record.seats] == ["random", "human"]
    assert record.seats[1].version == hashlib.sha256(b"human").hexdigest()
    assert record.faults == ()
    assert "P1 random, P2 human" in out
    assert "P2 (you) steps into the" in out
    assert "The night is over." in out
    assert re.search(r"^ +1 +[12] +(random|human) +\d+$", out, re.MULTILINE), "the ranks come last"


def test_the_board_goes_to_stderr_where_stdout_is_a_document(typed: Typed) -> None:
    status, out, err = typed("1\n" * 90, *PLAY, "human", "random", "--json")
    assert status == 0
    assert out.count("\n") == 1
    verify(Record.from_json(out.strip()))
    assert PROMPT in err
    assert "P1 (you):" in err


def test_the_same_choices_give_the_same_record(typed: Typed) -> None:
    by_number = typed("1\n" * 90, *PLAY, "human", "random", "--json")
    first = opening()[0]
    by_words = typed(f"{said(first)}\n" + "1\n" * 90, *PLAY, "human", "random", "--json")
    by_json = typed(f"{json.dumps(first)}\n" + "1\n" * 90, *PLAY, "human", "random", "--json")
    assert by_number[1] == by_words[1] == by_json[1]


def test_what_is_no_single_move_is_asked_again(typed: Typed) -> None:
    first, second = opening()[:2]
    room = make_game(GAME, 2).names[first["room"]]["en"]
    lines = f"\nxyzzy\n{room}\n?\n99\nplace {room[:4]} {second['space']}\nq\n"
    status, out, err = typed(lines, *PLAY, "human", "random")
    assert status == 1
    assert "There are several moves" in out
    assert "No move is called 'xyzzy'" in out
    assert f"That may be 1 {said(first)}; 2 {said(second)}" in out
    assert "docs/games/dont-go-in-there.md" in out
    assert f"> {said(second)}" in out
    assert out.count("P1 (you): ") == 3, "the table: at first, at ?, and at the second question"
    assert "gave_up" in err


@pytest.mark.parametrize("lines", ["", "1\n", "1\nq\n", "Quit\n"])
def test_giving_up_ends_the_command_with_a_sentence(typed: Typed, lines: str) -> None:
    status, out, _ = typed(lines, *PLAY, "human", "random", "--json")
    assert status == 1
    assert json.loads(out)["error"]["code"] == "gave_up"


def test_bundles_and_several_matches_seat_a_person_too(typed: Typed) -> None:
    status, out, _ = typed("1\n" * 300, *PLAY, "human", "random", "--bundle", "--json")
    assert status == 0
    names = [[seat["name"] for seat in match["seats"]] for match in json.loads(out)["matches"]]
    assert sorted(names) == [["human", "random"], ["random", "human"]]


def test_people_who_share_a_terminal_hand_it_over(typed: Typed) -> None:
    status, out, _ = typed("1\n" * 200, *PLAY, "human", "human", "random")
    assert status == 0
    views = re.split(r"Hand over to seat (\d), who presses Enter: ", out)
    assert {"1", "2"} == set(views[1::2])
    for seat, view in zip(views[1::2], views[2::2], strict=True):
        shown = set(re.findall(r"^P(\d) \(you\):", view, re.MULTILINE))
        assert shown == {seat}
    assert len(re.findall("The night is over", out)) == 1


# ---------------------------------------------------------------- no clock for a person


class Slow(Terminal):
    """Somebody who lets `seconds` pass before every answer."""

    def __init__(self, seconds: float) -> None:
        super().__init__(on_stderr=True)
        self.passed = 0.0
        self._seconds = seconds

    def ask(self, prompt: str) -> str:
        self.passed += self._seconds
        return "1"


@pytest.mark.parametrize(("own_s", "void"), [(math.inf, None), (900.0, "host_stalled")])
def test_a_person_may_think_for_as_long_as_the_match_may_last(own_s: float, void: str | None) -> None:
    terminal = Slow(600)
    outcome = play_match(
        game=make_game(GAME, 2),
        seats=[Person(Desk(terminal, hides=False)), house("random")],
        seed="slow",
        clock=GENEROUS,
        private_seeds=["a", "b"],
        launcher=BareLauncher(),
        now=lambda: time.monotonic() + terminal.passed,
        limits=replace(LIMITS, own_s=own_s),
    )
    assert outcome.void_reason == void
    if outcome.record is not None:
        verify(outcome.record)
        assert outcome.record.faults == ()
        assert all(turn.cpu_us == turn.wall_us == 0 for turn in outcome.seats[0].turns)


def test_an_answer_of_a_person_is_one_of_the_protocol() -> None:
    seat = PersonSeat(Desk(Slow(0), hides=False))
    seat.send(
        b'{"type":"hello","protocol":1,"game":"dont-go-in-there","rules_version":1,"mode":"base",'
        b'"options":{},"seats":2,"seat":1,"clock":{"bank_ms":1,"increment_ms":1},"seed":"s"}\n'
    )
    assert seat.receive(cpu_us=0, wall_us=0).line == b'{"type": "ready"}'
    game = make_game(GAME, 2)
    state = game.initial_state()
    while state.actor() < 0:
        state.apply(state.legal_actions()[0])
    legal = [{"id": action, "move": game.actions.decode(action)} for action in state.legal_actions()]
    question = {"type": "move", "turn": 7, "observation": state.observe(1), "legal": legal, "events": []}
    seat.send(json.dumps(question).encode() + b"\n")
    line = seat.receive(cpu_us=0, wall_us=0).line
    assert line is not None
    answer = read_answer(line)
    assert (answer.turn, answer.id) == (7, legal[0]["id"])


# ---------------------------------------------------------------- a real terminal


class Screen:
    """`haunt` on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self._master, slave = pty.openpty()
        command = [sys.executable, "-m", "workers.cli", *words]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)

    def until(self, *words: str) -> str:
        """Read on until one of these is shown; what was shown since the last time."""
        seen, deadline = "", time.monotonic() + 60
        while not any(word in seen for word in words) and time.monotonic() < deadline:
            try:
                part = os.read(self._master, 4096)
            except OSError:  # the other end is closed
                break
            seen += part.decode("utf-8", "replace")
        assert any(word in seen for word in words), seen[-500:]
        return seen

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def status(self) -> int:
        status = self._process.wait(timeout=60)
        os.close(self._master)
        return status

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def test_on_a_terminal_the_screen_is_hidden_and_ctrl_d_gives_up() -> None:
    screen = Screen(*PLAY, "human", "human")
    try:
        first = screen.until("seat 1, who presses Enter: ")
        assert first.count("\x1b[2J") == 1
        screen.type("\n")
        screen.until(PROMPT)
        screen.type(f"{said(opening()[3])}\n")
        moved = screen.until("seat 2, who presses Enter: ")
        chosen = f"> {said(opening()[3])}"
        assert moved.rindex("\x1b[2J") > moved.index(chosen)
        screen.type("\n")
        screen.until(PROMPT)
        screen.type("\x04")
        screen.until("gave_up")
        assert screen.status() == 1
    finally:
        screen.close()


def test_on_a_terminal_a_match_goes_to_its_end() -> None:
    screen = Screen(*PLAY, "human", "random")
    try:
        shown = screen.until(PROMPT)
        while "The night is over" not in shown:
            screen.type("1\n")
            shown = screen.until(PROMPT, "The night is over")
        assert screen.status() == 0
    finally:
        screen.close()
