"""Whole matches of bots that do not think: one process plays, sandboxed and bare in turns."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bots.job import FAST, Clock
from bots.program import read_path
from engine.chance import derive
from engine.registry import make_game
from tests.bench.figure import Figure
from workers.cli.local import LocalBot
from workers.cli.table import built, lay_out
from workers.referee import MatchOutcome, SeatProgram, play_match
from workers.sandbox.bare import BareLauncher
from workers.sandbox.launcher import Launcher, SandboxLauncher

ROOT = Path(__file__).resolve().parent.parent.parent
KIT = ROOT / "bots" / "kits" / "python"
GAME = "dont-go-in-there"
PAIRS = 40


def trivial_seats(folder: Path, seats: int) -> list[SeatProgram]:
    """The starter bot, which takes the first legal move, on every seat."""
    bot = LocalBot("starter", read_path(KIT))
    artefact = built(bot, BareLauncher())
    return [lay_out(bot, artefact, folder / str(seat)) for seat in range(seats)]


def figures() -> Iterator[Figure]:
    """Matches a minute, and what the sandbox costs, for two seats and four."""
    for seats in (2, 4):
        sandboxed, bare = [], []
        with tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder:
            programs = trivial_seats(Path(folder), seats)
            launchers = (SandboxLauncher(), BareLauncher())
            for launcher in launchers:  # once for the caches of the disk
                match_s(programs, "warm", launcher)
            for number in range(PAIRS):
                sandboxed.append(match_s(programs, f"bench/{number}", launchers[0]))
                bare.append(match_s(programs, f"bench/{number}", launchers[1]))
        inside, outside = statistics.median(sandboxed), statistics.median(bare)
        suffix = "" if seats == 2 else f".{seats}-seats"
        yield Figure(
            key=f"match.per_minute{suffix}",
            value=60 / inside,
            unit=f"matches of {seats} / min",
            better="higher",
            peer="the same bots as bare processes",
            peer_value=60 / outside,
        )
        yield Figure(
            key=f"match.overhead_ratio{suffix}",
            value=inside / outside,
            unit="wall / wall",
            better="lower",
            peer="bare processes",
            peer_value=1.0,
            aim=1.35,
        )


def match_s(seats: Sequence[SeatProgram], seed: str, launcher: Launcher, *, pinned: bool = True) -> float:
    """Wall time of one match, from nothing to its record."""
    began = time.perf_counter()
    outcome = match_of(seats, seed, launcher, pinned=pinned)
    spent = time.perf_counter() - began
    check(outcome)
    return spent


def match_of(
    seats: Sequence[SeatProgram], seed: str, launcher: Launcher, *, clock: Clock = FAST, pinned: bool = True
) -> MatchOutcome:
    """One match."""
    return play_match(
        game=make_game(GAME, len(seats)),
        seats=seats,
        seed=seed,
        clock=clock,
        private_seeds=[derive(seed, f"bot/{seat}") for seat in range(len(seats))],
        launcher=launcher,
        pinned=pinned,
    )


def check(outcome: MatchOutcome) -> None:
    """Raises RuntimeError where a match of starter bots was void, or one of them at fault."""
    if outcome.record is None or outcome.record.faults:
        raise RuntimeError(f"a match of starter bots went wrong: {outcome.void_reason}")
