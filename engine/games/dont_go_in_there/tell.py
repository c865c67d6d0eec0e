"""Events of setup, turn and haunt, for whoever listens; `docs/games/` lists their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Event, EventSink, Seat
from engine.games.dont_go_in_there.moves import FLIP_TO_GHOST, KEEP, REROLL
from engine.games.dont_go_in_there.tables import (
    ASCENDING,
    FACE_DOWN,
    FLASHLIGHTS,
    ROOMS,
    SLOTS,
    TYPES,
    card_json,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position


def setup(state: Position, emit: EventSink) -> None:
    """The whole table before the first card is dealt."""
    facts = {
        "seats": state.game.seats,
        "types": [TYPES[kind] for kind in state.types],
        "rooms": [ROOMS[room] for room in state.rooms],
        "deck": state.deck,
        "removed": len(state.pool) - state.deck,
    }
    emit(Event("setup", facts))


def deal(state: Position, slot: int, emit: EventSink) -> None:
    """A card just dealt; where cards lie in order, all are told when the last has found its place."""
    room = state.rooms[state.board]
    last = slot
    if ASCENDING[room]:
        if slot < SLOTS - 1:
            return
        slot = 0
    for where in range(slot, last + 1):
        face = state.cards[SLOTS * state.board + where]
        card = None if where == FACE_DOWN[room] else card_json(face)
        deck = state.deck + last - where
        emit(Event("deal", {"room": ROOMS[room], "slot": where + 1, "card": card, "deck": deck}))


def place(state: Position, action: int, emit: EventSink) -> None:
    """A meeple placed, and the look at a hidden card that comes with it (DG 3.3)."""
    seat = state.acting
    room = action >> 2
    emit(Event("place", {"seat": seat, "room": ROOMS[room], "space": (action & 3) + 1}))
    slot = FACE_DOWN[room]
    if slot >= 0:
        card = card_json(state.cards[SLOTS * (room >> 1) + slot])
        emit(Event("peek", {"seat": seat, "room": ROOMS[room], "slot": slot + 1}, {seat: {"card": card}}))


def haunt(state: Position, emit: EventSink) -> None:
    """The third meeple stands; a hidden card is turned up (DG 4.1)."""
    room = state.rooms[state.board]
    emit(Event("haunt", {"room": ROOMS[room], "seat": state.acting, "dice": state.dice}))
    slot = FACE_DOWN[room]
    if slot >= 0:
        card = card_json(state.cards[SLOTS * state.board + slot])
        emit(Event("reveal", {"room": ROOMS[room], "slot": slot + 1, "card": card}))


def roll(state: Position, emit: EventSink) -> None:
    facts = {"room": ROOMS[state.rooms[state.board]], "dice": state.dice, "ghosts": state.rolled}
    emit(Event("roll", {**facts, "again": state.rerolled}))


def dice_choice(state: Position, action: int, emit: EventSink) -> None:
    """What the resolver is about to do to the dice."""
    seat = state.acting
    if action == KEEP:
        emit(Event("keep", {"seat": seat}))
    elif action == REROLL:
        emit(Event("reroll", {"seat": seat}))
    else:
        to_ghost = action == FLIP_TO_GHOST
        ghosts = state.rolled + (1 if to_ghost else -1)
        emit(Event("flip", {"seat": seat, "to": "ghost" if to_ghost else "blank", "ghosts": ghosts}))


def scare(state: Position, seat: Seat, space: int, emit: EventSink) -> None:
    """The ghosts that one meeple has just met."""
    change = state.rolled - FLASHLIGHTS[state.rooms[state.board]][space]
    facts = {"seat": seat, "change": change, "total": state.ghosts[seat]}
    emit(Event("ghosts", {**facts, "cause": "haunt", "space": space + 1}))


def take(state: Position, space: int, slot: int, face: int, forced: bool, emit: EventSink) -> None:
    facts = {"seat": state.acting, "room": ROOMS[state.rooms[state.board]], "space": space + 1}
    emit(Event("take", {**facts, "slot": slot + 1, "card": card_json(face), "forced": forced}))
