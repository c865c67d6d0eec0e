"""How busy the host is: somebody who sleeps 10 ms at a time, and notes how late it wakes.

A sleeper asks for nothing but to be woken, so what it oversleeps is the host's doing. Who waits for a bot is
held up by as much, and takes it off the time that is held against the bot (workers/seat.py).

The sleeper is a thread of one match: it starts on the match's core, outside the bots' groups, ends with the
match, and crosses no fork. Python runs one thread at a time, so it also wakes late where the referee
computes; that is why lateness is asked for by moments, and counts for a bot only from question to answer,
while the referee does nothing but wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bots.job import HostFigures

NAP_S: Final = 0.01
_TICK_US: Final = 10_000
"""/proc/stat counts hundredths of a second, on every machine."""
_STEAL: Final = 8
"""Word of the line `cpu` in /proc/stat."""


class Watcher:
    """The account of one sleeper."""

    def __init__(
        self, *, now: Callable[[], float] = time.monotonic, nap: Callable[[float], bool] | None = None
    ) -> None:
        """`nap` sleeps for so many seconds, and says whether it was told to stop."""
        self._stopped = threading.Lock()
        self._stopped.acquire()
        self._now = now
        self._nap = nap or self._sleep
        self._account = (0.0, now() + NAP_S)
        """Lateness up to the last waking, and when the next is due. One value, for two threads use it."""
        self._longest_s = 0.0
        self._steal_us = steal_us()
        self._pressure_us = pressure_us()

    def late_s(self, now: float) -> float:
        """Lateness in seconds up to `now`, that of a sleeper who is overdue at this moment included."""
        late, due = self._account
        return late + now - due if now > due else late

    def watch(self) -> None:
        """Sleep, wake, and note it, until told to stop."""
        late, due = self._account
        while not self._nap(NAP_S):
            woke = self._now()
            if woke > due:
                late += woke - due
                self._longest_s = max(self._longest_s, woke - due)
            due = woke + NAP_S
            self._account = (late, due)

    def _sleep(self, seconds: float) -> bool:
        return self._stopped.acquire(timeout=seconds)

    def stop(self) -> None:
        """To be called once."""
        self._stopped.release()

    def figures(self, core: int | None) -> HostFigures:
        """What there is to tell of the time since the beginning, spent on `core`."""
        return HostFigures(
            late_us=int(self.late_s(self._now()) * 1e6),
            longest_late_us=int(self._longest_s * 1e6),
            steal_us=_since(self._steal_us, steal_us()),
            pressure_us=_since(self._pressure_us, pressure_us()),
            core=core,
        )


@contextmanager
def watching(now: Callable[[], float] = time.monotonic) -> Iterator[Watcher]:
    """A watcher at work, in a thread that starts where this one may run."""
    watcher = Watcher(now=now)
    thread = threading.Thread(target=watcher.watch, name="lateness", daemon=True)
    thread.start()
    try:
        yield watcher
    finally:
        watcher.stop()
        thread.join()


def steal_us(path: Path = Path("/proc/stat")) -> int | None:
    """CPU time that a hypervisor gave to others since the host began; None where that is not told."""
    try:
        words = path.read_text(encoding="ascii").split("\n", 1)[0].split()
        return int(words[_STEAL]) * _TICK_US if words[0] == "cpu" else None
    except (OSError, ValueError, IndexError):
        return None


def pressure_us(path: Path = Path("/proc/pressure/cpu")) -> int | None:
    """Time in which somebody waited for a core since the host began; None where that is not told."""
    try:
        words = path.read_text(encoding="ascii").split("\n", 1)[0].split()
        return int(words[-1].removeprefix("total=")) if words[0] == "some" else None
    except (OSError, ValueError, IndexError):
        return None


def _since(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before
