"""Runs one program to its end in the sandbox: builds, checks and self-tests."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass
from typing import Final

from workers.sandbox.child import Child, Killed
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import Launcher
from workers.sandbox.policy import Command

_CHUNK: Final = 65_536
_EXIT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of it. `status` is None when it was stopped for its time."""

    status: int | None
    stdout: bytes
    stderr: bytes
    flooded: bool
    """Whether it wrote more than was kept."""
    out_of_memory: bool = False
    """Whether a process of it was killed at its limit of memory."""


def run_once(launcher: Launcher, command: Command, *, wall_s: float, keep: int = 262_144) -> Finished:
    """Run to the end, at most `wall_s` seconds. Raises SandboxError when the sandbox did not start."""
    until = time.monotonic() + wall_s
    child = launcher.start(command)
    try:
        collected = _collect(child, until, keep)
        ended = child.wait_for_exit(_EXIT_S) if collected is not None else None
        killed = child.out_of_memory()
        if killed is Killed.HOST:
            raise SandboxError("this machine ran out of memory")
        if collected is not None and ended is None and killed is None:
            raise SandboxError("the sandbox ended without a word of its program")
    finally:
        child.close()
    out, err, flooded = collected if collected is not None else (b"", b"", False)
    return Finished(ended.status if ended else None, out, err, flooded, killed is not None)


def _collect(child: Child, until: float, keep: int) -> tuple[bytes, bytes, bool] | None:
    """Everything from both pipes until they are closed; None when the time ran out."""
    kept = {child.stdout: bytearray(), child.stderr: bytearray()}
    poller = select.poll()
    for fd in kept:
        poller.register(fd, select.POLLIN)
    open_fds = set(kept)
    flooded = False
    while open_fds:
        left = until - time.monotonic()
        if left <= 0:
            return None
        for fd, _ in poller.poll(left * 1000):
            part = os.read(fd, _CHUNK)
            if not part:
                poller.unregister(fd)
                open_fds.discard(fd)
            room = keep - len(kept[fd])
            kept[fd] += part[:room]
            flooded = flooded or len(part) > room
    return bytes(kept[child.stdout]), bytes(kept[child.stderr]), flooded
