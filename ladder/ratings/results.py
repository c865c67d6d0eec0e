"""Results of a season, out of the database into integer arrays.

Bundles end out of the order of their ids, and a transaction that ended earlier may be seen later, so that no
watermark of ids or times is safe. What has been read is known by the ids of its bundles instead: a fit lists
the season's finished ladder bundles, reads those that are not in memory yet, and misses none. A finished
bundle never changes; should one be gone, everything is read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.db.models import Case, QuerySet, When

from ladder.matches.models import Bundle, Match, MatchSeat, Purpose, Season
from ladder.programs.models import Version
from ladder.ratings.choices import Ints, Table
from ladder.ratings.fit import Pool

_AT_ONCE: Final = 10_000
_read: dict[int, Results] = {}
"""What this process has read, by season."""


@dataclass(frozen=True, slots=True)
class Results:
    """All results of some bundles."""

    bundles: frozenset[int]
    rows: Ints
    """(seats, 5): bundle, match, version, rank, whether it committed a fault; seats of a match together."""

    @property
    def matches(self) -> int:
        return len(np.unique(self.rows[:, 1]))

    @property
    def versions(self) -> Ints:
        """Ids of all versions that have a result, ascending."""
        return np.unique(self.rows[:, 2])

    def tables(self) -> list[Table]:
        """By number of seats; versions as indices into `versions`."""
        versions = np.searchsorted(self.versions, self.rows[:, 2])
        _, starts, counts = np.unique(self.rows[:, 1], return_index=True, return_counts=True)
        tables = []
        for seats in np.unique(counts):
            cells = starts[counts == seats][:, None] + np.arange(seats)
            bundles = self.rows[cells[:, 0], 0]
            tables.append(Table(versions=versions[cells], ranks=self.rows[cells, 3], bundles=bundles))
        return tables

    def faulted(self) -> Ints:
        """Matches in which each version committed a fault."""
        at_fault = np.unique(self.rows[self.rows[:, 4] == 1][:, 1:3], axis=0)
        index = np.searchsorted(self.versions, at_fault[:, 1])
        return np.bincount(index, minlength=len(self.versions))


_NOTHING: Final = Results(frozenset(), np.zeros((0, 5), dtype=np.int64))


def finished_bundles(season: Season) -> QuerySet[Bundle]:
    """Whose matches move ratings: each match has ended, though some may be void."""
    return Bundle.objects.filter(season=season, purpose=Purpose.LADDER, finished_at__isnull=False)


def results_read(season: Season, *, afresh: bool = False) -> Results:
    """The season's results. `afresh` takes nothing from this process's memory."""
    bundles = frozenset(finished_bundles(season).values_list("pk", flat=True))
    known = _read.get(season.pk, _NOTHING)
    if afresh or not known.bundles <= bundles:
        known = _NOTHING
    missing = sorted(bundles - known.bundles)
    parts = [_rows(missing[at : at + _AT_ONCE]) for at in range(0, len(missing), _AT_ONCE)]
    results = Results(bundles, np.concatenate([known.rows, *parts]))
    _read[season.pk] = results
    return results


def _rows(bundles: Sequence[int]) -> Ints:
    seats = (
        MatchSeat.objects.filter(
            match__bundle__in=bundles, match__status=Match.Status.FINISHED, rank__isnull=False
        )
        .annotate(at_fault=Case(When(fault_code="", then=0), default=1))
        .order_by("match__bundle_id", "match_id", "number")
        .values_list("match__bundle_id", "match_id", "version_id", "rank", "at_fault")
    )
    return np.array(list(seats), dtype=np.int64).reshape(-1, 5)


def pool_of(versions: Ints) -> Pool:
    """The pool of some version ids, in their order.

    The previous version of a bot is its newest one before that has results: what lies between never played.
    """
    index = {int(version): row for row, version in enumerate(versions)}
    known = Version.objects.filter(pk__in=list(index)).order_by("bot_id", "number")
    previous = np.full(len(versions), -1, dtype=np.int64)
    house = np.zeros(len(versions), dtype=np.bool_)
    newest: dict[int, int] = {}
    for version, bot, is_house in known.values_list("pk", "bot_id", "bot__is_house"):
        row = index[version]
        previous[row] = newest.get(bot, -1)
        house[row] = is_house
        newest[bot] = row
    return Pool(previous=previous, house=house)
