"""Positions of Haunt the House set up by hand, in the words of its rules; Scares are B, C, K and M."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core import CHANCE, Event
from engine.games.haunt_the_house import HauntTheHouse
from engine.games.haunt_the_house.state import HouseState
from engine.games.haunt_the_house.tables import (
    ACT,
    GEAR,
    HUNTERS,
    KNOWN_TO,
    LETTERS,
    OWNER,
    PHANTOMS,
    ROOMS,
    SCARES,
    UNIT,
)

FILLERS = ("laboratory", "kitchen", "attic", "ballroom", "cellar", "library", "crypt")
"""Rooms that stand where a test names no more."""

Scares = Mapping[str, Sequence[tuple[int, str]]]
"""By room: whose Scare, and its letter."""


def unit(letter: str) -> int:
    return UNIT[LETTERS.index(letter)]


def pile(letters: str) -> int:
    return sum(unit(letter) for letter in letters)


def letters_of(heap: int) -> str:
    """The Scares of a heap in the order of the alphabet."""
    return "".join(letter * (heap // one & 7) for letter, one in zip(LETTERS, UNIT, strict=True))


def _rooms(state: HouseState, rooms: Mapping[str, str], named: Sequence[str], taken: Sequence[str]) -> None:
    names = [*dict.fromkeys([*rooms, *named, *FILLERS])][: len(state.rooms)]
    spare = [key for key in HUNTERS if key not in (*rooms.values(), *taken)]
    doors = [rooms[name] if name in rooms else spare.pop() for name in names]
    state.rooms = [ROOMS.index(name) for name in names]
    state.rooms_left = tuple(room for room in state.game.rooms if room not in state.rooms)
    state.hunters = [HUNTERS.index(key) for key in doors]
    gone = (*doors, *taken)
    state.hunters_left = tuple(number for number, key in enumerate(HUNTERS) if key not in gone)


def _scares(
    state: HouseState,
    visible: Scares,
    invisible: Scares,
    hands: Mapping[int, str],
    discards: Mapping[int, str],
) -> None:
    seats = state.game.seats
    for name, row in visible.items():
        for owner, letter in row:
            state.visible[seats * place_of(state, name) + owner] += unit(letter)
            state.deck[owner] -= unit(letter)
    for name, row in invisible.items():
        state.hidden[place_of(state, name)] += tuple(
            LETTERS.index(letter) | owner << OWNER | KNOWN_TO[owner] for owner, letter in row
        )
        for owner, letter in row:
            state.deck[owner] -= unit(letter)
    for seat in range(seats):
        state.discard[seat] = pile(discards.get(seat, ""))
        state.hand[seat] = pile(hands.get(seat, "BCK"))
        state.deck[seat] -= state.discard[seat] + state.hand[seat]
        assert pile(letters_of(max(0, state.deck[seat]))) == state.deck[seat], (
            "more of a Scare than there are"
        )


def table(
    seats: int = 3,
    mode: str = "beginner",
    *,
    options: Mapping[str, str] | None = None,
    rooms: Mapping[str, str] | None = None,
    visible: Scares | None = None,
    invisible: Scares | None = None,
    hands: Mapping[int, str] | None = None,
    discards: Mapping[int, str] | None = None,
    hunters: Mapping[int, Sequence[str]] | None = None,
    trophies: Mapping[int, Sequence[str]] | None = None,
    tokens: Sequence[int] | None = None,
    held: Mapping[int, Sequence[str]] | None = None,
    played: Mapping[int, Sequence[str]] | None = None,
    phantoms: Sequence[str] | None = None,
    turn: int = 0,
    turns: int = 0,
) -> HouseState:
    """The start of a turn; rooms and hunters that are not given are others, hands are B, C, K.

    `phantoms` are those left in the deck, by default all that nobody has.
    """
    game = HauntTheHouse(seats, mode, options)
    state = game.initial_state()
    named = [*(visible or {}), *(invisible or {})]
    _rooms(state, rooms or {}, named, [key for keys in (hunters or {}).values() for key in keys])
    _scares(state, visible or {}, invisible or {}, hands or {}, discards or {})
    left = list(state.top)
    for seat in range(seats):
        for key in (hunters or {}).get(seat, ()):
            state.claimed[seat] |= 1 << HUNTERS.index(key)
        default = (GEAR[seat],) if seats == 5 else (GEAR[seat], GEAR[seat + 4])
        state.trophies[seat] = tuple(GEAR.index(key) for key in (trophies or {}).get(seat, default))
        state.held[seat] = tuple(sorted(PHANTOMS.index(key) for key in (held or {}).get(seat, ())))
        state.played[seat] = tuple(PHANTOMS.index(key) for key in (played or {}).get(seat, ()))
        for kind in (*state.held[seat], *state.played[seat]):
            left.remove(kind)
    state.top = tuple(left if phantoms is None else sorted(PHANTOMS.index(key) for key in phantoms))
    state.tokens = list(tokens or [0] * seats)
    state.phase, state.acting, state.turn, state.starter, state.turns = ACT, turn, turn, 0, turns
    state.fresh, state.phantom_free = True, game.with_phantoms
    state.clear_effect()
    state.derive()
    return state


# --- playing ---


def do(state: HouseState, kind: str, **fields: object) -> list[Event]:
    """Play one move through the checked door; what happened. Rooms and Scares by key and letter."""
    events: list[Event] = []
    move = {"type": kind, **fields}
    if isinstance(fields.get("room"), str):
        move["room"] = place_of(state, str(fields["room"])) + 1
    if fields.get("scare") in tuple(LETTERS):
        move["scare"] = SCARES[LETTERS.index(str(fields["scare"]))]
    state.game.play(state, state.game.actions.encode(move), events.append)
    return events


def lay(state: HouseState, scare: str, room: str) -> list[Event]:
    return do(state, "invisible", room=room, scare=scare)


def show(state: HouseState, scare: str, room: str) -> list[Event]:
    return do(state, "visible", room=room, scare=scare)


def boo(state: HouseState, room: str) -> list[Event]:
    return do(state, "boo", room=room)


def skip(state: HouseState) -> list[Event]:
    return do(state, "pass")


def chance(state: HouseState, outcome: int | str) -> list[Event]:
    """Let chance bring this: a number, a Scare's letter, or the key of a room, hunter, Phantom or gear."""
    assert state.actor() == CHANCE
    if isinstance(outcome, str):
        keys = next(keys for keys in (LETTERS, ROOMS, HUNTERS, PHANTOMS, GEAR) if outcome in keys)
        outcome = keys.index(outcome)
    events: list[Event] = []
    state.game.play(state, outcome, events.append)
    return events


def chances(state: HouseState, *outcomes: int | str) -> list[Event]:
    return [event for outcome in outcomes for event in chance(state, outcome)]


def settle(state: HouseState) -> list[Event]:
    """Let chance bring its first outcome until somebody is to decide."""
    events: list[Event] = []
    while state.actor() == CHANCE:
        state.game.play(state, state.legal_actions()[0], events.append)
    return events


# --- looking ---


def place_of(state: HouseState, room: str) -> int:
    return state.rooms.index(ROOMS.index(room))


def moves(state: HouseState, kind: str | None = None) -> list[dict[str, object]]:
    """The legal moves, or those of one type, without their type."""
    legal = [state.game.actions.decode(action) for action in state.legal_actions()]
    if kind is None:
        return legal
    return [{k: v for k, v in move.items() if k != "type"} for move in legal if move["type"] == kind]


def scares_of(state: HouseState, kind: str, room: str | None = None) -> str:
    """Letters of the Scares that moves of one type name, each once."""
    place = None if room is None else place_of(state, room) + 1
    keys = {move["scare"] for move in moves(state, kind) if move.get("room") == place}
    return "".join(letter for letter, key in zip(LETTERS, SCARES, strict=True) if key in keys)


def types(state: HouseState) -> set[object]:
    return {move["type"] for move in moves(state)}


def hand(state: HouseState, seat: int) -> str:
    return letters_of(state.hand[seat])


def discard(state: HouseState, seat: int) -> str:
    return letters_of(state.discard[seat])


def deck(state: HouseState, seat: int) -> str:
    return letters_of(state.deck[seat])


def visible(state: HouseState, room: str) -> list[tuple[int, str]]:
    base = state.game.seats * place_of(state, room)
    return [
        (owner, letter)
        for owner in range(state.game.seats)
        for letter in letters_of(state.visible[base + owner])
    ]


def invisible(state: HouseState, room: str) -> list[tuple[int, str]]:
    return [(card >> OWNER & 7, LETTERS[card & 3]) for card in state.hidden[place_of(state, room)]]


def hunters(state: HouseState, seat: int) -> list[str]:
    return [key for number, key in enumerate(HUNTERS) if state.claimed[seat] >> number & 1]


def phantoms(state: HouseState, seat: int) -> list[str]:
    return [PHANTOMS[kind] for kind in state.held[seat]]


def played(state: HouseState, seat: int) -> list[str]:
    return [PHANTOMS[kind] for kind in state.played[seat]]


def rooms_in_play(state: HouseState) -> list[str]:
    return [ROOMS[room] for room in state.rooms]


def doorway(state: HouseState, room: str) -> str:
    return HUNTERS[state.hunters[place_of(state, room)]]


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]
