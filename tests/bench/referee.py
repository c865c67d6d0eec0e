"""Cost of the referee: its own CPU time for a move, beside a bare loop over a pipe."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from bots.faults import FaultCode
from bots.job import FAST
from bots.lines import EventLog, LegalMoves, SeatLines
from engine.core import CHANCE, State
from engine.registry import make_game
from tests.bench.figure import Figure
from tests.bench.matches import trivial_seats
from workers.lateness import watching
from workers.player import LIMITS
from workers.referee import Match, SeatProgram
from workers.sandbox.bare import BareLauncher
from workers.sandbox.cores import own_core
from workers.sandbox.launcher import Launcher, SandboxLauncher

SEATS = 2
Ask: TypeAlias = Callable[[State, Sequence[int]], tuple[int | None, FaultCode | None, bool]]
GAME = "dont-go-in-there"
MATCHES = 12
ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(b'{"turn":1,"id":1}\\n')
    sys.stdout.buffer.flush()
"""
_decode = msgspec.json.Decoder().decode


def figures() -> Iterator[Figure]:
    """Observation, legal list, JSON, pipe, clock and log, against the same bytes through a plain pipe.

    All of it on one core, as matches are played.
    """
    ours, floor = [], []
    grouped = {freezes: SandboxLauncher(freezes=freezes) for freezes in (False, True)}
    inside: dict[bool, list[float]] = {False: [], True: []}
    with (
        tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder,
        own_core(grouped[True].run.locks),
    ):
        seats = trivial_seats(Path(folder), SEATS)
        for number in range(MATCHES):
            spent_us, actions = referee_us(seats, f"bench/{number}", BareLauncher())
            ours.append(spent_us)
            floor.append(pipe_us(questions(actions)))
            for freezes, launcher in grouped.items():
                inside[freezes].append(referee_us(seats, f"bench/{number}", launcher)[0])
    yield Figure(
        key="referee.cpu_us_per_move",
        value=statistics.median(ours),
        unit="CPU us of ours",
        better="lower",
        peer="the same lines through a plain pipe",
        peer_value=statistics.median(floor),
        aim=60.0,
    )
    yield Figure(
        key="referee.cpu_us_per_move.frozen",
        value=statistics.median(inside[True]),
        unit="CPU us of ours",
        better="lower",
        peer="in the sandbox, without freezing",
        peer_value=statistics.median(inside[False]),
    )


def referee_us(seats: Sequence[SeatProgram], seed: str, launcher: Launcher) -> tuple[float, tuple[int, ...]]:
    """CPU time of this process for a question and its answer; and the actions of the match.

    The rules' own steps, the start, the end and the record are measured elsewhere.
    """
    asked: list[float] = []
    with watching() as watcher:
        match = Match(
            game=make_game(GAME, SEATS),
            seats=seats,
            seed=seed,
            clock=FAST,
            limits=LIMITS,
            late=watcher.late_s,
        )
        try:
            match.start(["a"] * SEATS, launcher)
            for player in match.players:
                player.ask = timed(player.ask, asked)  # type: ignore[method-assign,assignment]
            record = match.play()
        finally:
            match.close()
    return sum(asked) * 1e6 / len(asked), record.actions


def timed(ask: Ask, spent: list[float]) -> Ask:
    """The same, noting the CPU time of each call."""

    def asking(state: State, legal: Sequence[int]) -> tuple[int | None, FaultCode | None, bool]:
        began = time.process_time()
        answer = ask(state, legal)
        spent.append(time.process_time() - began)
        return answer

    return asking


def questions(actions: Sequence[int]) -> list[bytes]:
    """The lines that such a match sends, as the referee makes them."""
    game = make_game(GAME, SEATS)
    events = EventLog()
    lines = [SeatLines(game, seat, events, LegalMoves(game)) for seat in range(SEATS)]
    state, asked = game.initial_state(), []
    for action in actions:
        actor = state.actor()
        if actor != CHANCE:
            asked.append(lines[actor].move(state, state.legal_actions(), len(asked), 1000))
        state.apply(action, events.emit)
    return asked


def pipe_us(lines: Sequence[bytes]) -> float:
    """CPU time of writing a line, waiting for the answer, and reading it."""
    command = [sys.executable, "-I", "-S", "-c", ECHO]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as bot:
        if bot.stdin is None or bot.stdout is None:
            raise RuntimeError("pipes were asked for")
        to, of = bot.stdin.fileno(), bot.stdout.fileno()
        _through(to, of, lines[0])
        began = time.process_time()
        for line in lines:
            _through(to, of, line)
        spent = time.process_time() - began
    return spent * 1e6 / len(lines)


def _through(to: int, of: int, line: bytes) -> None:
    os.write(to, line)
    answer = os.read(of, 65536)
    while not answer.endswith(b"\n"):
        answer += os.read(of, 65536)
    _decode(answer)
