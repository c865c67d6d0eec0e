"""What a run of the suite leaves on this machine: processes, control groups, mounts, folders.

Others may run on it, too. So only that counts which is below this process, or bears its pid; and where we
are alone, as in CI, what is nobody's: the process that a name tells of is dead, or a folder lost its lock.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from workers.attacks.leftovers import descendants
from workers.sandbox import cgroup, scratch

RUN_FOLDERS: Final = ("/run/hauntladder", "/var/lib/hauntladder/run")
_PATIENCE_S: Final = 60.0
"""How long what was just ended may take to be gone, and a folder of somebody else to get its lock."""
_STAYS: Final = b"multiprocessing.resource_tracker"
"""A process that Python keeps until it ends itself."""


class Leftovers:
    """A look now, to be compared with one at the end."""

    def __init__(self, *, alone: bool) -> None:
        """`alone`: nobody else runs here, so what is nobody's was ours."""
        self._alone = alone
        self._before = set(_everything(alone))

    def new(self) -> list[str]:
        """What was not there before; waits a little for it to go.

        Tests kill workers. Of what these leave, folders are swept here, as by the worker that comes next, and
        processes that have ended are reaped, for orphans come to this process.
        """
        until = time.monotonic() + _PATIENCE_S
        while (left := self._now()) and time.monotonic() < until:
            time.sleep(0.1)
        return left

    def _now(self) -> list[str]:
        scratch.sweep_scratch()
        for pid in descendants():
            if _has_ended(pid):
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
        return sorted(set(_everything(self._alone)) - self._before)


def _everything(alone: bool) -> Iterator[str]:
    for pid in descendants():
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            if _STAYS not in words:
                yield f"process {pid}: {words[:80]!r}"
    yield from (f"control group {path}" for path in _groups() if _is_ours(path.name, alone))
    for line in Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines():
        if "haunt" in line:
            yield f"mount {line}"
    for folder in RUN_FOLDERS:
        with suppress(OSError):
            yield from (
                f"folder {path}" for path in Path(folder, "seats").iterdir() if _is_ours(path.name, alone)
            )
    for kind in scratch._KINDS:
        for path in Path(tempfile.gettempdir()).glob(f"{scratch._PREFIX}{kind}-*"):
            if alone and not _is_held(path):
                yield f"folder {path}"


def _has_ended(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
    return False


def _groups() -> Iterator[Path]:
    layout = cgroup.find(writable=False)
    for tree in set(layout.trees.values()) if layout else ():
        for base in tree.glob("hauntladder-*"):
            with suppress(OSError):
                yield from (path for path in base.iterdir() if path.is_dir())


def _is_ours(name: str, alone: bool) -> bool:
    """Whether a name of slot, pid and time bears our pid, or where we are alone that of nobody who lives."""
    parts = name.split("-")
    if len(parts) != 3 or not parts[1].isdigit():
        return False
    return int(parts[1]) == os.getpid() or (alone and not Path("/proc", parts[1]).exists())


def _is_held(path: Path) -> bool:
    """Whether somebody works in it."""
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
