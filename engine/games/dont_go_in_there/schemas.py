"""JSON Schemas (2020-12) of observations and events; their words are in `docs/games/`."""

from __future__ import annotations

from typing import Final

from engine.core import Json
from engine.games.dont_go_in_there.tables import (
    BOARD_NAMES,
    BOARDS,
    COPIES,
    CURSES,
    MOST_CURSES,
    PHASES,
    ROOMS,
    SETUP,
    SLOTS,
    SPACES,
    TURNS,
    TYPES,
)

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_COUNT: Final = {"type": "integer", "minimum": 0}
_BOOL: Final = {"type": "boolean"}
_TYPE: Final = {"enum": list(TYPES)}
_ROOM: Final = {"enum": list(ROOMS)}
_SLOT: Final = {"type": "integer", "minimum": 1, "maximum": SLOTS}
_SPACE: Final = {"type": "integer", "minimum": 1, "maximum": SPACES}
_CARD_FIELDS: Final = {
    "type": _TYPE,
    "curse": {"type": "integer", "minimum": 1, "maximum": MOST_CURSES},
    "dice": {"type": "integer", "minimum": 1, "maximum": 2},
}


def _object(fields: dict[str, Json]) -> dict[str, Json]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _nullable(schema: dict[str, Json]) -> dict[str, Json]:
    return {"oneOf": [{"type": "null"}, schema]}


def _list(schema: dict[str, Json], least: int, most: int | None = None) -> dict[str, Json]:
    return {"type": "array", "items": schema, "minItems": least, "maxItems": least if most is None else most}


_CARD: Final = _object(_CARD_FIELDS)
_FACE_DOWN: Final = {"face_down": {"const": True}}
_CAUSES: Final = {"enum": [*ROOMS, *TYPES, "haunt"]}


def _seat(seats: int) -> dict[str, Json]:
    return {"type": "integer", "minimum": 0, "maximum": seats - 1}


def _counts() -> dict[str, Json]:
    """By type, how many cards of each of its four curses, the lowest first."""
    by_curse = _list({"type": "integer", "minimum": 0, "maximum": COPIES}, CURSES)
    return {"type": "object", "propertyNames": _TYPE, "additionalProperties": by_curse}


def observation(seats: int) -> dict[str, Json]:
    seat = _seat(seats)
    card = {"oneOf": [{"type": "null"}, _CARD, _object(_FACE_DOWN), _object({**_CARD_FIELDS, **_FACE_DOWN})]}
    room = {
        "board": {"enum": list(BOARD_NAMES)},
        "room": _nullable(_ROOM),
        "spaces": _list(_nullable(seat), SPACES),
        "cards": _list(card, SLOTS),
    }
    dice = {"type": "integer", "minimum": SLOTS, "maximum": 2 * SLOTS}
    haunt = {"room": _ROOM, "resolver": seat, "dice": dice, "ghosts": _nullable(_COUNT), "rerolled": _BOOL}
    player = {"ghosts": _COUNT, "curses": _COUNT, "face_up": _counts(), "dispelled": _counts()}
    fields = {
        "seat": _nullable(seat),
        "phase": {"enum": list(PHASES)},
        "actor": _nullable(seat),
        "on_turn": _nullable(seat),
        "placed": {"type": "integer", "minimum": 0, "maximum": TURNS * seats},
        "placements": {"const": TURNS * seats},
        "types": _list(_TYPE, 0, SETUP[seats].types),
        "deck": {"type": "integer", "minimum": 0, "maximum": SETUP[seats].deck},
        "unseen": _counts(),
        "rooms": _list(_object(room), BOARDS),
        "haunt": _nullable(_object(haunt)),
        "dealing": _nullable({"type": "integer", "minimum": 0, "maximum": BOARDS - 1}),
        "clock_used": _BOOL,
        "players": _list(_object(player), seats),
    }
    whole = _object(fields)
    whole["properties"] = {**fields, **_further(seats)}
    return {"$schema": _DRAFT, **whole}


def _further(seats: int) -> dict[str, Json]:
    """Fields of observations in a game that asks or has the expansion, and of no others."""
    ask = {"seat": _seat(seats), "type": _TYPE, "number": {"type": "integer", "minimum": 1}}
    removed = {
        "number": _COUNT,
        "looked": _list(_seat(seats), 0, seats),
        "returned": _counts(),
        "seen": _nullable(_counts()),
    }
    return {
        "asks": {"type": "array", "items": _object(ask)},
        "card": _nullable(_CARD),
        "removed": _nullable(_object(removed)),
    }


def event(seats: int) -> dict[str, Json]:
    """`peek` and `look` show cards to the seat that looked; `ghosts` has `space` in a haunt."""
    kinds = [_setup_fields(seats), *_event_fields(seats), *_expansion_fields(seats)]
    shapes = [_object({"kind": {"const": kind}, **fields}) for kind, fields in kinds]
    return {"$schema": _DRAFT, "oneOf": shapes}


def _setup_fields(seats: int) -> tuple[str, dict[str, Json]]:
    fields = {
        "seats": {"const": seats},
        "types": _list(_TYPE, SETUP[seats].types),
        "rooms": _list(_ROOM, BOARDS),
        "deck": {"const": SETUP[seats].deck},
        "removed": _COUNT,
    }
    return "setup", fields


def _event_fields(seats: int) -> list[tuple[str, dict[str, Json]]]:
    seat = _seat(seats)
    each = _list(_COUNT, seats)
    change = {"seat": seat, "change": {"type": "integer"}, "total": _COUNT, "cause": _CAUSES}
    peek = {"seat": seat, "room": _ROOM, "slot": _SLOT}
    return [
        ("deal", {"room": _ROOM, "slot": _SLOT, "card": _nullable(_CARD), "deck": _COUNT}),
        ("place", {"seat": seat, "room": _ROOM, "space": _SPACE}),
        ("peek", peek),
        ("peek", {**peek, "card": _CARD}),
        ("haunt", {"room": _ROOM, "seat": seat, "dice": _COUNT}),
        ("reveal", {"room": _ROOM, "slot": _SLOT, "card": _CARD}),
        ("roll", {"room": _ROOM, "dice": _COUNT, "ghosts": _COUNT, "again": _BOOL}),
        ("keep", {"seat": seat}),
        ("reroll", {"seat": seat}),
        ("flip", {"seat": seat, "to": {"enum": ["ghost", "blank"]}, "ghosts": _COUNT}),
        ("ghosts", change),
        ("ghosts", {**change, "space": _SPACE}),
        (
            "pass",
            {
                "seat": seat,
                "to": seat,
                "ghosts": _COUNT,
                "total": _COUNT,
                "to_total": _COUNT,
                "cause": _CAUSES,
            },
        ),
        (
            "take",
            {"seat": seat, "room": _ROOM, "space": _SPACE, "slot": _SLOT, "card": _CARD, "forced": _BOOL},
        ),
        ("tome", {"seat": seat, "curse_type": _TYPE}),
        ("dispel", {"seat": seat, "cause": _TYPE, "cards": _list(_CARD, 1, 12)}),
        ("turn_over", {"room": _ROOM, "to": _ROOM}),
        ("remove_room", {"room": _ROOM}),
        ("penalty", {"seat": seat, "ghosts": _COUNT, "curses": _COUNT}),
        ("end", {"cards": each, "penalty": each, "curses": each, "ghosts": each, "ranks": each}),
    ]


def _expansion_fields(seats: int) -> list[tuple[str, dict[str, Json]]]:
    seat = _seat(seats)
    look = {"seat": seat, "number": _COUNT}
    return [
        ("brew", {"seat": seat, "choice": {"enum": ["dispel", "keep"]}}),
        ("look", look),
        ("look", {**look, "removed": {"type": "array", "items": _CARD}}),
        ("leave", {"seat": seat}),
        ("bring", {"seat": seat, "card": _CARD}),
        ("give", {"seat": seat, "card": _CARD}),
    ]
