"""A position as one line, and a position put together from its visible parts.

`phase;actor;placed;board;dice;rolled;rerolled;clock;types;rooms;spaces;cards;ghosts;face-up;dispelled`, the
lists with commas, hands with one `.`-joined list of faces a seat. Deck and unseen cards follow from the rest.
In a game that asks or has the expansion there follows `asks;card;removed;returned;looked`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core import CHANCE, OVER
from engine.games.dont_go_in_there.tables import (
    BOARDS,
    CLOSED,
    DEAL,
    DISPEL,
    DRAW_REMOVED,
    DRAW_SIDES,
    DRAW_TYPES,
    ENDED,
    FACES,
    NAME,
    PHASES,
    ROLL,
    SLOTS,
    SPACES,
    TAKE,
    TOP,
    TURNS,
    TYPES,
    cards_of,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there import DontGoInThere
    from engine.games.dont_go_in_there.extended import ExtendedState
    from engine.games.dont_go_in_there.position import Position
    from engine.games.dont_go_in_there.state import HauntState


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a position is made of; the deck and the unseen cards follow from it."""

    phase: int
    acting: int
    placed: int
    board: int
    dice: int
    rolled: int
    rerolled: bool
    clock_used: bool
    types: Sequence[int]
    rooms: Sequence[int]
    spaces: Sequence[int]
    cards: Sequence[int]
    ghosts: Sequence[int]
    up: Sequence[Sequence[int]]
    down: Sequence[Sequence[int]]
    asks: Sequence[tuple[int, int, int]] = ()
    card: int = -1
    removed: Sequence[int] = ()
    returned: Sequence[int] = ()
    looked: int = 0


def write(state: Position) -> str:
    """Inverse of `read`."""
    numbers = (state.acting, state.placed, state.board, state.dice, state.rolled)
    flags = (int(state.rerolled), int(state.clock_used))
    lists = (state.types, state.rooms, state.spaces, state.cards, state.ghosts)
    seats = state.game.seats
    return ";".join(
        (
            PHASES[state.phase],
            *map(str, (*numbers, *flags)),
            *(",".join(map(str, values)) for values in lists),
            _write_hands(state.up, seats),
            _write_hands(state.down, seats),
        )
    )


def write_further(state: ExtendedState) -> tuple[str, ...]:
    """The fields that only a game with asking or expansion has."""
    asks = ",".join(".".join(map(str, ask)) for ask in state.asks)
    lists = (",".join(map(str, faces)) for faces in (state.removed, state.returned))
    return asks, str(state.card), *lists, str(state.looked)


def _write_hands(held: bytearray, seats: int) -> str:
    return ",".join(".".join(map(str, _faces_in(held, seat))) for seat in range(seats))


def _faces_in(held: bytearray, seat: int) -> list[int]:
    """A seat's cards, ascending, one entry a card."""
    hand = held[FACES * seat : FACES * (seat + 1)]
    return [face for face, count in enumerate(hand) if count for _ in range(count)]


def read(game: DontGoInThere, line: str) -> HauntState:
    """The position that `write` wrote. Raises ValueError for anything else."""
    fields = line.split(";")
    if len(fields) != (15 if game.plain else 20) or fields[0] not in PHASES:
        raise ValueError(f"not a position of {game.name}: {line!r:.80}")
    acting, placed, board, dice, rolled, rerolled, clock = map(int, fields[1:8])
    types, rooms, spaces, cards, ghosts = (_numbers(field, ",") for field in fields[8:13])
    up, down = ([_numbers(hand, ".") for hand in field.split(",")] for field in fields[13:15])
    state = build(
        game,
        Parts(
            phase=PHASES.index(fields[0]),
            acting=acting,
            placed=placed,
            board=board,
            dice=dice,
            rolled=rolled,
            rerolled=rerolled == 1,
            clock_used=clock == 1,
            types=types,
            rooms=rooms,
            spaces=spaces,
            cards=cards,
            ghosts=ghosts,
            up=up,
            down=down,
            **({} if game.plain else _read_further(fields[15:])),
        ),
    )
    if state.to_text() != line:
        raise ValueError(f"not a position of {game.name} as it is written: {line!r:.80}")
    return state


def _read_further(fields: Sequence[str]) -> dict[str, Any]:
    asks = [tuple(_numbers(ask, ".")) for ask in fields[0].split(",") if ask]
    if any(len(ask) != 3 for ask in asks):
        raise ValueError("an ask is a seat, a type and a number")
    return {
        "asks": asks,
        "card": int(fields[1]),
        "removed": _numbers(fields[2], ","),
        "returned": _numbers(fields[3], ","),
        "looked": int(fields[4]),
    }


def _numbers(field: str, separator: str) -> list[int]:
    return [int(number) for number in field.split(separator)] if field else []


def build(game: DontGoInThere, parts: Parts) -> HauntState:
    """A position from its parts. Raises ValueError when they do not make one."""
    _check_shape(game, parts)
    state = game.initial_state()
    state.phase, state.acting = parts.phase, parts.acting
    state.placed, state.board = parts.placed, parts.board
    state.dice, state.rolled, state.rerolled = parts.dice, parts.rolled, parts.rerolled
    state.clock_used = parts.clock_used
    state.types = tuple(parts.types)
    state.rooms, state.spaces, state.cards = list(parts.rooms), list(parts.spaces), list(parts.cards)
    state.ghosts = list(parts.ghosts)
    for seat in range(game.seats):
        for held, faces in ((state.up, parts.up[seat]), (state.down, parts.down[seat])):
            for face in faces:
                held[FACES * seat + face] += 1
    for board in range(BOARDS):
        row = parts.spaces[SPACES * board : SPACES * (board + 1)]
        state.taken[board] = sum(1 << space for space, seat in enumerate(row) if seat >= 0)
    state.take_further(parts)
    _count_cards(state)
    _check_phase(state)
    return state


def _count_cards(state: HauntState) -> None:
    """What is left to draw: every card of the types in play that lies nowhere else."""
    dealt = [face for face in state.cards if face >= 0]
    for seat in range(state.game.seats):
        dealt += _faces_in(state.up, seat) + _faces_in(state.down, seat)
    state.deck = state.game.setup.deck - len(dealt)
    state.pool = [] if state.phase == DRAW_TYPES else cards_of(state.types)
    try:
        for face in (*dealt, *state.aside()):
            state.pool.remove(face)
    except ValueError:
        raise ValueError("a card lies there more often than it exists") from None
    if state.deck < 0:
        raise ValueError("more cards lie about than the deck held")
    if state.phase != DRAW_TYPES and state.deck > len(state.pool):
        raise ValueError("more cards were removed than there are")


def _check_shape(game: DontGoInThere, parts: Parts) -> None:
    seats = game.seats
    in_range = (
        (parts.types, range(len(TYPES)), None),
        (parts.rooms, range(CLOSED, 2 * BOARDS), BOARDS),
        (parts.spaces, range(-1, seats), BOARDS * SPACES),
        (parts.cards, range(-1, FACES), BOARDS * SLOTS),
        (parts.ghosts, range(1000), seats),
        ((parts.acting,), range(OVER, seats), 1),
        ((parts.placed,), range(TURNS * seats + 1), 1),
        ((parts.board,), range(BOARDS), 1),
        ((parts.dice,), range(7), 1),
        ((parts.rolled,), range(-1, parts.dice + 1), 1),
        ((parts.card,), range(-1, FACES), 1),
        (parts.removed, range(FACES), None),
        ((parts.looked,), range(1 << seats), 1),
        *((ask, range(max(FACES, seats)), 3) for ask in parts.asks),
        *((hand, range(FACES), None) for hand in (*parts.up, *parts.down)),
    )
    for values, allowed, size in in_range:
        if any(value not in allowed for value in values) or size not in (None, len(values)):
            raise ValueError(f"out of range: {list(values)!r:.80}")
    if len(parts.up) != seats or len(parts.down) != seats:
        raise ValueError(f"there are {seats} seats")
    if list(parts.types) != sorted(set(parts.types)) or len(parts.types) > game.setup.types:
        raise ValueError("types are written once each, in their order")
    if (parts.phase == DRAW_TYPES) == (len(parts.types) == game.setup.types):
        raise ValueError("types are drawn first, and all of them")
    if game.types is not None and tuple(parts.types) != game.types:
        raise ValueError("other types than the options name")
    if any(room != CLOSED and room // 2 != board for board, room in enumerate(parts.rooms)):
        raise ValueError("a room lies on another's board")


def _check_phase(state: HauntState) -> None:
    """The actor, the haunt and what lies on the boards must fit the phase."""
    on_turn = state.placed % state.game.seats
    board = state.board
    taken = state.taken[board]
    chance = {DRAW_TYPES, DRAW_SIDES, DRAW_REMOVED, DEAL, ROLL}
    if state.phase in chance:
        expected = CHANCE
    elif state.phase == ENDED:
        expected = OVER
    elif state.phase == TAKE:
        expected = state.spaces[SPACES * board + TOP[taken]]
    else:
        expected = max(0, state.acting) if state.phase in range(NAME, DRAW_REMOVED) else on_turn
    if state.acting != expected:
        raise ValueError("another seat is to act in this phase")
    haunting = state.phase in range(ROLL, DISPEL) or (state.phase == DISPEL and state.dice > 0)
    if haunting != (state.dice > 0) or (not haunting and state.rolled >= 0):
        raise ValueError("dice lie about where there is no haunt")
    if state.phase != ENDED and not state.legal_actions():
        raise ValueError("nothing can be done in this position")
