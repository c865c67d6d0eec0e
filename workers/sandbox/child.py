"""A started program as its caller sees it: three pipes, a way to end it, and how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from workers.sandbox.cgroup import Group
from workers.sandbox.slots import Slot

_PATIENCE_S: Final = 0.5
"""How long SIGKILL to the sandbox's first process may take before its keeper is killed as well."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended, by itself or by a signal."""

    status: int

    @property
    def signal(self) -> int | None:
        """The signal that ended it; shells and bubblewrap say 128 + signal."""
        return self.status - 128 if 128 < self.status < 128 + signal.NSIG else None

    def __str__(self) -> str:
        if self.signal is None:
            return f"exit status {self.status}"
        try:
            return f"signal {self.signal} ({signal.Signals(self.signal).name})"
        except ValueError:
            return f"signal {self.signal}"


class Killed(Enum):
    """Why the kernel killed a process for want of memory."""

    OWN_LIMIT = "the program asked for more than its limit"
    HOST = "the host, or the container around us, had no more"


class Child(ABC):
    """One program. The pipes are non-blocking and are closed by `close`."""

    group: Group | None = None
    """The control group of all its processes, where there is one."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a child has three pipes")
        self._process = process
        self.stdin = process.stdin.fileno()
        self.stdout = process.stdout.fileno()
        self.stderr = process.stderr.fileno()
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    @abstractmethod
    def root(self) -> int | None:
        """Pid of the process whose whole tree is the program's, or None before it is known."""

    @abstractmethod
    def ran(self) -> bool:
        """Whether the program itself is known to have run, whatever became of it."""

    @abstractmethod
    def exit(self) -> Exit | None:
        """How it ended by itself; None while it runs, or when we ended it."""

    @abstractmethod
    def wait_for_exit(self, seconds: float) -> Exit | None:
        """Like `exit`, but waits for it."""

    @abstractmethod
    def kill(self) -> None:
        """End it and all that it started; returns when nothing is left."""

    def freeze(self) -> None:  # noqa: B027 - without a group there is nothing to be done
        """Stop all of it where it stands, where the kernel can."""

    def thaw(self) -> None:  # noqa: B027
        """Let it go on."""

    def out_of_memory(self) -> Killed | None:
        """Whose memory had run out, if the kernel killed a process of it for that."""
        return None

    def close_stdin(self) -> None:
        """Let the program see the end of its input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def close(self) -> None:
        """Kill, and close the pipes."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


class SandboxChild(Child):
    """A program under bubblewrap, which writes what it knows to a pipe of its own."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        status: int,
        slot: Slot,
        group: Group | None = None,
        *,
        freezes: bool = True,
    ) -> None:
        super().__init__(process)
        self.group = group
        self._freezes = freezes and group is not None and group.can_freeze
        self._frozen = False
        self._spared = False
        """Whether bubblewrap's own processes stay awake when the program is frozen."""
        self._oom: Killed | None = None
        self._status = status
        self._slot = slot
        self._said = b""
        self._init: int | None = None
        self._pidfd: int | None = None
        self._exit: Exit | None = None
        self._killed = False
        os.set_blocking(status, False)

    def root(self) -> int | None:
        if self._init is None:
            self._listen()
        return self._init

    def ran(self) -> bool:
        self._listen()
        return self._exit is not None

    def exit(self) -> Exit | None:
        if not self._killed:
            self._listen()
        return self._exit

    def wait_for_exit(self, seconds: float) -> Exit | None:
        until = time.monotonic() + seconds
        while self.exit() is None and not self._killed and (left := until - time.monotonic()) > 0:
            if not _is_ready(self._status, left) or self._process.poll() is not None:
                break
        return self.exit()

    def _listen(self) -> None:
        """Read the documents that bubblewrap wrote; it writes them in pieces."""
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self._status, 4096):
                self._said += part
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "child-pid" in said:
                self._init = said["child-pid"]
                self._hold()
            if "exit-code" in said:
                self._exit = Exit(said["exit-code"])

    def _hold(self) -> None:
        """Keep hold of the first process, so that a signal to it can never reach another.

        While its keeper runs, the pid is its; after that it is a child of ours, or was reaped already.
        """
        if self._init is None:
            return
        try:
            if self._process.poll() is not None:
                os.waitid(os.P_PID, self._init, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            self._pidfd = os.pidfd_open(self._init)
        except OSError:
            self._pidfd = None

    def freeze(self) -> None:
        if self._freezes and self.group is not None and not self._frozen and not self._killed:
            self._spared = self._spared or self._spare_keepers(self.group)
            self.group.freeze()
            self._frozen = True

    def _spare_keepers(self, group: Group) -> bool:
        """Leave bubblewrap's two processes out of freezing, once the program runs: it starts among them."""
        init = self.root()
        if self._process.poll() is not None or init is None or self._has_ended():
            return False
        with contextlib.suppress(OSError):
            if Path(f"/proc/{init}/task/{init}/children").read_text(encoding="ascii"):
                group.spare(self._process.pid, init)
                return True
        return False

    def _has_ended(self) -> bool:
        """Whether the first process is gone, so that its pid may be another's."""
        return self._pidfd is None or _is_ready(self._pidfd, 0)

    def thaw(self) -> None:
        if self._frozen and self.group is not None:
            self.group.thaw()
            self._frozen = False

    def out_of_memory(self) -> Killed | None:
        if self.group is not None and not self._killed and self._oom is None and self.group.oom_kills():
            self._oom = Killed.OWN_LIMIT if self.group.hit_its_limit() else Killed.HOST
        return self._oom

    def kill(self) -> None:
        """First the first process of the namespace, then whatever the group still holds, then the traces.

        The group alone would do it faster, but would kill the keeper too, before it could reap.
        """
        if self._killed:
            return
        self._listen()
        self.out_of_memory()
        self._killed = True
        if self._process.poll() is None:
            self._signal()
            self.thaw()
            if not self._keeper_ends():
                self._kill_all()
            self._process.wait()
        self._see_it_gone()
        os.close(self._status)
        if self.group is not None:
            self.group.kill()
            self.group.remove()
        self._slot.release()

    def _keeper_ends(self) -> bool:
        """Wait for it, and wake at once: Popen's own wait looks again and again, with pauses that grow."""
        try:
            keeper = os.pidfd_open(self._process.pid)
        except OSError:
            return False
        try:
            return _is_ready(keeper, _PATIENCE_S)
        finally:
            os.close(keeper)

    def _signal(self) -> None:
        """SIGKILL to the first process of the pid namespace takes the whole namespace along."""
        if self._pidfd is None:
            self._kill_all()
            return
        try:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        except ProcessLookupError:
            return

    def _kill_all(self) -> None:
        """The keeper, with a first process that it has not told of yet, and all that the group holds."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self.group is not None:
            self.group.kill()

    def _see_it_gone(self) -> None:
        """Wait for the namespace to be empty, and reap its first process if it was left to us."""
        if self._init is None:
            self._listen()
        if self._pidfd is None or self._init is None:
            self._reap_untold()
            return
        if not _is_ready(self._pidfd, _PATIENCE_S):
            self._signal()
            if self.group is not None:
                self.group.kill()
            _is_ready(self._pidfd, None)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._init, os.WNOHANG)
        os.close(self._pidfd)
        self._pidfd = None

    def _reap_untold(self) -> None:
        """A first process that nobody told of is in its keeper's process group still, and killed with it."""
        until = time.monotonic() + _PATIENCE_S
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self._process.pid, os.WNOHANG) == (0, 0) and time.monotonic() < until:
                time.sleep(0.001)


def _is_ready(fd: int, seconds: float | None) -> bool:
    """Wait for something to read or, of a process, for its end; None: as long as it takes."""
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    return bool(poller.poll(None if seconds is None else seconds * 1000))
