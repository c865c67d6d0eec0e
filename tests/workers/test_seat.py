"""Clocks, stderr, and what is told of an end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.clock import SeatClock
from bots.faults import NO_ANSWER
from bots.job import FAST, SLOW, Clock
from tests.workers.matches import open_folder
from workers.clock import TreeClock
from workers.player import LIMITS
from workers.sandbox.bare import BareLauncher
from workers.sandbox.child import Exit
from workers.sandbox.policy import Command, Limits
from workers.seat import MAX_STDOUT, Seat
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


_WAITS = st.lists(st.tuples(st.integers(0, 90_000_000), st.integers(0, 100_000_000)), max_size=30)


@given(_WAITS)
def test_lateness_is_taken_off_up_to_twice_the_allowance(waits: list[tuple[int, int]]) -> None:
    clock = SeatClock(Clock(bank_ms=2_000, increment_ms=20))
    true_us = 0
    for wall_us, late_us in waits:
        clock.ask()
        left_us, credit_us, waited_us = clock.wall_left_us, clock.credit_left_us, clock.waited_us
        clock.charge(cpu_us=0, wall_us=wall_us, late_us=late_us)
        taken_off = wall_us - (clock.waited_us - waited_us)
        assert taken_off == min(wall_us, late_us, credit_us)
        assert clock.wall_left_us == left_us - wall_us + taken_off
        true_us += wall_us
        allowed_us = clock.wall_left_us + clock.waited_us
        assert clock.credited_us <= 2 * allowed_us
        if clock.wall_left_us >= 0:
            assert true_us <= 3 * allowed_us


def test_a_seat_s_share_of_the_match_ends_its_wall_bank() -> None:
    clock = SeatClock(Clock(bank_ms=10_000, increment_ms=100), wall_most_us=61_000_000)
    left_s = []
    for _ in range(4):
        left_s.append(clock.wall_left_us / 1e6)
        clock.ask()
    assert left_s == [60.0, 60.5, 61.0, 61.0]
    assert clock.credit_left_us == 122_000_000


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("clock", [FAST, SLOW])
def test_all_waits_of_a_match_fit_into_its_fifteen_minutes(clock: Clock, seats: int) -> None:
    """The longest that programs can make of it, without a late host: every limit used up."""
    share_us = LIMITS.seat_wall_us(seats)
    banks = [SeatClock(clock, wall_most_us=share_us) for _ in range(seats)]
    answered_us = 0
    for bank in banks:
        for _ in range(5_000):
            bank.ask()
            wall_us = min(bank.wall_left_us, int(LIMITS.move_wall_s * 1e6))
            bank.charge(cpu_us=0, wall_us=wall_us)
            answered_us += wall_us
        assert bank.wall_left_us == 0
    assert answered_us == LIMITS.answers_wall_s * 1e6
    assert LIMITS.start_wall_s + answered_us / 1e6 + LIMITS.own_s == 900


@pytest.mark.parametrize(("seats", "questions"), [(2, 660), (3, 400), (4, 270), (5, 192)])
def test_the_slow_clock_keeps_its_whole_bank_as_long_as_it_fits(seats: int, questions: int) -> None:
    free, shared = SeatClock(SLOW), SeatClock(SLOW, wall_most_us=LIMITS.seat_wall_us(seats))
    for _ in range(questions):
        assert free.wall_left_us == shared.wall_left_us
        free.ask()
        shared.ask()
    assert free.wall_left_us == shared.wall_left_us == LIMITS.seat_wall_us(seats)
    free.ask()
    shared.ask()
    assert free.wall_left_us > shared.wall_left_us


class Leaping:
    """A clock that goes on by 1 ms with each look, and a host that is late for a part of that."""

    def __init__(self, late_part: float) -> None:
        self.time_s = 0.0
        self._late_part = late_part

    def now(self) -> float:
        self.time_s += 0.001
        return self.time_s

    def late(self, now: float) -> float:
        return self._late_part * now


@pytest.mark.parametrize(("late_part", "waits_ms"), [(0.0, 8), (0.5, 16), (0.75, 24), (1.0, 24)])
def test_a_wait_grows_by_the_lateness_in_it_threefold_at_most(
    late_part: float, waits_ms: int, tmp_path: Path
) -> None:
    host = Leaping(late_part)
    launcher = BareLauncher(run_dir=open_folder())
    command = Command(argv=("/usr/bin/sleep", "60"), folder=tmp_path, limits=Limits())
    seat = Seat(launcher.start(command), now=host.now, tick=lambda: None, late=host.late)
    try:
        reply = seat.receive(cpu_us=60_000_000, wall_us=8_000, credit_us=16_000)
    finally:
        seat.close()
    assert (reply.line, reply.fault) == (None, NO_ANSWER)
    assert reply.wall_us == pytest.approx(waits_ms * 1000, abs=2_100)
    assert reply.late_us == pytest.approx(min(late_part * reply.wall_us, 16_000), abs=2)


def test_a_flood_while_another_is_waited_for_is_kept_up_to_its_limit() -> None:
    """However often it is looked at."""
    command = Command(argv=("/usr/bin/cat", "/dev/zero"), folder=open_folder(), limits=Limits())
    child = BareLauncher(run_dir=open_folder()).start(command)
    try:
        seat = Seat(child, now=time.monotonic, tick=lambda: None)
        until = time.monotonic() + 60
        while not seat._flooded and time.monotonic() < until:
            seat.rest_if_heard()
        kept = len(seat._read)
        for _ in range(1_000):
            seat.rest_if_heard()
        assert len(seat._read) == kept <= MAX_STDOUT + 65_536
    finally:
        child.close()


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
