"""A position as one line, and a position put together from its visible parts.

`phase;turn;steps;draw card;further cards;lock;ending;banked;pile;rooms;jewels;places;carried`. `rooms` has a
sign a room: how many ghosts, or `h` for haunted; `jewels` has `-` for none, `?` for one without a known
number, or its number. The rest follows: whose turn it is, who is to decide, which numbers nobody has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.core import CHANCE, OVER
from engine.games.treasure_hunters.tables import (
    CARD,
    CARDS,
    DIE_FACES,
    ENDED,
    ENDINGS,
    EXTRAS,
    FIGHT,
    HALLWAY,
    JEWELS,
    LOCKS,
    MOVE,
    NUMBER,
    OUT,
    PHASES,
    PICK_UP,
    PLACES,
    PLAIN,
    ROLL,
    ROOMS,
    START_JEWELS,
    TOO_HAUNTED,
    TURN_CAP,
)

if TYPE_CHECKING:
    from engine.games.treasure_hunters import TreasureHunters
    from engine.games.treasure_hunters.position import Position
    from engine.games.treasure_hunters.state import HunterState

_GHOSTS: Final = "012h"
_JEWELS: Final = "?" + "".join(map(str, range(1, JEWELS + 1))) + "-"
NO_JEWEL: Final = len(_JEWELS) - 1
HAUNTED_ROOM: Final = len(_GHOSTS) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a position is made of."""

    phase: int
    turn: int
    steps: int
    drawn: int
    extras: int
    locked: int
    ended: int
    banked: int
    pile: Sequence[int]
    rooms: Sequence[int]
    """Ghosts by room, HAUNTED_ROOM for a haunting."""
    jewels: Sequence[int]
    """By room: the number of its jewel, 0 for an unknown one, NO_JEWEL."""
    places: Sequence[int]
    carried: Sequence[int]


def write(state: Position) -> str:
    """Inverse of `read`."""
    numbers = (state.turn, state.steps, state.drawn, state.extras, state.locked, state.ended, state.banked)
    rooms = (HAUNTED_ROOM if state.haunted >> room & 1 else state.ghosts_in(room) for room in range(ROOMS))
    jewels = (state.numbers[room] if state.jewels >> room & 1 else NO_JEWEL for room in range(ROOMS))
    return ";".join(
        (
            PHASES[state.phase],
            *map(str, numbers),
            ",".join(map(str, state.pile)),
            "".join(_GHOSTS[ghosts] for ghosts in rooms),
            "".join(_JEWELS[jewel] for jewel in jewels),
            ",".join(map(str, state.places)),
            ",".join(map(str, state.carried)),
        )
    )


def read(game: TreasureHunters, line: str) -> HunterState:
    """The position that `write` wrote. Raises ValueError for anything else."""
    fields = line.split(";")
    if len(fields) != 13 or fields[0] not in PHASES:
        raise ValueError(f"not a position of {game.name}: {line!r:.80}")
    turn, steps, drawn, extras, locked, ended, banked = map(int, fields[1:8])
    pile, places, carried = (
        [int(number) for number in fields[at].split(",")] if fields[at] else [] for at in (8, 11, 12)
    )
    state = build(
        game,
        Parts(
            phase=PHASES.index(fields[0]),
            turn=turn,
            steps=steps,
            drawn=drawn,
            extras=extras,
            locked=locked,
            ended=ended,
            banked=banked,
            pile=pile,
            rooms=[_GHOSTS.index(sign) for sign in fields[9]],
            jewels=[_JEWELS.index(sign) for sign in fields[10]],
            places=places,
            carried=carried,
        ),
    )
    if write(state) != line:
        raise ValueError(f"not a position of {game.name} as it is written: {line!r:.80}")
    return state


def build(game: TreasureHunters, parts: Parts) -> HunterState:
    """A position from its parts. Raises ValueError when they do not make one."""
    _check_shape(game, parts)
    state = game.initial_state()
    state.phase, state.turn, state.steps = parts.phase, parts.turn, parts.steps
    state.drawn, state.extras, state.locked = parts.drawn, parts.extras, parts.locked
    state.ended, state.banked = parts.ended, parts.banked
    state.pile = bytes(sorted(parts.pile))
    state.haunted = sum(1 << room for room, ghosts in enumerate(parts.rooms) if ghosts == HAUNTED_ROOM)
    state.ghosts = sum(ghosts << 2 * room for room, ghosts in enumerate(parts.rooms) if ghosts < HAUNTED_ROOM)
    state.jewels = sum(1 << room for room, jewel in enumerate(parts.jewels) if jewel != NO_JEWEL)
    state.numbers = bytes(jewel % NO_JEWEL for jewel in parts.jewels)
    state.places, state.carried = list(parts.places), list(parts.carried)
    state.standing = sum(HALLWAY[place] for place in parts.places)
    if game.ordered:
        seen = {*state.numbers, *state.carried, *range(1, state.banked + 1)}
        state.unseen = bytes(number for number in range(1, JEWELS + 1) if number not in seen)
        state.unknown = sum(1 << room for room, jewel in enumerate(parts.jewels) if jewel == 0)
    _set_turn(state)
    _check_jewels(state)
    _check_hunters(state)
    _check_phase(state)
    return state


def _set_turn(state: HunterState) -> None:
    """Whose turn it is, and who decides."""
    begun = state.phase != ROLL
    state.hunter = (state.turn - begun) % len(state.places)
    if state.phase == ENDED:
        state.acting = OVER
    elif state.phase in (MOVE, PICK_UP):
        state.acting = state.game.seat_of[state.hunter]
    else:
        state.acting = CHANCE
    if state.phase == FIGHT:
        state.fight = state.fight_at(state.places[state.hunter])


def _check_shape(game: TreasureHunters, parts: Parts) -> None:
    in_range = (
        ((parts.turn,), range(TURN_CAP + 1), 1),
        ((parts.steps,), range(DIE_FACES + 1), 1),
        ((parts.drawn,), range(-1, len(CARDS)), 1),
        ((parts.extras,), range(max(EXTRAS.values()) + 1), 1),
        ((parts.locked,), range(len(LOCKS)), 1),
        ((parts.ended,), range(len(ENDINGS)), 1),
        ((parts.banked,), range(JEWELS + 1), 1),
        (parts.pile, game.deck, None),
        (parts.rooms, range(HAUNTED_ROOM + 1), ROOMS),
        (parts.jewels, range(NO_JEWEL + 1), ROOMS),
        (parts.places, range(len(PLACES)), game.hunters),
        (parts.carried, range(PLAIN + 1), game.hunters),
    )
    for values, allowed, size in in_range:
        if any(value not in allowed for value in values) or size not in (None, len(values)):
            raise ValueError(f"out of range: {list(values)!r:.80}")
    if any(parts.pile.count(card) > game.deck.count(card) for card in parts.pile):
        raise ValueError("a card lies in the pile more often than it exists")
    if (parts.phase == ENDED) != (parts.ended > 0):
        raise ValueError("a match is over, or it has not ended")
    if parts.locked and not game.lockable:
        raise ValueError("no card of this match locks a door")


def _check_jewels(state: HunterState) -> None:
    """TH 1.3, TH 9.1: each of the jewels is in one place, and each number is on one of them."""
    carried = [number for number in state.carried if number]
    if state.jewels & ~START_JEWELS:
        raise ValueError("a jewel lies where none belongs")
    if state.jewels.bit_count() + len(carried) + state.banked != JEWELS:
        raise ValueError(f"there are {JEWELS} jewels")
    known = [number for number in (*state.numbers, *carried) if number]
    if state.game.ordered:
        if len(set(known)) < len(known) or any(not state.banked < number < PLAIN for number in known):
            raise ValueError("a number is on two jewels, or on one that is safe outside")
    elif any(number != PLAIN for number in known):
        raise ValueError("jewels have no numbers in this match")


def _check_hunters(state: HunterState) -> None:
    """TH 4.3, TH 5.4, TH 9.2: where hunters cannot be."""
    hallway = [place for place in state.places if place > OUT]
    if len(set(hallway)) < len(hallway):
        raise ValueError("two hunters on one square of the hallway")
    if any(carried and place == OUT for carried, place in zip(state.carried, state.places, strict=True)):
        raise ValueError("a jewel outside is safe, nobody carries it")
    entered = {place for place in state.places if state.unknown >> place & 1}
    if entered != ({state.places[state.hunter]} if state.phase == NUMBER else set()):
        raise ValueError("the number of a jewel shows to who enters its room")


def _check_phase(state: HunterState) -> None:
    """Dice and cards must fit the phase."""
    phase = state.phase
    if state.haunted.bit_count() >= TOO_HAUNTED and phase != ENDED:
        raise ValueError("too many haunted rooms for a match that goes on")
    if (state.drawn in EXTRAS) != (state.extras > 0) or (state.extras and phase not in (CARD, ENDED)):
        raise ValueError("further cards without a card that asks for them")
    if phase == CARD and not state.pile:
        raise ValueError("there is no card to draw")
    moving = (phase in (CARD, MOVE)) == (state.steps > 0)
    if phase not in (ROLL, NUMBER, ENDED) and not moving:
        raise ValueError("steps are left where nobody moves, or none to who does")
    lying = state.jewels >> state.places[state.hunter] & 1
    if phase == PICK_UP and not (lying and not state.carried[state.hunter]):
        raise ValueError("there is nothing to pick up")
    if phase == FIGHT and state.fight < 0:
        raise ValueError("there is nothing to fight")
    if phase not in (ROLL, ENDED) and state.turn < 1:
        raise ValueError("a turn that has not begun")
