"""Starts programs in the sandbox.

To be called from the thread that waits for them: bubblewrap ends a program when the *thread* that started
it ends, which is what we want of a worker that dies, and not of a pool that rests.
"""

from __future__ import annotations

import atexit
import ctypes
import logging
import os
import subprocess
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from workers.sandbox import bubblewrap, cgroup, seccomp
from workers.sandbox.cgroup import Group, Groups
from workers.sandbox.child import Child, SandboxChild
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import RunFolder, copy_program
from workers.sandbox.policy import Command, Limits
from workers.sandbox.slots import SLOTS, Slot, acquire, sweep

log = logging.getLogger(__name__)

_PR_SET_CHILD_SUBREAPER: Final = 36


class Launcher(Protocol):
    """What a referee needs to know of a way to run programs."""

    @property
    def sandboxed(self) -> bool: ...
    @property
    def run(self) -> RunFolder:
        """The folder of this host's workers, with the locks of what they share."""

    def start(self, command: Command) -> Child:
        """Start a program. Raises SandboxError when it could not be, and nothing runs."""
        ...


class SandboxLauncher:
    """Every program in a bubblewrap, a slot, under the filter of system calls; as root also under a uid and
    in a control group of its own."""

    sandboxed = True

    def __init__(
        self,
        *,
        run_dir: Path | None = None,
        uid_base: int | None = None,
        grouped: bool = True,
        freezes: bool = True,
    ) -> None:
        """Raises SandboxError where there is no sandbox to be had: nothing is ever run without.

        `grouped` and `freezes` leave control groups or freezing out, for measurements.
        """
        self.found = bubblewrap.find()
        self.run = RunFolder(run_dir)
        self.groups = _groups(self.run) if grouped else None
        self._freezes = freezes
        self._uid_base = uid_base
        seccomp.program()
        for tool in ("/usr/bin/prlimit", *(["/usr/bin/setpriv"] if os.geteuid() == 0 else [])):
            if not os.access(tool, os.X_OK):
                raise SandboxError(f"{tool} is missing; it comes with util-linux")
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    @cached_property
    def _bwrap(self) -> Path:
        return self.run.bwrap(self.found)

    @cached_property
    def _haunt(self) -> Path:
        return self.run.haunt()

    def sweep(self) -> int:
        """Clear what dead workers left behind on this host."""
        return sweep(self.run, uid_base=self._uid_base, groups=self.groups)

    def start(self, command: Command) -> Child:
        slot = acquire(self.run, uid_base=self._uid_base, groups=self.groups)
        group = None
        try:
            if self.groups is not None:
                group = self.groups.make(slot.folder.name, command.limits)
            return self._start(command, slot, group)
        except OSError as error:
            if group is not None:
                group.kill()
                group.remove()
            slot.release()
            raise SandboxError(f"the sandbox did not start: {error}") from error

    def _start(self, command: Command, slot: Slot, group: Group | None) -> Child:
        """Raises OSError, and then nothing runs."""
        folder = command.folder
        if slot.uid is not None:
            folder = slot.folder
            copy_program(command.folder, folder)
        with ExitStack() as closing:
            status, status_in = os.pipe()
            closing.callback(os.close, status_in)
            with ExitStack() as on_failure:
                on_failure.callback(os.close, status)
                args, args_in = _pipe(closing)
                rules, rules_in = _pipe(closing)
                options = bubblewrap.options(
                    command,
                    folder=folder.absolute(),
                    haunt=self._haunt,
                    status_fd=status_in,
                    filter_fd=rules,
                    more_userns=not bubblewrap.userns_switch_is_writable(),
                )
                process = subprocess.Popen(
                    bubblewrap.argv(
                        command, self._bwrap, args_fd=args, uid=slot.uid, grouped=group is not None
                    ),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    pass_fds=(args, rules, status_in),
                    env={},
                    cwd="/",
                    start_new_session=True,
                )
                on_failure.callback(_end, process)
                # bubblewrap waits for its options, and so has started nothing yet when it is put away.
                if group is not None:
                    group.join(process.pid)
                _offer_to_the_kernel(process.pid)
                _hand_over(rules_in, seccomp.program(file_locks=command.file_locks))
                _hand_over(args_in, b"".join(os.fsencode(word) + b"\0" for word in options))
                on_failure.pop_all()
        return SandboxChild(process, status, slot, group, freezes=self._freezes)


def _pipe(closing: ExitStack) -> tuple[int, BinaryIO]:
    """A pipe whose reading end is closed by `closing`, as its writing end is where nobody does before."""
    reading, writing = os.pipe()
    closing.callback(os.close, reading)
    return reading, closing.enter_context(os.fdopen(writing, "wb", buffering=0))


def _hand_over(pipe: BinaryIO, data: bytes) -> None:
    """Less than a pipe holds, so that nobody waits; then its end."""
    pipe.write(data)
    pipe.close()


def _offer_to_the_kernel(pid: int) -> None:
    """Where the host runs out of memory, programs go before workers do; all that one starts inherits this."""
    with suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text("500", encoding="ascii")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _groups(run: RunFolder) -> Groups | None:
    """Control groups, where this host lets us have them; an ordinary user has none."""
    layout = cgroup.find() if os.geteuid() == 0 else None
    if layout is None:
        return None
    groups = Groups(layout, run.path)
    try:
        groups.make(f"{SLOTS}-{os.getpid()}-try", Limits()).remove()
    except OSError as error:
        log.warning("no control groups: %s", error)
        return None
    atexit.register(groups.remove)
    return groups
