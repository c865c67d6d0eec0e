"""The clock of one seat: arithmetic alone, shared by the referee and by those who derive its lines again.

A seat has a bank of CPU time and gets an increment with each question. Integers of microseconds; what
goes over the wire is whole milliseconds, rounded down.
"""

from __future__ import annotations

from typing import Final

from bots.job import Clock

WALL_FACTOR: Final = 5
WALL_BASE_US: Final = 10_000_000
"""A seat may keep us waiting for 5 x (bank + increments so far) + 10 s in a match."""


class SeatClock:
    """What is left to one seat."""

    __slots__ = ("_granted_us", "_increment_us", "_wall_base_us", "bank_us", "waited_us")

    def __init__(self, clock: Clock, *, wall_base_us: int = WALL_BASE_US) -> None:
        self.bank_us = clock.bank_ms * 1000
        self.waited_us = 0
        self._increment_us = clock.increment_ms * 1000
        self._granted_us = self.bank_us
        self._wall_base_us = wall_base_us

    @property
    def bank_ms(self) -> int:
        """The figure in the question: what the seat may use for this answer and all that follow."""
        return self.bank_us // 1000

    @property
    def wall_left_us(self) -> int:
        """How much longer the seat may keep us waiting, over the rest of the match as it stands."""
        return WALL_FACTOR * self._granted_us + self._wall_base_us - self.waited_us

    def ask(self) -> None:
        """A question is put: grant the increment."""
        self.bank_us += self._increment_us
        self._granted_us += self._increment_us

    def charge(self, *, cpu_us: int, wall_us: int) -> bool:
        """Take what a question cost. False when the bank did not hold it; it is then empty, not below."""
        in_time = cpu_us <= self.bank_us
        self.bank_us = max(0, self.bank_us - cpu_us)
        self.waited_us += wall_us
        return in_time
