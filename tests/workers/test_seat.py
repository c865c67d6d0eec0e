"""Clocks, stderr, and what is told of an end."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from hypothesis import given
from hypothesis import strategies as st

from bots.clock import SeatClock
from bots.job import Clock
from workers.clock import TreeClock
from workers.sandbox.child import Exit
from workers.stderr import KEEP, Stderr, clean_text

_STEPS = st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 9_000_000)), max_size=30)


@given(_STEPS)
def test_a_bank_is_never_below_nothing_and_grows_by_the_increment(steps: list[tuple[int, int]]) -> None:
    clock = SeatClock(Clock(bank_ms=2_000, increment_ms=20))
    waited = 0
    for number, (cpu_us, wall_us) in enumerate(steps, start=1):
        before = clock.bank_us
        clock.ask()
        assert clock.bank_us == before + 20_000
        in_time = clock.charge(cpu_us=cpu_us, wall_us=wall_us)
        assert in_time == (cpu_us <= before + 20_000)
        assert clock.bank_us == max(0, before + 20_000 - cpu_us)
        waited += wall_us
        assert clock.wall_left_us == 5 * (2_000_000 + 20_000 * number) + 10_000_000 - waited


@given(st.lists(st.tuples(st.integers(0, 5), st.binary(max_size=20_000)), max_size=20))
def test_stderr_keeps_head_and_tail(parts: list[tuple[int, bytes]]) -> None:
    whole = b"".join(part for _, part in parts)
    stderr = Stderr()
    for turn, part in sorted(parts, key=lambda item: item[0]):
        stderr.turn = turn
        stderr.add(part)
    assert stderr.total == len(whole)
    assert stderr.dropped == max(0, len(whole) - KEEP)


def test_stderr_head_and_tail_are_the_right_bytes() -> None:
    stderr = Stderr()
    data = bytes(range(97, 123)) * 5_000
    for start in range(0, len(data), 777):
        stderr.turn = start // 50_000
        stderr.add(data[start : start + 777])
    kept = "".join(chunk.text for chunk in stderr.chunks())
    assert kept == (data[: KEEP // 2] + data[-(KEEP // 2) :]).decode()
    assert stderr.tail(100) == data[-100:]


def test_text_of_a_program_is_fit_for_a_database() -> None:
    assert clean_text(b"a\xff\0b") == "a\ufffd\ufffdb"


def test_an_exit_says_what_it_was() -> None:
    assert str(Exit(3)) == "exit status 3"
    assert str(Exit(128 + 9)) == "signal 9 (SIGKILL)"
    assert Exit(255).signal is None


def _run(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE)


def test_the_tree_is_charged_with_what_its_children_used() -> None:
    code = (
        "import os, time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        end = time.process_time() + 0.1\n"
        "        while time.process_time() < end: pass\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
        "print('done', flush=True)\n"
        "time.sleep(60)\n"
    )
    with _run(code) as process:
        clock = TreeClock(lambda: process.pid)
        assert process.stdout is not None
        readings = [clock.look_us(time.monotonic())]
        process.stdout.readline()
        readings.append(clock.look_us(time.monotonic()))
        process.kill()
    assert readings == sorted(readings)
    assert 350_000 < readings[-1] < 800_000


def test_a_clock_never_runs_backwards_when_processes_vanish() -> None:
    code = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    end = time.process_time() + 0.2\n"
        "    while time.process_time() < end: pass\n"
        "    print('spent', flush=True)\n"
        "    time.sleep(60)\n"
        "sys.stdin.read(1)\n"
        "os.kill(child, 9)\n"
        "try: os.wait()\n"
        "except ChildProcessError: pass\n"
        "print('gone', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        clock = TreeClock(lambda: process.pid)
        process.stdout.readline()
        before = clock.look_us(time.monotonic())
        os.write(process.stdin.fileno(), b"x")
        process.stdout.readline()
        after = clock.look_us(time.monotonic())
        process.kill()
    assert 200_000 <= before <= after < before + 100_000
