"""Child processes that end with their parent, and what is left of them when it was killed.

Linux kills the children of a dead parent for us (PR_SET_PDEATHSIG). Where that does not exist, and as a
second hold, each child has a file with its pid and start time; the next start clears what these name.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.common.embedded.errors import EmbeddedError

PR_SET_PDEATHSIG = 1
_POLL_S = 0.01
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LINUX: bool = sys.platform.startswith("linux")


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals that end us, a process of one thread, wait for the end of the block.

    Their handlers raise, and out of the middle of `Popen.poll` that would leave its lock taken: nobody could
    wait for that child any more, and Ctrl-C would hang.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(slots=True)
class Child:
    """One process that we started, how to stop it, and the file that names it."""

    name: str
    process: subprocess.Popen[bytes]
    stop_signal: signal.Signals
    pid_file: Path | None
    log: Path | None

    @property
    def alive(self) -> bool:
        with _undisturbed():
            return self.process.poll() is None

    def stop(self, grace_s: float = 10.0) -> int:
        """Ask, wait, and kill at last. Returns the exit status (negative: the signal's number)."""
        self.ask()
        return self.wait(grace_s)

    def ask(self) -> None:
        """Send the stop signal and do not wait."""
        if self.alive:
            self.process.send_signal(self.stop_signal)

    def wait(self, grace_s: float) -> int:
        """Wait for the end; kill when it does not come in time."""
        until = time.monotonic() + grace_s
        while self.alive:
            if time.monotonic() > until:
                self.process.kill()
            time.sleep(_POLL_S)
        if self.pid_file is not None:
            self.pid_file.unlink(missing_ok=True)
        return int(self.process.returncode)

    def last_words(self, lines: int = 12) -> str:
        """The end of the log, for an error message."""
        if self.log is None or not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def start(
    name: str,
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stop_signal: signal.Signals = signal.SIGTERM,
    orphan_signal: signal.Signals | None = None,
    run_dir: Path | None = None,
    log: Path | None = None,
    user: str | None = None,
) -> Child:
    """Start a child in a session of its own, so that Ctrl-C reaches the parent alone.

    `orphan_signal` is what it gets when the parent dies (default: the stop signal). `run_dir` takes the
    file with its pid and start time, `log` its output; without a log it shares ours.
    """
    output = log.open("ab") if log is not None else None
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            start_new_session=True,
            preexec_fn=_dies_with_parent(orphan_signal or stop_signal),
            **as_user(user),
            umask=0o077,
        )
    finally:
        if output is not None:
            output.close()
    pid_file = None
    if run_dir is not None:
        pid_file = run_dir / f"{name}.pid"
        written = pid_file.with_suffix(".new")
        written.write_text(json.dumps({"pid": process.pid, "started": started_at(process.pid)}))
        written.replace(pid_file)  # whole or not at all, whoever looks and whenever we are killed
    return Child(name, process, stop_signal, pid_file, log)


def as_user(name: str | None) -> dict[str, Any]:
    """Arguments of Popen that give up root for a user's own uid and gid, and all other groups."""
    if name is None:
        return {}
    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}


def _dies_with_parent(orphan_signal: signal.Signals) -> Callable[[], None] | None:
    """For the child, between fork and exec. The library is loaded before, for little is safe after a fork."""
    if not LINUX:
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()
    number = int(orphan_signal)

    def in_child() -> None:
        libc.prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return in_child


def started_at(pid: int) -> str | None:
    """When a process started, as an opaque word that a later process with the same pid does not share.

    None when there is no such process (a zombie counts as none).
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        if LINUX:
            return None
        said = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return said.stdout.strip() or None
    except ProcessLookupError:
        return None
    # The name may hold spaces and brackets; what follows the last bracket is state, ppid, ...
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]


def clear_leftovers(run_dir: Path, *, grace_s: float = 5.0) -> list[str]:
    """Stop what the pid files in `run_dir` name and still is that very process. Returns the names."""
    stopped = []
    for pid_file in sorted(run_dir.glob("*.pid")):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            noted = json.loads(pid_file.read_text())
            pid, started = int(noted["pid"]), str(noted["started"])
            if started_at(pid) == started:
                _end(pid, started, grace_s)
                stopped.append(pid_file.stem)
        pid_file.unlink(missing_ok=True)
    return stopped


def _end(pid: int, started: str, grace_s: float) -> None:
    """SIGINT is a fast shutdown for PostgreSQL and Ctrl-C for all others; SIGKILL ends the patience."""
    for number in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + grace_s
        while started_at(pid) == started:
            if time.monotonic() > deadline:
                break
            time.sleep(_POLL_S)
        else:
            return


def wait_until(ready: Callable[[], bool], child: Child, *, within_s: float) -> None:
    """Poll until `ready`. Raises EmbeddedError with the end of the log when the child dies or is too slow."""
    deadline = time.monotonic() + within_s
    while not ready():
        if not child.alive:
            raise EmbeddedError("child_died", f"{child.name} ended while starting.\n{child.last_words()}")
        if time.monotonic() > deadline:
            raise EmbeddedError(
                "child_slow", f"{child.name} was not ready within {within_s:g} s.\n{child.last_words()}"
            )
        time.sleep(_POLL_S)
