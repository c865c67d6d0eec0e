"""Points by place, and how a table is decided out of the bundles that were played at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ladder.tournaments.formats.terms import EntrantId, Outcome, TableSpec

_Key: TypeAlias = tuple[bool, float, bool, tuple[float, ...]]

PLAY_OFFS: Final = 2
"""Bundles that a tie on the cut is played off by, before the written order decides."""
_DIGITS: Final = 12
"""Of a mean of points: whoever won as much in another order is level to the last digit. Finer than what sums
of them are compared by (`tiebreaks`), or three thirds would stand behind one whole."""


@dataclass(frozen=True, slots=True)
class BundleResult:
    """One bundle: the points of each who sat there, and who lost every match of it by a fault."""

    points: Mapping[EntrantId, float]
    faulted: frozenset[EntrantId] = frozenset()
    figures: Mapping[EntrantId, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayOff:
    """The cut is tied: these play one more bundle."""

    entrants: tuple[EntrantId, ...]


def place_points(ranks: Sequence[int]) -> list[float]:
    """Points of one match by rank: 1 for the first, 0 for the last, even steps between; shared places
    share their points. One who sits alone gets 1.

    >>> place_points([1, 2, 2, 4])
    [1.0, 0.5, 0.5, 0.0]
    """
    seats = len(ranks)
    if seats == 1:
        return [1.0]
    points = []
    for rank in ranks:
        sharing = ranks.count(rank)
        middle = rank + (sharing - 1) / 2
        points.append((seats - middle) / (seats - 1))
    return points


def settle(
    spec: TableSpec,
    bundles: Sequence[BundleResult],
    play_offs: Sequence[BundleResult],
    *,
    written: Sequence[EntrantId],
    absent: Iterable[EntrantId] = (),
    withdrawn: Iterable[EntrantId] = (),
    may_play_off: bool = True,
) -> Outcome | PlayOff:
    """Decide a table: by points, then by its play-offs, then by the written order.

    `written` names all of the table, best first, by the tournament's tie-breaks. Who is `absent`, or lost
    each match by a fault, forfeits: it has no points and stands last. Who has `withdrawn` since the table was
    laid keeps its points, but stands behind those that are level with it: they can still go on.
    """
    gone, leaving = set(absent), set(withdrawn)
    played = {
        entrant: [one for one in bundles if entrant in one.points]
        for entrant in spec.entrants
        if entrant not in gone
    }
    faulted = {e for e, own in played.items() if own and all(e in one.faulted for one in own)}
    forfeits = frozenset(faulted | gone.intersection(spec.entrants))
    points = {
        entrant: 0.0 if entrant in forfeits else _mean([one.points[entrant] for one in played[entrant]])
        for entrant in spec.entrants
    }
    keys = {
        entrant: (entrant in forfeits, -points[entrant], entrant in leaving, _extra(play_offs, entrant))
        for entrant in spec.entrants
    }
    order = sorted(spec.entrants, key=lambda entrant: (keys[entrant], written.index(entrant)))
    contest = [entrant for entrant in _tied_on(spec.cut, order, keys) if entrant not in forfeits]
    if may_play_off and len(contest) > 1 and len(play_offs) < PLAY_OFFS:
        return PlayOff(tuple(sorted(contest)))
    return Outcome(
        key=spec.key,
        round=spec.round,
        order=tuple(order),
        points=points,
        forfeits=forfeits,
        is_written=len(contest) > 1,
        figures={e: _mean([one.figures[e] for one in bundles if e in one.figures]) for e in spec.entrants},
    )


def _tied_on(cut: int | None, order: Sequence[EntrantId], keys: Mapping[EntrantId, _Key]) -> list[EntrantId]:
    """Those who share the places on both sides of the cut."""
    if cut is None or not 0 < cut < len(order) or keys[order[cut - 1]] != keys[order[cut]]:
        return []
    return [entrant for entrant in order if keys[entrant] == keys[order[cut]]]


def _extra(play_offs: Sequence[BundleResult], entrant: EntrantId) -> tuple[float, ...]:
    """What its play-offs add, one after the other, for sorting: less is better."""
    return tuple(-round(one.points.get(entrant, 0.0), _DIGITS) for one in play_offs)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), _DIGITS) if values else 0.0
