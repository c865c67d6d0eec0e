"""What an observation shows beside `view.py`'s in a game that asks or has the expansion (DG 8.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.core import Json, Seat, compact_json
from engine.games.dont_go_in_there.ending import Due
from engine.games.dont_go_in_there.tables import FACES, RAVEN, TYPES, card_json, face_of
from engine.games.dont_go_in_there.view import by_type, faces_by_type, types_in

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.extended import ExtendedState


def observe(state: ExtendedState, seat: Seat | None) -> dict[str, Json]:
    return _build(*_shown(state, seat))


def observe_json(state: ExtendedState, seat: Seat | None) -> bytes:
    return _json(*_shown(state, seat))


def _shown(
    state: ExtendedState, seat: Seat | None
) -> tuple[tuple[Due, ...], int, int, int, bytes | None, bytes | None]:
    """All that `_build` shows: asks, card, number of removed cards, who looked, and of the removed cards how
    many of each face everybody knows and this seat has seen; None where there are none or it has not."""
    if RAVEN not in state.types:
        return state.asks, state.card, 0, 0, None, None
    seen = state.removed if seat is not None and state.looked >> seat & 1 else None
    return (
        state.asks,
        state.card,
        len(state.removed),
        state.looked,
        _counts(state.returned),
        None if seen is None else _counts(seen),
    )


def _counts(faces: Sequence[int]) -> bytes:
    counts = bytearray(FACES)
    for face in faces:
        counts[face] += 1
    return bytes(counts)


def _build(
    asks: tuple[Due, ...],
    card: int,
    number: int,
    looked: int,
    returned: bytes | None,
    seen: bytes | None,
) -> dict[str, Json]:
    removed = returned and {
        "number": number,
        "looked": [seat for seat in range(looked.bit_length()) if looked >> seat & 1],
        "returned": by_type(types_in(returned), returned),
        "seen": seen and by_type(types_in(seen), seen),
    }
    return {
        "asks": [{"seat": seat, "type": TYPES[kind], "number": left} for seat, kind, left in asks],
        "card": None if card < 0 else card_json(card),
        "removed": removed,
    }


@lru_cache(maxsize=4096)
def _json(
    asks: tuple[Due, ...],
    card: int,
    number: int,
    looked: int,
    returned: bytes | None,
    seen: bytes | None,
) -> bytes:
    return compact_json(_build(asks, card, number, looked, returned, seen))


def parts(observation: Mapping[str, Json]) -> dict[str, Any]:
    """Fields of `Parts` that an observation shows beside those of `view.parts`. Of removed cards those are
    told that the seat knows; where others lie with them, `unknown_removed` says how many."""
    if "asks" not in observation:
        return {}
    removed = observation["removed"] or {}
    returned = faces_by_type(removed.get("returned", {}))
    seen = removed.get("seen")
    return {
        "asks": [(ask["seat"], TYPES.index(ask["type"]), ask["number"]) for ask in observation["asks"]],
        "card": -1 if observation["card"] is None else face_of(observation["card"]),
        "removed": returned if seen is None else faces_by_type(seen),
        "returned": returned,
        "looked": sum(1 << seat for seat in removed.get("looked", ())),
    }


def unknown_removed(observation: Mapping[str, Json]) -> int:
    """How many removed cards the seat knows nothing of."""
    removed = observation.get("removed")
    if not removed or removed["seen"] is not None:
        return 0
    return int(removed["number"]) - sum(map(sum, removed["returned"].values()))
