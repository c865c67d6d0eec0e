"""The end of a match (DG 6): game-end types, the ghost penalty, the standing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.core import Event, EventSink
from engine.games.dont_go_in_there.effects import dispel, face_up
from engine.games.dont_go_in_there.tables import CURSES, TYPE_ROWS, TYPES

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position

CAT_MOST_GHOSTS: Final[int] = TYPE_ROWS["cat"]["most_ghosts"]
PORTRAIT_SET: Final[int] = TYPE_ROWS["portrait"]["set"]
_AMULET, _CAT, _MUSIC_BOX, _PORTRAIT = (
    TYPES.index(key) for key in ("amulet", "cat", "music_box", "portrait")
)


def settle(state: Position, emit: EventSink | None) -> None:
    """Apply the game-end types, then tell penalty and standing."""
    seats = range(state.game.seats)
    if _AMULET in state.types:
        for seat in seats:
            dispel(state, seat, _amulets_to_go(face_up(state, seat, _AMULET)), "amulet", emit)
    if _CAT in state.types:
        for seat in seats:
            if state.ghosts[seat] <= CAT_MOST_GHOSTS:
                dispel(state, seat, face_up(state, seat, _CAT)[1:], "cat", emit)
    if _MUSIC_BOX in state.types:
        _music_boxes(state, emit)
    if _PORTRAIT in state.types:
        for seat in seats:
            portraits = face_up(state, seat, _PORTRAIT)
            kept = len(portraits) - len(portraits) // PORTRAIT_SET
            dispel(state, seat, portraits[kept:], "portrait", emit)
    if emit is not None:
        _tell_end(state, emit)


def _amulets_to_go(amulets: Sequence[int]) -> list[int]:
    """DG 5.1: each amulet takes one of the next higher curse with it, all at the same moment."""
    first = CURSES * _AMULET
    held = [amulets.count(first + step) for step in range(CURSES)]
    return [first + step for step in range(1, CURSES) for _ in range(min(held[step - 1], held[step]))]


def _music_boxes(state: Position, emit: EventSink | None) -> None:
    boxes = [face_up(state, seat, _MUSIC_BOX) for seat in range(state.game.seats)]
    sums = [sum(box % CURSES + 1 for box in held) for held in boxes]
    most = max(sums)
    for seat, total in enumerate(sums):
        if total == most > 0:
            dispel(state, seat, boxes[seat][-2:], "music_box", emit)


def ghost_penalty(ghosts: Sequence[int]) -> list[int]:
    """DG 6.2: curses that each seat gets for having the most ghosts."""
    most = max(ghosts)
    return [count // 2 if count == most else 0 for count in ghosts]


def _tell_end(state: Position, emit: EventSink) -> None:
    penalty = ghost_penalty(state.ghosts)
    for seat, extra in enumerate(penalty):
        if extra:
            emit(Event("penalty", {"seat": seat, "ghosts": state.ghosts[seat], "curses": extra}))
    cards = [state.curses(seat) for seat in range(state.game.seats)]
    curses = [card + extra for card, extra in zip(cards, penalty, strict=True)]
    standing = {"curses": curses, "ghosts": list(state.ghosts), "ranks": list(state.ranks())}
    emit(Event("end", {"cards": cards, "penalty": penalty, **standing}))
