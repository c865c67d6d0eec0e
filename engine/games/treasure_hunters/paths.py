"""Who gets where in how many steps (TH 4): answers about the board, remembered by what they depend on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.games.treasure_hunters.tables import (
    DIE_FACES,
    JEWEL_ROOMS,
    LOCKS,
    NEIGHBOURS,
    PLACES,
    THROUGH,
)

FAR: Final = len(PLACES)
"""More steps than any way has."""


def places_in(mask: int) -> Iterator[int]:
    """The places of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@lru_cache(maxsize=1 << 16)
def reach(start: int, steps: int, locked: int, stops: int) -> int:
    """Mask of the places at most `steps` away where every way ends at the first of `stops`.

    Bits above the places (`FAR` higher) are the stops that are reached with a step to spare.
    Who starts on a stop stays there: that is what holds a carrier in a haunted room (TH 5.6).
    """
    beside = NEIGHBOURS[locked]
    reached = edge = 1 << start
    spare = 0
    for _ in range(steps):
        spare = reached & stops
        edge &= ~stops
        grown = 0
        while edge:  # places_in(edge), without the cost of a generator
            lowest = edge & -edge
            grown |= beside[lowest.bit_length() - 1]
            edge ^= lowest
        edge = grown & ~reached
        reached |= grown
    return reached | spare << FAR


REACH: Final = tuple(
    tuple(
        tuple(reach(start, steps, locked, 0) for steps in range(DIE_FACES + 1))
        for start in range(len(PLACES))
    )
    for locked in range(len(LOCKS))
)
"""The same with nothing in the way, by lock, start and steps."""

_PART: Final = 12
_LOW: Final = (1 << _PART) - 1
_ROOMS_OF: Final = tuple(tuple(places_in(part)) for part in range(1 << _PART))
_NEXT_OF: Final = tuple(tuple(place + _PART for place in places) for places in _ROOMS_OF)
_LAST_OF: Final = tuple(tuple(place + 2 * _PART for place in places) for places in _ROOMS_OF)
_THROUGH_OF: Final = tuple(
    tuple(THROUGH + JEWEL_ROOMS.index(room) for room in rooms if room in JEWEL_ROOMS) for rooms in _ROOMS_OF
)


def moves_of(mask: int) -> list[int]:
    """Ids of the moves to each place of a mask, and through each room whose bit is `FAR` higher.

    Read off twelve bits at a time: a search meets too many masks to remember each.
    """
    return [
        *_ROOMS_OF[mask & _LOW],
        *_NEXT_OF[mask >> _PART & _LOW],
        *_LAST_OF[mask >> 2 * _PART & _LOW],
        *_THROUGH_OF[mask >> 3 * _PART],
    ]


def distance(start: int, goal: int, locked: int, stops: int) -> int:
    """Steps of the shortest way, `FAR` where there is none."""
    for steps in range(FAR):
        if reach(start, steps, locked, stops) >> goal & 1:
            return steps
    return FAR


def way(start: int, goal: int, locked: int, stops: int) -> list[int]:
    """The places of a shortest way from `start` to `goal`, both included."""
    beside = NEIGHBOURS[locked]
    back = [goal]
    for steps in range(distance(start, goal, locked, stops) - 1, -1, -1):
        before = reach(start, steps, locked, stops) & beside[back[-1]] & ~stops
        back.append(start if not steps else next(places_in(before)))
    return back[::-1]
