"""Who watches the host: the account of a sleeper, and a real one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from workers.lateness import NAP_S, Watcher, pressure_us, steal_us, watching

PATIENCE_S = 30.0


class Host:
    """A clock of its own, and a nap that takes as long as the host likes."""

    def __init__(self, oversleeps_s: Sequence[float]) -> None:
        self.time_s = 100.0
        self._oversleeps_s = list(oversleeps_s)

    def now(self) -> float:
        return self.time_s

    def nap(self, seconds: float) -> bool:
        if not self._oversleeps_s:
            return True
        self.time_s += seconds + self._oversleeps_s.pop(0)
        return False

    def watched(self) -> Watcher:
        watcher = Watcher(now=self.now, nap=self.nap)
        watcher.watch()
        return watcher


def test_what_a_sleeper_oversleeps_is_summed_and_the_longest_kept() -> None:
    host = Host([0.0, 0.5, 0.0, 2.0, 0.25])
    figures = host.watched().figures(3)
    assert figures.late_us == pytest.approx(2_750_000, abs=2)
    assert figures.longest_late_us == pytest.approx(2_000_000, abs=2)
    assert figures.core == 3


def test_a_sleeper_who_wakes_early_owes_nothing() -> None:
    assert Host([-0.004, -0.004]).watched().figures(None).late_us == 0


def test_a_sleeper_who_is_overdue_counts_at_once_and_for_the_part_that_was_asked_about() -> None:
    host = Host([1.0])
    watcher = host.watched()
    woke, late = host.time_s, watcher.late_s(host.time_s)
    assert late == pytest.approx(1.0)
    assert watcher.late_s(woke + NAP_S) == pytest.approx(late)
    assert watcher.late_s(woke + NAP_S + 7.0) == pytest.approx(late + 7.0)
    assert watcher.late_s(woke + NAP_S + 7.0) - watcher.late_s(woke + NAP_S + 5.0) == pytest.approx(2.0)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_real_sleeper_notices_a_leap_of_the_clock_and_ends_with_its_match() -> None:
    leap_s = [0.0]
    before = threading.active_count()
    with watching(lambda: time.monotonic() + leap_s[0]) as watcher:
        assert threading.active_count() == before + 1
        early = watcher.figures(None)
        leap_s[0] = 1000.0
        until(lambda: watcher.figures(None).longest_late_us > 900_000_000)
        assert watcher.figures(None).late_us - early.late_us > 900_000_000
    assert threading.active_count() == before


def test_what_the_referee_computes_is_not_the_host_s_lateness_while_it_waits() -> None:
    """One call that keeps the interpreter to itself for long, then a wait, as from an answer to the next."""
    with watching() as watcher:
        began = time.monotonic()
        sum(range(60_000_000))
        waits_from = time.monotonic()
        before = watcher.late_s(waits_from)
        time.sleep(0.05)
        after = watcher.late_s(time.monotonic())
    computed = waits_from - began
    assert before > computed / 2, "the sleeper could not wake while this was computed"
    assert after - before < computed / 2


def test_the_kernel_s_figures_are_read_where_it_tells_them(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("cpu  1 2 3 4 5 6 7 42 9 10\ncpu0 1 2 3 4 5 6 7 41 9 10\n")
    assert steal_us(file) == 420_000
    file.write_text("some avg10=0.12 avg60=0.34 avg300=0.56 total=7711252476\nfull avg10=0.00 total=0\n")
    assert pressure_us(file) == 7_711_252_476


@pytest.mark.parametrize("text", ["", "cpu 1 2\n", "cpu a b c d e f g h i\n", "some total=much\n", "full\n"])
def test_what_the_kernel_does_not_tell_is_none(text: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    assert steal_us(file) is None
    assert pressure_us(file) is None
    assert steal_us(tmp_path / "missing") is None
    assert pressure_us(tmp_path / "missing") is None
