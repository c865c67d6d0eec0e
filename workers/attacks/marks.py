"""Two bots of one match, and everything that both could write or hold and see: no bit may pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workers.attacks.attack import Attack, Bench, Finding, Verdict
from workers.attacks.matches import GENEROUS, bot, log_of, match, program_files
from workers.player import LIMITS
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.scratch import scratch

_CHANNELS: Final = 26


@dataclass(frozen=True, kw_only=True)
class MarksAttack(Attack):
    """The first seat leaves marks, the second one looks for them and says what it found."""

    def run(self, bench: Bench) -> Finding:
        wrong, said = self.played(bench.launcher)
        if wrong:
            return Finding(Verdict.WRONG, wrong, _CHANNELS)
        if escaped := [line for line in said if line.startswith("ESCAPED")]:
            return Finding(Verdict.ESCAPED, "; ".join(escaped), _CHANNELS)
        seen = sum(line.startswith("contained") for line in said)
        if seen != _CHANNELS:
            return Finding(Verdict.WRONG, f"looked at {seen} channels, of {_CHANNELS}", _CHANNELS)
        return Finding(Verdict.CONTAINED, tries=_CHANNELS)

    def played(self, launcher: Launcher) -> tuple[str, Sequence[str]]:
        """What went wrong, and what the second seat said."""
        with scratch("check") as folder:
            files = program_files("marks.py")
            write_tree(folder, files)
            seats = [bot(f"{self.name} {seat}", folder, entry="marks.py") for seat in range(2)]
            outcome = match(seats, launcher, clock=GENEROUS, limits=LIMITS)
        if outcome.record is None:
            return f"the match was void: {outcome.void_reason}", ()
        if outcome.record.faults:
            return f"a seat was given {outcome.record.faults[0].code}: {log_of(outcome, 1)[-500:]}", ()
        return "", log_of(outcome, 1).splitlines()


def attacks() -> list[MarksAttack]:
    what = "One bot leaves locks, files, sockets, keys, queues and processes, and the other looks for them."
    return [MarksAttack(group="collusion", name="marks", what=what)]
