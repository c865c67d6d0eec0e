"""What may be said of two versions, by the standard error of their difference (never by two error bars)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from ladder.ratings.choices import Flags, Floats

Z95: Final = NormalDist().inv_cdf(0.975)
"""Standard errors from the middle of a 95 % interval to its end."""
_TOO_MANY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Difference:
    """How much stronger one version is than another, in Elo."""

    elo: float
    standard_error: float

    @property
    def superiority(self) -> float:
        """Probability that the first is the stronger one."""
        if self.standard_error == 0:
            return 0.5 + 0.5 * float(np.sign(self.elo))
        return NormalDist().cdf(self.elo / self.standard_error)

    @property
    def separable(self) -> bool:
        """Whether zero lies outside the difference's 95 % interval."""
        return abs(self.elo) > Z95 * self.standard_error


def difference(elo: Floats, covariance: Floats, first: int, second: int) -> Difference:
    """Of the versions at two indices of a fit."""
    own = covariance[first, first] + covariance[second, second]
    variance = float(own - covariance[first, second] - covariance[second, first])
    return Difference(float(elo[first] - elo[second]), math.sqrt(max(variance, 0.0)))


def stronger(elo: Floats, covariance: Floats) -> Flags:
    """(n, n): whether the row's version is stronger than the column's, at 95 %."""
    own = np.diag(covariance)
    variance = own[:, None] + own[None, :] - covariance - covariance.T
    found: Flags = elo[:, None] - elo[None, :] > Z95 * np.sqrt(np.clip(variance, 0, None))
    return found


def rank_ranges(ahead: Flags) -> list[tuple[int, int]]:
    """Best and worst place that each version may hold: only who is proved stronger stands before it."""
    n = len(ahead)
    before, behind = ahead.sum(axis=0), ahead.sum(axis=1)
    return [(1 + int(up), n - int(down)) for up, down in zip(before, behind, strict=True)]


def bands(ahead: Flags) -> list[int]:
    """Band of each row, from 1; rows come from the strongest to the weakest.

    A band is the run of rows that cannot be separated from its first row, so bands never overlap.
    """
    found: list[int] = []
    first = 0
    for row in range(len(ahead)):
        if ahead[first, row]:
            first = row
        found.append(found[-1] + (first == row) if found else 1)
    return found


def bundles_to_part(gap: Difference, played: Sequence[int]) -> int | None:
    """How many more bundles, played by both, would bring zero to the end of the difference's interval.

    Each version's share of the variance is taken to fall as one over its bundles, the difference to stay.
    None when they would be more than ten thousand; 0 when they can be separated already.
    """
    if gap.separable:
        return 0
    first, second = played
    if gap.elo == 0 or first == 0 or second == 0:
        return None
    unit = gap.standard_error**2 / (1 / first + 1 / second)
    wanted = (gap.elo / Z95) ** 2 / unit
    # 1 / (first + m) + 1 / (second + m) = wanted, solved for m.
    half = first + second - 2 / wanted
    product = first * second - (first + second) / wanted
    more = (-half + math.sqrt(half * half - 4 * product)) / 2
    return math.ceil(more) if more <= _TOO_MANY else None
