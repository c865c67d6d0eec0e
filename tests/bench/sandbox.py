"""What a start costs: from nothing to the first answer of a small program in C, and its end."""

from __future__ import annotations

import select
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
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
    with tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder:
        command = Command(argv=(ECHO,), folder=Path(folder), limits=Limits())
        full = SandboxLauncher()
        ways: dict[str, Callable[[], float]] = {
            "bare": lambda: start_ms(BareLauncher(), command),
            "bubblewrap": lambda: bubblewrap_ms(full, command),
            "no_groups": lambda: start_ms(without, command),
            "full": lambda: start_ms(full, command),
        }
        without = SandboxLauncher(grouped=False)
        for measure in ways.values():
            measure()
        spent: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(STARTS):
            for way, measure in ways.items():
                spent[way].append(measure())
    medians = {way: statistics.median(times) for way, times in spent.items()}
    for way in ways:
        yield Figure(
            key="sandbox.start_ms" if way == "full" else f"sandbox.start_ms.{way}",
            value=medians[way],
            unit="ms to the first answer",
            better="lower",
            peer="bare",
            peer_value=medians["bare"],
            aim=medians["bare"] + 12 if way == "full" else None,
        )


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


def bubblewrap_ms(launcher: SandboxLauncher, command: Command) -> float:
    """The same with the namespaces alone: no uid, no filter, no limits, no group."""
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
    argv = [str(launcher.run.bwrap(launcher.found)), *words, "--", *command.argv]
    began = time.perf_counter()
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={}) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("pipes were asked for")
        process.stdin.write(b"?\n")
        process.stdout.read(2)
        spent = time.perf_counter() - began
        process.stdin.close()
    return spent * 1000
