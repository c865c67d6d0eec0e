"""JSON Schemas (2020-12) of observations and events; docs/games/haunt-the-house.md tells what they mean."""

from __future__ import annotations

from typing import Final

from engine.core import Json
from engine.games.haunt_the_house.tables import (
    AFTERS,
    BOO_WORDS,
    COPIES,
    DECK,
    EFFECTS,
    GEAR,
    HUNTERS,
    KINDS,
    PHANTOM_COPIES,
    PHANTOMS,
    PHASES,
    ROOMS,
    SCARES,
    SETUP,
)

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_COUNT: Final = {"type": "integer", "minimum": 0}
_INTEGER: Final = {"type": "integer"}
_BOOL: Final = {"type": "boolean"}
_SCARE: Final = {"enum": list(SCARES)}
_ROOM: Final = {"enum": list(ROOMS)}
_HUNTER: Final = {"enum": list(HUNTERS)}
_PHANTOM: Final = {"enum": list(PHANTOMS)}
_EFFECT: Final = {"enum": list(EFFECTS)}
_CAUSE: Final = {"enum": [*EFFECTS, "turn", "boo"]}


def _object(fields: dict[str, Json], more: dict[str, Json] | None = None) -> dict[str, Json]:
    """An object with these fields, and perhaps some more."""
    return {
        "type": "object",
        "properties": {**fields, **(more or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


def _nullable(schema: dict[str, Json]) -> dict[str, Json]:
    return {"oneOf": [{"type": "null"}, schema]}


def _list(schema: dict[str, Json], least: int, most: int | None = None) -> dict[str, Json]:
    return {"type": "array", "items": schema, "minItems": least, "maxItems": least if most is None else most}


def _from_one(most: int) -> dict[str, Json]:
    return {"type": "integer", "minimum": 1, "maximum": most}


_HEAP: Final = _list({"type": "integer", "minimum": 0, "maximum": COPIES}, KINDS)
"""How many there are of each Scare."""
_GEAR: Final = _list({"enum": list(GEAR)}, 0, 2)
_PHANTOMS: Final = _list(_PHANTOM, 0, sum(PHANTOM_COPIES))


def _seat(seats: int) -> dict[str, Json]:
    return {"type": "integer", "minimum": 0, "maximum": seats - 1}


def observation(seats: int) -> dict[str, Json]:
    seat, place = _seat(seats), _from_one(SETUP[seats].rooms)
    fields = {
        "seat": _nullable(seat),
        "phase": {"enum": list(PHASES)},
        "actor": _nullable(seat),
        "on_turn": seat,
        "turn": _from_one(1000),
        "start": _nullable(seat),
        "trigger": _nullable(seat),
        "actions": _COUNT,
        "fresh": _BOOL,
        "phantom_free": _BOOL,
        "echo": _nullable(_ROOM),
        "boo": _nullable(_boo(seat, place, seats)),
        "effect": _nullable(_effect(seat, place, seats)),
        "drawing": _nullable(_object({"seat": seat, "cards": _COUNT, "then": {"enum": [*AFTERS, "keep"]}})),
        "offered": _list(_PHANTOM, 0, 2),
        "rooms": _list(_room(seat, seats), SETUP[seats].rooms),
        "room_pile": _COUNT,
        "room_discard": _list(_ROOM, 0, len(ROOMS)),
        "hunters_left": _COUNT,
        "phantom_deck": _COUNT,
        "under_deck": _list(_object({"seat": seat}, {"phantom": _PHANTOM}), 0, sum(PHANTOM_COPIES)),
        "players": _list(_player(), seats),
        "own": _nullable(_own(seats)),
    }
    return {"$schema": _DRAFT, **_object(fields)}


def _boo(seat: dict[str, Json], place: dict[str, Json], seats: int) -> dict[str, Json]:
    outcome = {"enum": [word for word in BOO_WORDS if word]}
    return _object({"room": place, "outcome": outcome, "rewards": _list(seat, 0, seats)})


def _effect(seat: dict[str, Json], place: dict[str, Json], seats: int) -> dict[str, Json]:
    fields = {"of": _EFFECT, "choices": _COUNT, "target": _nullable(seat), "room": _nullable(place)}
    chosen = {"card": _from_one(DECK * seats), "owner": seat, "scare": _SCARE, "hunter": _HUNTER}
    return _object(fields, chosen)


def _room(seat: dict[str, Json], seats: int) -> dict[str, Json]:
    card = {"seat": seat, "known_to": _list(seat, 1, seats), "before_shuffle": _BOOL}
    return _object(
        {
            "room": _nullable(_ROOM),
            "hunter": _nullable(_HUNTER),
            "need": _HEAP,
            "visible": _list(_HEAP, seats),
            "invisible": _list(_object(card, {"scare": _SCARE}), 0, DECK * seats),
        }
    )


def _player() -> dict[str, Json]:
    return _object(
        {
            "hand": _COUNT,
            "known": _HEAP,
            "deck": _COUNT,
            "shuffled": _HEAP,
            "discard": _HEAP,
            "skulls": _COUNT,
            "hunters": _list(_HUNTER, 0, len(HUNTERS)),
            "phantoms": _COUNT,
            "played": _PHANTOMS,
            "trophies": _nullable(_GEAR),
        }
    )


def _own(seats: int) -> dict[str, Json]:
    known_by = _list(_HEAP, seats)
    return _object(
        {"hand": _HEAP, "known_by": known_by, "deck": _HEAP, "trophies": _GEAR, "phantoms": _PHANTOMS}
    )


def event(seats: int) -> dict[str, Json]:
    """Fields that may be missing are those that only some seats see."""
    seat, place = _seat(seats), _from_one(SETUP[seats].rooms)
    shapes = [
        _object({"kind": {"const": kind}, **fields}, private)
        for kind, fields, private in (*_course(seats, seat, place), *_powers(seats, seat, place))
    ]
    return {"$schema": _DRAFT, "oneOf": shapes}


_Shape = tuple[str, dict[str, Json], dict[str, Json]]
_UNKNOWN: Final[dict[str, Json]] = {"scare": _SCARE}


def _course(seats: int, seat: dict[str, Json], place: dict[str, Json]) -> list[_Shape]:
    """Setup, turns, Scares, BOO, rewards, end."""
    places, here = SETUP[seats].rooms, {"seat": seat, "room": place}
    card = _from_one(DECK * seats)
    turned = _list(_object({"seat": seat, "scare": _SCARE}), 0, DECK * seats)
    each, gear = _list(_INTEGER, seats), _list(_GEAR, seats)
    points = {"tokens": each, "hunters": each, "gear": each, "phantoms": each, "scores": each, "ranks": each}
    table = {"seats": {"const": seats}, "rooms": _list(_ROOM, places), "hunters": _list(_HUNTER, places)}
    change = {"seat": seat, "change": _INTEGER, "total": _COUNT, "cause": _CAUSE}
    return [
        ("setup", {**table, "start": seat}, {}),
        ("trophies", {"seat": seat, "number": _COUNT}, {"trophies": _GEAR}),
        ("turn", {"seat": seat, "turn": _COUNT, "last_chance": _BOOL}, {}),
        ("pass", {"seat": seat}, {}),
        ("trigger", {"seat": seat}, {}),
        ("draw", {"seat": seat, "deck": _COUNT}, _UNKNOWN),
        ("shuffle", {"seat": seat, "deck": _HEAP}, {}),
        ("invisible", {**here, "card": card}, _UNKNOWN),
        ("visible", {**here, "scare": _SCARE}, {}),
        ("discard", {"seat": seat, "scare": _SCARE, "cause": _CAUSE}, {}),
        ("boo", {**here, "hunter": _HUNTER, "correct": turned, "bluffs": turned}, {}),
        ("bad_boo", here, {}),
        ("frightened", {**here, "hunter": _HUNTER, "from_hand": _HEAP}, {}),
        ("rooms_shuffled", {"rooms": _list(_ROOM, 1, len(ROOMS))}, {}),
        ("new_room", {"room": place, "key": _ROOM}, {}),
        ("new_hunter", {"room": place, "hunter": _HUNTER}, {}),
        ("skulls", change, {}),
        ("draw_phantoms", {"seat": seat, "number": _COUNT}, {"phantoms": _list(_PHANTOM, 1, 2)}),
        ("keep_phantom", {"seat": seat, "deck": _COUNT}, {"kept": _PHANTOM, "back": _list(_PHANTOM, 0, 1)}),
        ("end", {"trophies": gear, **points}, {}),
    ]


def _powers(seats: int, seat: dict[str, Json], place: dict[str, Json]) -> list[_Shape]:
    here = {"seat": seat, "room": place}
    lying = {**here, "card": _from_one(DECK * seats)}
    chosen = {"room": place, "card": lying["card"], "owner": seat, "scare": _SCARE, "hunter": _HUNTER}
    return [
        ("power", {"seat": seat, "power": _ROOM}, {}),
        ("phantom", {"seat": seat, "phantom": _PHANTOM, "skulls": _INTEGER}, {}),
        ("retrieve", {"seat": seat, "scare": _SCARE}, {}),
        ("look", {**lying, "owner": seat}, _UNKNOWN),
        ("choose", {"seat": seat, "cause": _CAUSE}, chosen),
        ("move_invisible", {**lying, "to": place}, {}),
        ("fetch_invisible", lying, _UNKNOWN),
        ("fetch_visible", {**here, "scare": _SCARE}, {}),
        ("attack", {"seat": seat, "target": seat, "cause": _CAUSE}, {}),
        ("banish", {**lying, "scare": _SCARE, "cause": _CAUSE}, {}),
        ("trade", {"seat": seat, "target": seat, "gave": _HUNTER, "got": _HUNTER}, {}),
        ("drift", {"seat": seat, "scare": _SCARE, "room": place, "to": place}, {}),
    ]
