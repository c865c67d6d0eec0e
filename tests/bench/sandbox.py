"""What a start costs: from nothing to the first answer of a small program in C, and its end."""

from __future__ import annotations

import resource
import select
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.figure import Figure
from workers.sandbox import bubblewrap
from workers.sandbox.bare import BareLauncher
from workers.sandbox.child import Child
from workers.sandbox.launcher import Launcher, SandboxLauncher
from workers.sandbox.policy import Command, Limits

STARTS = 40
ECHO = "/usr/bin/cat"
"""A program in C that answers a line with a line."""


def figures() -> Iterator[Figure]:
    """All ways in turns, so that what else runs on this machine touches them alike."""
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder:
        command = Command(argv=(ECHO,), folder=Path(folder), limits=Limits())
        bare, full, without = BareLauncher(), SandboxLauncher(), SandboxLauncher(grouped=False)
        words = bubblewrap_alone(full, command)
        ways: dict[str, Callable[[], float]] = {
            "bare": lambda: start_ms(bare, command),
            "bubblewrap": lambda: piped_ms(words),
            "no_groups": lambda: start_ms(without, command),
            "full": lambda: start_ms(full, command),
        }
        for measure in ways.values():
            measure()
        for _ in range(STARTS):
            for way, measure in ways.items():
                before = cpu_ms()
                wall[way].append(measure())
                cpu[way].append(cpu_ms() - before)
    for way in ways:
        suffix = "" if way == "full" else f".{way}"
        bare_ms = statistics.median(wall["bare"])
        yield Figure(
            key=f"sandbox.start_ms{suffix}",
            value=statistics.median(wall[way]),
            unit="ms to the first answer",
            better="lower",
            peer="bare",
            peer_value=bare_ms,
            aim=bare_ms + 12 if way == "full" else None,
        )
        if way != "bubblewrap":  # which by itself leaves its first process to whoever reaps it, uncounted
            yield Figure(
                key=f"sandbox.start_cpu_ms{suffix}",
                value=statistics.median(cpu[way]),
                unit="CPU ms, its end included",
                better="lower",
                peer="bare",
                peer_value=statistics.median(cpu["bare"]),
            )


def cpu_ms() -> float:
    """CPU time of this process and of all that has ended below it."""
    mine, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return 1000 * (mine.ru_utime + mine.ru_stime + ended.ru_utime + ended.ru_stime)


def start_ms(launcher: Launcher, command: Command) -> float:
    """Wall time from the start to the first answer."""
    began = time.perf_counter()
    child = launcher.start(command)
    try:
        first_answer(child)
        return (time.perf_counter() - began) * 1000
    finally:
        child.close()


def first_answer(child: Child) -> None:
    with open(child.stdin, "wb", buffering=0, closefd=False) as to:
        to.write(b"?\n")
    poller = select.poll()
    poller.register(child.stdout, select.POLLIN)
    if not poller.poll(10_000):
        raise RuntimeError("no answer")


def bubblewrap_alone(launcher: SandboxLauncher, command: Command) -> list[str]:
    """A command line with the namespaces alone: no uid, no filter, no limits, no group."""
    words = bubblewrap.options(
        command,
        folder=command.folder,
        haunt=launcher.run.haunt(),
        status_fd=2,
        filter_fd=2,
        more_userns=False,
    )
    for option in ("--seccomp", "--json-status-fd"):
        at = words.index(option)
        del words[at : at + 2]
    return [str(launcher.run.bwrap(launcher.found)), *words, "--", *command.argv]


def piped_ms(argv: Sequence[str]) -> float:
    """Wall time from the start of a command line to its first answer."""
    began = time.perf_counter()
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={}) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("pipes were asked for")
        process.stdin.write(b"?\n")
        process.stdout.read(2)
        spent = time.perf_counter() - began
        process.stdin.close()
    return spent * 1000
