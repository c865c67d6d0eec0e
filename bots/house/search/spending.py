"""How much CPU time a question is worth: the bank is shared out over the questions that are still to come."""

from __future__ import annotations

import time

KEPT = 0.12
"""Part of the first bank that is never planned for: other people's load makes our own time dearer."""
OWN_COST_S = 0.002
"""What reading a question and writing its answer may cost beside the search."""
MOST = 0.3
"""Part of what is left that one answer may cost."""
FEWEST = 0.2
"""Part of a match that may always still come, however long it lasts already."""


class Spending:
    """Time for one answer. Work is worth beginning while `more` is true."""

    def __init__(self, seconds: float) -> None:
        self.began = time.process_time()
        self.seconds = seconds

    def more(self, part: float = 1.0) -> bool:
        """Whether less than this part of the time is gone."""
        return time.process_time() - self.began < part * self.seconds


class Purse:
    """The clock of a match, as it is spent."""

    def __init__(self, clock: dict[str, int], questions: float) -> None:
        self.kept = KEPT * clock["bank_ms"] / 1000
        self.increment = clock["increment_ms"] / 1000
        self.left = questions
        """Questions that are likely to come."""
        self.fewest = max(2.0, FEWEST * questions)

    def open(self, bank_ms: int) -> Spending:
        """`bank_ms` as the question tells it; this question's increment is in it."""
        free = bank_ms / 1000 - self.kept
        share = (free + self.increment * (self.left - 1)) / self.left
        most = MOST * free if free > 0 else self.increment / 2
        self.left = max(self.left - 1, self.fewest)
        return Spending(max(0.0, min(share, most) - OWN_COST_S))
