"""The table as text, for a person at a terminal; seats count from 1 here, as people count."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.english import count
from engine.games.dont_go_in_there.tables import CAT, DOLL, FLASHLIGHTS, LOWEST, NAMES, ROOMS, TYPES

_WIDTH: Final = 100
_PHASE_WORDS: Final = {
    "types": "drawing the types",
    "sides": "laying out the rooms",
    "removed": "removing cards",
    "deal": "dealing",
    "place": "placing a meeple",
    "roll": "rolling",
    "reroll": "rolling again or not",
    "flip": "turning a die or not",
    "pick": "choosing a card",
    "tome": "naming a type to dispel",
    "brew": "dispelling the brew or keeping it",
    "raven": "bringing a removed card or not",
    "give": "giving a card for it",
    "dispel": "choosing what to dispel",
    "over": "the match is over",
}
_SPACES: Final = ("at the top", "second from the top", "third from the top", "at the bottom")
_MOVES: Final = {
    "keep": "leave the dice as they are",
    "reroll": "roll all dice again",
    "leave": "leave the removed cards alone",
}


def board(observation: Mapping[str, Any]) -> str:
    """Rooms with their spaces and cards, then what lies before each seat."""
    lines = [*_head(observation), "", "Spaces from the top, (flashlights); below them the cards by slot:"]
    for room in observation["rooms"]:
        lines += _room(room) if room["room"] is not None else []
    if (haunt := observation["haunt"]) is not None:
        rolled = "not rolled yet" if haunt["ghosts"] is None else count(haunt["ghosts"], "ghost")
        lines.append(f"Haunt in the {_name(haunt['room'])}: {haunt['dice']} dice, {rolled}.")
    lines += _questions(observation)
    lines.append("")
    for seat, player in enumerate(observation["players"]):
        lines += _player(seat, player, is_you=seat == observation["seat"])
    return "\n".join(lines)


def move(fields: Mapping[str, Any]) -> str:
    """A move as one would say it."""
    kind = fields["type"]
    if kind == "place":
        lights = FLASHLIGHTS[ROOMS.index(fields["room"])][fields["space"] - 1]
        where = f"{_name(fields['room'])}, space {fields['space']}"
        return f"{where} ({_SPACES[fields['space'] - 1]}, {count(lights, 'flashlight')})"
    if kind == "pick":
        return f"take the card in slot {fields['slot']}"
    if kind == "flip":
        return f"turn one die to a {fields['to']}"
    if kind == "tome":
        return f"dispel all of {_name(fields['curse_type'])}"
    if kind == "brew":
        return "dispel it and take 2 ghosts" if fields["choice"] == "dispel" else "keep it face up"
    if kind in _MOVES:
        return _MOVES[kind]
    card = f"{_name(fields['curse_type'])} {fields['curse']}"
    return f"{card} stays" if kind == "stay" else f"{kind} {card}"


def _questions(observation: Mapping[str, Any]) -> list[str]:
    """What is still to be chosen, and the removed cards, where a game has that."""
    lines = []
    for ask in observation.get("asks", ()):
        what, number = _name(ask["type"]), ask["number"]
        if ask["type"] == TYPES[DOLL]:
            what = f"{what}s of {number} curses together"
        elif ask["type"] == TYPES[CAT]:
            what = f"all but one {what}"
        else:
            what = f"{number} of {what}"
        lines.append(f"Seat {ask['seat'] + 1} has to dispel {what}.")
    if card := observation.get("card"):
        lines.append(f"In question: {_card(card)}.")
    if removed := observation.get("removed"):
        known = removed["seen"] if removed["seen"] is not None else removed["returned"]
        said = f"{removed['number']} cards were removed; of these you know: {_held(known) or 'none'}"
        lines += _wrapped(said)
    return lines


def _head(observation: Mapping[str, Any]) -> list[str]:
    actor, phase = observation["actor"], observation["phase"]
    who = "nobody" if actor is None else "you" if actor == observation["seat"] else f"seat {actor + 1}"
    types = ", ".join(_name(key) for key in observation["types"])
    placed = f"Meeple {observation['placed']} of {observation['placements']}"
    deciding = f"to decide: {who} ({_PHASE_WORDS[phase]})"
    return [
        f"{placed}; {observation['deck']} cards in the deck; {deciding}",
        *_wrapped(f"In play: {types}"),
    ]


def _room(room: Mapping[str, Any]) -> list[str]:
    lights = FLASHLIGHTS[ROOMS.index(room["room"])]
    spaces = [
        f"{space}:{'--' if seat is None else f'P{seat + 1}'} ({lit})"
        for space, (seat, lit) in enumerate(zip(room["spaces"], lights, strict=True), start=1)
    ]
    cards = [f"{slot} {_card(card)}" for slot, card in enumerate(room["cards"], start=1)]
    return [f"{_name(room['room']):<15}{'  '.join(spaces)}", f"    {'  '.join(cards)}"]


def _card(card: Mapping[str, Any] | None) -> str:
    if card is None:
        return "--"
    if "type" not in card:
        return "face down"
    dice = count(card["dice"], "die", "dice")
    return f"{_name(card['type'])} {card['curse']} ({dice}){', hidden' if 'face_down' in card else ''}"


def _player(seat: int, player: Mapping[str, Any], *, is_you: bool) -> list[str]:
    """A line or more each: counters, cards that count, cards that were dispelled."""
    mine = " (you)" if is_you else ""
    lines = [f"P{seat + 1}{mine}: {count(player['ghosts'], 'ghost')}, {count(player['curses'], 'curse')}"]
    for title, key in (("face up", "face_up"), ("dispelled", "dispelled")):
        if held := _held(player[key]):
            lines += _wrapped(f"    {title}: {held}")
    return lines


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent="        ")


def _held(by_type: Mapping[str, Any]) -> str:
    """`Cat 1 1 4, Ring 2` of counts by curse."""
    return ", ".join(
        f"{_name(key)} {' '.join(_curses(key, counts))}" for key, counts in by_type.items() if any(counts)
    )


def _curses(key: str, counts: Sequence[int]) -> list[str]:
    lowest = LOWEST[TYPES.index(key)]
    return [str(curse) for curse, count in enumerate(counts, lowest) for _ in range(count)]


def _name(key: str) -> str:
    return str(NAMES[key]["en"])
