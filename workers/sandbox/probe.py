"""Which layers of the sandbox hold on this machine; said at start, on the health page and at each claim.

Nothing is taken on trust: a program is started as a bot is, and looked at from outside while it lives.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from workers.sandbox import bubblewrap
from workers.sandbox.child import Child
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import Launcher, SandboxLauncher
from workers.sandbox.policy import Command, Limits
from workers.sandbox.scratch import scratch

_WAIT_S: Final = 30.0
_FILTERED: Final = "2"
"""What the kernel says of a process under a filter of system calls."""


def layers(launcher: Launcher) -> dict[str, bool | str]:
    """Name of each layer -> whether it is active, or which. Raises SandboxError if none can start."""
    if not isinstance(launcher, SandboxLauncher):
        return {"bubblewrap": False}
    with scratch("probe") as folder:
        child = launcher.start(Command(argv=("/usr/bin/cat",), folder=folder, limits=Limits()))
        try:
            pid = _running(child)
            seen = _seen(child, pid) if pid is not None else {}
        finally:
            child.close()
    return {
        "bubblewrap": launcher.found.version_text if pid is not None else False,
        "bubblewrap_source": "wheel" if launcher.found.from_wheel else "system",
        **{f"{kind}_namespace": seen.get(kind, False) for kind in bubblewrap.NAMESPACES},
        "slot_uid": seen.get("uid", False),
        "no_more_userns": pid is not None and bubblewrap.userns_switch_is_writable(),
        "rlimits": seen.get("rlimits", False),
        "seccomp": seen.get("seccomp", False),
        "cgroup": launcher.groups.layout.name if launcher.groups and seen.get("cgroup") else False,
        "freezer": seen.get("freezer", False),
    }


def active(found: Mapping[str, bool | str]) -> list[str]:
    """Names of the layers that hold, as a claim lists them."""
    return [name for name, value in found.items() if value]


def _running(child: Child) -> int | None:
    """Pid of the program itself once it has answered, so that the whole chain is behind it; else None."""
    os.write(child.stdin, b"?\n")
    poller = select.poll()
    poller.register(child.stdout, select.POLLIN)
    if not poller.poll(_WAIT_S * 1000) or os.read(child.stdout, 16) != b"?\n":
        return None
    init = child.root()
    if init is None:
        raise SandboxError("the sandbox never told of its first process")
    return int(_text(f"/proc/{init}/task/{init}/children").split()[0])


def _seen(child: Child, pid: int) -> dict[str, bool]:
    """What the kernel says of a running program."""
    status = dict(line.split(":\t", 1) for line in _text(f"/proc/{pid}/status").splitlines() if ":\t" in line)
    cores = next(line for line in _text(f"/proc/{pid}/limits").splitlines() if "core file" in line)
    apart = {
        kind: _namespace(pid, kind) not in ("", _namespace(os.getpid(), kind))
        for kind in bubblewrap.NAMESPACES
    }
    return {
        **apart,
        "uid": status["Uid"].split()[0] != str(os.geteuid()),
        "seccomp": status["Seccomp"] == _FILTERED and status["NoNewPrivs"] == "1",
        "rlimits": cores.split()[4] == "0",
        "cgroup": child.group is not None and pid in child.group.pids(),
        "freezer": _freezes(child),
    }


def _namespace(pid: int, kind: str) -> str:
    """The kernel's name of a process's namespace; none can be read of one that is not dumpable."""
    try:
        return str(Path(f"/proc/{pid}/ns/{kind}").readlink())
    except OSError:
        return ""


def _freezes(child: Child) -> bool:
    """Whether all of it stands still soon after it is told to."""
    if child.group is None or not child.group.can_freeze:
        return False
    child.freeze()
    until = time.monotonic() + 1.0
    while not (still := child.group.frozen()) and time.monotonic() < until:
        time.sleep(0.001)
    child.thaw()
    return still


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace")
