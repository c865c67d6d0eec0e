"""CPU time of a program: of every process in its tree.

A control group has it whole, and exactly. Without one, each process's own clock is read in nanoseconds;
children that ended are in their parent's account, which the kernel tells in ticks of 10 ms. One process is
the usual case and costs one call; the whole tree is looked at now and then. What cannot be seen this way:
children so short that they live between two looks *and* whose parent ignored their end. The wall bank holds
those.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final, Protocol

from workers.sandbox.cgroup import Group
from workers.sandbox.child import Child

_TICK_NS: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
LOOK_EVERY_S: Final = 0.1
"""How often the whole tree is looked at while answers come fast."""


class CpuClock(Protocol):
    """CPU time of a program so far."""

    def read_us(self, now: float) -> int: ...


def clock_of(child: Child) -> CpuClock:
    """The best clock that there is for it."""
    return TreeClock(child.root) if child.group is None else GroupClock(child.group)


class GroupClock:
    """CPU time of a control group."""

    def __init__(self, group: Group) -> None:
        self._group = group

    def read_us(self, now: float) -> int:  # noqa: ARG002 - the kernel keeps this account, not we
        return self._group.cpu_us()


class TreeClock:
    """Charged CPU time of a tree; never less than it said before."""

    def __init__(self, root: Callable[[], int | None]) -> None:
        self._root = root
        self._main_clock: int | None = None
        self._rest_ns = 0
        """All but the main process, at the last look."""
        self._raw_ns = 0
        self._lost_ns = 0
        """Of processes that were seen and then vanished from every account."""
        self._charged_ns = 0
        self._looked = 0.0

    def read_us(self, now: float) -> int:
        """Microseconds up to now; the main process exactly, the others at most 100 ms old."""
        if self._main_clock is None or now - self._looked > LOOK_EVERY_S:
            return self.look_us(now)
        try:
            total = time.clock_gettime_ns(self._main_clock) + self._rest_ns
        except OSError:
            return self.look_us(now)
        self._charged_ns = max(self._charged_ns, total)
        return self._charged_ns // 1000

    def look_us(self, now: float) -> int:
        """Microseconds up to now, every process looked at."""
        self._looked = now
        root = self._root()
        if root is None:
            return self._charged_ns // 1000
        own, ended, main = _tree(root)
        raw = sum(own.values()) + sum(ended)
        if raw < self._raw_ns - 2 * _TICK_NS * max(1, len(ended)):
            self._lost_ns += self._raw_ns - raw
        self._raw_ns = raw
        self._main_clock = None if main is None else _clock_of(main)
        self._rest_ns = raw + self._lost_ns - (0 if main is None else own[main])
        self._charged_ns = max(self._charged_ns, raw + self._lost_ns)
        return self._charged_ns // 1000


def _clock_of(pid: int) -> int:
    """The kernel's name for the CPU clock of a whole process."""
    return (~pid << 3) | 2


def _tree(root: int) -> tuple[dict[int, int], list[int], int | None]:
    """Own time of each living process, time of ended children by parent, and the main process.

    That is the first child of the sandbox's first process or, without sandbox, the root itself.
    """
    own: dict[int, int] = {}
    ended: list[int] = []
    waiting = [root]
    main = root
    while waiting:
        pid = waiting.pop()
        try:
            own[pid] = time.clock_gettime_ns(_clock_of(pid))
            if of_ended := _ended_ns(pid):
                ended.append(of_ended)
            children = _children(pid)
        except (OSError, ValueError):
            continue
        if pid == root and children:
            main = children[0]
        waiting.extend(children)
    return own, ended, main if main in own else None


def _ended_ns(pid: int) -> int:
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return (int(fields[13]) + int(fields[14])) * _TICK_NS


def _children(pid: int) -> list[int]:
    """Children of all threads of a process."""
    found: list[int] = []
    for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
        try:
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
        except OSError:
            continue
    return found


def _read(path: str) -> bytes:
    """A small file of /proc at once, without the cost of a file object."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 65_536)
    finally:
        os.close(file)
