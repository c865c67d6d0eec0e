"""Verdicts that can be told apart, each by a match in the real sandbox: what a bot did, or what befell it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots.faults import NO_ANSWER
from bots.job import Clock
from bots.messages import MESSAGES
from engine.record import verify
from tests.workers.matches import QUICK, SHORT, house, play
from tests.workers.sandboxes import left_behind, sandbox
from tests.workers.scripted import scripted
from workers.sandbox.child import Child
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.policy import MIB, Command

pytestmark = pytest.mark.sandbox

GRAB = "!taken = []\nwhile True: taken.append(bytearray(16 << 20))"
PATIENT = replace(SHORT, move_wall_s=60.0, wall_base_s=60.0)
"""For all that takes its CPU time, on however busy a machine."""
ROOMY = Clock(bank_ms=5_000, increment_ms=10)

VERDICTS: dict[str, tuple[str, Clock, str, str]] = {
    # what the bot does in its second turn -> its clock, the fault, and how its process ended
    "asks for more memory than its limit": (GRAB, ROOMY, "memory", "signal 9 (SIGKILL)"),
    "computes for ever": ("!spin(600)", QUICK, "timeout", ""),
    "sleeps": ("!time.sleep(600)", QUICK, "no_answer", ""),
    "ends": ("!sys.exit(3)", QUICK, "crash", "exit status 3"),
    "ends well": ("!sys.exit(0)", QUICK, "crash", "exit status 0"),
    "aborts": ("!os.abort()", QUICK, "crash", "signal 6 (SIGABRT)"),
    "speaks another language": ("good morning\n", QUICK, "bad_message", ""),
    "plays what is not legal": ('{"turn":<turn>,"id":99999}\n', QUICK, "illegal_move", ""),
    "never ends its line": ("x" * 70_000, QUICK, "output_flood", ""),
}


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


@pytest.mark.parametrize("deed", VERDICTS)
def test_what_a_bot_did_is_told(deed: str, launcher: SandboxLauncher, tmp_path: Path) -> None:
    step, clock, code, exit_text = VERDICTS[deed]
    bots = [scripted(tmp_path / "bot", t2=[step]), house("random")]
    limits = SHORT if code == NO_ANSWER else PATIENT
    outcome = play(bots, launcher, clock=clock, limits=limits)
    assert (outcome.void_reason, outcome.turn_of) == (None, None)
    assert outcome.record is not None
    verify(outcome.record)
    assert {(fault.seat, fault.code) for fault in outcome.record.faults} == {(0, code)}
    if launcher.groups is not None or code != "memory":
        assert outcome.seats[0].exit == exit_text
    assert MESSAGES[code].topic == "fault"
    assert left_behind(launcher) == []


def test_all_of_them_differ() -> None:
    told = [(code, exit_text) for _, _, code, exit_text in VERDICTS.values()]
    assert len(set(told)) == len(told)


def test_a_sandbox_that_dies_under_its_program_is_no_fault_of_it(
    launcher: SandboxLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    children: list[Child] = []
    start = launcher.start

    def keep(command: Command) -> Child:
        children.append(start(command))
        return children[-1]

    def kill_the_keeper(seat: int | None) -> None:
        if seat == 1:
            os.kill(children[1]._process.pid, signal.SIGKILL)

    monkeypatch.setattr(launcher, "start", keep)
    bots = [house("random"), scripted(tmp_path / "bot", t1=["!time.sleep(600)"])]
    outcome = play(bots, launcher, on_turn=kill_the_keeper)
    assert (outcome.void_reason, outcome.turn_of) == ("sandbox_failed", 1)
    assert MESSAGES["sandbox_failed"].topic == "void"
    assert left_behind(launcher) == []


def test_a_host_without_the_memory_that_it_promised_is_no_fault_of_a_bot(
    launcher: SandboxLauncher, tmp_path: Path
) -> None:
    if launcher.groups is None or launcher.groups.layout.version != 1:
        pytest.skip("needs control groups of version 1, and root: run it on a host that has them")
    around = launcher.groups.layout.trees["memory"] / launcher.groups.base / "memory.limit_in_bytes"
    around.write_text(str(128 * MIB))
    try:
        bots = [house("random"), scripted(tmp_path / "bot", t2=[GRAB])]
        outcome = play(bots, launcher, clock=ROOMY, limits=PATIENT)
    finally:
        around.write_text("-1")
    assert (outcome.void_reason, outcome.turn_of) == ("host_memory", 1)
    assert MESSAGES["host_memory"].topic == "void"
    assert left_behind(launcher) == []
