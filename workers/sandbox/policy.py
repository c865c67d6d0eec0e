"""What a program in the sandbox may see and have, as data. Sizes in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from bots.job import Clock

MIB: Final = 1 << 20
GIB: Final = 1 << 30

BOT: Final = "/bot"
"""Where a program finds its own files."""
HAUNT: Final = "/haunt"
"""Where it finds `engine` and `sdk`."""

_ANY_ADDRESS: Final = 64 * GIB
"""Runtimes reserve far more addresses than they use memory."""

START_CPU_S: Final = 5
"""CPU time of a program before its first question, which no clock counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Kernel limits of one program; those of a language stand in its row."""

    memory: int = 512 * MIB
    """Of all its processes together, files in /tmp included: where there are control groups."""
    address_space: int = 512 * MIB
    """Of each process: where there are none."""
    processes: int = 32
    """Processes and threads together."""
    open_files: int = 64
    file_size: int = 16 * MIB
    stack: int = 64 * MIB
    cpu_s: int = 60
    """Of each process, a backstop behind the referee's clock."""
    tmp: int = 32 * MIB
    shm: int = 1 * MIB

    def for_clock(self, clock: Clock) -> Limits:
        """The same with the CPU limit that this clock asks for: start-up, bank, 500 questions, twice."""
        play_ms = clock.bank_ms + 500 * clock.increment_ms
        return replace(self, cpu_s=2 * (START_CPU_S + -(-play_ms // 1000)))

    def rlimits(self, *, grouped: bool = False) -> dict[str, int]:
        """The options of `prlimit`, soft and hard alike. `grouped`: a control group holds its memory."""
        return {
            "as": _ANY_ADDRESS if grouped else self.address_space,
            "core": 0,
            "cpu": self.cpu_s,
            "fsize": self.file_size,
            "memlock": 0,
            "msgqueue": 0,
            "nofile": self.open_files,
            "nproc": self.processes + 1,  # the first process of the sandbox counts as well
            "sigpending": 128,  # timers count: one's could go off on the other's time, frozen or not
            "stack": self.stack,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One program to run. `{bot}` and `{haunt}` in argv and environment stand for the two folders."""

    argv: tuple[str, ...]
    folder: Path
    limits: Limits
    environment: Mapping[str, str] = field(default_factory=dict)
    file_locks: bool = False
    """Let it lock files, as build tools do; a bot of a match may not, for locks carry words."""
    files: tuple[str, ...] = ()
    """Further files and folders of the host that its runtime needs to read."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Links to make: path -> target."""

    def argv_in(self, bot: str, haunt: str) -> list[str]:
        return [_filled(word, bot, haunt) for word in self.argv]

    def environment_in(self, bot: str, haunt: str) -> dict[str, str]:
        return {name: _filled(value, bot, haunt) for name, value in self.environment.items()}


def _filled(text: str, bot: str, haunt: str) -> str:
    return text.replace("{bot}", bot).replace("{haunt}", haunt)


BASE_ENVIRONMENT: Final[Mapping[str, str]] = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108
"""All that a program finds in its environment, beside what its language's row adds."""

SYSTEM_FILES: Final = ("/etc/alternatives", "/etc/ld.so.cache")
"""Files of /etc that runtimes need; there is no other."""

SYSTEM_LINKS: Final = ("bin", "lib", "lib32", "lib64")
"""Folders of / that are links into /usr on most systems."""
