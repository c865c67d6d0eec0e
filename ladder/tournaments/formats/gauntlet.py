"""A gauntlet: one entry meets all others."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.tournaments.formats.terms import EntrantId


def tables(entrants: Sequence[EntrantId], seats: int) -> list[tuple[EntrantId, ...]]:
    """The first of `entrants` (by seeding) at each table, with others from the strongest down.

    At larger tables the others are shared out as evenly as can be; nobody meets it twice.
    """
    one, others = entrants[0], entrants[1:]
    if seats == 2 or len(others) < seats:
        groups = [1] * len(others) if seats == 2 else [len(others)]
    else:
        number = -(-len(others) // (seats - 1))
        base, more = divmod(len(others), number)
        groups = [base + 1] * more + [base] * (number - more)
    found = []
    start = 0
    for size in groups:
        found.append((one, *others[start : start + size]))
        start += size
    return found
