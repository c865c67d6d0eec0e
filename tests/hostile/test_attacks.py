"""Every attack of workers/attacks, by the runner that `haunt sandbox --attack` has."""

from __future__ import annotations

import pytest

from tests.workers.sandboxes import left_behind
from workers.attacks.attack import GROUPS, Attack, Bench, Result, Verdict
from workers.attacks.runner import attempt, catalogue

pytestmark = pytest.mark.sandbox

RESULTS: dict[str, list[Result]] = {group: [] for group in GROUPS}


@pytest.mark.parametrize("attack", catalogue(), ids=lambda attack: f"{attack.group}: {attack.name}")
def test_is_contained(attack: Attack, bench: Bench) -> None:
    result = attempt(attack, bench)
    RESULTS[attack.group].append(result)
    assert left_behind(bench.launcher) == []
    if result.verdict is Verdict.SKIPPED:
        pytest.skip(result.reason)
    assert result.verdict is Verdict.CONTAINED, result.reason


@pytest.mark.parametrize("group", GROUPS)
def test_no_group_is_skipped_as_a_whole(group: str) -> None:
    """After the attacks themselves: of what was run here, each group had something to run."""
    results = RESULTS[group]
    assert not results or any(result.verdict is not Verdict.SKIPPED for result in results)


def test_every_group_has_attacks_and_no_two_have_one_name() -> None:
    attacks = catalogue()
    assert {attack.group for attack in attacks} == set(GROUPS)
    assert len({attack.name for attack in attacks}) == len(attacks)
    assert all(attack.what for attack in attacks)
