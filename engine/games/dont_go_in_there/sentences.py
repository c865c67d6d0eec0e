"""What people are told of each event of Don't Go In There; `tell.py` and its like emit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core import Sentence
from engine.english import count
from engine.games.dont_go_in_there.tables import NAMES

Event = Mapping[str, Any]


def _name(key: str) -> str:
    return str(NAMES[key]["en"])


def _card(card: Event | None) -> str:
    return f"{_name(card['type'])} {card['curse']}" if card else "a card face down"


def _gained(event: Event) -> Sentence:
    change, verb = abs(event["change"]), "meets" if event["change"] >= 0 else "loses"
    return event["seat"], f" {verb} {count(change, 'ghost')} ({_name(event['cause'])}), {event['total']} now"


def _taken(event: Event) -> Sentence:
    return event["seat"], f" {'is left with' if event['forced'] else 'takes'} {_card(event['card'])}"


def _peek(event: Event) -> Sentence:
    seen = f": {_card(event['card'])}" if "card" in event else ""
    return event["seat"], f" looks at the hidden card of the {_name(event['room'])}{seen}"


def _dispelled(event: Event) -> Sentence:
    return event["seat"], f" dispels {', '.join(map(_card, event['cards']))} ({_name(event['cause'])})"


def _roll(event: Event) -> Sentence:
    again = "Rolled again" if event["again"] else "Rolled"
    return (f"{again}: {count(event['dice'], 'die', 'dice')}, {count(event['ghosts'], 'ghost')}",)


def _setup(event: Event) -> Sentence:
    return (f"The doors open on {event['deck']} cards: {', '.join(map(_name, event['types']))}.",)


def _look(event: Event) -> Sentence:
    seen = f": {', '.join(map(_card, event['removed']))}" if "removed" in event else ""
    return event["seat"], f" looks at the {event['number']} removed cards{seen}"


def _brew(event: Event) -> Sentence:
    return event["seat"], f" {'pours the brew away' if event['choice'] == 'dispel' else 'keeps the brew'}"


SENTENCES: Final[Mapping[str, Callable[[Event], Sentence]]] = {
    "setup": _setup,
    "deal": lambda e: (f"{_name(e['room'])}, slot {e['slot']}: {_card(e['card'])}",),
    "place": lambda e: (e["seat"], f" steps into the {_name(e['room'])}, space {e['space']}"),
    "peek": _peek,
    "haunt": lambda e: (f"The {_name(e['room'])} is haunted: ", e["seat"], f" rolls {e['dice']} dice"),
    "reveal": lambda e: (f"The hidden card is {_card(e['card'])}",),
    "roll": _roll,
    "keep": lambda e: (e["seat"], " leaves the dice as they are"),
    "reroll": lambda e: (e["seat"], " rolls again"),
    "flip": lambda e: (e["seat"], f" flips a die to a {e['to']}: {count(e['ghosts'], 'ghost')}"),
    "ghosts": _gained,
    "pass": lambda e: (
        e["seat"],
        f" sends {count(e['ghosts'], 'ghost')} to ",
        e["to"],
        f" ({_name(e['cause'])})",
    ),
    "take": _taken,
    "tome": lambda e: (e["seat"], f" opens the Tome and names {_name(e['curse_type'])}"),
    "brew": _brew,
    "look": _look,
    "leave": lambda e: (e["seat"], " leaves the removed cards alone"),
    "bring": lambda e: (e["seat"], f" brings {_card(e['card'])} from the removed cards"),
    "give": lambda e: (e["seat"], f" gives {_card(e['card'])} for it"),
    "dispel": _dispelled,
    "turn_over": lambda e: (f"The {_name(e['room'])} turns over: the {_name(e['to'])}",),
    "remove_room": lambda e: (f"The {_name(e['room'])} is closed for good",),
    "penalty": lambda e: (
        e["seat"],
        f" has {count(e['ghosts'], 'ghost')}, the most: {count(e['curses'], 'curse')} more",
    ),
    "end": lambda e: (f"The night is over. Curses: {', '.join(map(str, e['curses']))}",),
}
