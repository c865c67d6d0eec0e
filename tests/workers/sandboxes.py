"""What the sandbox's tests share: a launcher with a folder and uids of its own; a look at what is left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.workers.matches import open_folder
from workers.sandbox.launcher import SandboxLauncher

UID_BASE = 61_000 + os.getpid() % 400 * 10
"""Apart from those of workers on this host, and from other runs of the suite."""


@contextmanager
def sandbox(**options: bool) -> Iterator[SandboxLauncher]:
    """A launcher of its own; `options` are those of SandboxLauncher."""
    run_dir = open_folder()
    launcher = SandboxLauncher(run_dir=run_dir, uid_base=UID_BASE, **options)
    try:
        yield launcher
    finally:
        shutil.rmtree(run_dir)
        if launcher.groups is not None:
            launcher.groups.remove()


def left_behind(launcher: SandboxLauncher) -> list[str]:
    """Whatever is still there of what ran: processes, control groups, mounts, folders of seats."""
    found = [str(path) for path in launcher.run.seats.iterdir()]
    found += [f"group {name}" for name in (launcher.groups.names() if launcher.groups else ())]
    mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    found += [f"mount {line}" for line in mounts if str(launcher.run.path) in line]
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            uid = process.stat().st_uid
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if UID_BASE <= uid < UID_BASE + 10 or os.fsencode(launcher.run.path) in command:
            found.append(f"{process.name} (uid {uid}): {command[:80]!r}")
    return found
