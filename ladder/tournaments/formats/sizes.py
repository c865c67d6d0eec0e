"""How many sit where: tables of k or k - 1, and byes only where those cannot hold everybody."""

from __future__ import annotations

from typing import NamedTuple


class Sizes(NamedTuple):
    """A round's tables, the larger first, and how many sit out."""

    tables: tuple[int, ...]
    byes: int


def split(count: int, seats: int, *, least: int = 2) -> Sizes:
    """Tables of `seats` or `seats - 1`, never fewer than `least`, with as few byes as can be.

    So few that one table holds them all sit at it together, however few they are; one alone sits out.
    """
    if count <= seats:
        return Sizes((count,), 0) if count >= 2 else Sizes((), count)
    small = max(2, least, seats - 1)
    for byes in range(count):
        seated = count - byes
        tables = -(-seated // seats)
        if tables * small <= seated:
            base, more = divmod(seated, tables)
            return Sizes((base + 1,) * more + (base,) * (tables - more), byes)
    raise AssertionError("one full table always fits")


def halving_byes(count: int) -> int:
    """Byes that bring a knock-out of pairs to a power of two after its first round."""
    return int((1 << (count - 1).bit_length()) - count) if count > 1 else 0
