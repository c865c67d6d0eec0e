"""What is still there of programs that ran: processes, control groups, mounts, folders."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from workers.sandbox.launcher import SandboxLauncher

_PATIENCE_S: Final = 5.0
"""How long what was just killed may take to be gone."""


def descendants() -> set[int]:
    """Every process below this one. A launcher has made this process the one that orphans come to."""
    below: dict[int, list[int]] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and (parent := _parent(process)) is not None:
            below.setdefault(parent, []).append(int(process.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        children = below.get(waiting.pop(), [])
        found.update(children)
        waiting += children
    return found


def _parent(process: Path) -> int | None:
    try:
        return int((process / "stat").read_bytes().rpartition(b")")[2].split()[1])
    except OSError:
        return None


def left_behind(launcher: SandboxLauncher, before: Collection[int]) -> list[str]:
    """What is left of our programs; `before` are processes below this one that are none of theirs."""
    until = time.monotonic() + _PATIENCE_S
    while (left := _left(launcher, before)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _left(launcher: SandboxLauncher, before: Collection[int]) -> list[str]:
    mark = f"-{os.getpid()}-"
    names = launcher.groups.names() if launcher.groups else []
    mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        *(f"process {pid}: {_command(pid)}" for pid in sorted(descendants() - set(before))),
        *(f"control group {name}" for name in names if mark in name),
        *(f"folder {path}" for path in launcher.run.seats.iterdir() if mark in path.name),
        *(f"mount {line}" for line in mounts if str(launcher.run.path) in line),
    ]


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return "gone by now"
    return repr(words[:80]) if words else "ended, and reaped by nobody"
