"""Folders that belong to one running process: short, private, swept when their owner is gone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

from ladder.common.embedded.errors import EmbeddedError

PREFIX = "haunt-"
# A socket's address holds 107 bytes on Linux and 103 on macOS, so the folder's own must be short.
SHORT_TMP = Path("/tmp")  # noqa: S108
_LOCK = "owner.lock"


class OwnedFolder:
    """A fresh folder below /tmp, held by a lock for as long as this object lives.

    Others may pass through it and not look around: a server that gave up root must reach its data.
    """

    def __init__(self, purpose: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}-", dir=SHORT_TMP))
        self.path.chmod(0o711)
        self._lock = _lock(self.path / _LOCK)

    def remove(self) -> None:
        """Delete it with all that it holds."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def hold(folder: Path, note: str) -> IO[str]:
    """Take the lock of a lasting folder, as `var/`, and leave a note for whoever comes second.

    Raises EmbeddedError (already_running) with that note while another process holds it.
    """
    try:
        lock = _lock(folder / _LOCK)
    except BlockingIOError:
        said = (folder / _LOCK).read_text().strip()
        raise EmbeddedError(
            "already_running", f"It already runs here: {said}. Stop it there first."
        ) from None
    lock.truncate(0)
    lock.write(note)
    lock.flush()
    return lock


def _lock(path: Path) -> IO[str]:
    handle = path.open("a+")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise
    return handle


def sweep(purpose: str) -> int:
    """Remove the folders whose owners were killed. Returns how many."""
    removed = 0
    for folder in SHORT_TMP.glob(f"{PREFIX}{purpose}-*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid != os.getuid() or not (folder / _LOCK).exists():
                continue
            lock = _lock(folder / _LOCK)
            shutil.rmtree(folder, ignore_errors=True)
            lock.close()
            removed += 1
    return removed
