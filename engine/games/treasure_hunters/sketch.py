"""The table as text, for a person at a terminal; seats count from 1 here, as people count."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from engine.english import count
from engine.games.treasure_hunters.plan import floor_plan
from engine.games.treasure_hunters.tables import COLOURS, NAMES, NUMBER_OF, OUT, PLACES, ROOMS, TOO_HAUNTED

_COLUMNS: Final = 100
_LEGEND: Final = (
    "Doors: b blue, g green, . between rooms, # locked. Numbers: squares of the hallway. o: a ghost.\n"
    "HAUNTED: by a haunting. *: a jewel (*?: nobody knows its number). R Y B G: the hunters below."
)


def board(observation: Mapping[str, Any]) -> str:
    """Where the match stands, the house, the hunters, the cards that may come."""
    lines = [
        *_head(observation),
        "",
        *floor_plan(observation["locked"], _words(observation)),
        "",
        _LEGEND,
        "",
    ]
    lines += [_hunter(observation, hunter) for hunter in range(len(observation["hunters"]))]
    return "\n".join([*lines, *_pile(observation["pile"])])


def _head(observation: Mapping[str, Any]) -> list[str]:
    hauntings = sum(row["haunted"] for row in observation["rooms"])
    locked, number = observation["locked"], observation["next"]
    following = "" if number is None else f", next comes {number}"
    facts = (
        f"Turn {observation['turn']} of {observation['turns']}",
        f"{count(observation['banked'], 'jewel')} outside{following}",
        f"{count(hauntings, 'room')} haunted ({TOO_HAUNTED} lose)",
        "all doors open" if locked is None else f"{locked} doors locked",
    )
    return ["; ".join(facts), _to_do(observation)]


def _to_do(observation: Mapping[str, Any]) -> str:
    if observation["ended"] is not None:
        return NAMES[observation["ended"]]["en"]
    actor, phase, steps = observation["actor"], observation["phase"], observation["steps"]
    who = "nobody" if actor is None else "you" if actor == observation["seat"] else f"seat {actor + 1}"
    what = f"{phase}, {count(steps, 'step')}" if steps else phase
    if phase == "move":
        what += " or fewer; to stay, go where it stands"
    if (fight := observation["fight"]) is not None:
        what += f" with {count(fight['dice'], 'die', 'dice')} against a {fight['against']}"
    if (draw := observation["draw"]) is not None:
        what += f", {count(draw['left'], 'further card')}"
    return f"{NAMES[COLOURS[observation['hunter']]]['en']}'s turn; to decide: {who} ({what})"


def _words(observation: Mapping[str, Any]) -> dict[int, str]:
    """What stands in each place of the plan: its name, ghosts, jewel and hunters."""
    here: dict[str, str] = defaultdict(str)
    for row in observation["hunters"]:
        here[row["at"]] += NAMES[row["hunter"]]["en"][0]
    words = {}
    for place, key in enumerate(PLACES):
        if place < ROOMS:
            about = [key.removeprefix("room_").upper(), *_in_room(observation, place), here[key]]
        else:
            about = [key.upper() if place == OUT else key[1:], here[key]]
        words[place] = " ".join(filter(None, about))
    return words


def _in_room(observation: Mapping[str, Any], room: int) -> tuple[str, str]:
    row = observation["rooms"][room]
    number = "" if observation["next"] is None else row["number"] or "?"
    return "HAUNTED" if row["haunted"] else "o" * row["ghosts"], f"*{number}" if row["jewel"] else ""


def _hunter(observation: Mapping[str, Any], hunter: int) -> str:
    row = observation["hunters"][hunter]
    name = NAMES[row["hunter"]]["en"]
    you = ", you" if row["seat"] == observation["seat"] else ""
    line = f"{name[0]}  {name} (seat {row['seat'] + 1}{you}): {NAMES[row['at']]['en']}"
    if row["jewel"]:
        line += " with a jewel" if row["number"] is None else f" with jewel {row['number']}"
    place = NUMBER_OF[row["at"]]
    held = row["jewel"] and place < ROOMS and observation["rooms"][place]["haunted"]
    return f"{line}, cannot move" if held else line


def _pile(pile: Mapping[str, Any]) -> list[str]:
    """The cards of the draw pile: everybody can tell them by what lies on the discards."""
    ghosts = [key[-1].upper() for key in pile["left"] if key.startswith("ghost_")]
    others = [
        NAMES[key]["en"] + (" (two)" if count > 1 else "")
        for key, count in pile["left"].items()
        if not key.startswith("ghost_")
    ]
    kinds = f"ghosts {' '.join(ghosts) or 'none'}; {', '.join(others) or 'no other'}"
    line = f"Draw pile, {count(pile['cards'], 'card')}: {kinds}"
    return textwrap.wrap(line, _COLUMNS, subsequent_indent="    ")
