"""Events of a match as lines of text. What has no sentence of its own is told by its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

_SENTENCES: Final[Mapping[str, str]] = {
    "setup": "The house is laid out: {types}; rooms {rooms}; {deck} cards in the deck.",
    "deal": "A card is dealt into the {room}, slot {slot}: {card}.",
    "place": "{seat} goes into the {room}, space {space}.",
    "peek": "{seat} looks at the hidden card in the {room}, slot {slot}{card_seen}.",
    "haunt": "The {room} is full: {dice} dice.",
    "reveal": "The hidden card in the {room} is {card}.",
    "roll": "{ghosts} ghosts of {dice} dice.",
    "keep": "{seat} leaves the dice as they are.",
    "reroll": "{seat} rolls again.",
    "flip": "{seat} turns a die to a {to}: {ghosts} ghosts.",
    "ghosts": "{seat}: {change:+d} ghosts, now {total} ({cause}).",
    "pass": "{seat} passes {ghosts} ghosts to {to_seat}.",
    "take": "{seat} takes {card} from the {room}, slot {slot}.",
    "tome": "{seat} names {curse_type}.",
    "dispel": "{seat} dispels {cards} ({cause}).",
    "turn_over": "The {room} turns over: the {to}.",
    "remove_room": "The {room} is gone for good.",
    "penalty": "{seat} has the most ghosts, {ghosts}: {curses} curses more.",
    "end": "The match is over. Curses {curses}, ghosts {ghosts}.",
}


def tell(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One line; seats by the names of who sits there."""
    template = _SENTENCES.get(event["kind"])
    facts = {name: _said(value) for name, value in event.items()}
    if isinstance(event.get("seat"), int):
        facts["seat"] = _seat(event["seat"], names)
    if isinstance(event.get("to"), int):
        facts["to_seat"] = _seat(event["to"], names)
    facts["card_seen"] = f": {facts['card']}" if event.get("card") else ""
    try:
        return (template or "").format(**facts) or _plain(event)
    except (KeyError, ValueError, TypeError):
        return _plain(event)


def _seat(seat: int, names: Sequence[str]) -> str:
    """A name, with its seat where several have the same."""
    name = names[seat]
    return name if names.count(name) == 1 else f"{name} ({seat})"


def _said(value: Any) -> Any:
    if value is None:
        return "face down"
    if isinstance(value, Mapping) and {"type", "curse"} <= set(value):
        return f"{str(value['type']).replace('_', ' ')} {value['curse']}"
    if isinstance(value, list):
        return ", ".join(str(_said(item)) for item in value)
    return value.replace("_", " ") if isinstance(value, str) else value


def _plain(event: Mapping[str, Any]) -> str:
    fields = ", ".join(f"{name} {_said(value)}" for name, value in event.items() if name != "kind")
    return f"{event['kind'].replace('_', ' ')}: {fields}" if fields else str(event["kind"])
