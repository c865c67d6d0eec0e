"""What one seat, or an onlooker, may know (DG 7). Built from nothing, never stripped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
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
    """The observation of a seat; its schema is in schemas.py, its words in docs/engine.md."""
    seats = state.game.seats
    unseen = _unseen(state, seat)
    return {
        "seat": seat,
        "phase": PHASES[state.phase],
        "actor": state.acting if state.acting >= 0 else None,
        "on_turn": None if state.phase == ENDED else state.placed % seats,
        "placed": state.placed,
        "placements": TURNS * seats,
        "types": [TYPES[kind] for kind in state.types],
        "deck": state.deck,
        "unseen": {TYPES[kind]: unseen[CURSES * kind : CURSES * (kind + 1)] for kind in state.types},
        "rooms": [_room(state, board, seat) for board in range(BOARDS)],
        "haunt": _haunt(state) if state.phase > PLACE and state.phase != ENDED else None,
        "dealing": state.rooms[state.board] // 2 if state.phase == DEAL else None,
        "clock_used": state.clock_used,
        "players": _players(state),
    }


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


def _unseen(state: Position, seat: Seat | None) -> list[int]:
    """How many copies of each face this seat has never seen: in the deck, removed, or face-down."""
    counts = [0] * FACES
    for face in state.pool:
        counts[face] += 1
    for board in range(BOARDS):
        where = hidden_slot(state, board)
        if where >= 0 and not sees_face_down(state, board, seat):
            counts[state.cards[where]] += 1
    return counts


def _room(state: Position, board: int, seat: Seat | None) -> dict[str, Json]:
    room = state.rooms[board]
    cards: list[Json] = [
        CARDS[face].copy() if face >= 0 else None for face in state.cards[SLOTS * board : SLOTS * (board + 1)]
    ]
    where = hidden_slot(state, board)
    if where >= 0:
        known = cards[where - SLOTS * board] if sees_face_down(state, board, seat) else {}
        cards[where - SLOTS * board] = {**known, "face_down": True}
    row = state.spaces[SPACES * board : SPACES * (board + 1)]
    return {
        "board": BOARD_NAMES[board],
        "room": None if room == CLOSED else ROOMS[room],
        "spaces": [None if who < 0 else who for who in row],
        "cards": cards,
    }


def _haunt(state: Position) -> dict[str, Json]:
    return {
        "room": ROOMS[state.rooms[state.board]],
        "resolver": state.placed % state.game.seats,
        "dice": state.dice,
        "ghosts": None if state.rolled < 0 else state.rolled,
        "rerolled": state.rerolled,
    }


def _players(state: Position) -> list[dict[str, Json]]:
    players = []
    for seat, ghosts in enumerate(state.ghosts):
        first, last = FACES * seat, FACES * (seat + 1)
        face_up, curses = _hand(bytes(state.up[first:last]))
        dispelled, _ = _hand(bytes(state.down[first:last]))
        players.append(
            {
                "ghosts": ghosts,
                "curses": curses,
                "face_up": {key: counts[:] for key, counts in face_up},
                "dispelled": {key: counts[:] for key, counts in dispelled},
            }
        )
    return players


@lru_cache(maxsize=4096)
def _hand(held: bytes) -> tuple[tuple[tuple[str, list[int]], ...], int]:
    """Counts of curse 1 to 4 for each type of which there are cards, and the sum of their curses.

    Remembered, for a hand changes once in a turn and is looked at by everybody.
    """
    rows = ((key, [*held[CURSES * kind : CURSES * (kind + 1)]]) for kind, key in enumerate(TYPES))
    return tuple((key, counts) for key, counts in rows if any(counts)), sum(map(mul, held, CURSE))


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
        up=[_faces(player["face_up"]) for player in observation["players"]],
        down=[_faces(player["dispelled"]) for player in observation["players"]],
    )


def _face(card: dict[str, Json] | None) -> int:
    if card is None:
        return -1
    return face_of(card) if "type" in card else FACES


def _faces(counts: Mapping[str, list[int]]) -> list[int]:
    return [
        CURSES * TYPES.index(key) + step
        for key, by_curse in counts.items()
        for step, count in enumerate(by_curse)
        for _ in range(count)
    ]
