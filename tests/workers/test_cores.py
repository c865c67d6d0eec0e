"""A core for one match: who holds it, who stays on it, and who cannot leave it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.workers.matches import house, open_folder, play
from tests.workers.sandboxes import sandbox
from tests.workers.scripted import scripted
from workers.sandbox.bare import BareLauncher
from workers.sandbox.cores import own_core
from workers.sandbox.launcher import SandboxLauncher

HERE = os.sched_getaffinity(0)
SAYS = """!
cores = sorted(os.sched_getaffinity(0))
try:
    os.sched_setaffinity(0, range(64))
    left = "left"
except OSError as error:
    left = error.strerror
sys.stderr.write(str(cores) + " " + left)
"""


@pytest.fixture
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


def test_each_match_has_a_core_of_its_own_until_none_is_left(tmp_path: Path) -> None:
    with ExitStack() as matches:
        held = []
        for _ in HERE:
            held.append(matches.enter_context(own_core(tmp_path)))
            assert os.sched_getaffinity(0) == (HERE if held[-1] is None else {held[-1]})
            os.sched_setaffinity(0, HERE)  # as another worker would have it
        assert sorted(core for core in held if core is not None) == (sorted(HERE) if len(HERE) > 1 else [])
        assert matches.enter_context(own_core(tmp_path)) is None
        assert os.sched_getaffinity(0) == HERE
    assert os.sched_getaffinity(0) == HERE


def test_a_core_comes_back_from_a_match_that_broke(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), own_core(tmp_path) as first:
        raise RuntimeError
    assert os.sched_getaffinity(0) == HERE
    with own_core(tmp_path) as second:
        assert second == first


def test_a_core_comes_back_from_a_worker_that_was_killed(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time\n"
        "from workers.sandbox.cores import own_core\n"
        "with own_core(pathlib.Path(sys.argv[1])) as core:\n"
        "    print(core, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with own_core(tmp_path) as ours:
        pass
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline().decode().strip() == str(ours)
        with own_core(tmp_path) as meanwhile:
            assert meanwhile is None or meanwhile != ours
        worker.kill()
    with own_core(tmp_path) as again:
        assert again == ours


def test_a_host_of_one_core_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sandbox.cores.os.sched_getaffinity", lambda _: {0})
    with own_core(tmp_path) as core:
        assert core is None
    assert list(tmp_path.iterdir()) == []


def test_a_core_that_was_taken_from_us_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.sandbox.cores.os.sched_getaffinity", lambda _: {0, 1000})
    with own_core(tmp_path) as core:
        assert core is None
    monkeypatch.undo()
    assert os.sched_getaffinity(0) == HERE


@pytest.mark.sandbox
def test_a_match_stays_on_its_core_and_no_program_leaves_it(
    launcher: SandboxLauncher, tmp_path: Path
) -> None:
    """The referee, its watcher, and both programs."""
    seen: list[tuple[set[int], set[int]]] = []

    def look(seat: int | None) -> None:
        del seat
        watcher = next(thread for thread in threading.enumerate() if thread.name == "lateness")
        assert watcher.native_id is not None
        seen.append((os.sched_getaffinity(0), os.sched_getaffinity(watcher.native_id)))

    bots = [scripted(tmp_path / str(seat), ready=[SAYS, '{"type":"ready"}\n']) for seat in range(2)]
    outcome = play(bots, launcher, on_turn=look)
    assert outcome.host is not None
    core = outcome.host.core
    stays = HERE if core is None else {core}
    assert (core is None) == (len(HERE) == 1)
    assert seen
    assert all(referee == watcher == stays for referee, watcher in seen)
    said = ["".join(chunk.text for chunk in seat.stderr) for seat in outcome.seats]
    assert said == [f"{sorted(stays)} Operation not permitted"] * 2
    assert os.sched_getaffinity(0) == HERE


def test_a_match_that_is_to_be_measured_may_do_without(tmp_path: Path) -> None:
    outcome = play([house("random"), house("random")], BareLauncher(run_dir=open_folder()), pinned=False)
    assert outcome.host is not None
    assert outcome.host.core is None
