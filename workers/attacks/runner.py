"""All attacks in one list, and how one of them is run and judged."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from workers.attacks import builds, load, marks, matches, neighbour, uploads
from workers.attacks.attack import GROUPS, Attack, Bench, Finding, Result, Verdict
from workers.attacks.leftovers import descendants, left_behind
from workers.sandbox.errors import SandboxError
from workers.sandbox.policy import MIB


def catalogue() -> list[Attack]:
    """Every attack, group by group."""
    every: list[Attack] = [
        *matches.attacks(),
        *marks.attacks(),
        *load.attacks(),
        *neighbour.attacks(),
        *builds.attacks(),
        *uploads.attacks(),
    ]
    return sorted(every, key=lambda attack: list(GROUPS).index(attack.group))


def attempt(attack: Attack, bench: Bench) -> Result:
    """Run one attack, or say why not; then look for what is left of it."""
    for need in attack.needs:
        if lack := bench.lacks(need):
            return _result(attack, Finding(Verdict.SKIPPED, lack), 0.0, None)
    before = descendants()
    bench.peaks.start()
    started = time.monotonic()
    try:
        finding = attack.run(bench)
    except SandboxError as error:
        finding = Finding(Verdict.WRONG, f"the sandbox failed: {error}")
    seconds = time.monotonic() - started
    memory = bench.peaks.highest
    if finding.verdict is Verdict.CONTAINED:
        finding = _within(attack, finding, seconds, memory)
    if left := left_behind(bench.launcher, before):
        finding = Finding(Verdict.ESCAPED, "left behind: " + "; ".join(left), finding.tries)
    return _result(attack, finding, seconds, memory)


def _within(attack: Attack, finding: Finding, seconds: float, memory: int | None) -> Finding:
    """The same, unless it passed one of its bounds."""
    if memory is not None and memory > attack.memory:
        reason = f"held {memory // MIB} MiB, and may hold {attack.memory // MIB} MiB"
        return Finding(Verdict.ESCAPED, reason, finding.tries)
    if seconds > attack.seconds:
        return Finding(Verdict.WRONG, f"took {seconds:.1f} s, and may take {attack.seconds:.0f} s")
    return finding


def _result(attack: Attack, finding: Finding, seconds: float, memory: int | None) -> Result:
    return Result(
        group=attack.group,
        name=attack.name,
        what=attack.what,
        verdict=finding.verdict,
        reason=finding.reason,
        tries=finding.tries,
        seconds=round(seconds, 3),
        memory=memory,
    )


def as_json(result: Result) -> dict[str, Any]:
    return asdict(result)


def is_held(results: Iterable[Result]) -> bool:
    """Whether all that ran was contained, and something ran of each group that there is."""
    seen: dict[str, bool] = {}
    for result in results:
        if result.verdict not in (Verdict.CONTAINED, Verdict.SKIPPED):
            return False
        seen[result.group] = seen.get(result.group, False) or result.verdict is Verdict.CONTAINED
    return all(seen.values())
