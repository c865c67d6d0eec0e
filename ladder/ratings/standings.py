"""The rows of a season's standings and the sentence above them; pure, from what the selectors read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from ladder.ratings.choices import Floats
from ladder.ratings.separation import Z95, bands, bundles_to_part, difference, rank_ranges, stronger

PROVISIONAL_BELOW: Final = 5
"""Bundles that a version has played before it is given a rank."""
_WORDS: Final = [
    "No",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
]


class TrendPoint(NamedTuple):
    at: datetime
    elo: float


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One version. Ranks and bands are None where it has none: provisional, or no longer active."""

    rank_from: int | None
    rank_to: int | None
    band: int | None
    version_pk: int
    version_id: UUID
    version: int
    """Its number: the 3 of v3."""
    bot_id: UUID
    name: str
    owners: tuple[str, ...]
    language: str
    elo: float
    standard_error: float
    bundles: int
    matches: int
    faults: float
    """Share of its matches in which it committed a fault."""
    is_house: bool
    active: bool
    trend: tuple[TrendPoint, ...]
    """Ratings of the last thirty days, oldest first, the present one last."""

    @property
    def half_width(self) -> float:
        """Of the 95 % interval, in Elo."""
        return Z95 * self.standard_error

    @property
    def low(self) -> float:
        return self.elo - self.half_width

    @property
    def high(self) -> float:
        return self.elo + self.half_width

    @property
    def provisional(self) -> bool:
        """Too few bundles for a rank."""
        return self.bundles < PROVISIONAL_BELOW

    @property
    def rank(self) -> str | None:
        """As it is shown: `4`, or `1-3` where it may be any of them."""
        if self.rank_from is None:
            return None
        return str(self.rank_from) if self.rank_from == self.rank_to else f"{self.rank_from}-{self.rank_to}"


@dataclass(frozen=True, slots=True)
class Standings:
    """A season's rows: ranked ones by strength, then provisional ones, then those no longer active."""

    rows: list[StandingRow]
    lede: str
    fitted_at: datetime | None
    bundles: int
    matches: int


def rank_rows(rows: Sequence[StandingRow], covariance: Floats) -> tuple[list[StandingRow], str]:
    """The rows in order, with ranks and bands, and the sentence; `covariance` is in the order of `rows`."""
    order = sorted(range(len(rows)), key=lambda at: (_group(rows[at]), -rows[at].elo, rows[at].version_pk))
    ranked = [at for at in order if _group(rows[at]) == 0]
    elo = np.array([rows[at].elo for at in ranked])
    among = covariance[np.ix_(ranked, ranked)]
    ahead = stronger(elo, among)
    ranges, groups = rank_ranges(ahead), bands(ahead)
    placed = [
        replace(rows[at], rank_from=best, rank_to=worst, band=band)
        for at, (best, worst), band in zip(ranked, ranges, groups, strict=True)
    ]
    lede = _lede(placed, among, [row for row in rows if row.active])
    return placed + [rows[at] for at in order[len(ranked) :]], lede


def _group(row: StandingRow) -> int:
    return 2 if not row.active else 1 if row.provisional else 0


def _lede(ranked: Sequence[StandingRow], covariance: Floats, active: Sequence[StandingRow]) -> str:
    """What the standings say, in a sentence or two."""
    if not active:
        return "No bots yet."
    if all(row.is_house for row in active):
        return "No bots yet but the house's."
    if not ranked:
        return f"Nobody is ranked yet: a rank takes {PROVISIONAL_BELOW} bundles."
    top = sum(row.band == 1 for row in ranked)
    if top == 1:
        return f"{ranked[0].name} stands alone at the top."
    gap = difference(np.array([row.elo for row in ranked]), covariance, 0, 1)
    more = bundles_to_part(gap, (ranked[0].bundles, ranked[1].bundles))
    return f"{_count(top)} bots share the top. {_more(more)}"


def _more(bundles: int | None) -> str:
    """Rounded up to two figures, for it is an estimate."""
    if bundles is None:
        return "The first two are too close to be parted by any number of bundles worth playing."
    step = 10 ** max(0, len(str(bundles)) - 2)
    about = -(-bundles // step) * step
    return f"About {about:,} more bundle{'s' * (about > 1)} would part the first two."


def _count(n: int) -> str:
    return _WORDS[n] if n < len(_WORDS) else str(n)
