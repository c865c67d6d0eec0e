"""Each language that is found here: a build of its starter bot, its start, and a match of two of them."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bots.kits import kit_path
from bots.program import read_path
from tests.bench.figure import Figure
from tests.bench.matches import check, match_of
from workers.cli.local import LocalBot
from workers.cli.table import built, lay_out
from workers.runtimes.probing import offered
from workers.sandbox.launcher import Launcher, SandboxLauncher

TIMES = 5
SEATS = 2
PEER = "c"


def figures() -> Iterator[Figure]:
    """Build, start and match in the sandbox; beside C, which starts the fastest."""
    launcher = SandboxLauncher()
    found = sorted(offered(launcher), key=lambda language: language != PEER)
    peers: dict[str, float] = {}
    for language in found:
        for what, (value, unit) in _measured(language, launcher).items():
            peers.setdefault(what, value)
            yield Figure(
                key=f"language.{what}.{language}",
                value=value,
                unit=unit,
                better="lower",
                peer=found[0],
                peer_value=peers[what],
            )


def _measured(language: str, launcher: Launcher) -> dict[str, tuple[float, str]]:
    """Medians: seconds of a build, milliseconds from start to ready, seconds of a match."""
    bot = LocalBot("starter", read_path(kit_path(language)))
    builds, ready, whole = [], [], []
    with tempfile.TemporaryDirectory(prefix="haunt-bench-") as folder:
        for _ in range(TIMES):
            began = time.perf_counter()
            artefact = built(bot, launcher)
            builds.append(time.perf_counter() - began)
        seats = [lay_out(bot, artefact, Path(folder) / str(seat)) for seat in range(SEATS)]
        for number in range(TIMES):
            began = time.perf_counter()
            outcome = match_of(seats, f"language/{number}", launcher)
            whole.append(time.perf_counter() - began)
            check(outcome)
            ready += [seat.startup_wall_us / 1000 for seat in outcome.seats]
    return {
        "build_s": (statistics.median(builds), "s"),
        "ready_ms": (statistics.median(ready), "ms, two at once"),
        "match_s": (statistics.median(whole), f"s, {SEATS} seats"),
    }
