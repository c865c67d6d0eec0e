"""A core for one match: the referee and its bots take turns, so one core is all that they can use.

On a core of its own a match is not moved about, and what one side writes lies in the cache of the other. A
core is held by a lock on its file, as slots are, so that all workers of a host share them out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from workers.sandbox.slots import try_lock


@contextmanager
def own_core(locks: Path) -> Iterator[int | None]:
    """Keep this thread, and whatever it starts meanwhile, on a core that no other match has: its number.

    None, and nothing is changed, where all are taken, or where there is but one. Programs inherit it, and
    cannot leave it: the filter of system calls refuses them that.
    """
    allowed = os.sched_getaffinity(0)
    with ExitStack() as held:
        core = _first_free(locks, allowed, held) if len(allowed) > 1 else None
        moved = core is not None and _moved_to(core)
        if moved:
            held.callback(os.sched_setaffinity, 0, allowed)
        yield core if moved else None


def _moved_to(core: int) -> bool:
    """False where the core was taken from us since we looked, as a container's may be."""
    try:
        os.sched_setaffinity(0, {core})
    except OSError:
        return False
    return True


def _first_free(locks: Path, allowed: set[int], held: ExitStack) -> int | None:
    """From the last one down: the first ones serve most of a host's interrupts."""
    for core in sorted(allowed, reverse=True):
        lock = try_lock(locks / f"core-{core}")
        if lock is not None:
            held.callback(os.close, lock)
            return core
    return None
