"""Short English for people at a terminal: what powers and Phantoms do, and what a move is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.games.haunt_the_house.tables import (
    GEAR,
    HUNTER_GEAR,
    HUNTER_SKULLS,
    HUNTERS,
    NAMES,
    PHANTOM_SKULLS,
    PHANTOMS,
)

DOES: Final = {
    "crypt": "gain a Skull token",
    "laboratory": "a Scare from your discard pile to your hand",
    "kitchen": "draw 2 Scares",
    "library": "look at up to 2 invisible Scares",
    "attic": "lay one more Scare invisibly",
    "ballroom": "move an invisible Scare of yours",
    "cellar": "a Scare of yours from a room to your hand",
    "dungeon": "Attack: an opponent drops a Scare at random",
    "gallery": "Attack: discard an opponent's invisible Scare",
    "vanishing": "when an Attack names you: it does nothing",
    "hasty": "one more Action",
    "slumbering": "costs an Action",
    "gathering": "draw 3 Scares",
    "peering": "see all invisible Scares of up to 2 rooms",
    "returning": "up to 2 Scares of yours from rooms to your hand",
    "drifting": "move a visible Scare to a room that needs it",
    "echoing": "straight after a power: use it again",
    "rallying": "in your BOO: draw 2 Scares before the count",
    "haggling": "sell up to 2 Scares for a Skull token each",
    "thieving": "Attack: take an opponent's Skull token",
    "startling": "Attack: an opponent drops all Scares but one",
    "meddling": "Attack: discard up to 2 invisible Scares of an opponent",
    "trading": "Attack: swap a hunter with an opponent",
}

_MOVES: Final = {
    "invisible": "lay {scare} invisibly into room {room}",
    "visible": "lay {scare} visibly into room {room}",
    "draw": "draw to three",
    "boo": "BOO in room {room}",
    "play": "play {phantom}",
    "use_power": "use the power",
    "discard": "discard {scare}",
    "retrieve": "take {scare} out of the discard pile",
    "choose_invisible": "invisible Scare {card} of room {room}",
    "choose_visible": "{scare} of seat {seat} in room {room}",
    "choose_room": "room {room}",
    "choose_seat": "seat {seat}",
    "choose_hunter": "{hunter}",
    "take_skull": "take a Skull token",
    "draw_phantoms": "draw Phantoms and keep one",
    "keep": "keep {phantom}",
    "pass": "pass",
}


def name(key: str) -> str:
    english: str = NAMES[key]["en"]
    return english


def hunter(key: str) -> str:
    """`Hunter 8 (Flashlight, 2 Skulls)`."""
    number = HUNTERS.index(key)
    skulls = [f"{HUNTER_SKULLS[number]} Skulls"] if HUNTER_SKULLS[number] else []
    return f"{name(key)} ({', '.join([*(name(GEAR[gear]) for gear in HUNTER_GEAR[number]), *skulls])})"


def phantom(key: str) -> str:
    """`Hasty Phantom (-1: one more Action)`."""
    return f"{name(key)} ({PHANTOM_SKULLS[PHANTOMS.index(key)]:+d}: {DOES[key]})"


def move(chosen: Mapping[str, Any]) -> str:
    """What a move does; seats count from 1 here."""
    return _MOVES[chosen["type"]].format_map({field: _said(field, value) for field, value in chosen.items()})


def _said(field: str, value: Any) -> str:
    if field == "hunter":
        return hunter(value)
    if field == "phantom":
        return phantom(value)
    if field == "seat":
        return str(value + 1)
    return name(value) if field == "scare" else str(value)
