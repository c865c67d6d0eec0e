"""One figure: a value with its unit, what it is compared with, and which way is better."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`peer` was measured in the same run; `aim` is what the design asks for, `ratio_aim` of the ratio."""

    key: str
    value: float
    unit: str
    better: Literal["higher", "lower"]
    peer: str = ""
    peer_value: float | None = None
    aim: float | None = None
    ratio_aim: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours to the peer's."""
        return self.value / self.peer_value if self.peer_value else None

    @property
    def reached(self) -> bool | None:
        """Whether all aims are reached; None without an aim."""
        aims = [(self.value, self.aim), (self.ratio, self.ratio_aim)]
        met = [self._as_good(value, aim) for value, aim in aims if value is not None and aim is not None]
        return all(met) if met else None

    def _as_good(self, value: float, aim: float) -> bool:
        return value >= aim if self.better == "higher" else value <= aim

    def document(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "unit": self.unit,
            "peer": {"name": self.peer, "value": self.peer_value} if self.peer else None,
            "ratio": self.ratio,
            "better": self.better,
            "aim": self.aim,
            "ratio_aim": self.ratio_aim,
        }


def median_of(times: int, measure: Callable[[], float]) -> float:
    """The median of several measurements; single ones are noisy on a machine that is shared."""
    return statistics.median(measure() for _ in range(times))


def cpu_rate(step: Callable[[], int], seconds: float) -> float:
    """What `step` counts, per second of this process's CPU time, over at least `seconds` of it."""
    began = time.process_time()
    done = 0
    while (spent := time.process_time() - began) < seconds:
        done += step()
    return done / spent
