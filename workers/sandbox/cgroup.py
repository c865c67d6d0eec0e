"""Control groups: limits, CPU time and freezing of all processes of one program together.

Two layouts of the kernel's files stand behind one interface. Version 1 has a tree for each controller, and
its freezer keeps tasks from being killed, so that freezing and killing are those of the empty version 2 tree
beside it. Version 2 alone has everything in one folder. All of it was run on version 1; version 2 alone was
tried against a tree of plain files only.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.sandbox.policy import Limits

log = logging.getLogger(__name__)

CONTROLLERS: Final = ("memory", "pids", "cpuacct")
"""Shares of the processor are not among them: their controller makes starts slower on a busy host, and what a
program can take from others is bounded by its clock, which counts the CPU time of all its threads."""
_PATIENCE_S: Final = 2.0
"""How long a group may take to be empty once its processes are killed."""
_BATCHES: Final = 1 << 20
"""The kernel counts memory in batches, one for each core: this close to a limit is at it."""
_BASE: Final = "hauntladder"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where this host has its control groups, and what their files are called."""

    version: int
    trees: Mapping[str, Path]
    """Root of the tree of each controller; `core` is that of freezing and killing, where there is one."""

    @property
    def name(self) -> str:
        """As people read it among the layers."""
        return "v2" if self.version == 2 else "v1"

    def limits(self, limits: Limits) -> list[tuple[str, str, int, bool]]:
        """Controller, file, value, and whether a kernel without this file will do."""
        if self.version == 2:
            return [
                ("memory", "memory.max", limits.memory, False),
                ("memory", "memory.swap.max", 0, True),
                ("memory", "memory.oom.group", 1, True),
                ("pids", "pids.max", limits.processes + _OWN, False),
            ]
        return [
            ("memory", "memory.limit_in_bytes", limits.memory, False),
            ("memory", "memory.memsw.limit_in_bytes", limits.memory, True),
            ("pids", "pids.max", limits.processes + _OWN, False),
        ]


_OWN: Final = 2
"""bubblewrap's two processes, which are in the group and no process of the program's."""


def find(mounts: str | None = None, *, writable: bool = True) -> Layout | None:
    """The layout of this host, or None where we may not use it. `mounts` is the text of /proc/mounts."""
    text = mounts if mounts is not None else Path("/proc/mounts").read_text(encoding="utf-8")
    v1: dict[str, Path] = {}
    core: Path | None = None
    for line in text.splitlines():
        _, where, kind, options, *_ = line.split()
        path = Path(where.encode("ascii", "replace").decode("unicode_escape"))
        if kind == "cgroup2":
            core = core or path
        elif kind == "cgroup":
            v1 |= {name: path for name in options.split(",") if name in CONTROLLERS and name not in v1}
    layout = _layout(v1, core)
    if layout is None or (writable and not all(os.access(path, os.W_OK) for path in layout.trees.values())):
        return None
    return layout


def _layout(v1: Mapping[str, Path], core: Path | None) -> Layout | None:
    if len(v1) == len(CONTROLLERS):
        return Layout(1, {**v1, **({"core": core} if core and _can_freeze() else {})})
    if v1 or core is None:
        return None
    try:
        offered = core.joinpath("cgroup.controllers").read_text(encoding="ascii").split()
    except OSError:
        return None
    if not {"memory", "pids"} <= set(offered):
        return None
    return Layout(2, dict.fromkeys((*CONTROLLERS, "core"), core))


def _can_freeze() -> bool:
    """Linux 5.2 freezes in version 2 and 5.14 kills; the root itself has neither file to show it."""
    release = tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())
    return release >= (5, 14)


class Groups:
    """The groups of one run folder: a base in each tree, and a group below it for each program."""

    def __init__(self, layout: Layout, run: Path) -> None:
        self.layout = layout
        self.base = f"{_BASE}-{hashlib.sha256(os.fsencode(run)).hexdigest()[:8]}"

    def make(self, name: str, limits: Limits) -> Group:
        """A group with its limits set and nobody in it. Raises OSError."""
        for last in (False, True):
            group = self._group(name)
            try:
                group.create(limits)
            except FileNotFoundError:
                # Nobody has made the bases yet, or somebody else's last process took them away just now.
                group.remove()
                if last:
                    raise
                self._prepare()
            except OSError:
                group.remove()
                raise
            else:
                return group
        raise AssertionError("the second try returns or raises")

    def _prepare(self) -> None:
        """Make the bases; version 2 must be told to hand its controllers down."""
        for base in self._bases():
            base.mkdir(exist_ok=True)
        if self.layout.version == 2:
            root = self.layout.trees["core"]
            for folder in (root, root / self.base):
                hand_down(folder)

    def _bases(self) -> list[Path]:
        return [tree / self.base for tree in dict.fromkeys(self.layout.trees.values())]

    def _group(self, name: str) -> Group:
        return Group(self.layout, {kind: tree / self.base / name for kind, tree in self.layout.trees.items()})

    def names(self) -> list[str]:
        """Every group that is there, whoever made it."""
        return sorted({name for base in self._bases() for name in _folders_in(base)})

    def clear(self, name: str) -> None:
        """Kill and remove what a dead worker left."""
        group = self._group(name)
        group.kill()
        group.remove()

    def remove(self) -> None:
        """Remove the bases if they are empty; whoever comes next makes them anew."""
        for base in self._bases():
            with contextlib.suppress(OSError):
                base.rmdir()


def _folders_in(base: Path) -> list[str]:
    """By the listing alone: a look at each of the kernel's own files beside them would cost a start dear."""
    with contextlib.suppress(FileNotFoundError), os.scandir(base) as entries:
        return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    return []


_NEEDED: Final = "+memory +pids"


def hand_down(folder: Path) -> None:
    """Let groups below `folder` have controllers. Raises OSError.

    The kernel refuses while processes are in the folder itself, as those of a container are in its root.
    They move to a leaf beside our groups first.
    """
    switch = folder / "cgroup.subtree_control"
    have = switch.read_text(encoding="ascii").split()
    if all(word[1:] in have for word in _NEEDED.split()):
        return
    try:
        _write(switch, _NEEDED)
    except OSError:
        leaf = folder / f"{_BASE}-rest"
        leaf.mkdir(exist_ok=True)
        for pid in _pids(folder):
            with contextlib.suppress(ProcessLookupError):
                _write(leaf / "cgroup.procs", pid)
        _write(switch, _NEEDED)


class Group:
    """All processes of one program. Files that a turn needs stay open.

    In the tree of freezing the program has a folder below the group's own, so that its keepers can stay
    above, awake: to stop and wake bubblewrap's two processes at each turn costs more than to do so with it.
    """

    def __init__(self, layout: Layout, folders: Mapping[str, Path]) -> None:
        self._layout = layout
        self._folders = folders
        self._core = folders.get("core")
        self._program = self._core / "program" if self._core else None
        self._cpu: int | None = None
        self._freezer: int | None = None

    @property
    def can_freeze(self) -> bool:
        return self._freezer is not None

    def create(self, limits: Limits) -> None:
        """Make the folders, set the limits, open what is read or written at each turn. Raises OSError."""
        for folder in reversed(self._all()):
            folder.mkdir()
        for controller, name, value, optional in self._layout.limits(limits):
            path = self._folders[controller] / name
            try:
                _write(path, value)
            except OSError:
                if not optional:
                    raise
        usage = "cpu.stat" if self._layout.version == 2 else "cpuacct.usage"
        self._cpu = os.open(self._folders["cpuacct"] / usage, os.O_RDONLY | os.O_CLOEXEC)
        if self._program:
            self._freezer = os.open(self._program / "cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)

    def _all(self) -> list[Path]:
        """Every folder once, each before the one that it lies in."""
        own = dict.fromkeys(self._folders.values())
        return [*([self._program] if self._program else []), *own]

    def join(self, pid: int) -> None:
        """Put a process in, with all that it will start. Raises OSError."""
        for folder in self._all():
            if folder != self._core:
                _write(folder / "cgroup.procs", pid)

    def spare(self, *keepers: int) -> None:
        """Let these of its processes, which are none of the program's, stay awake when it is frozen.

        All limits and accounts hold for them as before, and `kill` reaches them.
        """
        if self._core:
            for pid in keepers:
                _write(self._core / "cgroup.procs", pid)

    def cpu_us(self) -> int:
        """CPU time of every process that was ever in here."""
        if self._cpu is None:
            raise ValueError("this group is closed")
        if self._layout.version == 2:
            # Its first line is `usage_usec 1234`.
            return int(os.pread(self._cpu, 64, 0).split(None, 2)[1])
        return int(os.pread(self._cpu, 32, 0)) // 1000

    def freeze(self) -> None:
        """Stop every process where it stands. Does not wait: that takes a few microseconds more."""
        if self._freezer is not None:
            os.pwrite(self._freezer, b"1", 0)

    def thaw(self) -> None:
        if self._freezer is not None:
            os.pwrite(self._freezer, b"0", 0)

    def frozen(self) -> bool:
        """Whether every process has stopped."""
        return self._program is not None and _figures(self._program / "cgroup.events").get("frozen") == 1

    def oom_kills(self) -> int:
        """How many of its processes the kernel killed for want of memory, its own limit's or the host's."""
        name = "memory.events" if self._layout.version == 2 else "memory.oom_control"
        return _figures(self._folders["memory"] / name).get("oom_kill", 0)

    def hit_its_limit(self) -> bool:
        """Whether it asked for more than its own limit. Where not, whoever was killed fell to the host."""
        if self._layout.version == 2:
            for name in ("memory.events.local", "memory.events"):
                if figures := _figures(self._folders["memory"] / name):
                    return figures.get("oom", 0) > 0
            return False
        # Its count of refusals stays 0 on new kernels, so its peak must tell.
        memory = self._folders["memory"]
        limit = _number(memory / "memory.limit_in_bytes")
        return 0 < limit <= _number(memory / "memory.max_usage_in_bytes") + _BATCHES

    def pids(self) -> list[int]:
        found = {pid for folder in self._all() for pid in _pids(folder)}
        return sorted(found)

    def kill(self) -> None:
        """SIGKILL to every process in here, at once where the kernel can, and frozen or not."""
        with contextlib.suppress(OSError):
            if self._core:
                _write(self._core / "cgroup.kill", 1)
                return
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)

    def close(self) -> None:
        for fd in (self._cpu, self._freezer):
            if fd is not None:
                os.close(fd)
        self._cpu = self._freezer = None

    def remove(self) -> bool:
        """Take the folders away when their last process has gone; says whether they are."""
        self.close()
        until = time.monotonic() + _PATIENCE_S
        left = [folder for folder in self._all() if not _removed(folder)]
        while left and time.monotonic() < until:
            time.sleep(0.001)
            left = [folder for folder in left if not _removed(folder)]
        if left:
            log.warning("control group %s is not empty; it is left for the next sweep", left[0])
        return not left


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _pids(folder: Path) -> Iterator[int]:
    with contextlib.suppress(OSError):
        yield from map(int, folder.joinpath("cgroup.procs").read_text(encoding="ascii").split())


def _figures(path: Path) -> dict[str, int]:
    """A file of lines `name number`; empty where it cannot be read."""
    return {key.decode(): int(value) for key, value in (line.split() for line in _read(path).splitlines())}


def _number(path: Path) -> int:
    return int(_read(path) or 0)


def _read(path: Path) -> bytes:
    """A small file of the kernel's; nothing where it cannot be read."""
    try:
        with path.open("rb", buffering=0) as file:
            return file.read(4096)
    except OSError:
        return b""


def _write(path: Path, value: int | str) -> None:
    """One write to a file that must be there already: the kernel makes them, not we."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, str(value).encode("ascii"))
    finally:
        os.close(fd)
