"""Control groups of version 2 alone, against a tree of plain files: no kernel is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workers.sandbox import cgroup
from workers.sandbox.cgroup import Groups, Layout
from workers.sandbox.policy import MIB, Limits

FILES = {
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
    "cgroup.freeze": "0",
    "cgroup.kill": "",
    "cgroup.events": "populated 1\nfrozen 0\n",
    "cpu.stat": "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n",
    "memory.max": "",
    "memory.swap.max": "",
    "memory.oom.group": "0",
    "memory.events": "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n",
    "memory.events.local": "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n",
    "pids.max": "",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that fills folders made below it with files, as the kernel does."""
    root = tmp_path / "cgroup"
    root.mkdir()
    root.joinpath("cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    make: Callable[..., None] = Path.mkdir

    def mkdir(path: Path, *args: object, **kwargs: object) -> None:
        known = path.exists()
        make(path, *args, **kwargs)
        if not known:
            for name, text in FILES.items():
                path.joinpath(name).write_text(text)

    for name, text in FILES.items():
        root.joinpath(name).write_text(text)
    monkeypatch.setattr(Path, "mkdir", mkdir)
    return root


def v2(tree: Path) -> Layout:
    layout = cgroup.find(f"cgroup2 {tree} cgroup2 rw,nosuid 0 0\n")
    assert layout is not None
    return layout


def test_v2_limits_are_written_and_controllers_handed_down(tree: Path) -> None:
    groups = Groups(v2(tree), Path("/x/run"))
    group = groups.make("0-1-2", Limits(memory=123 * MIB, processes=10))
    group.join(4321)
    folder = tree / groups.base / "0-1-2"
    assert folder.joinpath("memory.max").read_text() == str(123 * MIB)
    assert folder.joinpath("pids.max").read_text() == "12"
    assert folder.joinpath("memory.oom.group").read_text() == "1"
    assert folder.joinpath("memory.swap.max").read_text() == "0"
    assert folder.joinpath("program/cgroup.procs").read_text() == "4321"
    assert folder.joinpath("cgroup.procs").read_text() == ""
    for parent in (tree, tree / groups.base):
        assert parent.joinpath("cgroup.subtree_control").read_text() == "+memory +pids"
    assert group.cpu_us() == 1_234_567
    group.freeze()
    assert folder.joinpath("program/cgroup.freeze").read_text() == "1"
    group.thaw()
    assert folder.joinpath("program/cgroup.freeze").read_text() == "0"
    group.spare(4320)
    assert folder.joinpath("cgroup.procs").read_text() == "4320"
    assert folder.joinpath("program/cgroup.procs").read_text() == "4321"
    group.kill()
    assert folder.joinpath("cgroup.kill").read_text() == "1"
    assert groups.names() == ["0-1-2"]
    group.close()


def test_v2_tells_its_own_limit_from_the_host_s(tree: Path) -> None:
    group = Groups(v2(tree), Path("/x/run")).make("0-1-2", Limits())
    assert (group.oom_kills(), group.hit_its_limit()) == (2, True)
    folder = next(tree.glob("*/0-1-2"))
    folder.joinpath("memory.events.local").write_text("max 0\noom 0\noom_kill 2\n")
    assert (group.oom_kills(), group.hit_its_limit()) == (2, False)
    group.close()


def test_v2_moves_the_root_s_processes_aside_where_the_kernel_asks_for_it(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.joinpath("cgroup.procs").write_text("11\n12\n")
    write = cgroup._write
    moved: list[int] = []

    def like_the_kernel(path: Path, value: int | str) -> None:
        if path == tree / "cgroup.subtree_control" and len(moved) < 2:
            raise OSError(16, "Device or resource busy")
        if path.name == "cgroup.procs":
            moved.append(int(value))
        write(path, value)

    monkeypatch.setattr(cgroup, "_write", like_the_kernel)
    Groups(v2(tree), Path("/x/run")).make("0-1-2", Limits()).close()
    assert moved == [11, 12]


@pytest.mark.parametrize(
    ("mounts", "version"),
    [
        ("proc /proc proc rw 0 0\n", None),
        ("cgroup /m cgroup rw,memory 0 0\ncgroup /p cgroup rw,pids 0 0\n", None),
        (
            "cgroup /m cgroup rw,memory 0 0\ncgroup /c cgroup rw,cpu,cpuacct,pids 0 0\n"  # noqa: ISC004
            "cgroup2 /u cgroup2 rw 0 0\n",
            1,
        ),
        ("cgroup2 /nowhere cgroup2 rw 0 0\n", None),
    ],
)
def test_the_layout_is_read_from_the_mounts(mounts: str, version: int | None) -> None:
    layout = cgroup.find(mounts, writable=False)
    assert (layout.version if layout else None) == version
    if layout is not None:
        assert layout.trees["pids"] == layout.trees["cpuacct"] == Path("/c")


def test_trees_that_we_may_not_write_are_none(tree: Path) -> None:
    tree.joinpath("cgroup.controllers").write_text("cpuset io\n")
    assert cgroup.find(f"cgroup2 {tree} cgroup2 rw 0 0\n") is None
