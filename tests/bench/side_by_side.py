"""Matches a minute of one worker and of two, each match on a core of its own and not."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier

from tests.bench.figure import Figure
from tests.bench.matches import match_s, trivial_seats
from workers.referee import SeatProgram
from workers.sandbox.launcher import SandboxLauncher

ROUNDS = 4
SECONDS = 4.0
_barrier: Barrier


def figures() -> Iterator[Figure]:
    """All ways in turns, each in processes of its own that rest while the others play."""
    ways = [(workers, pinned) for workers in (1, 2) for pinned in (True, False)]
    rates: dict[tuple[int, bool], list[float]] = {way: [] for way in ways}
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="haunt-bench-")))
        seats = trivial_seats(folder, 2)
        crews = {way: _crew(way[0], ending) for way in ways}
        for number in range(-1, ROUNDS):
            for workers, pinned in ways:
                rate = _rate(crews[workers, pinned], workers, seats, pinned=pinned)
                if number >= 0:  # once for the imports and the caches of the disk
                    rates[workers, pinned].append(rate)
    medians = {way: statistics.median(found) for way, found in rates.items()}
    beside = {
        (1, True): ("no core of its own", (1, False)),
        (2, True): ("one worker", (1, True)),
        (1, False): ("a core of its own", (1, True)),
        (2, False): ("cores of their own", (2, True)),
    }
    for (workers, pinned), (peer, other) in beside.items():
        yield Figure(
            key=f"match.per_minute.{workers}-worker{'s' * (workers > 1)}{'' if pinned else '.unpinned'}",
            value=medians[workers, pinned],
            unit="matches of 2 / min",
            better="higher",
            peer=peer,
            peer_value=medians[other],
        )


def _crew(workers: int, ending: ExitStack) -> ProcessPoolExecutor:
    context = get_context("spawn")
    barrier = context.Barrier(workers)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(barrier,))
    return ending.enter_context(pool)


def _begin(barrier: Barrier) -> None:
    global _barrier
    _barrier = barrier


def _rate(crew: ProcessPoolExecutor, workers: int, seats: Sequence[SeatProgram], *, pinned: bool) -> float:
    """Matches a minute of all together: each plays for as long as the others do."""
    playing = [crew.submit(_play, seats, pinned=pinned) for _ in range(workers)]
    return sum(one.result() for one in playing)


@lru_cache(maxsize=1)
def _launcher() -> SandboxLauncher:
    return SandboxLauncher()


def _play(seats: Sequence[SeatProgram], *, pinned: bool) -> float:
    """Matches a minute of this process, which waits for the others to begin."""
    launcher = _launcher()
    _barrier.wait()
    began, played = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < SECONDS:
        match_s(seats, f"bench/{played}", launcher, pinned=pinned)
        played += 1
    return 60 * played / spent
