"""The referee against real processes that follow a script, without a sandbox around them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from bots.faults import NO_ANSWER
from bots.job import Clock
from bots.transcript import derive_lines, digest_of_lines
from engine.record import Fault, Record, verify
from tests.workers.matches import PATIENT, SHORT, house, open_folder, play
from tests.workers.scripted import GOOD, scripted
from workers.referee import MatchOutcome
from workers.sandbox.bare import BareLauncher

TIGHT = Clock(bank_ms=250, increment_ms=5)


@pytest.fixture(scope="module")
def launcher() -> BareLauncher:
    return BareLauncher(run_dir=open_folder())


def faults_of(outcome: MatchOutcome, seat: int = 0) -> list[tuple[str, bool]]:
    return [(fault.code, fault.hard) for fault in record_of(outcome).faults if fault.seat == seat]


def record_of(outcome: MatchOutcome) -> Record:
    assert outcome.void_reason is None
    assert outcome.record is not None
    verify(outcome.record)
    return outcome.record


def assert_lines_derive(outcome: MatchOutcome) -> None:
    for report in outcome.seats:
        lines = derive_lines(record_of(outcome), report, f"seed {report.seat}")
        assert digest_of_lines(lines) == report.lines_sha256


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ({}, []),
        ({"t2": ['{"turn":<turn>,"move":<move>}\n']}, []),
        ({"t2": ['{"turn":<turn>,"id":', "<id>", "}", "\n"]}, []),
        ({"t2": ['{"turn":<turn>,"id":<id>,"note":"h\\u00e4"}\n']}, []),
        ({"t2": ['{"turn":<turn>,"id":99999}\n']}, [("illegal_move", False)]),
        ({"t2": ['{"turn":<turn>,"move":{"type":"fly"}}\n']}, [("illegal_move", False)]),
        ({"t2": ["rubbish\n"]}, [("bad_message", False)]),
        ({"t2": ["\n"]}, [("bad_message", False)]),
        ({"t2": ['{"turn":<turn>,"id":<id>,"note":"' + "x" * 501 + '"}\n']}, [("bad_message", False)]),
        ({"t2": ['{"turn":<turn>,"id":<id>,"move":<move>}\n']}, [("bad_message", False)]),
        ({"t2": [GOOD, "and more\n"]}, [("bad_message", False)]),
        ({"t2": ['{"turn":9,"id":<id>}\n']}, [("bad_message", False)]),
        ({"t2": ['{"turn":9,"id":<id>}\n', GOOD]}, [("bad_message", False)]),
        ({"always": ["rubbish\n"]}, [("bad_message", False)] * 3),
        (
            {"t2": ["rubbish\n"], "t4": ['{"turn":<turn>,"id":99999}\n']},
            [("bad_message", False), ("illegal_move", False)],
        ),
        ({"t2": ["!sys.exit(3)"]}, [("crash", True)]),
        ({"t2": ["!os.kill(os.getpid(), 9)"]}, [("crash", True)]),
        ({"t2": ["!raise MemoryError"]}, [("memory", True)]),
        ({"t2": ["x" * 70_000]}, [("output_flood", True)]),
        ({"t2": ["x" * 70_000 + "\n"]}, [("output_flood", True)]),
        ({"t2": ["!sys.stderr.write('x' * 1_100_000)", GOOD]}, [("output_flood", True)]),
        ({"t2": ["!time.sleep(60)"]}, [("no_answer", True)]),
        ({"t2": ["!os.close(1); time.sleep(0.3); sys.exit(0)"]}, [("crash", True)]),
        ({"ready": ["hello\n"]}, [("bad_message", True)]),
        ({"ready": ["!sys.exit(0)"]}, [("crash", True)]),
        ({"ready": ["!spin(60)"]}, [("timeout", True)]),
        ({"ready": ['{"type":"ready","x":1}\n']}, [("bad_message", True)]),
    ],
)  # fmt: skip
def test_a_fault_has_its_code_and_its_cost(
    steps: dict[str, list[str]], expected: list[tuple[str, bool]], launcher: BareLauncher, tmp_path: Path
) -> None:
    outcome = play([scripted(tmp_path / "bot", **steps), house("random")], launcher)
    assert faults_of(outcome) == expected
    assert faults_of(outcome, seat=1) == []
    assert_lines_derive(outcome)
    lost = bool(expected) and (expected[-1][1] or len(expected) == 3)
    if lost:
        assert record_of(outcome).ranks == (2, 1)


def test_one_late_move_costs_a_strike_and_its_answer_is_forgiven(
    launcher: BareLauncher, tmp_path: Path
) -> None:
    late = scripted(tmp_path / "bot", t2=["!spin(0.28)", GOOD])
    outcome = play([late, house("random")], launcher, clock=TIGHT, limits=PATIENT)
    assert faults_of(outcome)[0] == ("timeout", False)
    assert "bad_message" not in [code for code, _ in faults_of(outcome)]
    assert_lines_derive(outcome)


def test_a_second_late_move_is_hard(launcher: BareLauncher, tmp_path: Path) -> None:
    late = scripted(tmp_path / "bot", always=["!spin(0.3)", GOOD])
    outcome = play([late, house("random")], launcher, clock=TIGHT, limits=PATIENT)
    assert faults_of(outcome) == [("timeout", False), ("timeout", True)]
    assert_lines_derive(outcome)


def test_waiting_is_summed_over_the_match(launcher: BareLauncher, tmp_path: Path) -> None:
    sleeper = scripted(tmp_path / "bot", always=["!time.sleep(0.4)", GOOD])
    clock = Clock(bank_ms=100, increment_ms=1)
    limits = replace(SHORT, wall_base_s=1.5, move_wall_s=60.0)
    outcome = play([sleeper, house("random")], launcher, clock=clock, limits=limits)
    assert faults_of(outcome) == [(NO_ANSWER, True)]
    waits_us = [turn.wall_us for turn in outcome.seats[0].turns]
    assert sum(waits_us) > 2_000_000
    assert max(waits_us) < limits.move_wall_s * 1e6, "none of them alone was too long"


def test_cpu_time_of_children_is_charged(launcher: BareLauncher, tmp_path: Path) -> None:
    parent = "!import subprocess; subprocess.run([sys.executable, '-S', '-c', 'while True: pass'])"
    outcome = play(
        [scripted(tmp_path / "bot", t2=[parent]), house("random")], launcher, clock=TIGHT, limits=PATIENT
    )
    assert faults_of(outcome)[0][0] == "timeout"


def test_what_is_thought_off_turn_is_on_the_next_turn_s_account(
    launcher: BareLauncher, tmp_path: Path
) -> None:
    """Where nothing can freeze a program. Its opponent takes its time, so that it thinks meanwhile."""
    thinker = scripted(tmp_path / "a", always=[GOOD, "!spin(0.05)"])
    slow = scripted(tmp_path / "b", always=["!time.sleep(0.3)", GOOD])
    turns = play([thinker, slow], launcher, limits=PATIENT).seats[0].turns
    # A busy host may read an answer late, and what was thought by then is on that answer's own account.
    assert sum(turn.cpu_us for turn in turns) >= 45_000 * (len(turns) - 1)
    assert any(turn.wall_us < 45_000 for turn in turns[1:]), "none of it was in its own turn"


def test_what_a_bot_was_sent_is_derived_byte_for_byte(launcher: BareLauncher, tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    bots = [
        scripted(folders[0], keep=True, t3=["rubbish\n"], t5=['{"turn":<turn>,"id":99999}\n']),
        scripted(folders[1], keep=True, t2=["!spin(0.02)", GOOD]),
    ]
    outcome = play(bots, launcher, limits=PATIENT)
    for folder, report in zip(folders, outcome.seats, strict=True):
        lines = derive_lines(record_of(outcome), report, f"seed {report.seat}")
        assert (folder / "received").read_bytes() == b"".join(line.data for line in lines)
        assert digest_of_lines(lines) == report.lines_sha256
        assert len(report.turns) == sum(line.kind == "move" for line in lines)


def test_the_author_sees_notes_stderr_and_bad_answers(launcher: BareLauncher, tmp_path: Path) -> None:
    bot = scripted(
        tmp_path / "bot",
        t1=["!sys.stderr.write('thinking\\n')", '{"turn":<turn>,"id":<id>,"note":"a plan"}\n'],
        t2=["rubbish\n"],
    )
    report = play([bot, house("random")], launcher).seats[0]
    assert [(note.turn, note.text) for note in report.notes] == [(1, "a plan")]
    assert [(bad.turn, bad.code, bad.text) for bad in report.bad_answers] == [(2, "bad_message", "rubbish")]
    assert [(chunk.turn, chunk.text) for chunk in report.stderr] == [(1, "thinking\n")]


def test_notes_of_a_match_are_kept_up_to_a_bound(
    launcher: BareLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a bot could make a report that the ladder's door does not take."""
    monkeypatch.setattr("workers.player._KEEP_NOTES", 25)
    bot = scripted(tmp_path / "bot", always=['{"turn":<turn>,"id":<id>,"note":"ten of them"}\n'])
    outcome = play([bot, house("random")], launcher)
    assert [note.turn for note in outcome.seats[0].notes] == [1, 2]
    assert outcome.record is not None
    assert not outcome.record.faults


def test_exit_and_signal_are_told_apart(launcher: BareLauncher, tmp_path: Path) -> None:
    left = scripted(tmp_path / "a", t2=["!sys.exit(3)"])
    killed = scripted(tmp_path / "b", t2=["!os.abort()"])
    outcome = play([left, killed], launcher)
    assert [seat.exit for seat in outcome.seats] == ["exit status 3", "signal 6 (SIGABRT)"]


def test_the_earliest_loss_ranks_lowest(launcher: BareLauncher, tmp_path: Path) -> None:
    first = scripted(tmp_path / "a", t2=["!sys.exit(1)"])
    second = scripted(tmp_path / "b", t4=["!sys.exit(1)"])
    outcome = play([house("random"), second, first, house("random")], launcher)
    ranks = record_of(outcome).ranks
    assert (ranks[1], ranks[2]) == (3, 4)


def test_the_same_bots_and_seed_give_the_same_record(launcher: BareLauncher) -> None:
    texts = {record_of(play([house("greedy"), house("random")], launcher)).to_json() for _ in range(2)}
    assert len(texts) == 1


def test_a_cancelled_match_is_void_and_leaves_nothing(launcher: BareLauncher, tmp_path: Path) -> None:
    asked = iter(range(100))
    outcome = play([house("random"), house("random")], launcher, cancelled=lambda: next(asked) > 5)
    assert (outcome.void_reason, outcome.record) == ("cancelled", None)


def test_the_heart_beats_while_a_bot_thinks(launcher: BareLauncher, tmp_path: Path) -> None:
    beats: list[float] = []
    bot = scripted(tmp_path / "bot", t1=["!time.sleep(1.7)", GOOD])
    play([bot, house("random")], launcher, heartbeat=lambda: beats.append(time.monotonic()))
    assert beats


def test_a_program_that_cannot_be_started_voids_the_match(tmp_path: Path) -> None:
    outcome = play([house("random"), scripted(tmp_path / "bot")], _Missing(run_dir=open_folder()))
    assert outcome.void_reason == "sandbox_failed"


class _Missing(BareLauncher):
    """A launcher that fails for the second program."""

    started = 0

    def start(self, command):  # type: ignore[no-untyped-def]
        from workers.sandbox.errors import SandboxError

        self.started += 1
        if self.started == 2:
            raise SandboxError("not today")
        return super().start(command)


def test_no_descriptor_is_left_open(launcher: BareLauncher, tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(3):
        play([scripted(tmp_path / str(number), t2=["!sys.exit(1)"]), house("random")], launcher)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_fault_plies_point_at_the_decision(launcher: BareLauncher, tmp_path: Path) -> None:
    outcome = play([scripted(tmp_path / "bot", t2=["rubbish\n"]), house("random")], launcher)
    record = record_of(outcome)
    lines = derive_lines(record, outcome.seats[0], "seed 0")
    asked = next(line for line in lines if line.kind == "move" and line.turn == 2)
    assert record.faults == (Fault(0, asked.ply or 0, "bad_message", hard=False),)


FORKS = "![os.fork() or spin(60) for _ in range(8)]"


def test_who_burns_his_bank_beside_another_s_turn_is_ended(launcher: BareLauncher, tmp_path: Path) -> None:
    """Nothing freezes him here. The other, whom it would slow, must not be the one that is at fault."""
    burner = scripted(tmp_path / "burner", t2=[GOOD, FORKS])
    thinker = scripted(tmp_path / "thinker", t2=["!time.sleep(8)", GOOD])
    outcome = play([burner, thinker], launcher, clock=TIGHT, limits=PATIENT)
    assert faults_of(outcome) == [("timeout", True)], "hard, though it is the first"
    assert faults_of(outcome, 1) == []
    assert outcome.seats[0].turns[-1].cpu_us > 1_250_000
    assert_lines_derive(outcome)


def test_who_thinks_on_within_his_bank_plays_on(launcher: BareLauncher, tmp_path: Path) -> None:
    ponderer = scripted(tmp_path / "ponderer", t2=[GOOD, "!spin(0.5)"])
    slow = scripted(tmp_path / "slow", t2=["!time.sleep(2)", GOOD])
    outcome = play([ponderer, slow], launcher, limits=PATIENT)
    assert (faults_of(outcome), faults_of(outcome, 1)) == ([], [])
    assert max(turn.cpu_us for turn in outcome.seats[0].turns) > 450_000
