"""The attacks can succeed: with a layer taken away, each kind of report says so. A test that cannot fail
says nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from tests.workers.matches import open_folder
from tests.workers.sandboxes import left_behind, sandbox
from workers.attacks import leftovers, load, marks, matches, runner, uploads
from workers.attacks.attack import Attack, Bench, Finding, Result, Verdict
from workers.sandbox.bare import BareLauncher
from workers.sandbox.child import Child
from workers.sandbox.folder import write_tree
from workers.sandbox.policy import MIB, Command, Limits

pytestmark = pytest.mark.sandbox

_TRIES = 16


def test_marks_are_found_where_nothing_is_kept_apart() -> None:
    """Bare programs of one uid: locks, files, sockets, keys, queues, processes are all seen."""
    attack = marks.attacks()[0]
    wrong, said = attack.played(BareLauncher(run_dir=open_folder()))
    assert wrong == ""
    opened = [line for line in said if line.startswith("ESCAPED")]
    for channel in (
        "flock",
        "fcntl lock",
        "lock of an open file",
        "notices",
        "a file in /tmp",
        "an abstract socket",
    ):
        assert any(line.startswith(f"ESCAPED {channel}") for line in opened), said


def test_files_of_the_host_are_found_without_a_sandbox() -> None:
    attack = matches.named("reads_files")
    folder = open_folder()
    write_tree(folder, attack.files)
    outcome = attack.play(folder, BareLauncher(run_dir=open_folder()))
    assert "ESCAPED /etc/passwd" in matches.escapes(outcome)


def test_bits_pass_by_the_load_where_nothing_is_frozen(bench: Bench) -> None:
    """On a noisy machine one match may not be enough to be sure: their bits are added up."""
    with sandbox(freezes=False) as launcher:
        bits = right = 0
        for _ in range(_TRIES):
            outcome, _ = load.play_it(launcher)
            heard = load.decoded(outcome)
            bits, right = bits + heard.bits, right + heard.right
            if load.Heard(bits, right).is_open:
                return
    pytest.fail(f"{right} of {bits} bits were read")


def test_the_bound_of_chance_is_what_it_says() -> None:
    """Two-sided binomial tails, computed anew."""
    for bits in (32, 60, 85):
        bound = load.most_by_chance(bits)
        assert 2 * _tail(bits, bound + 1) < 1e-6 <= 2 * _tail(bits, bound)
        assert load.Heard(bits, bound + 1).is_open
        assert load.Heard(bits, bits - bound - 1).is_open
        assert not load.Heard(bits, bound).is_open


def _tail(bits: int, least: int) -> float:
    """The chance of at least so many right bits, by adding up row `bits` of Pascal's triangle."""
    row = [1.0]
    for _ in range(bits):
        row = [(left + right) / 2 for left, right in zip([0.0, *row], [*row, 0.0], strict=True)]
    return sum(row[least:])


def judged(attack: Attack, bench: Bench) -> Result:
    return runner.attempt(attack, bench)


def test_a_verdict_that_is_not_the_expected_one_is_told(bench: Bench) -> None:
    result = judged(replace(matches.named("says_nan"), faults=("memory",), without_groups=("memory",)), bench)
    assert result.verdict is Verdict.WRONG
    assert "bad_message, not memory" in result.reason
    result = judged(replace(matches.named("reads_environment"), tried=99), bench)
    assert result.verdict is Verdict.WRONG
    assert "told of 3 things" in result.reason
    upload = uploads.attacks()[0]
    assert judged(replace(upload, code="empty"), bench).verdict is Verdict.WRONG
    good = replace(upload, make=lambda: uploads.zipped(("main.py", uploads.MAIN)))
    assert judged(good, bench).verdict is Verdict.ESCAPED


def test_a_bound_that_is_passed_is_told(bench: Bench) -> None:
    result = judged(replace(matches.named("aborts"), seconds=0.0), bench)
    assert result.verdict is Verdict.WRONG
    assert "may take 0 s" in result.reason
    if bench.grouped:
        result = judged(replace(matches.named("tmp_filler"), memory=8 * MIB), bench)
        assert result.verdict is Verdict.ESCAPED
        assert "may hold 8 MiB" in result.reason


class _Leaves(Attack):
    """Starts a program and does not end it."""

    left: ClassVar[list[Child]] = []

    def run(self, bench: Bench) -> Finding:
        command = Command(argv=("/usr/bin/sleep", "600"), folder=open_folder(), limits=Limits())
        self.left.append(bench.launcher.start(command))
        return Finding(Verdict.CONTAINED)


def test_what_is_left_behind_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PATIENCE_S", 0.2)
    result = judged(_Leaves(group="bombs", name="leaves", what="Leaves a program."), bench)
    _Leaves.left.pop().close()
    assert result.verdict is Verdict.ESCAPED
    assert "process" in result.reason
    assert "folder" in result.reason
    assert ("control group" in result.reason) is bench.grouped
    assert left_behind(bench.launcher) == []


def test_a_group_that_is_skipped_as_a_whole_does_not_hold(bench: Bench) -> None:
    skipped = replace(matches.named("aborts"), needs=("cobol",))
    results = [judged(matches.named("aborts"), bench), judged(uploads.attacks()[0], bench)]
    assert runner.is_held(results)
    assert not runner.is_held([replace(results[0], verdict=Verdict.ESCAPED), results[1]])
    assert not runner.is_held([replace(results[0], verdict=Verdict.WRONG), results[1]])
    lone = replace(results[0], verdict=Verdict.SKIPPED, reason="needs cobol")
    assert runner.is_held([*results, lone])
    assert not runner.is_held([lone, results[1]])
    with pytest.raises(KeyError):
        judged(skipped, bench)
