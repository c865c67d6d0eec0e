"""Standings of formats by points, with every tie broken in the order that was written down.

Each value is a figure of its own, the greater the better, so that people can check what parted whom.
Tables of more than two generalise the chess terms: everybody at a table is an opponent, and beating half of
them is half a win.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from ladder.tournaments.formats.terms import Entrant, EntrantId, Outcome, Standing, TieBreak

_Value: TypeAlias = Callable[["_Facts", EntrantId, Sequence[EntrantId]], float]
_DIGITS: Final = 9
"""Sums of averages are compared after rounding: the order of adding must not part equals."""


@dataclass(frozen=True, slots=True)
class _Facts:
    seeding: Mapping[EntrantId, int]
    points: Mapping[EntrantId, float]
    tables: Mapping[EntrantId, Sequence[Outcome]]
    figures: Mapping[EntrantId, float]
    seed: str


def standings(
    entrants: Iterable[Entrant],
    outcomes: Sequence[Outcome],
    order: Sequence[TieBreak],
    *,
    seed: str,
    byes: Mapping[EntrantId, int] | None = None,
    reached: Mapping[EntrantId, float] | None = None,
) -> list[Standing]:
    """Everybody, best first. `byes` earn a point each; `reached` (elimination) goes before points."""
    facts = _facts(list(entrants), outcomes, byes or {}, seed)
    groups: list[list[EntrantId]] = [sorted(facts.seeding)]
    values: dict[EntrantId, dict[str, float]] = {entrant: {} for entrant in facts.seeding}
    if reached is not None:
        groups = _parted(groups, "reached", lambda entrant, _: reached.get(entrant, 0.0), values)
    groups = _parted(groups, "points", _bound(_points, facts), values)
    for rule in order:
        groups = _parted(groups, rule.value, _bound(_VALUES[rule], facts), values)
    ordered = [entrant for group in groups for entrant in group]
    return [
        Standing(
            entrant=entrant,
            rank=rank,
            points=round(facts.points[entrant], _DIGITS),
            tables=len(facts.tables[entrant]),
            values={k: v for k, v in values[entrant].items() if k != "points"},
            parted_by=_parted_by(values[before], values[entrant]) if before is not None else None,
        )
        for rank, (before, entrant) in enumerate(zip([None, *ordered], ordered, strict=False), 1)
    ]


def _parted_by(before: Mapping[str, float], own: Mapping[str, float]) -> str | None:
    """The first figure, in the order in which they were compared, in which two neighbours differ."""
    return next((name for name, value in before.items() if name in own and own[name] != value), None)


def written_order(
    entrants: Iterable[Entrant], outcomes: Sequence[Outcome], order: Sequence[TieBreak], *, seed: str
) -> list[EntrantId]:
    """Who stands before whom by what the tie-breaks say of earlier tables, points first."""
    return [row.entrant for row in standings(entrants, outcomes, order, seed=seed)]


def lot(seed: str, label: str, who: object) -> float:
    """A lot, 0 to 1: drawn from the tournament's committed seed and what everybody knows of `who`."""
    digest = hashlib.blake2b(f"{seed}/{label}/{who}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48


def _facts(
    entrants: list[Entrant], outcomes: Sequence[Outcome], byes: Mapping[EntrantId, int], seed: str
) -> _Facts:
    points = {entrant.id: float(byes.get(entrant.id, 0)) for entrant in entrants}
    figures: dict[EntrantId, float] = defaultdict(float)
    tables: dict[EntrantId, list[Outcome]] = {entrant.id: [] for entrant in entrants}
    for outcome in sorted(outcomes, key=lambda one: one.key):
        for entrant in outcome.order:
            if entrant in points:
                points[entrant] += outcome.points[entrant]
                tables[entrant].append(outcome)
                figures[entrant] += outcome.figures.get(entrant, 0.0)
    return _Facts(
        seeding={entrant.id: entrant.seeding for entrant in entrants},
        points=points,
        tables=tables,
        figures=figures,
        seed=seed,
    )


def _bound(value: _Value, facts: _Facts) -> Callable[[EntrantId, Sequence[EntrantId]], float]:
    return lambda entrant, tied: round(value(facts, entrant, tied), _DIGITS)


def _parted(
    groups: list[list[EntrantId]],
    name: str,
    value: Callable[[EntrantId, Sequence[EntrantId]], float],
    values: dict[EntrantId, dict[str, float]],
) -> list[list[EntrantId]]:
    """Each group split by one figure, the greater first; groups of one need no more figures."""
    split: list[list[EntrantId]] = []
    for group in groups:
        if len(group) == 1:
            split.append(group)
            continue
        found = {entrant: value(entrant, group) for entrant in group}
        for entrant in group:
            values[entrant][name] = found[entrant]
        by_value = sorted(group, key=lambda entrant: -found[entrant])
        split += [list(equals) for _, equals in groupby(by_value, key=lambda entrant: found[entrant])]
    return split


def _shares(outcome: Outcome, entrant: EntrantId) -> list[tuple[EntrantId, float]]:
    """Each opponent at a table, and what was won against it: 1, 0.5 or 0."""
    own = outcome.points[entrant]
    return [
        (other, 1.0 if own > theirs else 0.5 if own == theirs else 0.0)
        for other, theirs in outcome.points.items()
        if other != entrant
    ]


def _points(facts: _Facts, entrant: EntrantId, _tied: Sequence[EntrantId]) -> float:
    return facts.points[entrant]


def _head_to_head(facts: _Facts, entrant: EntrantId, tied: Sequence[EntrantId]) -> float:
    """What was won against the others that are tied, where each of them has met each other; else 0."""
    rivals = set(tied)
    met = {
        one: {other for outcome in facts.tables[one] for other in outcome.points if other in rivals}
        for one in tied
    }
    if any(rivals - met[one] - {one} for one in tied):
        return 0.0
    return sum(
        share
        for outcome in facts.tables[entrant]
        for other, share in _shares(outcome, entrant)
        if other in rivals
    )


def _buchholz(facts: _Facts, entrant: EntrantId, _tied: Sequence[EntrantId]) -> float:
    """The points of its opponents, averaged at each table and summed: whoever met the stronger goes first."""
    return sum(
        sum(facts.points.get(other, 0.0) for other, _ in shares) / len(shares)
        for outcome in facts.tables[entrant]
        if (shares := _shares(outcome, entrant))
    )


def _sonneborn_berger(facts: _Facts, entrant: EntrantId, _tied: Sequence[EntrantId]) -> float:
    """The points of its opponents, each weighted by what was won against it."""
    return sum(
        sum(share * facts.points.get(other, 0.0) for other, share in shares) / len(shares)
        for outcome in facts.tables[entrant]
        if (shares := _shares(outcome, entrant))
    )


def _bundle_difference(facts: _Facts, entrant: EntrantId, _tied: Sequence[EntrantId]) -> float:
    """Opponents outscored at their tables, less those who outscored it."""
    return sum(2 * share - 1 for outcome in facts.tables[entrant] for _, share in _shares(outcome, entrant))


_VALUES: Final[Mapping[TieBreak, _Value]] = {
    TieBreak.HEAD_TO_HEAD: _head_to_head,
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.BUNDLE_DIFFERENCE: _bundle_difference,
    TieBreak.FIGURES: lambda facts, entrant, _: facts.figures.get(entrant, 0.0),
    TieBreak.SEEDING: lambda facts, entrant, _: -facts.seeding[entrant],
    TieBreak.LOT: lambda facts, entrant, _: -lot(facts.seed, "lot", facts.seeding[entrant]),
}
