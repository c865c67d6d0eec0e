"""Swiss rounds of two seats: one maximum-weight matching a round.

Who may not meet (again) has no edge. Each edge costs what the pairing rules dislike, the graver the more:
a bye for one who had one, a gap in points, then the distance from the ideal opponent of the score group
(top half against bottom half, as in the Dutch system, FIDE C.04.3). Each entry has edges to the nearest in
the standings; where those do not pair everybody, to more of them, and only where nothing else is left do
two meet again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import rustworkx as rx

from ladder.tournaments.formats.terms import EntrantId

NEAREST: Final = 40
"""Edges of an entry to those next to it in the standings, at first."""
_UNITS: Final = 5040
"""A point, in whole numbers: averages over bundles and shared places divide it."""


@dataclass(frozen=True, slots=True)
class Player:
    """One entry before a round."""

    id: EntrantId
    seeding: int
    points: float
    byes: int
    met: frozenset[EntrantId]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Tables of a round from the top one down, and who sits out."""

    tables: tuple[tuple[EntrantId, ...], ...]
    byes: tuple[EntrantId, ...] = ()


def pair(players: Sequence[Player]) -> Pairing:
    """Pair everybody; an odd one out gets a bye: among those who had fewest, the lowest in the standings."""
    ranked = sorted(players, key=lambda player: (-_units(player), player.seeding))
    if len(ranked) < 2:
        return Pairing((), tuple(player.id for player in ranked))
    pairs = _paired(ranked)
    bye = [ranked[a].id for a, b in pairs if b == len(ranked)]
    tables = sorted((a, b) for a, b in pairs if b < len(ranked))
    return Pairing(tuple((ranked[a].id, ranked[b].id) for a, b in tables), tuple(bye))


def _paired(ranked: Sequence[Player]) -> list[tuple[int, int]]:
    """Pairs of places in `ranked`, the lower first; the place after the last is the bye."""
    chairs = len(ranked) + len(ranked) % 2
    nearest = NEAREST
    while True:
        pairs = _matched(chairs, edges(ranked, nearest, rematches=False))
        if 2 * len(pairs) == chairs:
            return pairs
        if nearest >= chairs:
            return _matched(chairs, edges(ranked, nearest, rematches=True))
        nearest *= 2


def _matched(chairs: int, costs: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    graph: rx.PyGraph[int, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(chairs))
    top = max(costs.values(), default=0) + 1
    graph.add_edges_from([(a, b, top - cost) for (a, b), cost in costs.items()])
    matching = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)


def edges(ranked: Sequence[Player], nearest: int, *, rematches: bool) -> dict[tuple[int, int], int]:
    """Cost by pair of places. A rematch costs more than all else in the round together."""
    count = len(ranked)
    ideal = _ideal(ranked)
    gap_cost = 8 * count * count
    costs: dict[tuple[int, int], int] = {}
    for a, player in enumerate(ranked):
        for b in range(a + 1, min(count, a + 1 + nearest)):
            again = ranked[b].id in player.met
            if again and not rematches:
                continue
            gap = abs(_units(player) - _units(ranked[b]))
            distance = abs(b - a - ideal[a])
            costs[a, b] = gap * gap * gap_cost + distance * distance
            if again:
                costs[a, b] += _gravest(ranked, gap_cost)
    if count % 2:
        costs |= _bye_edges(ranked, nearest, gap_cost)
    return costs


def _bye_edges(ranked: Sequence[Player], nearest: int, gap_cost: int) -> dict[tuple[int, int], int]:
    """The bye goes to one of those who had fewest: the fewer points, then the lower it stands, the rather."""
    count = len(ranked)
    fewest = min(player.byes for player in ranked)
    lowest = min(_units(player) for player in ranked)
    able = [place for place in range(count) if ranked[place].byes == fewest][-nearest:]
    edges = {}
    for place in able:
        gap = _units(ranked[place]) - lowest
        edges[place, count] = gap * gap * gap_cost + (count - place) ** 2
    return edges


def _gravest(ranked: Sequence[Player], gap_cost: int) -> int:
    """More than a whole round without a rematch can cost."""
    spread = _units(ranked[0]) - _units(ranked[-1])
    return len(ranked) * (spread * spread * gap_cost + 4 * len(ranked) * len(ranked))


def _ideal(ranked: Sequence[Player]) -> list[int]:
    """How far below each its ideal opponent stands: half a score group; from the lower half, the next."""
    distances = []
    for _, members in groupby(ranked, key=_units):
        size = len(list(members))
        half = max(1, size // 2)
        distances += [half if place < half else 1 for place in range(size)]
    return distances


def _units(player: Player) -> int:
    return round(player.points * _UNITS)
