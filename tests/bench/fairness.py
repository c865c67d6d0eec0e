"""`python -m tests.bench.fairness [--matches N]`: is the clock as fair on a busy host as on an idle one?

The same two bots play the same matches twice: on the host as it is, and with four busy processes for each of
its cores, started here at the same priority and ended here. As many matches are played side by side as there
are cores. It prints what differs, and writes var/fairness.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bots.faults import NO_ANSWER, TIMEOUT
from bots.job import Clock, HostFigures
from tests.bench.fair_bots import LANGUAGES, working_bots
from tests.bench.matches import match_of
from workers.referee import SeatProgram
from workers.sandbox.launcher import SandboxLauncher

OUT = Path(__file__).resolve().parent.parent.parent / "var" / "fairness.json"
CLOCK = Clock(bank_ms=600, increment_ms=10)
"""Short, so that twice 200 matches take about ten minutes of two cores; every part of it is used alike."""
SHARE = 0.5
"""Of bank and increments, used up by each bot."""
BUSY_PER_CORE = 4
TIME_FAULTS = (TIMEOUT, NO_ANSWER)
BUSY = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100_000))
"""
"""Ends by itself should its parent be killed."""


@dataclass(frozen=True, slots=True)
class Played:
    """One match: why it was void, or its faults; each bot's CPU time and questions; how busy the host was."""

    number: int
    void_reason: str | None
    faults: tuple[str, ...]
    cpu_us: tuple[int, ...]
    questions: tuple[int, ...]
    host: HostFigures | None

    def ms_a_question(self, seat: int) -> float:
        return self.cpu_us[seat] / 1000 / max(1, self.questions[seat])


@lru_cache(maxsize=1)
def launcher() -> SandboxLauncher:
    """That of this process."""
    return SandboxLauncher()


def play(seats: Sequence[SeatProgram], number: int) -> Played:
    """The match of this number, which is the same match on every host."""
    outcome = match_of(seats, f"bench/fairness/{number}", launcher(), clock=CLOCK)
    return Played(
        number=number,
        void_reason=outcome.void_reason,
        faults=tuple(fault.code for fault in outcome.record.faults) if outcome.record else (),
        cpu_us=tuple(sum(turn.cpu_us for turn in seat.turns) for seat in outcome.seats),
        questions=tuple(len(seat.turns) for seat in outcome.seats),
        host=outcome.host,
    )


def play_all(seats: Sequence[SeatProgram], matches: int, tell: Callable[[str], None]) -> list[Played]:
    """All of them, as many at once as there are cores; in order of their numbers."""
    began, played = time.monotonic(), []
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        running = [pool.submit(play, seats, number) for number in range(matches)]
        for done in as_completed(running):
            played.append(done.result())
            if len(played) % max(1, matches // 10) == 0:
                tell(f"{len(played)} of {matches} after {time.monotonic() - began:.0f} s")
    return sorted(played, key=lambda match: match.number)


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Others that want the processor, each in a session of its own as bots are, for the time of the block."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        started.extend(
            subprocess.Popen([sys.executable, "-c", BUSY], start_new_session=True) for _ in range(processes)
        )
        yield
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def summary(played: Sequence[Played], wall_s: float) -> dict[str, Any]:
    """What is to be told of one host."""
    faults = Counter(code for match in played for code in match.faults)
    counted = [match for match in played if match.void_reason is None]
    hosts = [match.host for match in played if match.host is not None]
    return {
        "matches": len(played),
        "void": dict(Counter(match.void_reason for match in played if match.void_reason)),
        "time_faults": sum(faults[code] for code in TIME_FAULTS),
        "other_faults": {str(code): count for code, count in faults.items() if code not in TIME_FAULTS},
        "wall_s": round(wall_s, 1),
        "load": os.getloadavg()[0],
        "cpu_ms": {
            bot: spread([match.cpu_us[seat] / 1000 for match in counted])
            for seat, bot in enumerate(LANGUAGES)
        },
        "cpu_ms_a_question": {
            bot: spread([match.ms_a_question(seat) for match in counted])
            for seat, bot in enumerate(LANGUAGES)
        },
        "late_ms": spread([host.late_us / 1000 for host in hosts]),
        "longest_late_ms": max((host.longest_late_us / 1000 for host in hosts), default=None),
        "steal_ms": spread([host.steal_us / 1000 for host in hosts if host.steal_us is not None]),
        "pressure_ms": spread([host.pressure_us / 1000 for host in hosts if host.pressure_us is not None]),
    }


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Mean, standard deviation, 5th and 95th percentile; None where there are too few."""
    if len(values) < 2:
        return None
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    figures = {
        "mean": statistics.fmean(values),
        "sd": statistics.stdev(values),
        "p5": cuts[0],
        "p95": cuts[-1],
    }
    return {name: round(value, 3) for name, value in figures.items()}


def ratios(idle: Sequence[Played], loaded: Sequence[Played]) -> dict[str, dict[str, float] | None]:
    """CPU time for a question on the busy host to that of the same match on the host as it is, by bot."""
    pairs = [
        (one, other)
        for one, other in zip(idle, loaded, strict=True)
        if one.void_reason is None and other.void_reason is None
    ]
    return {
        bot: spread([other.ms_a_question(seat) / one.ms_a_question(seat) for one, other in pairs])
        for seat, bot in enumerate(LANGUAGES)
    }


def measured(matches: int, busy_per_core: int, console: Console) -> dict[str, Any]:
    """Both hosts, one after the other."""
    hosts: dict[str, list[Played]] = {}
    told: dict[str, Any] = {
        "machine": f"{cores()} cores of {platform.machine()}, Linux {platform.release()}",
        "clock": {"bank_ms": CLOCK.bank_ms, "increment_ms": CLOCK.increment_ms, "share": SHARE},
        "busy_processes": busy_per_core * cores(),
        "hosts": {},
    }
    with tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder:
        seats = working_bots(CLOCK, SHARE, Path(folder), launcher())
        for name, others in (("as_it_is", 0), ("oversubscribed", busy_per_core * cores())):
            console.print(f"[bold]{name}[/bold]: {others} busy processes, load {os.getloadavg()[0]:.1f}")
            with busy(others):
                began = time.monotonic()
                hosts[name] = play_all(seats, matches, lambda text: console.print(f"  [dim]{text}[/dim]"))
                told["hosts"][name] = summary(hosts[name], time.monotonic() - began)
    return told | {"ratio_a_question": ratios(hosts["as_it_is"], hosts["oversubscribed"])}


def table(told: dict[str, Any]) -> Table:
    shown = Table("", *told["hosts"], "same match, busy : as it is", box=None)
    plain = ("matches", "void", "time_faults", "other_faults", "wall_s", "longest_late_ms")
    for name in plain:
        shown.add_row(name, *(str(host[name] or 0) for host in told["hosts"].values()))
    for name in ("late_ms", "steal_ms", "pressure_ms"):
        shown.add_row(f"{name} a match", *(line(host[name]) for host in told["hosts"].values()))
    for bot in LANGUAGES:
        shown.add_row(f"cpu_ms, {bot}", *(line(host["cpu_ms"][bot]) for host in told["hosts"].values()))
        shown.add_row(
            f"cpu_ms a question, {bot}",
            *(line(host["cpu_ms_a_question"][bot]) for host in told["hosts"].values()),
            line(told["ratio_a_question"][bot]),
        )
    return shown


def line(figures: dict[str, float] | None) -> str:
    if figures is None:
        return ""
    return "{mean:.4g} ± {sd:.3g} ({p5:.4g} … {p95:.4g})".format(**figures)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.fairness", description="The clock on a busy host.")
    parser.add_argument("--matches", type=int, default=200, metavar="N", help="on each host")
    parser.add_argument(
        "--busy", type=int, default=BUSY_PER_CORE, metavar="N", help="processes for each core"
    )
    parser.add_argument(
        "--json", type=Path, default=OUT, metavar="FILE", help="where the figures are written"
    )
    arguments = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console.width = 180
    told = measured(arguments.matches, arguments.busy, console)
    console.print("mean ± standard deviation (5th … 95th percentile)")
    console.print(table(told))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
