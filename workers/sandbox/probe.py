"""Which layers of the sandbox hold on this machine; said at start, on the health page and at each claim."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from workers.sandbox import bubblewrap
from workers.sandbox.launcher import Launcher, SandboxLauncher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import Command, Limits


def layers(launcher: Launcher) -> dict[str, bool | str]:
    """Name of each layer -> whether it is active, or its version. Raises SandboxError if none can start."""
    if not isinstance(launcher, SandboxLauncher):
        return {"bubblewrap": False}
    with tempfile.TemporaryDirectory(prefix="haunt-probe-") as made:
        command = Command(argv=("/usr/bin/true",), folder=Path(made), limits=Limits())
        started = run_once(launcher, command, wall_s=30.0).status == 0
    return {
        "bubblewrap": launcher.found.version_text if started else False,
        "bubblewrap_source": "wheel" if launcher.found.from_wheel else "system",
        **{f"{kind}_namespace": started for kind in bubblewrap.NAMESPACES},
        "slot_uid": started and os.geteuid() == 0,
        "no_more_userns": started and bubblewrap.userns_switch_is_writable(),
        "rlimits": started,
        "seccomp": False,
        "cgroup": False,
        "freezer": False,
    }


def active(found: dict[str, bool | str]) -> list[str]:
    """Names of the layers that hold, as a claim lists them."""
    return [name for name, value in found.items() if value]
