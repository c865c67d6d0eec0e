"""Two bots of one match, and the processor: one burns or rests by a secret, the other times its own work.

Where the first stands still off its turn, what the second reads is chance. How many bits may be right by
chance is known, so that the verdict hangs on no luck worth the name.
"""

from __future__ import annotations

import os
import secrets
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb
from statistics import median
from typing import Final

from bots.job import Clock
from workers.attacks.attack import Attack, Bench, Finding, Verdict
from workers.attacks.matches import bot, log_of, match, program_files
from workers.player import LIMITS
from workers.referee import MatchOutcome
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.scratch import scratch

_GAME: Final = "haunt-the-house"
"""Long enough for some forty bits."""
_BITS: Final = 128
_FEWEST: Final = 24
"""With fewer bits than this, nothing is decided."""
_AROUND: Final = 6
"""So many measurements on either side are compared with one."""
_LUCK: Final = 1e-6
"""How seldom an honest sandbox may look open."""
_CLOCK: Final = Clock(bank_ms=60_000, increment_ms=0)


@dataclass(frozen=True, slots=True)
class Heard:
    """How many bits were read, and how many of them rightly."""

    bits: int
    right: int

    @property
    def is_open(self) -> bool:
        """Whether that is more than chance, rightly or all wrongly."""
        return max(self.right, self.bits - self.right) > most_by_chance(self.bits)


def most_by_chance(bits: int) -> int:
    """The least number of right bits that a guesser passes, either way, less often than `_LUCK`."""
    passing = 0
    for right in range(bits, bits // 2, -1):
        passing += comb(bits, right)
        if 2 * passing >= _LUCK * 2**bits:
            return right
    return bits


@dataclass(frozen=True, kw_only=True)
class LoadAttack(Attack):
    """Burning or resting while the other moves."""

    def run(self, bench: Bench) -> Finding:
        outcome, secret = play_it(bench.launcher)
        if outcome.record is None or outcome.record.faults:
            why = outcome.void_reason or (outcome.record and outcome.record.faults[0].code)
            return Finding(Verdict.WRONG, f"the match broke off: {why}")
        heard = decoded(outcome)
        if heard.bits < _FEWEST:
            return Finding(Verdict.WRONG, f"only {heard.bits} bits of {len(secret)} were said")
        if heard.is_open:
            return Finding(Verdict.ESCAPED, f"{heard.right} of {heard.bits} bits were read", heard.bits)
        return Finding(Verdict.CONTAINED, tries=heard.bits)


def play_it(launcher: Launcher) -> tuple[MatchOutcome, str]:
    """One match of sender and receiver on one core, and the secret."""
    secret = "".join(secrets.choice("01") for _ in range(_BITS))
    with scratch("check") as folder, one_core():
        write_tree(folder / "sender", {**program_files("load_sender.py"), "bits.txt": secret.encode()})
        write_tree(folder / "receiver", program_files("load_receiver.py"))
        seats = [
            bot("load sender", folder / "sender", entry="load_sender.py"),
            bot("load receiver", folder / "receiver", entry="load_receiver.py"),
        ]
        return match(seats, launcher, clock=_CLOCK, limits=LIMITS, game=_GAME), secret


def decoded(outcome: MatchOutcome) -> Heard:
    """Read a bit between each two turns of the sender at which the receiver worked.

    It is 1 where the work took longer than about then, for what else a machine has to do changes slowly.
    """
    said = [(float(at), bit) for at, bit in _words(outcome, 0, "said")]
    times = [at for at, _ in said]
    heard = [(bisect_right(times, float(at)) - 1, float(took)) for at, took in _words(outcome, 1, "heard")]
    heard = [(turn, took) for turn, took in heard if turn >= 0]
    right = 0
    for number, (turn, took) in enumerate(heard):
        about_then = [other for _, other in heard[max(0, number - _AROUND) : number + _AROUND + 1]]
        right += (took > median(about_then)) == (said[turn][1] == "1")
    return Heard(len(heard), right)


def _words(outcome: MatchOutcome, seat: int, kind: str) -> Iterator[list[str]]:
    for line in log_of(outcome, seat).splitlines():
        first, *rest = line.split()
        if first == kind and len(rest) == 2:
            yield rest


@contextmanager
def one_core() -> Iterator[None]:
    """This thread, and all that it starts, on one core, where what one does is felt most by the other."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def attacks() -> list[LoadAttack]:
    what = "One bot burns or rests by a secret while the other times its own work, on one core."
    return [LoadAttack(group="collusion", name="load", what=what, needs=("freezer",), seconds=120.0)]
