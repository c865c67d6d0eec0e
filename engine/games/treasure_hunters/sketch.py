"""The house as text, for a person at a terminal; seats count from 1 here, as people count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.games.treasure_hunters.tables import (
    COLOURS,
    NAMES,
    NUMBER_OF,
    PASSAGES,
    ROOM_ROWS,
    SQUARE_ROWS,
    TOO_HAUNTED,
)

_WIDTH: Final = 6
"""Characters of a cell with its left wall."""
_TOP: Final = min(row["area"][0] for row in ROOM_ROWS)
_ROWS: Final = max(row["at"][0] for row in SQUARE_ROWS) + 1 - _TOP
_COLUMNS: Final = max(row["area"][3] for row in ROOM_ROWS) + 1
_DOORS: Final = {"front": " ", "none": " ", "plain": ".", "blue": "b", "green": "g"}
_SHUT: Final = "#"
_LEGEND: Final = (
    "Doors: b blue, g green, # locked, . between rooms.  o ghost, HAUNTED, * jewel (*? number unknown).  "
    "R Y B G hunters."
)


def board(observation: Mapping[str, Any]) -> str:
    """Where the match stands, the house, the hunters."""
    lines = [_head(observation), "", *_house(observation), "", _LEGEND]
    lines += [_hunter(observation, hunter) for hunter in range(len(observation["hunters"]))]
    return "\n".join(lines)


def _head(observation: Mapping[str, Any]) -> str:
    hauntings = sum(row["haunted"] for row in observation["rooms"])
    left = ", ".join(
        NAMES[card]["en"] + (f" x{count}" if count > 1 else "")
        for card, count in observation["pile"]["left"].items()
        if not card.startswith("ghost_")
    )
    ghosts = "".join(card[-1].upper() for card in observation["pile"]["left"] if card.startswith("ghost_"))
    locked = observation["locked"]
    number = "" if observation["next"] is None else f" (next: {observation['next']})"
    doors = "all doors open" if locked is None else f"{locked} doors locked"
    return (
        f"Turn {observation['turn']} of {observation['turns']}; {hauntings} haunted rooms of {TOO_HAUNTED}; "
        f"{observation['banked']} jewels outside{number}; {doors}\n"
        f"Draw pile: ghosts {ghosts or '-'}; {left or 'nothing else'}\n{_to_do(observation)}"
    )


def _to_do(observation: Mapping[str, Any]) -> str:
    if observation["ended"] is not None:
        return NAMES[observation["ended"]]["en"]
    actor = observation["actor"]
    who = "nobody" if actor is None else "you" if actor == observation["seat"] else f"seat {actor + 1}"
    colour = NAMES[COLOURS[observation["hunter"]]]["en"]
    steps = f", {observation['steps']} steps" if observation["steps"] else ""
    return f"To decide: {who} ({observation['phase']}, {colour}{steps})"


def _hunter(observation: Mapping[str, Any], hunter: int) -> str:
    row = observation["hunters"][hunter]
    yours = ", you" if row["seat"] == observation["seat"] else ""
    jewel = (
        ""
        if not row["jewel"]
        else " with a jewel"
        if row["number"] is None
        else f" with jewel {row['number']}"
    )
    turn = "  <- on turn" if hunter == observation["hunter"] and observation["ended"] is None else ""
    name = NAMES[row["hunter"]]["en"]
    return f"{name[0]} {name} (seat {row['seat'] + 1}{yours}): {NAMES[row['at']]['en']}{jewel}{turn}"


# --- the house: a grid of cells, each a part of a room, a square, or nothing ---


def _cells() -> dict[tuple[int, int], int]:
    """The place of each cell, by row and column from the upper left corner."""
    cells = {}
    for row in SQUARE_ROWS:
        cells[row["at"][0] - _TOP, row["at"][1]] = NUMBER_OF[row["key"]]
    for row in ROOM_ROWS:
        top, left, bottom, right = row["area"]
        for down in range(top, bottom + 1):
            for across in range(left, right + 1):
                cells[down - _TOP, across] = NUMBER_OF[row["key"]]
    return cells


_CELLS: Final = _cells()
_DOOR: Final = {frozenset(NUMBER_OF[key] for key in row["between"]): str(row["door"]) for row in PASSAGES}


def _door_cells() -> dict[tuple[int, int, bool], str]:
    """Where a door is drawn, a cell and whether it is its lower wall (else the right one), and its kind."""
    drawn: dict[frozenset[int], tuple[int, int, bool]] = {}
    for (down, across), place in sorted(_CELLS.items()):
        for below, other_cell in ((True, (down + 1, across)), (False, (down, across + 1))):
            other = _CELLS.get(other_cell)
            pair = frozenset((place, -1 if other is None else other))
            if pair in _DOOR:
                drawn.setdefault(pair, (down, across, below))
    return {where: _DOOR[pair] for pair, where in drawn.items()}


_DOOR_CELLS: Final = _door_cells()


def _wall(down: int, across: int, below: bool, locked: str | None) -> str:
    """The sign between a cell and the one below it, or right of it: blank, a door, or a wall."""
    place = _CELLS.get((down, across))
    other = _CELLS.get((down + 1, across) if below else (down, across + 1))
    if (kind := _DOOR_CELLS.get((down, across, below))) is not None:
        return _SHUT if kind == locked else _DOORS[kind]
    if place == other:
        return " "
    return "-" if below else "|"


def _house(observation: Mapping[str, Any]) -> list[str]:
    texts = _texts(observation)
    locked = observation["locked"]
    lines = []
    for down in range(-1, _ROWS):
        inside, beneath = "", ""
        for across in range(-1, _COLUMNS):
            if across >= 0:
                inside += " " * (_WIDTH - 1)
                sign = _wall(down, across, True, locked)
                around = sign if sign in "- " else "-"
                beneath += around * 2 + sign + around * 2
            inside += _wall(down, across, False, locked)
            beneath += _corner(down, across)
        for (row, across), words in texts.items():
            if row == down:
                at = across * _WIDTH + 1
                inside = inside[:at] + words + inside[at + len(words) :]
        lines += [inside.rstrip(), beneath.rstrip()]
    return [line for line in lines if line]


def _corner(down: int, across: int) -> str:
    around = {_CELLS.get((down + below, across + right)) for below in (0, 1) for right in (0, 1)}
    return " " if len(around) == 1 else "+"


def _texts(observation: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """What is written into the cells: each place's name and what is there."""
    here: dict[str, str] = {}
    for row in observation["hunters"]:
        here[row["at"]] = here.get(row["at"], "") + NAMES[row["hunter"]]["en"][0]
    texts = {}
    for row in SQUARE_ROWS:
        name = row["key"].upper() if row["key"] == "out" else row["key"][1:]
        texts[row["at"][0] - _TOP, row["at"][1]] = f"{name:<2} {here.get(row['key'], '')}"
    for row, shown in zip(ROOM_ROWS, observation["rooms"], strict=True):
        parts = [row["key"][-1].upper(), "HAUNTED" if shown["haunted"] else "o" * shown["ghosts"]]
        if shown["jewel"]:
            numbered = observation["next"] is not None
            parts.append("*" + (str(shown["number"] or "?") if numbered else ""))
        parts.append(here.get(row["key"], ""))
        texts[row["area"][0] - _TOP, row["area"][1]] = " ".join(part for part in parts if part)
    return texts
