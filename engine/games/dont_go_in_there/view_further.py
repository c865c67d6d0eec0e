"""What an observation shows beside `view.py`'s in a game that asks or has the expansion (DG 8.10)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.core import Json, Seat, compact_json
from engine.games.dont_go_in_there.ending import Due
from engine.games.dont_go_in_there.tables import RAVEN, TYPES, card_json, face_of
from engine.games.dont_go_in_there.view import by_type, counts_of, faces_by_type, types_in

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.extended import ExtendedState


def observe(state: ExtendedState, seat: Seat | None) -> dict[str, Json]:
    return _build(_shown(state, seat))


def observe_json(state: ExtendedState, seat: Seat | None) -> bytes:
    if not state.asks and state.card < 0 and RAVEN not in state.types:
        return _NOTHING
    return _json(_shown(state, seat))


class _Shown(NamedTuple):
    """All that is shown, and so all that its JSON is remembered by."""

    asks: tuple[Due, ...]
    card: int
    number: int = 0
    """Of removed cards."""
    looked: int = 0
    returned: bytes | None = None
    """One byte a card; None without ravens."""
    seen: bytes | None = None
    """All removed cards, for a seat that has seen them."""


def _shown(state: ExtendedState, seat: Seat | None) -> _Shown:
    if RAVEN not in state.types:
        return _Shown(state.asks, state.card)
    seen = bytes(state.removed) if seat is not None and state.looked >> seat & 1 else None
    return _Shown(state.asks, state.card, len(state.removed), state.looked, bytes(state.returned), seen)


def _build(shown: _Shown) -> dict[str, Json]:
    removed = (
        None
        if shown.returned is None
        else {
            "number": shown.number,
            "looked": [seat for seat in range(shown.looked.bit_length()) if shown.looked >> seat & 1],
            "returned": _by_type(shown.returned),
            "seen": None if shown.seen is None else _by_type(shown.seen),
        }
    )
    return {
        "asks": [{"seat": seat, "type": TYPES[kind], "number": left} for seat, kind, left in shown.asks],
        "card": None if shown.card < 0 else card_json(shown.card),
        "removed": removed,
    }


def _by_type(cards: bytes) -> dict[str, list[int]]:
    counts = counts_of(cards)
    return by_type(types_in(counts), counts)


@lru_cache(maxsize=4096)
def _json(shown: _Shown) -> bytes:
    return compact_json(_build(shown))


_NOTHING: Final = _json(_Shown((), -1))


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
