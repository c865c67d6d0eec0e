"""What an attack is, what it runs on, and what can come of it."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workers.attacks.peaks import Peaks
from workers.runtimes import RUNTIMES
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.policy import MIB
from workers.sandbox.probe import layers

GROUPS: Final[Mapping[str, str]] = {
    "bombs": "process and memory bombs",
    "floods": "floods",
    "protocol": "protocol tricks",
    "access": "access probes",
    "privilege": "privilege",
    "collusion": "collusion channels",
    "host": "host and other workers",
    "compilers": "compilers",
    "uploads": "uploads",
    "seen": "what people see",
}
"""By key, what the attacks of a group have in common."""

_LACKS: Final[Mapping[str, str]] = {
    "groups": "needs control groups, which a worker has as root where /sys/fs/cgroup can be written",
    "freezer": "needs the freezer, without which CPU time off a bot's turn is charged, not prevented",
    "x86_64": "was written for x86_64",
}


class Verdict(StrEnum):
    """What came of an attack."""

    CONTAINED = "contained"
    ESCAPED = "escaped"
    """It got what it must not get, or something of it is left."""
    SKIPPED = "skipped"
    WRONG = "wrong verdict"
    """Nothing got out, but what the author would be told, or how long it took, is not what it should be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How an attack went, by itself."""

    verdict: Verdict
    reason: str = ""
    tries: int = 1
    """How many things it tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One line of the report."""

    group: str
    name: str
    what: str
    verdict: Verdict
    reason: str
    """Why it was skipped, or what went wrong; empty where it was contained."""
    tries: int
    seconds: float
    memory: int | None
    """The most bytes that one control group held; None without such groups."""


class Bench:
    """The sandbox that is attacked, and what this machine has."""

    def __init__(self, launcher: SandboxLauncher, *, uid_base: int | None = None) -> None:
        """`uid_base` is the launcher's, where it has one of its own. Raises SandboxError."""
        self.launcher = launcher
        self.uid_base = uid_base
        self.layers = layers(launcher)
        self.peaks = Peaks.watching(launcher)

    @property
    def grouped(self) -> bool:
        return bool(self.layers["cgroup"])

    def lacks(self, need: str) -> str:
        """Why something that an attack needs is not here; empty if it is."""
        if need in RUNTIMES:
            package = RUNTIMES[need].package
            return "" if RUNTIMES[need].program() else f"needs {need}: apt-get install {package}"
        here = {
            "groups": self.grouped,
            "freezer": bool(self.layers["freezer"]),
            "x86_64": os.uname().machine == "x86_64",
        }
        return "" if here[need] else _LACKS[need]


@dataclass(frozen=True, kw_only=True)
class Attack(ABC):
    """One thing that somebody may try."""

    group: str
    name: str
    what: str
    needs: tuple[str, ...] = ()
    """Languages, `groups`, `freezer`, `x86_64`: without them it is skipped."""
    seconds: float = 90.0
    """How long it may take, on a machine that is eight times too busy."""
    memory: int = 512 * MIB
    """How much one of its programs may hold, where there are control groups."""

    @abstractmethod
    def run(self, bench: Bench) -> Finding:
        """Do it. Raises SandboxError where this machine could not."""
