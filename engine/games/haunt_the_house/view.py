"""What one seat, or an onlooker, may know (HH 9). Built from nothing, never stripped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

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
    MOST_SEATS,
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

DRAWING: Final = frozenset({TROPHY_DRAW, SCARE_DRAW, PHANTOM_DRAW, KEEPING})
"""Phases in which somebody is drawing, or has just drawn."""


def observe(state: Position, seat: Seat | None) -> dict[str, Json]:
    """The observation of a seat; its schema is in schemas.py, its words in docs/games/haunt-the-house.md."""
    viewer = -1 if seat is None else seat
    each, visible = state.game.seats, state.visible
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
        "boo": boo(state.boo, state.place, state.due),
        "effect": effect(state.phase, state.effect, state.picks, state.target, state.place, state.card),
        "drawing": drawing(state),
        "offered": offered(state, seat),
        "rooms": [
            room(state.rooms[at], state.hunters[at], visible[each * at : each * (at + 1)], hidden, viewer)
            for at, hidden in enumerate(state.hidden)
        ],
        "room_pile": len(state.rooms_left),
        "room_discard": [ROOMS[room] for room in state.rooms_out],
        "hunters_left": len(state.hunters_left),
        "phantom_deck": len(state.top),
        "under_deck": [under(code, viewer) for code in state.bottom],
        "players": [_player_of(state, of, seat) for of in range(each)],
        "own": None if seat is None else _own_of(state, seat),
    }


def _or_none(number: int) -> int | None:
    return None if number < 0 else number


def offered(state: Position, seat: Seat | None) -> list[Json]:
    """HH 9.4: the Phantoms drawn as a reward, for the seat that drew them."""
    mine = state.phase in (PHANTOM_DRAW, KEEPING) and seat == state.drawer
    return [PHANTOMS[kind] for kind in state.drawn] if mine else []


def boo(outcome: int, place: int, due: int) -> dict[str, Json] | None:
    """The BOO of this turn, and who is still to choose a reward for it."""
    if outcome == NO_BOO:
        return None
    rewards = [seat for seat in range(MOST_SEATS) if due >> seat & 1]
    return {"room": place + 1, "outcome": BOO_WORDS[outcome], "rewards": rewards}


def effect(phase: int, number: int, picks: int, target: int, place: int, card: int) -> dict[str, Json] | None:
    """What is being carried out, the choices left in it, whom it names, and what was chosen so far."""
    if number < 0:
        return None
    chosen: dict[str, Json] = {}
    if phase == MOVE_TO:
        chosen = {"card": card + 1}
    elif phase == DRIFT_TO:
        chosen = {"owner": card // KINDS, "scare": SCARES[card % KINDS]}
    elif phase == GET:
        chosen = {"hunter": HUNTERS[card]}
    return {
        "of": EFFECTS[number],
        "choices": picks,
        "target": _or_none(target),
        "room": None if place < 0 else place + 1,
        **chosen,
    }


def drawing(state: Position) -> dict[str, Json] | None:
    """Who is drawing, how many cards more, and what comes then."""
    if state.phase == TROPHY_DRAW:
        left = state.game.setup.trophies - len(state.trophies[state.drawer])
        return {"seat": state.drawer, "cards": left, "then": "deal"}
    if state.phase == SCARE_DRAW:
        return {"seat": state.drawer, "cards": state.owed, "then": AFTERS[state.after]}
    if state.phase in DRAWING:
        return {"seat": state.drawer, "cards": state.owed, "then": "keep"}
    return None


def room(
    number: int, hunter: int, visible: Sequence[int], hidden: Sequence[int], viewer: int
) -> dict[str, Json]:
    return {
        "room": None if number < 0 else ROOMS[number],
        "hunter": None if hunter < 0 else HUNTERS[hunter],
        "need": [0] * KINDS if hunter < 0 else [*COUNTS[NEED[hunter]]],
        "visible": [[*COUNTS[heap]] for heap in visible],
        "invisible": [invisible(card, viewer) for card in hidden],
    }


def invisible(card: int, viewer: int) -> dict[str, Json]:
    """Its owner, who knows it, and what it is for who does. While a BOO is on, all know."""
    knowers = [seat for seat in range(MOST_SEATS) if card >> KNOWERS + seat & 1]
    shown = {"scare": SCARES[card & 3]} if viewer in knowers else {}
    return {
        "seat": card >> OWNER & OWNER_MASK,
        "known_to": knowers,
        "before_shuffle": card >= SHUFFLED,
        **shown,
    }


def under(code: int, viewer: int) -> dict[str, Json]:
    """A Phantom under the deck: who put it there knows it."""
    return {"seat": code >> 4, **({"phantom": PHANTOMS[code & 15]} if viewer == code >> 4 else {})}


def _player_of(state: Position, of: Seat, seat: Seat | None) -> dict[str, Json]:
    return player(
        SIZE[state.hand[of]],
        0 if seat is None else state.known[state.game.seats * of + seat],
        SIZE[state.deck[of]],
        state.made[of],
        state.discard[of],
        state.tokens[of],
        state.claimed[of],
        len(state.held[of]),
        state.played[of],
        state.trophies[of] if state.phase == ENDED else None,
    )


def player(
    hand: int,
    known: int,
    deck: int,
    made: int,
    discard: int,
    tokens: int,
    claimed: int,
    held: int,
    played: Sequence[int],
    trophies: Sequence[int] | None,
) -> dict[str, Json]:
    """What lies before a seat; `known` is what the viewer is sure to find in its hand (HH 9.2)."""
    return {
        "hand": hand,
        "known": [*COUNTS[known]],
        "deck": deck,
        "shuffled": [*COUNTS[made]],
        "discard": [*COUNTS[discard]],
        "skulls": tokens,
        "hunters": [HUNTERS[hunter] for hunter in hunters_of(claimed)],
        "phantoms": held,
        "played": [PHANTOMS[kind] for kind in played],
        "trophies": None if trophies is None else [GEAR[gear] for gear in trophies],
    }


def _own_of(state: Position, seat: Seat) -> dict[str, Json]:
    base, seats = state.game.seats * seat, state.game.seats
    known_by = state.known[base : base + seats]
    return own(state.hand[seat], known_by, state.deck[seat], state.trophies[seat], state.held[seat])


def own(
    hand: int, known_by: Sequence[int], deck: int, trophies: Sequence[int], held: Sequence[int]
) -> dict[str, Json]:
    """What only the seat itself sees, and what each seat is sure to find in its hand (HH 9.2)."""
    return {
        "hand": [*COUNTS[hand]],
        "known_by": [[*COUNTS[heap]] for heap in known_by],
        "deck": [*COUNTS[deck]],
        "trophies": [GEAR[gear] for gear in trophies],
        "phantoms": [PHANTOMS[kind] for kind in held],
    }
