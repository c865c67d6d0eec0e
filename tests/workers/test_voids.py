"""What makes an attempt void, and what does not: a host that stalls, starts that fail, benched seats."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bots.faults import BROKEN_ATTEMPTS, NO_ANSWER
from bots.job import Clock
from bots.transcript import derive_lines, digest_of_lines
from engine.record import Fault, Record, verify
from tests.workers.matches import SHORT, house, open_folder, play
from tests.workers.sandboxes import sandbox
from tests.workers.scripted import GOOD, scripted
from workers.lateness import Watcher
from workers.player import LIMITS
from workers.referee import MatchOutcome, SeatProgram
from workers.sandbox.bare import BareLauncher
from workers.sandbox.child import Child
from workers.sandbox.policy import Command

AMPLE = Clock(bank_ms=20_000, increment_ms=100)
SLEEPS = {"ready": ["!time.sleep(60)"]}


@pytest.fixture(scope="module")
def launcher() -> BareLauncher:
    return BareLauncher(run_dir=open_folder())


def faults_of(outcome: MatchOutcome) -> list[tuple[int, str, bool]]:
    return [(fault.seat, fault.code, fault.hard) for fault in record_of(outcome).faults]


def record_of(outcome: MatchOutcome) -> Record:
    assert (outcome.void_reason, outcome.turn_of) == (None, None)
    assert outcome.record is not None
    verify(outcome.record)
    return outcome.record


class Stalling:
    """A host whose clock leaps: so many seconds while a seat starts, in each turn, or once between turns."""

    def __init__(
        self, *, at_start: float = 0.0, in_turn: float = 0.0, between: float = 0.0, seat: int | None = None
    ) -> None:
        self.turn_of: int | None = None
        self.turns: list[int | None] = []
        self._at_start, self._in_turn, self._between = at_start, in_turn, between
        self._seat = seat
        self._began = time.monotonic()
        self._leapt_s = 0.0
        self._looks = 0
        self._referee = threading.get_ident()

    def now(self) -> float:
        """The referee's first look of a turn is at its beginning; before the second one the host stalls."""
        if threading.get_ident() != self._referee:
            return time.monotonic() + self._leapt_s
        if self.turn_of is not None:
            self._looks += 1
            if self._looks == 2 and self._seat in (None, self.turn_of):
                self._leapt_s += self._in_turn
        elif not self.turns and time.monotonic() - self._began > 0.2:
            self._leapt_s += self._at_start
            self._at_start = 0.0
        return time.monotonic() + self._leapt_s

    def on_turn(self, seat: int | None) -> None:
        self.turn_of = seat
        self.turns.append(seat)
        self._looks = 0
        if seat is None and len(self.turns) == 4:
            self._leapt_s += self._between


def play_on(host: Stalling, launcher: BareLauncher, *bots: SeatProgram) -> MatchOutcome:
    seats = bots or (house("greedy"), house("random"))
    return play(seats, launcher, clock=AMPLE, now=host.now, on_turn=host.on_turn)


def slow(folder: Path) -> SeatProgram:
    """It takes longer for each answer than the referee waits before it looks at the clock."""
    return scripted(
        folder, ready=["!time.sleep(0.3)", '{"type":"ready"}\n'], always=["!time.sleep(0.3)", GOOD]
    )


# ---------------------------------------------------------------- a host that stalls


def test_a_host_that_stalls_in_every_turn_of_a_seat_costs_nobody_the_match(
    launcher: BareLauncher, tmp_path: Path
) -> None:
    """Each stall is longer than a start or a move may take."""
    host = Stalling(at_start=30.0, in_turn=2.5, seat=0)
    outcome = play_on(host, launcher, slow(tmp_path / "bot"), house("random"))
    assert faults_of(outcome) == []
    walls = [turn.wall_us for turn in outcome.seats[0].turns]
    assert min(walls) >= 2_500_000, "what is reported is true wall time"
    assert outcome.host is not None
    assert outcome.host.late_us >= 29e6 + len(walls) * 2.4e6
    assert outcome.host.longest_late_us >= 29e6


def test_such_a_host_would_cost_the_match_if_it_were_not_watched(
    launcher: BareLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "late_s", lambda *_: 0.0)
    outcome = play_on(Stalling(in_turn=2.5, seat=0), launcher, slow(tmp_path / "bot"), house("random"))
    assert faults_of(outcome) == [(0, NO_ANSWER, True)]


def test_a_stall_beyond_all_credit_is_no_void(launcher: BareLauncher, tmp_path: Path) -> None:
    """Nobody could tell it from one that a program made."""
    outcome = play_on(Stalling(in_turn=1000.0, seat=1), launcher, house("random"), slow(tmp_path / "bot"))
    assert faults_of(outcome) == [(1, NO_ANSWER, True)]


def test_a_host_that_stalls_while_all_stand_still_makes_the_match_void(launcher: BareLauncher) -> None:
    outcome = play_on(Stalling(between=SHORT.own_s + 5), launcher)
    assert (outcome.void_reason, outcome.turn_of, outcome.record) == ("host_stalled", None, None)


def test_less_than_what_is_kept_for_ourselves_is_no_void(launcher: BareLauncher) -> None:
    assert faults_of(play_on(Stalling(between=SHORT.own_s - 20), launcher)) == []


# ---------------------------------------------------------------- programs that stall on purpose


def test_a_sleeper_on_a_host_that_is_always_late_waits_threefold_and_is_at_fault(
    launcher: BareLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "late_s", lambda _, now: now)
    sleeper = scripted(tmp_path / "bot", t2=["!time.sleep(60)"])
    outcome = play([sleeper, house("random")], launcher, limits=replace(SHORT, move_wall_s=0.5))
    assert faults_of(outcome) == [(0, NO_ANSWER, True)]
    assert 1_500_000 <= outcome.seats[0].turns[-1].wall_us < 20_000_000


def test_a_program_that_burns_all_cores_to_make_the_host_late_is_at_fault(
    launcher: BareLauncher, tmp_path: Path
) -> None:
    burn = "![os.fork() or spin(60) for _ in range(8)]; time.sleep(60)"
    bot = scripted(tmp_path / "bot", t2=[burn])
    outcome = play([bot, house("random")], launcher, clock=Clock(bank_ms=400, increment_ms=1))
    codes = faults_of(outcome)
    assert codes[-1][::2] == (0, True)
    assert {code for _, code, _ in codes} <= {"timeout", NO_ANSWER}


def test_a_program_that_sleeps_at_its_start_is_at_fault(launcher: BareLauncher, tmp_path: Path) -> None:
    outcome = play(
        [scripted(tmp_path / "bot", **SLEEPS), house("random")],
        launcher,
        limits=replace(SHORT, start_wall_s=3.0),
    )
    assert record_of(outcome).faults == (Fault(0, 0, NO_ANSWER, hard=True),)
    assert outcome.seats[0].startup_wall_us >= 3_000_000


BURNS = "![os.fork() or spin(60) for _ in range(8)]; spin(60)"
READY = '{"type":"ready"}\n'


@pytest.mark.parametrize("ready", [[BURNS], [READY, BURNS]])
def test_a_program_that_burns_while_others_start_is_ended_when_its_own_start_is_used_up(
    ready: list[str], tmp_path: Path
) -> None:
    """The other waits for so long as no limit of one's own start would bear."""
    starts_late = scripted(tmp_path / "late", ready=["!time.sleep(8)", READY])
    burner = scripted(tmp_path / "burner", ready=ready)
    with sandbox(freezes=False) as launcher:
        outcome = play([starts_late, burner], launcher, limits=replace(SHORT, start_cpu_s=0.6))
    assert faults_of(outcome) == [(1, "timeout", True)]
    assert outcome.seats[1].startup_wall_us < 8_000_000
    assert outcome.seats[1].startup_cpu_us < 5_000_000


def test_who_has_spoken_stands_still_while_others_start(tmp_path: Path) -> None:
    starts_late = scripted(tmp_path / "late", ready=["!time.sleep(6)", READY])
    burner = scripted(tmp_path / "burner", ready=[READY, "!spin(3)"])
    with sandbox() as launcher:
        if launcher.groups is None or "core" not in launcher.groups.layout.trees:
            pytest.skip("nothing is frozen here")
        outcome = play([starts_late, burner], launcher, limits=LIMITS)
    assert faults_of(outcome) == []
    assert outcome.seats[1].startup_cpu_us < 2_500_000


@pytest.mark.parametrize(
    ("parties", "void"),
    [((1, 2), "starts_failed"), ((1, 1), None), ((1, 0), None), ((0, 0), None)],
)
def test_starts_that_fail_are_void_for_several_owners_alone(
    parties: tuple[int, int], void: str | None, launcher: BareLauncher, tmp_path: Path
) -> None:
    bots = [
        replace(scripted(tmp_path / str(seat), ready=["!sys.exit(3)"]), party=party)
        for seat, party in enumerate(parties)
    ]
    outcome = play([*bots, replace(house("random"), party=3)], launcher)
    assert (outcome.void_reason, outcome.turn_of) == (void, None)
    if void is None:
        assert faults_of(outcome) == [(0, "crash", True), (1, "crash", True)]


def test_faults_of_several_owners_after_the_start_are_no_void(launcher: BareLauncher, tmp_path: Path) -> None:
    bots = [replace(scripted(tmp_path / str(seat), t1=["!sys.exit(3)"]), party=seat + 1) for seat in range(2)]
    assert sorted(faults_of(play(bots, launcher))) == [(0, "crash", True), (1, "crash", True)]


# ---------------------------------------------------------------- benched seats


class Counting(BareLauncher):
    """Counts what it starts."""

    started = 0

    def start(self, command: Command) -> Child:
        self.started += 1
        return super().start(command)


@pytest.mark.parametrize("benched", [{0}, {1}, {0, 1}])
def test_a_benched_seat_is_not_started_and_the_house_moves_for_it(benched: set[int], tmp_path: Path) -> None:
    launcher = Counting(run_dir=open_folder())
    bots = [replace(house("random"), benched=seat in benched, party=seat + 1) for seat in range(2)]
    outcome = play(bots, launcher)
    record = record_of(outcome)
    assert record.faults == tuple(Fault(seat, 0, BROKEN_ATTEMPTS, hard=True) for seat in sorted(benched))
    assert launcher.started == 2 - len(benched)
    for seat in benched:
        assert record.ranks[seat] == (1 if len(benched) == 2 else 2)
        report = outcome.seats[seat]
        assert (report.turns, report.stderr, report.exit) == ([], [], "")
        lines = derive_lines(record, report, f"seed {seat}")
        assert (lines, digest_of_lines(lines)) == ([], report.lines_sha256)


def test_a_benched_seat_is_no_start_that_failed(launcher: BareLauncher, tmp_path: Path) -> None:
    bots = [
        replace(house("random"), benched=True, party=1),
        replace(scripted(tmp_path / "bot", ready=["!sys.exit(3)"]), party=2),
        replace(house("random"), party=3),
    ]
    assert faults_of(play(bots, launcher)) == [(0, BROKEN_ATTEMPTS, True), (1, "crash", True)]


# ---------------------------------------------------------------- whose turn it is


def test_turns_are_told_from_the_start_to_the_end(launcher: BareLauncher) -> None:
    host = Stalling()
    outcome = play_on(host, launcher)
    record_of(outcome)
    assert set(host.turns[1::2]) == {None}
    seats = host.turns[::2]
    assert seats[-2:] == [0, 1]
    for seat, report in enumerate(outcome.seats):
        assert seats.count(seat) == len(report.turns) + 1


def at_rest(host: Stalling) -> bool:
    return host.turn_of is None and len(host.turns) > 4


def in_second_turn(host: Stalling) -> bool:
    return host.turn_of == 1 and host.turns.count(1) == 2


def while_starting(host: Stalling) -> bool:
    return not host.turns


def test_a_referee_that_breaks_says_in_whose_turn(
    launcher: BareLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(line: bytes) -> object:
        raise LookupError(line)

    monkeypatch.setattr("workers.player.read_answer", breaks)
    outcome = play_on(Stalling(), launcher)
    assert (outcome.void_reason, outcome.turn_of) == ("platform_stall", 0)


@pytest.mark.parametrize(("when", "turn_of"), [(at_rest, None), (in_second_turn, 1), (while_starting, None)])
def test_the_seat_in_whose_turn_an_attempt_broke_is_told(
    when: Callable[[Stalling], bool], turn_of: int | None, launcher: BareLauncher, tmp_path: Path
) -> None:
    host = Stalling()
    sleeper = scripted(
        tmp_path / "bot",
        ready=["!time.sleep(1.5)", '{"type":"ready"}\n'],
        t2=["!time.sleep(1.5)", GOOD],
    )
    outcome = play(
        [house("random"), sleeper],
        launcher,
        now=host.now,
        on_turn=host.on_turn,
        cancelled=lambda: when(host),
    )
    assert (outcome.void_reason, outcome.turn_of) == ("cancelled", turn_of)
    assert outcome.host is not None
