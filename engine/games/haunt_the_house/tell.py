"""Events, for whoever listens; docs/games/haunt-the-house.md lists them. Rooms and cards count from 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.core import Event, EventSink, Json, Seat
from engine.games.haunt_the_house.tables import (
    COUNTS,
    EFFECTS,
    GEAR,
    HUNTERS,
    KINDS,
    KNOWERS,
    NEED,
    NO_BOO,
    OWNER,
    OWNER_MASK,
    PHANTOM_SKULLS,
    PHANTOMS,
    ROOMS,
    SCARES,
    SIZE,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.position import Position


def cause(state: Position) -> str:
    """Why something happens: the power or Phantom being carried out, the BOO, or the end of the turn."""
    if state.effect >= 0:
        return EFFECTS[state.effect]
    return "turn" if state.boo == NO_BOO else "boo"


# --- setup and turns ---


def setup(state: Position, emit: EventSink) -> None:
    facts = {
        "seats": state.game.seats,
        "rooms": [ROOMS[room] for room in state.rooms],
        "hunters": [HUNTERS[hunter] for hunter in state.hunters],
        "start": state.starter,
    }
    emit(Event("setup", facts))


def trophies(state: Position, seat: Seat, emit: EventSink) -> None:
    gear = [GEAR[each] for each in state.trophies[seat]]
    emit(Event("trophies", {"seat": seat, "number": len(gear)}, {seat: {"trophies": gear}}))


def turn(state: Position, emit: EventSink) -> None:
    facts = {"seat": state.turn, "turn": state.turns + 1, "last_chance": state.trigger >= 0}
    emit(Event("turn", facts))


def passed(state: Position, emit: EventSink) -> None:
    """A lost Action, or a last chance not taken; other passes show nothing and are not told."""
    emit(Event("pass", {"seat": state.acting}))


def trigger(state: Position, emit: EventSink) -> None:
    emit(Event("trigger", {"seat": state.trigger}))


# --- Scares ---


def draw(state: Position, seat: Seat, kind: int, emit: EventSink) -> None:
    facts = {"seat": seat, "deck": SIZE[state.deck[seat]]}
    emit(Event("draw", facts, {seat: {"scare": SCARES[kind]}}))


def shuffle(state: Position, seat: Seat, emit: EventSink) -> None:
    emit(Event("shuffle", {"seat": seat, "deck": [*COUNTS[state.deck[seat]]]}))


def lay(state: Position, place: int, kind: int, emit: EventSink) -> None:
    seat = state.turn
    facts = {"seat": seat, "room": place + 1, "card": len(state.hidden[place])}
    emit(Event("invisible", facts, {seat: {"scare": SCARES[kind]}}))


def lay_visibly(state: Position, place: int, kind: int, emit: EventSink) -> None:
    emit(Event("visible", {"seat": state.turn, "room": place + 1, "scare": SCARES[kind]}))


def discard(state: Position, seat: Seat, kind: int, emit: EventSink) -> None:
    emit(Event("discard", {"seat": seat, "scare": SCARES[kind], "cause": cause(state)}))


# --- a BOO ---


def boo(state: Position, cards: Sequence[int], emit: EventSink) -> None:
    """The call, and all that is turned up; `correct` ones stay for now, bluffs are discarded."""
    place = state.place
    need = NEED[state.hunters[place]]
    correct: list[Json] = []
    bluffs: list[Json] = []
    for card in cards:
        feared = need >> 3 * (card & 3) & 7
        (correct if feared else bluffs).append(
            {"seat": card >> OWNER & OWNER_MASK, "scare": SCARES[card & 3]}
        )
    facts = {"seat": state.turn, "room": place + 1, "hunter": HUNTERS[state.hunters[place]]}
    emit(Event("boo", {**facts, "correct": correct, "bluffs": bluffs}))


def bad_boo(state: Position, emit: EventSink) -> None:
    emit(Event("bad_boo", {"seat": state.turn, "room": state.place + 1}))


def good_boo(state: Position, spent: int, emit: EventSink) -> None:
    place = state.place
    facts = {"seat": state.turn, "room": place + 1, "hunter": HUNTERS[state.hunters[place]]}
    emit(Event("frightened", {**facts, "from_hand": [*COUNTS[spent]]}))


def rooms_shuffled(state: Position, emit: EventSink) -> None:
    emit(Event("rooms_shuffled", {"rooms": [ROOMS[room] for room in state.rooms_left]}))


def new_room(state: Position, emit: EventSink) -> None:
    emit(Event("new_room", {"room": state.place + 1, "key": ROOMS[state.rooms[state.place]]}))


def new_hunter(state: Position, emit: EventSink) -> None:
    emit(Event("new_hunter", {"room": state.place + 1, "hunter": HUNTERS[state.hunters[state.place]]}))


def skulls(state: Position, seat: Seat, change: int, emit: EventSink) -> None:
    facts = {"seat": seat, "change": change, "total": state.tokens[seat], "cause": cause(state)}
    emit(Event("skulls", facts))


def draw_phantoms(state: Position, emit: EventSink) -> None:
    """All that a seat draws as its reward, at once."""
    seat, kinds = state.drawer, state.drawn
    drawn = {seat: {"phantoms": [PHANTOMS[kind] for kind in kinds]}}
    emit(Event("draw_phantoms", {"seat": seat, "number": len(kinds)}, drawn))


def keep(state: Position, seat: Seat, kind: int, back: Sequence[int], emit: EventSink) -> None:
    private = {"kept": PHANTOMS[kind], "back": [PHANTOMS[other] for other in back]}
    facts = {"seat": seat, "deck": len(state.top) + len(state.bottom)}
    emit(Event("keep_phantom", facts, {seat: private}))


# --- powers and Phantoms ---


def power(state: Position, emit: EventSink) -> None:
    emit(Event("power", {"seat": state.turn, "power": EFFECTS[state.effect]}))


def phantom(seat: Seat, kind: int, emit: EventSink) -> None:
    emit(Event("phantom", {"seat": seat, "phantom": PHANTOMS[kind], "skulls": PHANTOM_SKULLS[kind]}))


def retrieve(state: Position, kind: int, emit: EventSink) -> None:
    emit(Event("retrieve", {"seat": state.turn, "scare": SCARES[kind]}))


def look(state: Position, place: int, number: int, emit: EventSink) -> None:
    seat, card = state.turn, state.hidden[place][number]
    facts = {"seat": seat, "room": place + 1, "card": number + 1, "owner": card >> OWNER & OWNER_MASK}
    emit(Event("look", facts, {seat: {"scare": SCARES[card & 3]}}))


def choose(state: Position, chosen: Mapping[str, Json], emit: EventSink) -> None:
    """The first of two choices, where the second says what becomes of it."""
    emit(Event("choose", {"seat": state.turn, "cause": cause(state), **chosen}))


def move(state: Position, to: int, emit: EventSink) -> None:
    """An invisible Scare has just come to lie last in another room."""
    facts = {"seat": state.turn, "room": state.place + 1, "card": state.card + 1, "to": to + 1}
    emit(Event("move_invisible", facts))


def fetch_invisible(state: Position, place: int, number: int, card: int, emit: EventSink) -> None:
    """Back to the hand; what it is, only those know who knew it before."""
    knowing = {
        seat: {"scare": SCARES[card & 3]} for seat in range(state.game.seats) if card >> KNOWERS + seat & 1
    }
    facts = {"seat": state.turn, "room": place + 1, "card": number + 1}
    emit(Event("fetch_invisible", facts, knowing))


def fetch_visible(state: Position, place: int, kind: int, emit: EventSink) -> None:
    emit(Event("fetch_visible", {"seat": state.turn, "room": place + 1, "scare": SCARES[kind]}))


def attack(state: Position, emit: EventSink) -> None:
    emit(Event("attack", {"seat": state.turn, "target": state.target, "cause": cause(state)}))


def banish(state: Position, place: int, number: int, kind: int, emit: EventSink) -> None:
    facts = {"seat": state.target, "room": place + 1, "card": number + 1, "scare": SCARES[kind]}
    emit(Event("banish", {**facts, "cause": cause(state)}))


def trade(state: Position, got: int, emit: EventSink) -> None:
    facts = {"seat": state.turn, "target": state.target}
    emit(Event("trade", {**facts, "gave": HUNTERS[state.card], "got": HUNTERS[got]}))


def drift(state: Position, to: int, emit: EventSink) -> None:
    owner, kind = divmod(state.card, KINDS)
    facts = {"seat": owner, "scare": SCARES[kind], "room": state.place + 1, "to": to + 1}
    emit(Event("drift", facts))
