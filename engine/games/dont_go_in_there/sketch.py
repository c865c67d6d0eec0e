"""The table as text, for a person at a terminal; seats count from 1 here, as people count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.dont_go_in_there.tables import FLASHLIGHTS, NAMES, ROOMS

_PHASE_WORDS = {"pick": "choosing a card", "tome": "naming a type", "place": "placing"}


def board(observation: Mapping[str, Any]) -> str:
    """Rooms with their spaces and cards, then what lies before each seat."""
    lines = [_head(observation), ""]
    lines += [_room(room) for room in observation["rooms"] if room["room"] is not None]
    if (haunt := observation["haunt"]) is not None:
        rolled = "not rolled yet" if haunt["ghosts"] is None else f"{haunt['ghosts']} ghosts"
        lines.append(f"Haunt in the {_name(haunt['room'])}: {haunt['dice']} dice, {rolled}.")
    lines.append("")
    for seat, player in enumerate(observation["players"]):
        lines += _player(seat, player, is_you=seat == observation["seat"])
    return "\n".join(lines)


def _head(observation: Mapping[str, Any]) -> str:
    actor, phase = observation["actor"], observation["phase"]
    who = "nobody" if actor is None else "you" if actor == observation["seat"] else f"seat {actor + 1}"
    types = ", ".join(_name(key) for key in observation["types"])
    return (
        f"Meeple {observation['placed']} of {observation['placements']}; "
        f"{observation['deck']} cards in the deck; to decide: {who} ({_PHASE_WORDS.get(phase, phase)})\n"
        f"In play: {types}"
    )


def _room(room: Mapping[str, Any]) -> str:
    spaces = " ".join(
        f"{space + 1}:{'--' if seat is None else f'P{seat + 1}'}({lights})"
        for space, (seat, lights) in enumerate(
            zip(room["spaces"], FLASHLIGHTS[ROOMS.index(room["room"])], strict=True)
        )
    )
    cards = " | ".join(_card(card) for card in room["cards"])
    return f"{_name(room['room']):<14} {spaces}   {cards}"


def _card(card: Mapping[str, Any] | None) -> str:
    if card is None:
        return "--"
    if "type" not in card:
        return "face down"
    hidden = ", only you saw it" if card.get("face_down") else ""
    return f"{_name(card['type'])} {card['curse']} ({card['dice']} dice{hidden})"


def _player(seat: int, player: Mapping[str, Any], *, is_you: bool) -> list[str]:
    """Two or three lines: counters, cards that count, cards that were dispelled."""
    mine = " (you)" if is_you else ""
    lines = [f"P{seat + 1}{mine}: {player['ghosts']} ghosts, {player['curses']} curses"]
    for title, key in (("face up", "face_up"), ("dispelled", "dispelled")):
        if held := _held(player[key]):
            lines.append(f"    {title}: {held}")
    return lines


def _held(by_type: Mapping[str, Any]) -> str:
    """`Cat 1 1 4, Ring 2` of counts by curse."""
    return ", ".join(
        f"{_name(key)} {' '.join(str(step + 1) for step, count in enumerate(counts) for _ in range(count))}"
        for key, counts in by_type.items()
        if any(counts)
    )


def _name(key: str) -> str:
    return NAMES[key]["en"]
