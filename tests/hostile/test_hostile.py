"""Every hostile program against a quiet opponent, in the real sandbox."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.job import Clock
from engine.record import verify
from tests.workers.matches import PATIENT, QUICK, SHORT, house, play, program
from tests.workers.sandboxes import left_behind, sandbox
from workers.runtimes import RUNTIMES
from workers.sandbox.launcher import SandboxLauncher

pytestmark = pytest.mark.sandbox

BUSY = 8
"""How much longer than on a quiet machine it may take on a busy one."""
FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/expect.toml"))


def expected(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "expect.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


def test_there_are_at_least_twenty() -> None:
    assert len(FOLDERS) >= 20


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_is_contained(folder: Path, launcher: SandboxLauncher) -> None:
    expect = expected(folder)
    language = tomllib.loads((folder / "bot.toml").read_text(encoding="ascii"))["language"]
    if RUNTIMES[language].program() is None:
        pytest.skip(f"no {language} here: apt-get install nodejs")
    started = time.monotonic()
    clock = Clock(bank_ms=expect.get("bank_ms", QUICK.bank_ms), increment_ms=QUICK.increment_ms)
    limits = SHORT if "no_answer" in expect["faults"] else replace(PATIENT, end_s=SHORT.end_s)
    outcome = play(
        [program(folder, language=language), house("random")], launcher, clock=clock, limits=limits
    )
    took = time.monotonic() - started

    assert outcome.void_reason is None
    assert outcome.record is not None
    verify(outcome.record)
    seat = outcome.seats[0]
    log = "".join(chunk.text for chunk in seat.stderr)
    codes = [fault.code for fault in outcome.record.faults if fault.seat == 0]
    assert bool(codes) == bool(expect["faults"]), (codes, log)
    assert set(codes) <= set(expect["faults"]), (codes, log)
    assert [fault for fault in outcome.record.faults if fault.seat == 1] == []
    assert "ESCAPED" not in log
    assert expect.get("stderr", "") in log
    if "exit" in expect:
        assert seat.exit == expect["exit"]
    assert took < BUSY * expect["wall_s"]
    assert left_behind(launcher) == []


def test_a_second_match_finds_nothing_of_the_first(launcher: SandboxLauncher) -> None:
    folder = Path(__file__).parent / "keeps_state"
    for _ in range(2):
        outcome = play([program(folder), program(folder)], launcher)
        for seat in outcome.seats:
            log = "".join(chunk.text for chunk in seat.stderr)
            assert "contained state" in log
            assert "ESCAPED" not in log
