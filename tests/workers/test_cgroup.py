"""Control groups on this kernel: limits, CPU time, freezing, the ways to kill, and what a sweep finds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeAlias

import pytest

from bots.job import Clock
from tests.waiting import soon
from tests.workers.matches import open_folder, play
from tests.workers.sandboxes import left_behind, sandbox
from tests.workers.scripted import scripted
from workers.sandbox import cgroup
from workers.sandbox.cgroup import Group, Layout
from workers.sandbox.child import Child, Killed, SandboxChild
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import MIB, Command, Limits
from workers.seat import Seat

pytestmark = pytest.mark.sandbox

SMALL = Limits(memory=48 * MIB, processes=12)


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    """One that has control groups, or the reason why there is none."""
    if os.geteuid() != 0:
        pytest.skip("control groups need root: sudo make test")
    with sandbox() as launcher:
        if launcher.groups is None:
            pytest.skip("this host's control groups cannot be written: see docs/security.md")
        yield launcher


@pytest.fixture
def started(launcher: SandboxLauncher) -> Iterator[Callable[..., SandboxChild]]:
    """Starts a Python program; whatever a failed test leaves is ended."""
    with ExitStack() as ending:
        yield lambda source, limits=SMALL, way=launcher: ending.enter_context(
            closing(start(way, source, limits))
        )


Starter: TypeAlias = Callable[..., SandboxChild]


def start(launcher: SandboxLauncher, source: str, limits: Limits) -> SandboxChild:
    folder = open_folder()
    folder.joinpath("main.py").write_text(source, encoding="utf-8")
    child = launcher.start(
        Command(argv=("/usr/bin/python3", "-S", "-u", "{bot}/main.py"), folder=folder, limits=limits)
    )
    assert isinstance(child, SandboxChild)
    return child


def heard(child: Child, what: bytes, seconds: float = 60.0) -> bytes:
    """Everything on stdout until `what` has come."""
    said, until = b"", time.monotonic() + seconds
    while what not in said and time.monotonic() < until:
        try:
            said += os.read(child.stdout, 65_536)
        except BlockingIOError:
            time.sleep(0.002)
    assert what in said
    return said


def cpu_us(child: SandboxChild) -> int:
    assert child.group is not None
    return child.group.cpu_us()


def spends(child: SandboxChild, time_us: int) -> bool:
    """Wait until it has used so much CPU time more."""
    before = cpu_us(child)
    return soon(lambda: cpu_us(child) - before >= time_us)


SPIN = "print('up')\nwhile True: pass\n"


def test_everything_that_a_program_starts_is_in_its_group(
    launcher: SandboxLauncher, started: Starter
) -> None:
    child = started("import os, time\nos.fork(); os.setsid()\nos.write(1, b'u'); time.sleep(60)\n")
    heard(child, b"uu")
    assert child.group is not None
    # bubblewrap, its first process, the program and its child
    assert len(child.group.pids()) == 4
    child.close()
    assert left_behind(launcher) == []


@pytest.mark.parametrize(("peak", "with_swap", "own"), [(8, 8, True), (4, 8, True), (4, 4, False)])
def test_memory_that_was_swapped_out_is_its_own_too(
    tmp_path: Path, peak: int, with_swap: int, own: bool
) -> None:
    """Version 1 limits memory, and memory with swap, by accounts of their own."""
    for kind, most in (("memory", peak), ("memory.memsw", with_swap)):
        (tmp_path / f"{kind}.limit_in_bytes").write_text(str(8 * MIB))
        (tmp_path / f"{kind}.max_usage_in_bytes").write_text(str(most * MIB))
    group = Group(Layout(1, {"memory": tmp_path}), {"memory": tmp_path})
    assert group.hit_its_limit() is own


def test_the_program_s_own_limit_is_told_from_the_host_s(launcher: SandboxLauncher, started: Starter) -> None:
    assert launcher.groups is not None
    grab = "taken = []\nwhile True: taken.append(bytearray(1 << 20))\n"
    child = started(grab)
    ended = child.wait_for_exit(60)
    assert ended is not None
    assert ended.signal == 9
    assert child.out_of_memory() is Killed.OWN_LIMIT
    child.close()
    assert child.out_of_memory() is Killed.OWN_LIMIT

    if launcher.groups.layout.version != 1:
        pytest.skip("what follows was written for version 1")
    around = launcher.groups.layout.trees["memory"] / launcher.groups.base / "memory.limit_in_bytes"
    around.write_text(str(40 * MIB))
    try:
        child = started(grab, Limits(memory=400 * MIB))
        assert child.wait_for_exit(60) is not None
        assert child.out_of_memory() is Killed.HOST
        child.close()
    finally:
        around.write_text("-1")
    assert left_behind(launcher) == []


def test_a_match_whose_host_ran_out_of_memory_is_void(launcher: SandboxLauncher) -> None:
    assert launcher.groups is not None
    if launcher.groups.layout.version != 1:
        pytest.skip("written for version 1")
    grab = "!taken = []\nwhile True: taken.append(bytearray(16 << 20))"
    bomb = scripted(open_folder() / "bot", t1=[grab])
    clock = Clock(bank_ms=5_000, increment_ms=20)
    assert [fault.code for fault in _record_faults(play([bomb, bomb], launcher, clock=clock))] == [
        "memory"
    ] * 2
    around = launcher.groups.layout.trees["memory"] / launcher.groups.base / "memory.limit_in_bytes"
    around.write_text(str(128 * MIB))
    try:
        outcome = play([bomb, bomb], launcher, clock=clock)
    finally:
        around.write_text("-1")
    assert outcome.record is None
    assert outcome.void_reason == "host_memory"
    assert left_behind(launcher) == []


def _record_faults(outcome: object) -> list[object]:
    record = getattr(outcome, "record", None)
    assert record is not None
    return list(record.faults)


def test_who_runs_a_program_to_its_end_is_told(launcher: SandboxLauncher) -> None:
    grab = ("/usr/bin/python3", "-S", "-c", "taken = []\nwhile True: taken.append(bytearray(1 << 20))")
    command = Command(argv=grab, folder=open_folder(), limits=SMALL)
    assert run_once(launcher, command, wall_s=60).out_of_memory
    quiet = Command(argv=("/usr/bin/true",), folder=open_folder(), limits=SMALL)
    assert not run_once(launcher, quiet, wall_s=60).out_of_memory
    assert left_behind(launcher) == []


def test_files_in_memory_count_too(launcher: SandboxLauncher, started: Starter) -> None:
    source = "for n in range(64): open(f'/tmp/{n}', 'wb').write(b'x' * (1 << 20))\n"
    child = started(source, Limits(memory=32 * MIB, tmp=256 * MIB))
    assert child.wait_for_exit(60) is not None
    assert child.out_of_memory() is Killed.OWN_LIMIT
    child.close()


def test_processes_and_threads_are_capped(launcher: SandboxLauncher, started: Starter) -> None:
    child = started(
        "import os, time\nmade = 1\n"
        "try:\n"
        "    while True:\n"
        "        if not os.fork(): time.sleep(60)\n"
        "        made += 1\n"
        "except BlockingIOError: print('made', made, 'end')\n"
        "time.sleep(60)\n",
    )
    assert int(heard(child, b"end").split()[1]) == SMALL.processes
    child.close()
    assert left_behind(launcher) == []


def test_cpu_time_of_the_whole_tree_is_counted_to_the_last_grandchild(
    launcher: SandboxLauncher, started: Starter
) -> None:
    child = started(
        "import os, signal, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "total = 0.0\n"
        "for _ in range(40):\n"
        "    reading, writing = os.pipe()\n"
        "    if not os.fork():\n"
        "        if os.fork(): os._exit(0)\n"
        "        while time.process_time() < 0.02: pass\n"
        "        os.write(writing, str(time.process_time()).encode()); os._exit(0)\n"
        "    os.close(writing)\n"
        "    total += float(os.read(reading, 64)); os.close(reading)\n"
        "print(int(total * 1e6), 'spent'); time.sleep(60)\n",
    )
    spent = int(heard(child, b"spent").split()[0])
    assert spent >= 800_000
    assert spent <= cpu_us(child) < spent + 1_500_000
    child.close()


def test_a_frozen_program_gets_no_cpu_time_and_goes_on_where_it_was(
    launcher: SandboxLauncher, started: Starter
) -> None:
    child = started(SPIN)
    heard(child, b"up")
    child.freeze()
    assert child.group is not None
    assert soon(child.group.frozen)
    before = cpu_us(child)
    time.sleep(0.3)
    assert cpu_us(child) - before < 1_000
    child.thaw()
    assert spends(child, 50_000)
    child.close()
    assert left_behind(launcher) == []


def test_who_keeps_a_program_stays_awake_and_in_its_group(
    launcher: SandboxLauncher, started: Starter
) -> None:
    """Whatever the program starts is stopped with it, its orphans included."""
    child = started(
        "import os\n"
        "if not os.fork():\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.setsid()\n"
        "os.write(1, b'u')\n"
        "while True: pass\n"
    )
    heard(child, b"uu")
    child.freeze()
    group, keepers = child.group, {child._process.pid, child.root()}
    assert group is not None
    until = time.monotonic() + 5
    while not group.frozen() and time.monotonic() < until:
        time.sleep(0.001)
    stopped = {pid: stands_still(pid) for pid in group.pids()}
    assert {pid for pid, still in stopped.items() if not still} == keepers
    assert len(stopped) == 4
    group.kill()
    assert child.wait_for_exit(5) is None
    child.close()
    assert left_behind(launcher) == []


def stands_still(pid: int) -> bool:
    """Whether the process is in the folder that is frozen."""
    core = Path(f"/proc/{pid}/cgroup").read_text(encoding="ascii").splitlines()[-1]
    return core.startswith("0::") and core.endswith("/program")


THINKS_ON = """
import sys, threading
def spin():
    while True: pass
for line in sys.stdin:
    threading.active_count() == 1 and threading.Thread(target=spin, daemon=True).start()
    print("answer", flush=True)
"""


@pytest.mark.parametrize("freezes", [True, False])
def test_thinking_on_the_other_s_time_is_frozen_or_charged(freezes: bool, launcher: SandboxLauncher) -> None:
    del launcher  # it stands for the kernel's being able to
    with sandbox(freezes=freezes) as other:
        child = start(other, THINKS_ON, Limits())
        seat = Seat(child, now=time.monotonic, tick=lambda: None)
        charged = []
        for _ in range(4):
            seat.send(b"?\n")
            reply = seat.receive(cpu_us=5_000_000, wall_us=60_000_000)
            assert reply.line == b"answer"
            if freezes:
                time.sleep(0.25)
            else:
                assert spends(child, 25_000)
            charged.append(seat.charge())
        seat.close()
    if freezes:  # a busy host may hold us up between an answer and the freezing, but not each time
        assert min(charged) < 20_000
    else:
        assert min(charged) > 25_000


@pytest.mark.parametrize("frozen", [False, True])
def test_a_storm_of_children_ends_at_once(frozen: bool, launcher: SandboxLauncher, started: Starter) -> None:
    child = started(
        "import os, signal\n"
        "for number in range(1, 32):\n"
        "    if number not in (9, 19): signal.signal(number, signal.SIG_IGN)\n"
        "for _ in range(9):\n"
        "    if not os.fork(): os.setsid(); break\n"
        "os.write(1, b'u')\nwhile True: pass\n",
    )
    heard(child, b"u" * 8)
    if frozen:
        child.freeze()
    began = time.monotonic()
    child.close()
    assert time.monotonic() - began < 30.0, "not as long as they would spin"
    assert left_behind(launcher) == []


def test_the_group_is_the_second_way_to_kill(
    launcher: SandboxLauncher, started: Starter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process is told first; where that comes to nothing, the group goes as a whole."""
    child = started(SPIN)
    heard(child, b"up")
    order: list[str] = []
    kill = cgroup.Group.kill
    monkeypatch.setattr("signal.pidfd_send_signal", lambda *_: order.append("first process"))
    monkeypatch.setattr(cgroup.Group, "kill", lambda group: (order.append("group"), kill(group)))
    child.close()
    assert order[:2] == ["first process", "group"]
    assert left_behind(launcher) == []


@pytest.mark.parametrize("grouped", [True, False])
def test_a_program_that_is_ended_before_it_began_leaves_nothing(grouped: bool) -> None:
    """At each step of its start: while nobody knows its first process, and when that waits for its keeper."""
    with sandbox(grouped=grouped) as launcher:
        command = Command(argv=("/usr/bin/cat",), folder=open_folder(), limits=SMALL)
        for number in range(24):
            child = launcher.start(command)
            time.sleep(0.0004 * number)
            child.close()
            assert left_behind(launcher) == []


def test_a_group_without_its_worker_is_swept(launcher: SandboxLauncher) -> None:
    assert launcher.groups is not None
    group = launcher.groups.make("3-1-1", Limits())
    pid = os.fork()
    if not pid:
        time.sleep(60)
        os._exit(0)
    group.join(pid)
    group.close()
    assert "group 3-1-1" in left_behind(launcher)
    sweeping = os.fork()
    if not sweeping:
        os._exit(launcher.sweep())
    # The dead one holds its group until its parent, who is we, has taken note.
    assert os.waitpid(pid, 0)[1] == 9
    assert os.waitstatus_to_exitcode(os.waitpid(sweeping, 0)[1]) == 1
    assert left_behind(launcher) == []
