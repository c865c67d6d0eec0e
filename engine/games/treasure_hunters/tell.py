"""Events of a match, for whoever listens; docs/games/treasure-hunters.md lists their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Event, EventSink, Json
from engine.games.treasure_hunters.paths import way
from engine.games.treasure_hunters.tables import (
    CARDS,
    COLOURS,
    FIGHTS,
    LOCK_OF,
    LOCKS,
    PLACES,
    PLAIN,
    ROOMS,
)

if TYPE_CHECKING:
    from engine.games.treasure_hunters.position import Position


def _who(state: Position) -> dict[str, Json]:
    """Seat and hunter on turn."""
    return {"seat": state.game.seat_of[state.hunter], "hunter": COLOURS[state.hunter]}


def _number(carried: int) -> int | None:
    return None if carried == PLAIN else carried


def roll(state: Position, emit: EventSink) -> None:
    emit(Event("roll", {**_who(state), "turn": state.turn, "steps": state.steps}))


def card(state: Position, drawn: int, emit: EventSink) -> None:
    """A card turned up; `skipped`, where it does nothing among the further cards of another (TH 8.2)."""
    skipped = state.extras > 0 and drawn >= ROOMS and drawn not in LOCK_OF
    facts = {"card": CARDS[drawn], "further": state.extras > 0, "skipped": skipped, "pile": len(state.pile)}
    emit(Event("card", facts))


def ghost(room: int, ghosts: int, emit: EventSink) -> None:
    emit(Event("ghost", {"room": PLACES[room], "ghosts": ghosts}))


def haunting(room: int, haunted: int, emit: EventSink) -> None:
    emit(Event("haunting", {"room": PLACES[room], "hauntings": haunted.bit_count()}))


def doors(state: Position, emit: EventSink) -> None:
    emit(Event("doors", {"locked": LOCKS[state.locked]}))


def shuffle(state: Position, emit: EventSink) -> None:
    emit(Event("shuffle", {"pile": len(state.pile)}))


def held(state: Position, emit: EventSink) -> None:
    """TH 5.6: a carrier in a haunted room cannot move."""
    emit(Event("held", {**_who(state), "room": PLACES[state.places[state.hunter]]}))


def move(state: Position, to: int, emit: EventSink) -> None:
    """A hunter about to move, by a shortest way; one place alone: it stays."""
    path = way(state.places[state.hunter], to, state.locked, state.stops())
    emit(Event("move", {**_who(state), "path": [PLACES[place] for place in path]}))


def number(room: int, shown: int, emit: EventSink) -> None:
    emit(Event("number", {"room": PLACES[room], "number": shown}))


def take(state: Position, room: int, emit: EventSink) -> None:
    carried = _number(state.carried[state.hunter])
    emit(Event("take", {**_who(state), "room": PLACES[room], "number": carried}))


def leave(state: Position, emit: EventSink) -> None:
    emit(Event("leave", {**_who(state), "room": PLACES[state.places[state.hunter]]}))


def bank(state: Position, carried: int, emit: EventSink) -> None:
    emit(Event("bank", {**_who(state), "number": _number(carried), "banked": state.banked}))


def fight(state: Position, removed: int, emit: EventSink) -> None:
    dice, against = FIGHTS[state.fight][0]
    facts = {"room": PLACES[state.places[state.hunter]], "dice": dice, "against": against, "removed": removed}
    emit(Event("fight", {**_who(state), **facts}))


def end(state: Position, emit: EventSink) -> None:
    emit(Event("end", {**state.figures()}))
