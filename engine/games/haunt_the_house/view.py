"""What one seat, or an onlooker, may know (HH 9). Built from nothing, never stripped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Json, Seat
from engine.games.haunt_the_house.ending import hunters_of
from engine.games.haunt_the_house.tables import (
    AFTERS,
    BOO_WORDS,
    COUNTS,
    DRIFT_TO,
    EFFECTS,
    ENDED,
    GEAR,
    GET,
    HUNTERS,
    KEEPING,
    KINDS,
    KNOWERS,
    MOVE_TO,
    NEED,
    NO_BOO,
    OWNER,
    OWNER_MASK,
    PHANTOM_DRAW,
    PHANTOMS,
    PHASES,
    ROOMS,
    SCARE_DRAW,
    SCARES,
    SHUFFLED,
    SIZE,
    TROPHY_DRAW,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.position import Position


def observe(state: Position, seat: Seat | None) -> dict[str, Json]:
    """The observation of a seat; its schema is in schemas.py, its words in docs/games/haunt-the-house.md."""
    seats = range(state.game.seats)
    return {
        "seat": seat,
        "phase": PHASES[state.phase],
        "actor": state.acting if state.acting >= 0 else None,
        "on_turn": state.turn,
        "turn": state.turns + 1,
        "start": _or_none(state.starter),
        "trigger": _or_none(state.trigger),
        "actions": state.actions,
        "fresh": state.fresh,
        "phantom_free": state.phantom_free,
        "echo": None if state.echo < 0 else ROOMS[state.echo],
        "boo": _boo(state),
        "effect": _effect(state),
        "drawing": _drawing(state),
        "offered": [PHANTOMS[kind] for kind in state.drawn] if seat == _receiver(state) else [],
        "rooms": [_room(state, place, seat) for place in range(len(state.rooms))],
        "room_pile": len(state.rooms_left),
        "room_discard": [ROOMS[room] for room in state.rooms_out],
        "hunters_left": len(state.hunters_left),
        "phantom_deck": len(state.top),
        "under_deck": [_under(code, seat) for code in state.bottom],
        "players": [_player(state, of, seat) for of in seats],
        "own": None if seat is None else _own(state, seat),
    }


def _or_none(number: int) -> int | None:
    return None if number < 0 else number


def _receiver(state: Position) -> int:
    """Who has drawn Phantoms to choose from; -1 while nobody has."""
    return state.drawer if state.phase in (PHANTOM_DRAW, KEEPING) else -1


def _boo(state: Position) -> dict[str, Json] | None:
    if state.boo == NO_BOO:
        return None
    return {
        "room": state.place + 1,
        "outcome": BOO_WORDS[state.boo],
        "rewards": [seat for seat in range(state.game.seats) if state.due >> seat & 1],
    }


def _effect(state: Position) -> dict[str, Json] | None:
    """What is being carried out, the choices left in it, whom it names, and what was chosen so far."""
    if state.effect < 0:
        return None
    chosen: dict[str, Json] = {}
    if state.phase == MOVE_TO:
        chosen = {"card": state.card + 1}
    elif state.phase == DRIFT_TO:
        chosen = {"owner": state.card // KINDS, "scare": SCARES[state.card % KINDS]}
    elif state.phase == GET:
        chosen = {"hunter": HUNTERS[state.card]}
    return {
        "of": EFFECTS[state.effect],
        "choices": state.picks,
        "target": _or_none(state.target),
        "room": None if state.place < 0 else state.place + 1,
        **chosen,
    }


def _drawing(state: Position) -> dict[str, Json] | None:
    """Who is drawing, how many cards more, and what comes then."""
    if state.phase == TROPHY_DRAW:
        left = state.game.setup.trophies - len(state.trophies[state.drawer])
        return {"seat": state.drawer, "cards": left, "then": "deal"}
    if state.phase == SCARE_DRAW:
        return {"seat": state.drawer, "cards": state.owed, "then": AFTERS[state.after]}
    if state.phase in (PHANTOM_DRAW, KEEPING):
        return {"seat": state.drawer, "cards": state.owed, "then": "keep"}
    return None


def _room(state: Position, place: int, seat: Seat | None) -> dict[str, Json]:
    seats = state.game.seats
    room, hunter = state.rooms[place], state.hunters[place]
    return {
        "room": None if room < 0 else ROOMS[room],
        "hunter": None if hunter < 0 else HUNTERS[hunter],
        "need": [0] * KINDS if hunter < 0 else [*COUNTS[NEED[hunter]]],
        "visible": [[*COUNTS[heap]] for heap in state.visible[seats * place : seats * (place + 1)]],
        "invisible": [_invisible(card, seat) for card in state.hidden[place]],
    }


def _invisible(card: int, seat: Seat | None) -> dict[str, Json]:
    """Its owner, who else knows it, and what it is for who does. While a BOO is on, all know."""
    owner = card >> OWNER & OWNER_MASK
    knowers = [other for other in range(5) if card >> KNOWERS + other & 1]
    shown = {"scare": SCARES[card & 3]} if seat in knowers else {}
    return {"seat": owner, "known_to": knowers, "before_shuffle": card >= SHUFFLED, **shown}


def _under(code: int, seat: Seat | None) -> dict[str, Json]:
    """A Phantom under the deck: who put it there knows it."""
    return {"seat": code >> 4, **({"phantom": PHANTOMS[code & 15]} if seat == code >> 4 else {})}


def _player(state: Position, of: Seat, seat: Seat | None) -> dict[str, Json]:
    known = 0 if seat is None else state.known[state.game.seats * of + seat]
    return {
        "hand": SIZE[state.hand[of]],
        "known": [*COUNTS[known]],
        "deck": SIZE[state.deck[of]],
        "shuffled": [*COUNTS[state.made[of]]],
        "discard": [*COUNTS[state.discard[of]]],
        "skulls": state.tokens[of],
        "hunters": [HUNTERS[hunter] for hunter in hunters_of(state.claimed[of])],
        "phantoms": len(state.held[of]),
        "played": [PHANTOMS[kind] for kind in state.played[of]],
        "trophies": [GEAR[gear] for gear in state.trophies[of]] if state.phase == ENDED else None,
    }


def _own(state: Position, seat: Seat) -> dict[str, Json]:
    """What only the seat itself sees, and what each seat is sure to find in its hand (HH 9.2)."""
    seats = state.game.seats
    return {
        "hand": [*COUNTS[state.hand[seat]]],
        "known_by": [[*COUNTS[heap]] for heap in state.known[seats * seat : seats * (seat + 1)]],
        "deck": [*COUNTS[state.deck[seat]]],
        "trophies": [GEAR[gear] for gear in state.trophies[seat]],
        "phantoms": [PHANTOMS[kind] for kind in state.held[seat]],
    }
