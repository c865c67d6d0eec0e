"""A second worker on this host, in a process of its own, with the same run folder and the same slots."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Final

from workers.attacks.attack import Attack, Bench, Finding, Verdict
from workers.attacks.matches import GENEROUS, match, quiet
from workers.player import LIMITS

_MATCHES: Final = 4
_WAIT_S: Final = 60.0
"""How long the other may take, twice: while we play beside it, and after that."""


@dataclass(frozen=True, kw_only=True)
class NeighbourAttack(Attack):
    """Both play at once, and this one sweeps between its matches, as a worker does that has just started."""

    def run(self, bench: Bench) -> Finding:
        words = [sys.executable, "-m", "workers.cli", "play", "dont-go-in-there", "random", "greedy"]
        environment = {
            **os.environ,
            "RUN_DIR": str(bench.launcher.run.path),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        if bench.uid_base is not None:
            environment["SLOT_UID_BASE"] = str(bench.uid_base)
        with subprocess.Popen(
            [*words, "-n", str(_MATCHES), "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        ) as other:
            wrong = _play_beside(other, bench)
            try:
                out, err = other.communicate(timeout=_WAIT_S)
            except subprocess.TimeoutExpired:
                other.kill()
                return Finding(Verdict.WRONG, "the other worker never came to an end")
        if other.returncode:
            return Finding(Verdict.ESCAPED, f"the other worker failed: {err[-500:].decode()}", _MATCHES)
        faults = [record["faults"] for record in json.loads(out)["matches"]]
        if any(faults):
            return Finding(Verdict.ESCAPED, f"a match of the other worker has faults: {faults}", _MATCHES)
        return Finding(Verdict.ESCAPED if wrong else Verdict.CONTAINED, wrong, _MATCHES)


def _play_beside(other: subprocess.Popen[bytes], bench: Bench) -> str:
    """Sweep and play until the other worker is done; what befell our own matches."""
    until = time.monotonic() + _WAIT_S
    while other.poll() is None and time.monotonic() < until:
        bench.launcher.sweep()
        outcome = match([quiet(), quiet()], bench.launcher, clock=GENEROUS, limits=LIMITS)
        if outcome.record is None:
            return f"a match of ours was void: {outcome.void_reason}"
        if outcome.record.faults:
            return f"a match of ours has faults: {outcome.record.faults[0].code}"
    return ""


def attacks() -> list[NeighbourAttack]:
    what = "A second worker plays on this host at the same time, and both sweep."
    return [NeighbourAttack(group="host", name="second_worker", what=what, seconds=120.0)]
