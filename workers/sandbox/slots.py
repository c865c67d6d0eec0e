"""Slots of this host: one program each, with a uid of its own where we are root.

A slot is held by a lock on its file, which the kernel drops with the last process that has it open. What
a slot leaves behind when its holder was killed is cleared by whoever takes the lock next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from workers.sandbox.cgroup import Groups
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import RunFolder

SLOTS: Final = 256
"""More programs than one host runs at once."""
DEFAULT_UID_BASE: Final = 60_001


class Slot:
    """One held slot; `folder` is its own until `release`."""

    def __init__(self, number: int, lock: int, uid: int | None, folder: Path) -> None:
        self.number = number
        self.uid = uid
        self.folder = folder
        self._lock = lock

    def release(self) -> None:
        """Remove the folder and let the slot go. To be called when nothing runs in it any more."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def acquire(run: RunFolder, *, uid_base: int | None = None, groups: Groups | None = None) -> Slot:
    """The first free slot of this host. Raises SandboxError when all are taken."""
    base = uid_base if uid_base is not None else int(os.environ.get("SLOT_UID_BASE") or DEFAULT_UID_BASE)
    for number in range(SLOTS):
        lock = try_lock(run.locks / str(number))
        if lock is None:
            continue
        uid = base + number if os.geteuid() == 0 else None
        _clear(run, number, uid, groups)
        folder = run.seats / f"{number}-{os.getpid()}-{time.monotonic_ns()}"
        folder.mkdir()
        folder.chmod(0o755)
        return Slot(number, lock, uid, folder)
    raise SandboxError(f"all {SLOTS} slots of this host are taken")


def sweep(run: RunFolder, *, uid_base: int | None = None, groups: Groups | None = None) -> int:
    """Clear what dead workers left behind; what belongs to a living lock is left alone. How many."""
    base = uid_base if uid_base is not None else int(os.environ.get("SLOT_UID_BASE") or DEFAULT_UID_BASE)
    swept = 0
    names = {*_listed(run), *(groups.names() if groups else ())}
    for number in sorted({int(name.split("-")[0]) for name in names}):
        lock = try_lock(run.locks / str(number))
        if lock is not None:
            swept += _clear(run, number, base + number if os.geteuid() == 0 else None, groups)
            os.close(lock)
    return swept


def try_lock(path: Path) -> int | None:
    """A descriptor that holds the file's lock until it is closed, or None: somebody else holds it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _clear(run: RunFolder, number: int, uid: int | None, groups: Groups | None) -> int:
    """Remove what former holders left, who were killed if they left anything, and so may be their programs.

    A folder and a control group of one start have one name.
    """
    mark = f"{number}-"
    folders = [name for name in _listed(run) if name.startswith(mark)]
    grouped = [name for name in (groups.names() if groups else ()) if name.startswith(mark)]
    if groups is not None:
        for name in grouped:
            groups.clear(name)
    if (folders or grouped) and uid is not None:
        _kill_all_of(uid)
    for name in folders:
        shutil.rmtree(run.seats / name, ignore_errors=True)
    return len({*folders, *grouped})


def _listed(run: RunFolder) -> list[str]:
    return os.listdir(run.seats)  # noqa: PTH208 - the names alone, at each start


def _kill_all_of(uid: int) -> None:
    """SIGKILL to every process of a slot's uid, which is nobody else's."""
    if uid == 0:
        raise SandboxError("slots need a uid other than 0; set SLOT_UID_BASE")
    become = ["/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    subprocess.run(
        [*become, "/bin/sh", "-c", "kill -KILL -1"], capture_output=True, timeout=30, check=False, env={}
    )
