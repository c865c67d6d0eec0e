"""What people are told of each event of Treasure Hunters; `tell.py` emits them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core import Sentence
from engine.english import count
from engine.games.treasure_hunters.tables import NAMES

Event = Mapping[str, Any]


def _name(key: str) -> str:
    return NAMES[key]["en"]


def _jewel(number: int | None) -> str:
    return "the jewel" if number is None else f"jewel {number}"


def _card(event: Event) -> Sentence:
    further = "Further card" if event["further"] else "Card"
    return (f"{further}: {_name(event['card'])}{', which does nothing now' if event['skipped'] else ''}",)


def _doors(event: Event) -> Sentence:
    colour = event["locked"]
    return ("All doors are unlocked" if colour is None else f"The {_name(colour).lower()} doors are locked",)


def _move(event: Event) -> Sentence:
    hunter, to, steps = _name(event["hunter"]), _name(event["path"][-1]), len(event["path"]) - 1
    if not steps:
        return event["seat"], f" leaves {hunter} where it stands: {to}"
    return event["seat"], f" moves {hunter} by {count(steps, 'step')} to {to}"


def _bank(event: Event) -> Sentence:
    brought = f" brings {_jewel(event['number'])} out with {_name(event['hunter'])}"
    return event["seat"], f"{brought}: {event['banked']} outside now"


def _fight(event: Event) -> Sentence:
    won, against = event["removed"], _name(event["against"]).lower()
    came = f"{count(won, against)} gone" if won else "in vain"
    where = f" fights with {_name(event['hunter'])} in {_name(event['room'])}"
    return event["seat"], f"{where} ({count(event['dice'], 'die', 'dice')}): {came}"


def _end(event: Event) -> Sentence:
    return (f"{_name(event['ended'])}. {count(event['jewels'], 'jewel')} out in {event['turns']} turns",)


SENTENCES: Final[Mapping[str, Callable[[Event], Sentence]]] = {
    "roll": lambda e: (e["seat"], f" rolls for {_name(e['hunter'])}: {count(e['steps'], 'step')}"),
    "card": _card,
    "ghost": lambda e: (f"A ghost comes to {_name(e['room'])}: {e['ghosts']} there",),
    "haunting": lambda e: (f"{_name(e['room'])} is haunted now: {count(e['hauntings'], 'haunted room')}",),
    "doors": _doors,
    "shuffle": lambda e: (f"The cards are shuffled: {e['pile']} to draw from",),
    "held": lambda e: (e["seat"], f" cannot move {_name(e['hunter'])}: {_name(e['room'])} is haunted"),
    "move": _move,
    "number": lambda e: (f"The jewel in {_name(e['room'])} has the number {e['number']}",),
    "take": lambda e: (e["seat"], f" picks {_jewel(e['number'])} up with {_name(e['hunter'])}"),
    "leave": lambda e: (e["seat"], f" lets the jewel in {_name(e['room'])} lie"),
    "bank": _bank,
    "fight": _fight,
    "end": _end,
}
