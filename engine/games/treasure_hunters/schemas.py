"""JSON Schemas (2020-12) of observations and events, put together from the tables."""

from __future__ import annotations

from typing import Any, Final

from engine.core import Json
from engine.games.treasure_hunters.tables import (
    CARDS,
    COLOURS,
    DIE_FACES,
    DRAW_2,
    DRAW_3,
    ENDINGS,
    EXTRAS,
    HUNTERS,
    JEWELS,
    LOCKS,
    PHASES,
    PLACES,
    ROOMS,
    TOO_HAUNTED,
    TURN_CAP,
)

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_BOOL: Final[dict[str, Json]] = {"type": "boolean"}
_PLACE: Final[dict[str, Json]] = {"enum": [*PLACES]}
_ROOM: Final[dict[str, Json]] = {"enum": [*PLACES[:ROOMS]]}
_CARD: Final[dict[str, Json]] = {"enum": [*CARDS]}
_LOCK: Final[dict[str, Json]] = {"enum": [*LOCKS]}
_AGAINST: Final[dict[str, Json]] = {"enum": ["ghost", "haunting"]}


def _int(least: int, most: int) -> dict[str, Json]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _nullable(schema: dict[str, Json]) -> dict[str, Json]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: dict[str, Json], least: int, most: int) -> dict[str, Json]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def _object(**fields: dict[str, Json]) -> dict[str, Json]:
    """An object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


_NUMBER: Final = _nullable(_int(1, JEWELS))
_PILE: Final = _int(0, 19)


def observation(seats: int) -> dict[str, Json]:
    seat = _nullable(_int(0, seats - 1))
    hunters = HUNTERS[seats]
    left = {"type": "object", "propertyNames": _CARD, "additionalProperties": _int(1, 2)}
    room = _object(room=_ROOM, ghosts=_int(0, 2), haunted=_BOOL, jewel=_BOOL, number=_NUMBER)
    hunter = _object(
        hunter={"enum": [*COLOURS[:hunters]]},
        seat=_int(0, seats - 1),
        at=_PLACE,
        jewel=_BOOL,
        number=_NUMBER,
    )
    fields: dict[str, Any] = {
        "seat": seat,
        "phase": {"enum": [*PHASES]},
        "actor": seat,
        "on_turn": seat,
        "hunter": _int(0, hunters - 1),
        "turn": _int(0, TURN_CAP),
        "turns": {"const": TURN_CAP},
        "steps": _int(0, DIE_FACES),
        "locked": _LOCK,
        "draw": _nullable(
            _object(card={"enum": [CARDS[DRAW_2], CARDS[DRAW_3]]}, left=_int(1, max(EXTRAS.values())))
        ),
        "fight": _nullable(_object(dice=_int(1, 2), against=_AGAINST)),
        "pile": _object(cards=_PILE, left=left),
        "rooms": _list(room, ROOMS, ROOMS),
        "hunters": _list(hunter, hunters, hunters),
        "banked": _int(0, JEWELS),
        "next": _NUMBER,
        "unseen": _list(_int(1, JEWELS), 0, JEWELS),
        "ended": {"enum": [*ENDINGS]},
    }
    return {"$schema": _DIALECT, **_object(**fields)}


def event(seats: int) -> dict[str, Json]:
    kinds = [_object(kind={"const": kind}, **fields) for kind, fields in _events(seats)]
    return {"$schema": _DIALECT, "oneOf": kinds}


def _events(seats: int) -> list[tuple[str, dict[str, Any]]]:
    who: dict[str, Any] = {"seat": _int(0, seats - 1), "hunter": {"enum": [*COLOURS[: HUNTERS[seats]]]}}
    return [
        ("roll", {**who, "turn": _int(1, TURN_CAP), "steps": _int(1, DIE_FACES)}),
        ("card", {"card": _CARD, "further": _BOOL, "skipped": _BOOL, "pile": _PILE}),
        ("ghost", {"room": _ROOM, "ghosts": _int(1, 2)}),
        ("haunting", {"room": _ROOM, "hauntings": _int(1, TOO_HAUNTED)}),
        ("doors", {"locked": _LOCK}),
        ("shuffle", {"pile": _PILE}),
        ("held", {**who, "room": _ROOM}),
        ("move", {**who, "path": _list(_PLACE, 1, DIE_FACES + 1)}),
        ("number", {"room": _ROOM, "number": _int(1, JEWELS)}),
        ("take", {**who, "room": _ROOM, "number": _NUMBER}),
        ("leave", {**who, "room": _ROOM}),
        ("bank", {**who, "number": _NUMBER, "banked": _int(1, JEWELS)}),
        ("fight", {**who, "room": _ROOM, "dice": _int(1, 2), "against": _AGAINST, "removed": _int(0, 2)}),
        (
            "end",
            {
                "jewels": _int(0, JEWELS),
                "hauntings": _int(0, TOO_HAUNTED),
                "turns": _int(1, TURN_CAP),
                "ended": {"enum": [*ENDINGS[1:]]},
            },
        ),
    ]
