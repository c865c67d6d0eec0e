"""The clock of one seat: arithmetic alone, shared by the referee and by those who derive its lines again.

A seat has a bank of CPU time and gets an increment with each question. Integers of microseconds; what
goes over the wire is whole milliseconds, rounded down. Lines show the bank alone: who derives them again
needs no wall time.
"""

from __future__ import annotations

import sys
from typing import Final

from bots.job import Clock

WALL_FACTOR: Final = 5
WALL_BASE_US: Final = 10_000_000
"""A seat may keep us waiting for 5 x (bank + increments so far) + 10 s in a match."""
CREDIT_FACTOR: Final = 2
"""At most twice its allowance is taken off a seat's waiting for the host's lateness: threefold in all."""


class SeatClock:
    """What is left to one seat."""

    __slots__ = (
        "_allowed_us",
        "_granted_us",
        "_increment_us",
        "_wall_base_us",
        "_wall_most_us",
        "bank_us",
        "credited_us",
        "waited_us",
    )

    def __init__(
        self, clock: Clock, *, wall_base_us: int = WALL_BASE_US, wall_most_us: int = sys.maxsize
    ) -> None:
        """`wall_most_us` is the seat's share of the longest match, which its waiting may never pass."""
        self.bank_us = clock.bank_ms * 1000
        self.waited_us = 0
        """Held against it: what it kept us waiting, less the host's lateness."""
        self.credited_us = 0
        """Lateness taken off so far."""
        self._increment_us = clock.increment_ms * 1000
        self._granted_us = self.bank_us
        self._wall_base_us = wall_base_us
        self._wall_most_us = wall_most_us
        self._allow()

    @property
    def bank_ms(self) -> int:
        """The figure in the question: what the seat may use for this answer and all that follow."""
        return self.bank_us // 1000

    @property
    def wall_left_us(self) -> int:
        """How much longer the seat may keep us waiting, over the rest of the match as it stands."""
        return self._allowed_us - self.waited_us

    @property
    def credit_left_us(self) -> int:
        """How much more lateness may be taken off."""
        return CREDIT_FACTOR * self._allowed_us - self.credited_us

    def ask(self) -> None:
        """A question is put: grant the increment."""
        self.bank_us += self._increment_us
        self._granted_us += self._increment_us
        self._allow()

    def _allow(self) -> None:
        """How long the seat may keep us waiting in all, as the match stands."""
        self._allowed_us = min(WALL_FACTOR * self._granted_us + self._wall_base_us, self._wall_most_us)

    def charge(self, *, cpu_us: int, wall_us: int, late_us: int = 0) -> bool:
        """Take what a question cost. False when the bank did not hold it; it is then empty, not below.

        `late_us` is how late the host was, of those `wall_us`.
        """
        in_time = cpu_us <= self.bank_us
        self.bank_us = max(0, self.bank_us - cpu_us)
        credited_us = min(late_us, wall_us, self.credit_left_us)
        self.waited_us += wall_us - credited_us
        self.credited_us += credited_us
        return in_time
