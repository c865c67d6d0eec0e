"""What people are told of each event of Haunt the House; `tell.py` emits them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.core import Sentence
from engine.english import count
from engine.games.haunt_the_house.tables import NAMES, SCARES

Event = Mapping[str, Any]

_PLAIN_CAUSES: Final = ("turn", "boo")
"""What needs no word of its own: it follows from what was told just before."""


def _name(key: str) -> str:
    english: str = NAMES[key]["en"]
    return english


def _names(keys: Sequence[str]) -> str:
    return ", ".join(map(_name, keys))


def _cause(event: Event) -> str:
    return "" if event["cause"] in _PLAIN_CAUSES else f" ({_name(event['cause'])})"


def _seen(event: Event) -> str:
    """The Scare, for those who may know it."""
    return f": {_name(event['scare'])}" if "scare" in event else ""


def _setup(event: Event) -> Sentence:
    doors = zip(event["rooms"], event["hunters"], strict=True)
    rooms = [f"{place} {_name(room)} with {_name(hunter)}" for place, (room, hunter) in enumerate(doors, 1)]
    return f"Rooms: {', '.join(rooms)}. ", event["start"], " begins"


def _trophies(event: Event) -> Sentence:
    dealt = f": {_names(event['trophies'])}" if "trophies" in event else ""
    return event["seat"], f" is dealt {'a trophy' if event['number'] == 1 else 'two trophies'}{dealt}"


def _turn(event: Event) -> Sentence:
    return f"{'Last chance' if event['last_chance'] else 'Turn'} {event['turn']}: ", event["seat"]


def _laid(event: Event) -> Sentence:
    return event["seat"], f" lays a Scare invisibly into room {event['room']}{_seen(event)}"


def _scares(event: Event, key: str, word: str) -> Sentence:
    """The Scares turned up of one sort, each with whose it is."""
    parts: list[str | int] = []
    for scare in event[key]:
        parts += [", " if parts else f"; {word} ", f"{_name(scare['scare'])} of ", scare["seat"]]
    return tuple(parts)


def _boo(event: Event) -> Sentence:
    called = f" calls BOO in room {event['room']} at {_name(event['hunter'])}"
    return event["seat"], called, *_scares(event, "correct", "correct:"), *_scares(event, "bluffs", "bluff:")


def _frightened(event: Event) -> Sentence:
    spent = [key for key, count in zip(SCARES, event["from_hand"], strict=True) for _ in range(count)]
    hand = f", with {_names(spent)} from the hand" if spent else ""
    return event["seat"], f" frightens {_name(event['hunter'])} out of room {event['room']}{hand}"


def _skulls(event: Event) -> Sentence:
    verb = "gains" if event["change"] >= 0 else "loses"
    change = count(abs(event["change"]), "Skull token")
    return event["seat"], f" {verb} {change}{_cause(event)}, {event['total']} now"


def _kept(event: Event) -> Sentence:
    kept = f": {_name(event['kept'])}" if "kept" in event else ""
    return event["seat"], f" keeps a Phantom{kept}; {event['deck']} left in the deck"


def _drew(event: Event) -> Sentence:
    drawn = f": {_names(event['phantoms'])}" if "phantoms" in event else ""
    return event["seat"], f" draws {count(event['number'], 'Phantom')}{drawn}"


def _looked(event: Event) -> Sentence:
    where = f" looks at Scare {event['card']} of room {event['room']}, of "
    return event["seat"], where, event["owner"], _seen(event)


def _chose(event: Event) -> Sentence:
    if "hunter" in event:
        return event["seat"], f" gives up {_name(event['hunter'])}{_cause(event)}"
    if "owner" in event:
        what = f" picks {_name(event['scare'])} of "
        return event["seat"], what, event["owner"], f" in room {event['room']}{_cause(event)}"
    return event["seat"], f" picks Scare {event['card']} of room {event['room']}{_cause(event)}"


def _moved(event: Event) -> Sentence:
    return event["seat"], f" moves Scare {event['card']} of room {event['room']} to room {event['to']}"


def _fetched(event: Event) -> Sentence:
    return event["seat"], f" takes Scare {event['card']} of room {event['room']} back{_seen(event)}"


def _banished(event: Event) -> Sentence:
    where = f" loses Scare {event['card']} of room {event['room']}, {_name(event['scare'])}"
    return event["seat"], f"{where}{_cause(event)}"


def _traded(event: Event) -> Sentence:
    return event["seat"], f" gives {_name(event['gave'])} to ", event["target"], f" for {_name(event['got'])}"


def _drifted(event: Event) -> Sentence:
    where = f" drifts from room {event['room']} to room {event['to']}"
    return f"{_name(event['scare'])} of ", event["seat"], where


SENTENCES: Final[Mapping[str, Callable[[Event], Sentence]]] = {
    "setup": _setup,
    "trophies": _trophies,
    "turn": _turn,
    "pass": lambda e: (e["seat"], " passes"),
    "trigger": lambda e: (e["seat"], " brings the end: each of the others has one last chance"),
    "draw": lambda e: (e["seat"], f" draws a Scare{_seen(e)}"),
    "shuffle": lambda e: (e["seat"], f" shuffles a new deck of {count(sum(e['deck']), 'Scare')}"),
    "invisible": _laid,
    "visible": lambda e: (e["seat"], f" lays {_name(e['scare'])} into room {e['room']}"),
    "discard": lambda e: (e["seat"], f" discards {_name(e['scare'])}{_cause(e)}"),
    "boo": _boo,
    "bad_boo": lambda e: (e["seat"], f" has not enough: a bad BOO in room {e['room']}"),
    "frightened": _frightened,
    "rooms_shuffled": lambda e: (f"The rooms are shuffled: {len(e['rooms'])} in the pile",),
    "new_room": lambda e: (f"Room {e['room']} is the {_name(e['key'])} now",),
    "new_hunter": lambda e: (f"{_name(e['hunter'])} comes to room {e['room']}",),
    "skulls": _skulls,
    "draw_phantoms": _drew,
    "keep_phantom": _kept,
    "power": lambda e: (e["seat"], f" uses the {_name(e['power'])}"),
    "phantom": lambda e: (e["seat"], f" plays {_name(e['phantom'])} ({e['skulls']:+d})"),
    "retrieve": lambda e: (e["seat"], f" takes {_name(e['scare'])} out of the discard pile"),
    "look": _looked,
    "choose": _chose,
    "move_invisible": _moved,
    "fetch_invisible": _fetched,
    "fetch_visible": lambda e: (e["seat"], f" takes {_name(e['scare'])} back from room {e['room']}"),
    "attack": lambda e: (e["seat"], " turns on ", e["target"], _cause(e)),
    "banish": _banished,
    "trade": _traded,
    "drift": _drifted,
    "end": lambda e: (f"The night is over. Points: {', '.join(map(str, e['scores']))}",),
}
