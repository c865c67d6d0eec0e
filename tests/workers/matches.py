"""Small helpers of the referee's tests: programs of a few lines, and clocks that run out soon."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bots.job import Clock
from engine.registry import make_game
from workers.player import MatchLimits, OnTurn
from workers.referee import MatchOutcome, SeatProgram, play_match
from workers.sandbox.launcher import Launcher

HOUSE = Path(__file__).parents[2] / "bots" / "house"
QUICK = Clock(bank_ms=300, increment_ms=10)
SHORT = MatchLimits(start_wall_s=20.0, start_cpu_s=1.5, move_wall_s=2.0, wall_base_s=0.5, end_s=0.3)
PATIENT = replace(SHORT, start_wall_s=60.0, move_wall_s=60.0, wall_base_s=60.0, end_s=60.0)
"""For what takes its CPU time, and for what is read when it has ended, on however busy a machine."""
GENEROUS = Clock(bank_ms=5_000, increment_ms=100)


def house(name: str) -> SeatProgram:
    return SeatProgram(
        version=name.encode().hex().ljust(64, "0"),
        name=name,
        language="python",
        entry="main.py",
        folder=HOUSE / name,
    )


def program(folder: Path, name: str = "scripted", language: str = "python") -> SeatProgram:
    entry = "main.js" if language == "javascript" else "main.py"
    return SeatProgram(version="a" * 64, name=name, language=language, entry=entry, folder=folder)


def play(
    programs: Sequence[SeatProgram],
    launcher: Launcher,
    *,
    clock: Clock = GENEROUS,
    limits: MatchLimits = SHORT,
    cancelled: Callable[[], bool] = lambda: False,
    heartbeat: Callable[[], None] | None = None,
    on_turn: OnTurn = lambda _: None,
    now: Callable[[], float] = time.monotonic,
    pinned: bool = True,
) -> MatchOutcome:
    return play_match(
        game=make_game("dont-go-in-there", len(programs)),
        seats=programs,
        seed="a match of the tests",
        clock=clock,
        private_seeds=[f"seed {seat}" for seat in range(len(programs))],
        launcher=launcher,
        limits=limits,
        cancelled=cancelled,
        heartbeat=heartbeat,
        on_turn=on_turn,
        now=now,
        pinned=pinned,
    )


def open_folder() -> Path:
    """A folder that a slot's uid may enter, which pytest's own are not; gone when the tests end."""
    path = Path(tempfile.mkdtemp(prefix="haunt-test-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    path.chmod(0o711)
    return path
