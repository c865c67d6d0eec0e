"""How much memory programs held: the kernel's own peak of each control group, read as the group goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from workers.sandbox.cgroup import Group, Groups, Layout
from workers.sandbox.launcher import SandboxLauncher

_PEAK_FILES: Final = ("memory.max_usage_in_bytes", "memory.peak")
"""Of version 1, and of version 2 since Linux 5.19."""


class Peaks:
    """The highest peak since `start`."""

    def __init__(self) -> None:
        self._highest: int | None = None

    @classmethod
    def watching(cls, launcher: SandboxLauncher) -> Self:
        """Watch all groups that this launcher makes from now on."""
        peaks = cls()
        if launcher.groups is not None:
            launcher.groups = _WatchedGroups(launcher.groups.layout, launcher.run.path, peaks)
        return peaks

    def start(self) -> None:
        self._highest = None

    def note(self, peak: int) -> None:
        self._highest = max(peak, self._highest or 0)

    @property
    def highest(self) -> int | None:
        """In bytes; None where no group was seen."""
        return self._highest


class _WatchedGroups(Groups):
    def __init__(self, layout: Layout, run: Path, peaks: Peaks) -> None:
        super().__init__(layout, run)
        self._peaks = peaks

    def _group(self, name: str) -> Group:
        folders = {kind: tree / self.base / name for kind, tree in self.layout.trees.items()}
        return _WatchedGroup(self.layout, folders, self._peaks)


class _WatchedGroup(Group):
    def __init__(self, layout: Layout, folders: Mapping[str, Path], peaks: Peaks) -> None:
        super().__init__(layout, folders)
        self._memory = folders["memory"]
        self._peaks = peaks

    def remove(self) -> bool:
        for name in _PEAK_FILES:
            path = self._memory / name
            if path.is_file():
                self._peaks.note(int(path.read_text(encoding="ascii")))
        return super().remove()
