"""What one seat, or an onlooker, may know (DG 7). Built from nothing, never stripped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, Any

from engine.core import Json, Seat
from engine.games.dont_go_in_there.tables import (
    BOARD_NAMES,
    BOARDS,
    CARDS,
    CLOSED,
    CURSE,
    CURSES,
    DEAL,
    ENDED,
    FACE_DOWN,
    FACES,
    NO_CARDS,
    PHASES,
    PLACE,
    ROOMS,
    SLOTS,
    SPACES,
    TURNS,
    TYPES,
    face_of,
)
from engine.games.dont_go_in_there.text import Parts

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position


def observe(state: Position, seat: Seat | None) -> dict[str, Json]:
    """The observation of a seat; its schema is in schemas.py, its words in docs/games/dont-go-in-there.md."""
    seats = state.game.seats
    return {
        "seat": seat,
        "phase": PHASES[state.phase],
        "actor": state.acting if state.acting >= 0 else None,
        "on_turn": on_turn(state),
        "placed": state.placed,
        "placements": TURNS * seats,
        "types": [TYPES[kind] for kind in state.types],
        "deck": state.deck,
        "unseen": by_type(state.types, counts_of(unseen(state, seat))),
        "rooms": [_room(board, state.rooms[board], *shown(state, board, seat)) for board in range(BOARDS)],
        "haunt": _haunt(state),
        "dealing": state.rooms[state.board] // 2 if state.phase == DEAL else None,
        "clock_used": state.clock_used,
        "players": [_player(*held_by(state, of)) for of in range(seats)],
    }


def on_turn(state: Position) -> Seat | None:
    """Nobody after the last haunt, though seats may still choose what to dispel."""
    seats = state.game.seats
    return state.placed % seats if state.placed < TURNS * seats else None


def sees_face_down(state: Position, board: int, seat: Seat | None) -> bool:
    """DG 7.2: who has a meeple in the room has looked at its hidden card."""
    return seat is not None and seat in state.spaces[SPACES * board : SPACES * (board + 1)]


def hidden_slot(state: Position, board: int) -> int:
    """Where a card lies face-down on a board, as a place in `state.cards`; -1 where none does."""
    room = state.rooms[board]
    if room == CLOSED or FACE_DOWN[room] < 0 or (state.phase not in (DEAL, PLACE) and state.board == board):
        return -1
    where = SLOTS * board + FACE_DOWN[room]
    return where if state.cards[where] >= 0 else -1


def unseen(state: Position, seat: Seat | None) -> bytes:
    """The cards that this seat has never seen, one byte a card: in the deck, removed, or face-down."""
    cards = [*state.pool, *state.unknown_aside(seat)]
    for board in range(BOARDS):
        where = hidden_slot(state, board)
        if where >= 0 and not sees_face_down(state, board, seat):
            cards.append(state.cards[where])
    return bytes(cards)


def counts_of(cards: Iterable[int]) -> bytes:
    """How many there are of each face."""
    counts = bytearray(FACES)
    for face in cards:
        counts[face] += 1
    return bytes(counts)


def shown(state: Position, board: int, seat: Seat | None) -> tuple[list[int], list[int]]:
    """Who is on the spaces of a board, and its cards as this seat sees them.

    A card lying open is its face, or -1 for none; one lying face-down is `FACES`, or `FACES + 1` more than
    its face for a seat that has looked at it.
    """
    cards = state.cards[SLOTS * board : SLOTS * (board + 1)]
    where = hidden_slot(state, board)
    if where >= 0:
        slot = where - SLOTS * board
        cards[slot] = FACES + 1 + cards[slot] if sees_face_down(state, board, seat) else FACES
    return state.spaces[SPACES * board : SPACES * (board + 1)], cards


def held_by(state: Position, seat: Seat) -> tuple[int, bytes, bytes]:
    """Ghosts, and how many of each face lie face-up and dispelled."""
    first, last = FACES * seat, FACES * (seat + 1)
    return state.ghosts[seat], bytes(state.up[first:last]), bytes(state.down[first:last])


def by_type(types: Iterable[int], counts: bytes) -> dict[str, list[int]]:
    """Counts of each of the four curses, the lowest first, for each of these types."""
    return {TYPES[kind]: [*counts[CURSES * kind : CURSES * (kind + 1)]] for kind in types}


def _room(board: int, room: int, spaces: Sequence[int], cards: Sequence[int]) -> dict[str, Json]:
    return {
        "board": BOARD_NAMES[board],
        "room": None if room == CLOSED else ROOMS[room],
        "spaces": [None if who < 0 else who for who in spaces],
        "cards": [card_seen(card) for card in cards],
    }


def card_seen(card: int) -> dict[str, Json] | None:
    """A card as `shown` says that it is seen."""
    if card < 0:
        return None
    if card < FACES:
        return CARDS[card].copy()
    known = CARDS[card - FACES - 1] if card > FACES else {}
    return {**known, "face_down": True}


def _haunt(state: Position) -> dict[str, Json] | None:
    if not state.dice:
        return None
    return {
        "room": ROOMS[state.rooms[state.board]],
        "resolver": state.placed % state.game.seats,
        "dice": state.dice,
        "ghosts": None if state.rolled < 0 else state.rolled,
        "rerolled": state.rerolled,
    }


def _player(ghosts: int, up: bytes, down: bytes) -> dict[str, Json]:
    return {
        "ghosts": ghosts,
        "curses": sum(map(mul, up, CURSE)),
        "face_up": by_type(types_in(up), up),
        "dispelled": by_type(types_in(down), down),
    }


def types_in(held: bytes) -> list[int]:
    """Types of which there are cards."""
    return [kind for kind in range(len(TYPES)) if held[CURSES * kind : CURSES * (kind + 1)] != NO_CARDS]


def parts(observation: Mapping[str, Json]) -> Parts:
    """The position that an observation shows; a hidden card lies there as `FACES`."""
    phase = PHASES.index(observation["phase"])
    rooms = observation["rooms"]
    haunt: Mapping[str, Any] = observation["haunt"] or {}
    shown = [CLOSED if room["room"] is None else ROOMS.index(room["room"]) for room in rooms]
    if haunt:
        board = ROOMS.index(haunt["room"]) // 2
    elif observation["phase"] == "sides":
        board = BOARDS - shown.count(CLOSED)
    else:
        board = observation["dealing"] or 0
    chance_or_over = -2 if phase == ENDED else -1
    return Parts(
        phase=phase,
        acting=chance_or_over if observation["actor"] is None else observation["actor"],
        placed=observation["placed"],
        board=board,
        dice=haunt.get("dice", 0),
        rolled=-1 if haunt.get("ghosts") is None else haunt["ghosts"],
        rerolled=haunt.get("rerolled", False),
        clock_used=observation["clock_used"],
        types=[TYPES.index(key) for key in observation["types"]],
        rooms=shown,
        spaces=[-1 if who is None else who for room in rooms for who in room["spaces"]],
        cards=[_face(card) for room in rooms for card in room["cards"]],
        ghosts=[player["ghosts"] for player in observation["players"]],
        up=[faces_by_type(player["face_up"]) for player in observation["players"]],
        down=[faces_by_type(player["dispelled"]) for player in observation["players"]],
    )


def _face(card: dict[str, Json] | None) -> int:
    if card is None:
        return -1
    return face_of(card) if "type" in card else FACES


def faces_by_type(counts: Mapping[str, Sequence[int]]) -> list[int]:
    """The cards that `by_type` counted."""
    return [
        CURSES * TYPES.index(key) + step
        for key, by_curse in counts.items()
        for step, count in enumerate(by_curse)
        for _ in range(count)
    ]
