"""Folders for the length of one job, in the system's place for such; those of dead workers are swept.

A folder is held by a lock on itself, which the kernel drops with the process that made it. So whoever gets
the lock of another's folder knows that nobody works in it any more.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "haunt-"
_KINDS: Final = ("match", "build", "probe", "play", "check")
_YOUNG_S: Final = 10.0
"""A folder younger than this may not have its lock yet."""


@contextmanager
def scratch(kind: str) -> Iterator[Path]:
    """A fresh folder of ours alone, removed at the end."""
    if kind not in _KINDS:
        raise ValueError(f"the sweep does not know folders of kind {kind}")
    path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-"))
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def sweep_scratch(*, young_s: float = _YOUNG_S) -> int:
    """Remove folders whose makers are dead. How many."""
    swept = 0
    for kind in _KINDS:
        for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}{kind}-*"):
            with suppress(OSError):
                swept += _swept(path, young_s)
    return swept


def _swept(path: Path, young_s: float) -> bool:
    """Raises OSError where it is no folder, or somebody holds it."""
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(lock)
        if found.st_uid != os.geteuid() or time.time() - found.st_ctime < young_s:
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
        return True
    finally:
        os.close(lock)
