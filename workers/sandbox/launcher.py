"""Starts programs in the sandbox.

To be called from the thread that waits for them: bubblewrap ends a program when the *thread* that started
it ends, which is what we want of a worker that dies, and not of a pool that rests.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from workers.sandbox import bubblewrap
from workers.sandbox.child import Child, SandboxChild
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import RunFolder, copy_program
from workers.sandbox.policy import Command
from workers.sandbox.slots import Slot, acquire, sweep

_PR_SET_CHILD_SUBREAPER: Final = 36


class Launcher(Protocol):
    """What a referee needs to know of a way to run programs."""

    @property
    def sandboxed(self) -> bool: ...

    def start(self, command: Command) -> Child:
        """Start a program. Raises SandboxError when it could not be, and nothing runs."""
        ...


class SandboxLauncher:
    """Every program in a bubblewrap, a slot and, as root, under a uid of its own."""

    sandboxed = True

    def __init__(self, *, run_dir: Path | None = None, uid_base: int | None = None) -> None:
        """Raises SandboxError where there is no sandbox to be had: nothing is ever run without."""
        self.found = bubblewrap.find()
        self.run = RunFolder(run_dir)
        self._uid_base = uid_base
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
        return sweep(self.run, uid_base=self._uid_base)

    def start(self, command: Command) -> Child:
        slot = acquire(self.run, uid_base=self._uid_base)
        try:
            return self._start(command, slot)
        except OSError as error:
            slot.release()
            raise SandboxError(f"the sandbox did not start: {error}") from error

    def _start(self, command: Command, slot: Slot) -> Child:
        folder = command.folder
        if slot.uid is not None:
            folder = slot.folder / "bot"
            folder.mkdir()
            copy_program(command.folder, folder)
        status, status_in = os.pipe()
        args, args_in = os.pipe()
        try:
            options = bubblewrap.options(
                command,
                folder=folder.absolute(),
                haunt=self._haunt,
                status_fd=status_in,
                more_userns=not bubblewrap.userns_switch_is_writable(),
            )
            os.write(args_in, b"".join(os.fsencode(word) + b"\0" for word in options))
            os.close(args_in)
            process = subprocess.Popen(
                bubblewrap.argv(command, self._bwrap, args_fd=args, uid=slot.uid),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(args, status_in),
                env={},
                cwd="/",
                start_new_session=True,
            )
        except OSError:
            os.close(status)
            raise
        finally:
            os.close(args)
            os.close(status_in)
        return SandboxChild(process, status, slot)
