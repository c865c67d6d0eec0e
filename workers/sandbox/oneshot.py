"""Runs one program to its end in the sandbox: builds, checks and self-tests."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workers.sandbox.child import Killed
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import Launcher
from workers.sandbox.policy import Command

_CHUNK: Final = 65_536
_EXIT_S: Final = 2.0
_PATIENCE: Final = 16
"""So many times what is kept may be written before a program is stopped for it."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of it. `status` is None when it was stopped, for its time or for all that it wrote."""

    status: int | None
    stdout: bytes
    stderr: bytes
    flooded: bool
    """Whether it wrote more than was kept."""
    late: bool = False
    """Whether its time ran out."""
    out_of_memory: bool = False
    """Whether a process of it was killed at its limit of memory."""


class _Pipe:
    """What came out of one pipe: its beginning is kept, the rest counted."""

    def __init__(self, keep: int, stop: int) -> None:
        self.kept = bytearray()
        self._keep = keep
        self._stop = stop
        self._total = 0

    def take(self, part: bytes) -> None:
        self.kept += part[: self._keep - len(self.kept)]
        self._total += len(part)

    @property
    def flooded(self) -> bool:
        return self._total > self._keep

    @property
    def is_hopeless(self) -> bool:
        return self._total > self._stop


def run_once(
    launcher: Launcher,
    command: Command,
    *,
    wall_s: float,
    keep: int = 262_144,
    keep_stdout: int | None = None,
) -> Finished:
    """Run to the end, at most `wall_s` seconds. Raises SandboxError when the sandbox did not start.

    `keep` bytes of each pipe are kept. Where all of stdout matters it has `keep_stdout` of its own, and no
    more of it is read.
    """
    until = time.monotonic() + wall_s
    child = launcher.start(command)
    out = _Pipe(keep, _PATIENCE * keep) if keep_stdout is None else _Pipe(keep_stdout, keep_stdout)
    err = _Pipe(keep, _PATIENCE * keep)
    try:
        came_to_its_end = _collect({child.stdout: out, child.stderr: err}, until)
        ended = child.wait_for_exit(_EXIT_S) if came_to_its_end else None
        killed = child.out_of_memory()
        if killed is Killed.HOST:
            raise SandboxError("this machine ran out of memory")
        if came_to_its_end and ended is None and killed is None:
            raise SandboxError("the sandbox ended without a word of its program")
    finally:
        child.close()
    return Finished(
        status=ended.status if ended else None,
        stdout=bytes(out.kept),
        stderr=bytes(err.kept),
        flooded=out.flooded or err.flooded,
        late=not came_to_its_end and not (out.is_hopeless or err.is_hopeless),
        out_of_memory=killed is not None,
    )


def _collect(pipes: Mapping[int, _Pipe], until: float) -> bool:
    """Read both pipes until they are closed; False when the time, or the patience, ran out before."""
    poller = select.poll()
    for fd in pipes:
        poller.register(fd, select.POLLIN)
    open_fds = set(pipes)
    while open_fds:
        left = until - time.monotonic()
        if left <= 0:
            return False
        for fd, _ in poller.poll(left * 1000):
            part = os.read(fd, _CHUNK)
            if not part:
                poller.unregister(fd)
                open_fds.discard(fd)
            pipes[fd].take(part)
            if pipes[fd].is_hopeless:
                return False
    return True
