"""How much there is to play, and how long that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from ladder.tournaments.formats import gauntlet, groups, round_robin
from ladder.tournaments.formats.plan import SEEDS, bracket_of, rounds_of
from ladder.tournaments.formats.sizes import split
from ladder.tournaments.formats.terms import ELIMINATIONS, Entrant, Format, Terms

_PATIENCE: Final = 32
_UNEVEN: Final = {3: 1.15, 4: 1.28, 5: 1.5}
"""Beyond so many entries the schedule of a round robin at larger tables is not made to count its rounds: it
takes this much more of them, by seats, than if no pair met twice (as found at 64 entries)."""


@lru_cache(maxsize=256)
def matches_by_round(terms: Terms, entries: int) -> tuple[int, ...]:
    """Matches of each round: a bundle has as many as its table has seats. Play-offs and void bundles come
    on top; a second final is counted."""
    if entries < 2 and terms.format != Format.SCORE_ATTACK:
        return ()
    sizes = _table_sizes(terms, entries)
    return tuple(terms.bundles * sum(tables) for _, tables in sorted(sizes.items()))


def _table_sizes(terms: Terms, entries: int) -> dict[int, list[int]]:
    """Seats of each table, by round."""
    if terms.format in ELIMINATIONS:
        return _bracket_sizes([(node.round, len(node.sources)) for node in bracket_of(terms, entries).nodes])
    if terms.format == Format.GROUPS:
        return _group_sizes(terms, entries)
    if terms.format == Format.SWISS:
        tables = list(split(entries, terms.seats).tables)
        return dict.fromkeys(range(1, rounds_of(terms, entries) + 1), tables)
    if terms.format == Format.SCORE_ATTACK:
        return dict.fromkeys(range(1, (terms.rounds or SEEDS) + 1), [1] * entries)
    if terms.format == Format.GAUNTLET:
        return {1: [len(table) for table in gauntlet.tables(range(entries), terms.seats)]}
    tables = list(split(entries, terms.seats).tables)
    return dict.fromkeys(range(1, _round_robin_rounds(terms, entries, tables) + 1), tables)


def _round_robin_rounds(terms: Terms, entries: int, tables: Sequence[int]) -> int:
    if terms.rounds is not None:
        return terms.rounds
    if terms.seats == 2 or entries <= _PATIENCE:
        return len(round_robin.schedule(range(entries), terms.seats, None, seed=terms.seed))
    meetings = sum(size * (size - 1) for size in tables)
    return ceil(_UNEVEN[terms.seats] * entries * (entries - 1) / meetings)


def _bracket_sizes(nodes: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    sizes: dict[int, list[int]] = {}
    for round_number, seats in nodes:
        sizes.setdefault(round_number, []).append(seats)
    return sizes


def _group_sizes(terms: Terms, entries: int) -> dict[int, list[int]]:
    field = [Entrant(number, number) for number in range(1, entries + 1)]
    sizes: dict[int, list[int]] = {}
    for members in groups.deal(field, terms.groups):
        tables = list(split(len(members), terms.seats).tables)
        for number in range(1, _round_robin_rounds(terms, len(members), tables) + 1):
            sizes.setdefault(number, []).extend(tables)
    bracket = groups.knock_out(terms, max(sizes, default=0))
    return sizes | _bracket_sizes([(node.round, len(node.sources)) for node in bracket.nodes])


def seconds(rounds: Sequence[int], *, match_s: float, slots: int) -> float:
    """Wall time of rounds one after the other, so many matches at once, each of `match_s` seconds."""
    if slots < 1:
        return float("inf")
    return sum(ceil(matches / slots) * match_s for matches in rounds)


def most_match_s(*, seats: int, bank_ms: int, increment_ms: int, decisions: int) -> float:
    """What a match takes where every seat uses up its clock: seconds of CPU, one seat at a time."""
    return seats * (bank_ms + increment_ms * decisions) / 1000


def meetings_of(tables: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The least and the most that any two of those who sat at these tables have met."""
    everybody = sorted({one for table in tables for one in table})
    met: Counter[tuple[int, int]] = Counter()
    for table in tables:
        ordered = sorted(table)
        met.update((a, b) for place, a in enumerate(ordered) for b in ordered[place + 1 :])
    pairs = [met[a, b] for place, a in enumerate(everybody) for b in everybody[place + 1 :]]
    return (min(pairs), max(pairs)) if pairs else (0, 0)
