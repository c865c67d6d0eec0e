"""The end of a match (DG 6): game-end types, the ghost penalty, the standing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.core import Event, EventSink, Seat
from engine.games.dont_go_in_there.effects import count_of, curses_of, dispel, highest
from engine.games.dont_go_in_there.tables import (
    AMULET,
    CAT,
    COPIES,
    CURSES,
    FACES,
    JACK_O_LANTERN,
    MUSIC_BOX,
    PORTRAIT,
    TYPE_ROWS,
    TYPES,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position

CAT_MOST_GHOSTS: Final[int] = TYPE_ROWS["cat"]["most_ghosts"]
PORTRAIT_SET: Final[int] = TYPE_ROWS["portrait"]["set"]
_LANTERN: Final = TYPE_ROWS["jack_o_lantern"]
LANTERN_SET: Final[int] = _LANTERN["set"]
LANTERNS_ALONE: Final[int] = _LANTERN["alone"]
LANTERNS_SHARED: Final[int] = _LANTERN["shared"]

Due: TypeAlias = tuple[Seat, int, int]
"""A seat, a type, and how many of its cards are to go."""


def settle(state: Position, emit: EventSink | None) -> None:
    """Apply the game-end types, the highest curses first (DG 5.13), then tell penalty and standing."""
    dispel_amulets(state, emit)
    for seat, kind, number in list(due_at_end(state)):
        dispel(state, seat, highest(state, seat, kind, number), TYPES[kind], emit)
    if emit is not None:
        tell_end(state, emit)


_FIRST_AMULET: Final = CURSES * AMULET
_AMULETS_TO_GO: Final = {
    bytes(held): [
        _FIRST_AMULET + step for step in range(1, CURSES) for _ in range(min(held[step - 1], held[step]))
    ]
    for held in product(range(COPIES + 1), repeat=CURSES)
}
"""DG 5.1: each amulet takes one of the next higher curse with it, all at the same moment."""


def dispel_amulets(state: Position, emit: EventSink | None) -> None:
    if AMULET not in state.types:
        return
    for seat in range(state.game.seats):
        first = FACES * seat + _FIRST_AMULET
        dispel(state, seat, _AMULETS_TO_GO[bytes(state.up[first : first + CURSES])], "amulet", emit)


def due_at_end(state: Position) -> Iterator[Due]:
    """What the other game-end types dispel, as the table lies before any of them acts."""
    seats = range(state.game.seats)
    if CAT in state.types:
        for seat in seats:
            cats = count_of(state, seat, CAT)
            if cats > 1 and state.ghosts[seat] <= CAT_MOST_GHOSTS:
                yield seat, CAT, cats - 1
    if MUSIC_BOX in state.types:
        sums = [curses_of(state, seat, MUSIC_BOX) for seat in seats]
        most = max(sums)
        yield from ((seat, MUSIC_BOX, 2) for seat in seats if sums[seat] == most > 0)
    if PORTRAIT in state.types:
        for seat in seats:
            if pairs := count_of(state, seat, PORTRAIT) // PORTRAIT_SET:
                yield seat, PORTRAIT, pairs
    if JACK_O_LANTERN in state.types:
        sets = [seat for seat in seats if count_of(state, seat, JACK_O_LANTERN) >= LANTERN_SET]
        number = LANTERNS_ALONE if len(sets) == 1 else LANTERNS_SHARED
        yield from ((seat, JACK_O_LANTERN, number) for seat in sets)


def ghost_penalty(ghosts: Sequence[int]) -> list[int]:
    """DG 6.2: curses that each seat gets for having the most ghosts."""
    most = max(ghosts)
    return [count // 2 if count == most else 0 for count in ghosts]


def tell_end(state: Position, emit: EventSink) -> None:
    penalty = ghost_penalty(state.ghosts)
    for seat, extra in enumerate(penalty):
        if extra:
            emit(Event("penalty", {"seat": seat, "ghosts": state.ghosts[seat], "curses": extra}))
    cards = [state.curses(seat) for seat in range(state.game.seats)]
    curses = [card + extra for card, extra in zip(cards, penalty, strict=True)]
    standing = {"curses": curses, "ghosts": list(state.ghosts), "ranks": list(state.ranks())}
    emit(Event("end", {"cards": cards, "penalty": penalty, **standing}))
