"""Positions of Treasure Hunters for tests, laid out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import CHANCE, Event
from engine.games.treasure_hunters import HunterState, TreasureHunters
from engine.games.treasure_hunters.tables import (
    CARDS,
    JEWEL_ROOMS,
    LOCKS,
    MOVE,
    NUMBER_OF,
    OUT,
    PHASES,
    PLAIN,
    ROLL,
)
from engine.games.treasure_hunters.text import HAUNTED_ROOM, NO_JEWEL, Parts, build

LETTERS = "abcdefghijkl"
NOWHERE: Mapping[str, int] = {}


def place(key: str) -> int:
    """A place by its key; a room by its letter alone."""
    return NUMBER_OF[f"room_{key}" if key in LETTERS else key]


def table(
    mode: str = "basic",
    *,
    seats: int = 4,
    options: Mapping[str, str] | None = None,
    phase: int = MOVE,
    steps: int = 0,
    hunter: int = 0,
    turn: int | None = None,
    at: tuple[str, ...] = (),
    carried: tuple[int | bool, ...] = (),
    ghosts: Mapping[str, int] = NOWHERE,
    haunted: str = "",
    jewels: str | None = None,
    numbers: Mapping[str, int] = NOWHERE,
    pile: tuple[str, ...] | None = None,
    locked: str | None = None,
) -> HunterState:
    """No ghosts but those named; hunters outside, jewels in their rooms, all cards in the pile, unless told.

    Jewels that neither lie nor are carried are safe outside.
    """
    game = TreasureHunters(seats, mode, options)
    lying = [place(letter) for letter in jewels] if jewels is not None else list(JEWEL_ROOMS)
    holding = [PLAIN if load is True else int(load) for load in carried]
    holding += [0] * (game.hunters - len(holding))
    if jewels is None:
        lying = lying[sum(load > 0 for load in holding) :]
    return build(
        game,
        Parts(
            phase=phase,
            turn=hunter + (phase != ROLL) if turn is None else turn,
            steps=steps,
            drawn=-1,
            extras=0,
            locked=LOCKS.index(locked),
            ended=0,
            banked=8 - len(lying) - sum(load > 0 for load in holding),
            pile=list(game.deck) if pile is None else [CARDS.index(key) for key in pile],
            rooms=[HAUNTED_ROOM if letter in haunted else ghosts.get(letter, 0) for letter in LETTERS],
            jewels=[numbers.get(letter, 0) if place(letter) in lying else NO_JEWEL for letter in LETTERS],
            places=[place(key) for key in at] + [OUT] * (game.hunters - len(at)),
            carried=holding,
        ),
    )


def go(state: HunterState, key: str) -> list[dict[str, Any]]:
    return do(state, {"type": "go", "to": f"room_{key}" if key in LETTERS else key})


def do(state: HunterState, move: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Play a move by the checked door; what everybody saw of it."""
    assert state.actor() != CHANCE
    return _play(state, state.game.actions.encode(dict(move)))


def turn_up(state: HunterState, card: str) -> list[dict[str, Any]]:
    assert state.chance_stream() == "deck"
    return _play(state, CARDS.index(card))


def chance(state: HunterState, stream: str, outcome: int) -> list[dict[str, Any]]:
    assert state.chance_stream() == stream
    return _play(state, outcome)


def _play(state: HunterState, action: int) -> list[dict[str, Any]]:
    events: list[Event] = []
    state.game.play(state, action, events.append)
    return [event.seen_by(None) for event in events]


def ends(state: HunterState) -> set[str]:
    """Where a `go` may end now, rooms by their letters."""
    return {to.removeprefix("room_") for kind, to in _moves(state) if kind == "go"}


def passages(state: HunterState) -> set[str]:
    """Which rooms may be gone through now, by letters."""
    return {to.removeprefix("room_") for kind, to in _moves(state) if kind == "through"}


def _moves(state: HunterState) -> list[tuple[str, str]]:
    moves = [state.game.actions.decode(action) for action in state.legal_actions()]
    return [(move["type"], str(move.get("to", move.get("room", "")))) for move in moves]


def kinds(state: HunterState) -> set[str]:
    return {kind for kind, _ in _moves(state)}


def phase(state: HunterState) -> str:
    return PHASES[state.phase]
