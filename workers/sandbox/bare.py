"""Starts programs without any sandbox: an author's own bots on his own desk, and tests of the referee.

Nothing here protects from a program. It is never chosen by itself; `--no-sandbox` asks for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from workers.sandbox.child import Child, Exit
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import RunFolder
from workers.sandbox.policy import Command


class BareLauncher:
    """The program as a plain process in a session of its own."""

    sandboxed = False

    def __init__(self, *, run_dir: Path | None = None) -> None:
        self.run = RunFolder(run_dir)
        self._haunt = str(self.run.haunt())

    def start(self, command: Command) -> Child:
        bot = str(command.folder.absolute())
        argv = command.argv_in(bot, self._haunt)
        if Path(argv[0]).name == "python3":
            argv[0] = sys.executable
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": tempfile.gettempdir(),
            "LANG": "C.UTF-8",
            **command.environment_in(bot, self._haunt),
        }
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                cwd=command.folder,
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"{argv[0]} did not start: {error.strerror}") from error
        return BareChild(process)


class BareChild(Child):
    """The process itself is the root of its tree; its session is killed as a whole."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(process)
        self._killed = False
        self._ended: Exit | None = None

    def root(self) -> int | None:
        return self._process.pid

    def ran(self) -> bool:
        return True

    def exit(self) -> Exit | None:
        status = None if self._killed else self._process.poll()
        if status is None:
            return self._ended
        self._ended = Exit(128 - status if status < 0 else status)
        return self._ended

    def wait_for_exit(self, seconds: float) -> Exit | None:
        if not self._killed:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
        return self.exit()

    def kill(self) -> None:
        if self._killed:
            return
        self.exit()
        self._killed = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
