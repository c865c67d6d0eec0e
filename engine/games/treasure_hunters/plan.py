"""The floor plan as text: walls and doors on a grid of cells, with room for words in each place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.games.treasure_hunters.tables import NUMBER_OF, OUT, PASSAGES, ROOM_ROWS, SQUARE_ROWS

_WIDTH: Final = 7
"""Characters of a cell with its left wall; a cell is one line high, with a line for the wall below it."""
_TOP: Final = min(row["area"][0] for row in ROOM_ROWS)
_ROWS: Final = max(row["at"][0] for row in SQUARE_ROWS) + 1 - _TOP
_COLUMNS: Final = max(row["area"][3] for row in ROOM_ROWS) + 1
_SIGNS: Final = {"plain": ".", "blue": "b", "green": "g", "front": " "}
_SHUT: Final = "#"
_OPEN: Final = "none"

_KIND: Final = {frozenset(NUMBER_OF[key] for key in row["between"]): str(row["door"]) for row in PASSAGES}


def _cells() -> dict[tuple[int, int], int]:
    """The place of each cell, by row and column from the upper left corner."""
    cells = {}
    for row in SQUARE_ROWS:
        cells[row["at"][0] - _TOP, row["at"][1]] = NUMBER_OF[row["key"]]
    for row in ROOM_ROWS:
        top, left, bottom, right = row["area"]
        for down in range(top - _TOP, bottom - _TOP + 1):
            cells.update({(down, across): NUMBER_OF[row["key"]] for across in range(left, right + 1)})
    return cells


_CELLS: Final = _cells()
_FIRST_CELL: Final = {place: cell for cell, place in sorted(_CELLS.items(), reverse=True)}


def _side(down: int, across: int) -> int | None:
    """What has walls here: a room or a square, but neither the outside nor nothing."""
    place = _CELLS.get((down, across))
    return None if place == OUT else place


def _parted(one: int | None, other: int | None) -> bool:
    """Whether there is a wall between."""
    return one != other and (one is None or other is None or _KIND.get(frozenset((one, other))) != _OPEN)


def _sign(line: int, column: int) -> str:
    """Wall, corner or nothing, at a point of the drawing."""
    down, across = line // 2, column // _WIDTH
    if line % 2 and column % _WIDTH:
        return " "
    if line % 2:
        return "|" if _parted(_side(down, across - 1), _side(down, across)) else " "
    if column % _WIDTH:
        return "-" if _parted(_side(down - 1, across), _side(down, across)) else " "
    around = {_side(down - up, across - left) for up in (0, 1) for left in (0, 1)}
    return "+" if len(around) > 1 else " "


def _doors() -> Iterator[tuple[int, int, str]]:
    """Line, column and kind of each door: in the first wall that its two places share."""
    seen = set()
    for (down, across), place in sorted(_CELLS.items()):
        below, right = (_CELLS.get(cell) for cell in ((down + 1, across), (down, across + 1)))
        for other, line, column in (
            (below, 2 * down + 2, _WIDTH * across + _WIDTH // 2),
            (right, 2 * down + 1, _WIDTH * across + _WIDTH),
        ):
            pair = frozenset((place, place if other is None else other))
            if _KIND.get(pair, _OPEN) != _OPEN and pair not in seen:
                seen.add(pair)
                yield line, column, _KIND[pair]


_WALLS: Final = tuple(
    tuple(_sign(line, column) for column in range(_WIDTH * _COLUMNS + 1)) for line in range(2 * _ROWS)
)
DOORS: Final = tuple(_doors())


def floor_plan(locked: str | None, words: Mapping[int, str]) -> list[str]:
    """The house, with the words of each place written into it and the locked doors shut."""
    lines = [list(signs) for signs in _WALLS]
    for line, column, kind in DOORS:
        lines[line][column] = _SHUT if kind == locked else _SIGNS[kind]
    for place, text in words.items():
        down, across = _FIRST_CELL[place]
        line, column = 2 * down + 1, _WIDTH * across + 2
        lines[line][column : column + len(text)] = text
    return ["".join(signs).rstrip() for signs in lines]
