"""What one seat, or an onlooker, may know (TH 10): all that lies on the table, for nobody has secrets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from engine.core import Json, Seat, compact_json
from engine.games.treasure_hunters.tables import (
    CARDS,
    COLOURS,
    ENDED,
    ENDINGS,
    FIGHT,
    FIGHTS,
    JEWELS,
    LOCKS,
    NUMBER_OF,
    PHASES,
    PLACES,
    PLAIN,
    ROOMS,
    TURN_CAP,
)
from engine.games.treasure_hunters.text import HAUNTED_ROOM, NO_JEWEL, Parts

if TYPE_CHECKING:
    from engine.games.treasure_hunters.position import Position


_WHOLE: Final = (
    b'{"seat":%b,"phase":%b,"actor":%b,"on_turn":%b,"hunter":%d,"turn":%d,"turns":'
    + b"%d" % TURN_CAP
    + b',"steps":%d,"locked":%b,"draw":%b,"fight":%b,"pile":%b,"rooms":[%b],"hunters":[%b],'
    b'"banked":%d,"next":%b,"unseen":%b,"ended":%b}'
)
_PHASES: Final = tuple(map(compact_json, PHASES))
_LOCKS: Final = tuple(map(compact_json, LOCKS))
_ENDINGS: Final = tuple(map(compact_json, ENDINGS))
_OR_NULL: Final[dict[int | None, bytes]] = {None: b"null", **{number: b"%d" % number for number in range(16)}}


def observe(state: Position, seat: Seat | None) -> dict[str, Json]:
    """The observation of a seat; its schema is in schemas.py, its words in docs/games/treasure-hunters.md."""
    return {
        "seat": seat,
        "phase": PHASES[state.phase],
        "actor": state.acting if state.acting >= 0 else None,
        "on_turn": None if state.phase == ENDED else state.game.seat_of[state.hunter],
        "hunter": state.hunter,
        "turn": state.turn,
        "turns": TURN_CAP,
        "steps": state.steps,
        "locked": LOCKS[state.locked],
        "draw": _draw(state.drawn, state.extras),
        "fight": _fight(state.fight if state.phase == FIGHT else -1),
        "pile": _pile(state.pile),
        "rooms": [_room(room, *_in_room(state, room)) for room in range(ROOMS)],
        "hunters": [
            _hunter(hunter, state.game.seats, place, carried)
            for hunter, (place, carried) in enumerate(zip(state.places, state.carried, strict=True))
        ],
        "banked": state.banked,
        "next": _next(state),
        "unseen": [*state.unseen],
        "ended": ENDINGS[state.ended],
    }


def observe_json(state: Position, seat: Seat | None) -> bytes:
    """The same observation as JSON, put together out of parts that are remembered by what they show."""
    seats = state.game.seats
    return _WHOLE % (
        _OR_NULL[seat],
        _PHASES[state.phase],
        _OR_NULL[state.acting if state.acting >= 0 else None],
        _OR_NULL[None if state.phase == ENDED else state.game.seat_of[state.hunter]],
        state.hunter,
        state.turn,
        state.steps,
        _LOCKS[state.locked],
        _draw_json(state.drawn, state.extras),
        _fight_json(state.fight if state.phase == FIGHT else -1),
        _pile_json(state.pile),
        b",".join([_room_json(room, *_in_room(state, room)) for room in range(ROOMS)]),
        b",".join(
            [
                _hunter_json(hunter, seats, place, carried)
                for hunter, (place, carried) in enumerate(zip(state.places, state.carried, strict=True))
            ]
        ),
        state.banked,
        _OR_NULL[_next(state)],
        _unseen_json(state.unseen),
        _ENDINGS[state.ended],
    )


def parts(observation: Mapping[str, Any]) -> Parts:
    """The position that an observation shows: all of it, for only what is still to be drawn is unknown."""
    draw = observation["draw"]
    left = observation["pile"]["left"]
    return Parts(
        phase=PHASES.index(observation["phase"]),
        turn=observation["turn"],
        steps=observation["steps"],
        drawn=-1 if draw is None else CARDS.index(draw["card"]),
        extras=0 if draw is None else draw["left"],
        locked=LOCKS.index(observation["locked"]),
        ended=ENDINGS.index(observation["ended"]),
        banked=observation["banked"],
        pile=[card for card, key in enumerate(CARDS) for _ in range(left.get(key, 0))],
        rooms=[HAUNTED_ROOM if row["haunted"] else row["ghosts"] for row in observation["rooms"]],
        jewels=[(row["number"] or 0) if row["jewel"] else NO_JEWEL for row in observation["rooms"]],
        places=[NUMBER_OF[row["at"]] for row in observation["hunters"]],
        carried=[(row["number"] or PLAIN) if row["jewel"] else 0 for row in observation["hunters"]],
    )


def _in_room(state: Position, room: int) -> tuple[int, bool, bool, int]:
    """What `_room` shows: ghosts, whether haunted, whether a jewel lies there, its number."""
    haunted = bool(state.haunted >> room & 1)
    return state.ghosts_in(room), haunted, bool(state.jewels >> room & 1), state.numbers[room]


def _room(room: int, ghosts: int, haunted: bool, jewel: bool, number: int) -> dict[str, Json]:
    return {
        "room": PLACES[room],
        "ghosts": ghosts,
        "haunted": haunted,
        "jewel": jewel,
        "number": number or None,
    }


def _hunter(hunter: int, seats: int, place: int, carried: int) -> dict[str, Json]:
    return {
        "hunter": COLOURS[hunter],
        "seat": hunter % seats,
        "at": PLACES[place],
        "jewel": carried > 0,
        "number": None if carried in (0, PLAIN) else carried,
    }


def _pile(pile: bytes) -> dict[str, Json]:
    return {"cards": len(pile), "left": {CARDS[card]: pile.count(card) for card in sorted(set(pile))}}


def _draw(drawn: int, extras: int) -> dict[str, Json] | None:
    return {"card": CARDS[drawn], "left": extras} if extras else None


def _fight(fight: int) -> dict[str, Json] | None:
    if fight < 0:
        return None
    dice, against = FIGHTS[fight][0]
    return {"dice": dice, "against": against}


def _next(state: Position) -> int | None:
    """TH 9.4: the number that may leave the house now."""
    return state.banked + 1 if state.game.ordered and state.banked < JEWELS else None


# The same parts as JSON. Remembered, for most of a table stays as it was from question to question; as large
# as there are such parts, but for the pile.


@lru_cache(maxsize=2048)
def _room_json(room: int, ghosts: int, haunted: bool, jewel: bool, number: int) -> bytes:
    return compact_json(_room(room, ghosts, haunted, jewel, number))


@lru_cache(maxsize=2048)
def _hunter_json(hunter: int, seats: int, place: int, carried: int) -> bytes:
    return compact_json(_hunter(hunter, seats, place, carried))


@lru_cache(maxsize=8192)
def _pile_json(pile: bytes) -> bytes:
    return compact_json(_pile(pile))


@lru_cache(maxsize=256)
def _unseen_json(unseen: bytes) -> bytes:
    return compact_json([*unseen])


@lru_cache(maxsize=16)
def _draw_json(drawn: int, extras: int) -> bytes:
    return compact_json(_draw(drawn, extras))


@lru_cache(maxsize=8)
def _fight_json(fight: int) -> bytes:
    return compact_json(_fight(fight))
