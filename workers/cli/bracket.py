"""A bracket drawn in the terminal: a column for each round, a box for each table, lines to where places lead.

Two sides are drawn one below the other. A side with more rounds than the terminal is wide is drawn in parts.
Where lines would cross (tables of three and more that mix their guests), the box's edge names the next table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

from rich.cells import cell_len, set_cell_size

from workers.stderr import printable

_Node: TypeAlias = Mapping[str, Any]

_TITLES: Final = {"W": "Winners' side", "L": "Losers' side", "F": "Final"}
_LEAST: Final = 13
"""Columns of the terminal for a round: a box whose names are cut, and the lines to the next."""
_MOST: Final = 36
_GUTTER: Final = 3
_WITH_POINTS: Final = 15
"""From so wide a box on there is room for points beside the names."""
_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_LINES: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A cell's character by the sides on which a line leaves it."""


@dataclass(slots=True)
class _Box:
    """A table on the canvas."""

    node: _Node
    column: int
    top: int = 0

    @property
    def height(self) -> int:
        return len(self.node["slots"]) + 2

    @property
    def middle(self) -> int:
        return self.top + self.height // 2


def draw(bracket: Mapping[str, Any], width: int) -> list[str]:
    """Lines of at most `width` columns. Formats in rounds, and groups, are lists of their tables."""
    sides: dict[str, list[_Node]] = defaultdict(list)
    for node in bracket["nodes"]:
        sides[node["side"]].append(node)
    lines: list[str] = []
    is_double, has_groups = "L" in sides, any(side.startswith("G") for side in sides)
    for side in sorted(sides, key=lambda one: ("RWLF".find(one), one)):
        nodes = sides[side]
        title = f"Group {side[1:]}" if side.startswith("G") else _TITLES.get(side, "")
        if side == "W" and not is_double:
            title = "Knock-out" if has_groups else ""
        if title:
            lines += [title, ""]
        lines += _list(nodes, width) if side == "R" or side.startswith("G") else _side(nodes, width)
        lines.append("")
    return lines[:-1]


def _list(nodes: Sequence[_Node], width: int) -> list[str]:
    """Tables that lead nowhere: a line each, by rounds."""
    lines = []
    for number in sorted({node["round"] for node in nodes}):
        lines.append(f"Round {number}")
        for node in sorted((one for one in nodes if one["round"] == number), key=lambda one: one["number"]):
            guests = "  ".join(_guest(node, slot, with_points=True).strip() for slot in node["slots"])
            lines.append(_fit(f"  {node['key']:<7} {guests}", width).rstrip())
    return lines


def _side(nodes: Sequence[_Node], width: int) -> list[str]:
    """One side of a bracket, in as many parts as its rounds need."""
    rounds = sorted({node["round"] for node in nodes})
    at_once = max(1, (width + _GUTTER) // _LEAST)
    lines: list[str] = []
    for start in range(0, len(rounds), at_once):
        part = rounds[start : start + at_once]
        if lines:
            lines.append("")
        lines += _part([node for node in nodes if node["round"] in part], part, width)
    return lines


def _part(nodes: Sequence[_Node], rounds: Sequence[int], width: int) -> list[str]:
    boxes = {node["key"]: _Box(node, rounds.index(node["round"])) for node in nodes}
    feeders = _feeders(boxes)
    _place(boxes, feeders)
    step = min(_MOST, (width + _GUTTER) // len(rounds))
    canvas = _Canvas(step * len(rounds), max(box.top + box.height for box in boxes.values()))
    drawn: set[tuple[str, str]] = set()
    for column in range(1, len(rounds)):
        drawn |= _connect(canvas, boxes, feeders, column, step)
    for box in boxes.values():
        _draw_box(canvas, box, step, drawn)
    heads = []
    for number in rounds:
        key = next(node["key"] for node in nodes if node["round"] == number).split(".")[0]
        heads.append(_fit(f"{key}, round {number}" if step > 2 * len(key) + 10 else key, step))
    return ["".join(heads).rstrip(), *canvas.lines()]


def _feeders(boxes: Mapping[str, _Box]) -> dict[str, list[str]]:
    """By table: the tables of this part from which its guests come, as they sit."""
    found: dict[str, list[str]] = {key: [] for key in boxes}
    for key, box in boxes.items():
        for to in box.node["goes_to"]:
            if to in found and key not in found[to]:
                found[to].append(key)
    return {key: sorted(own, key=lambda one: boxes[one].node["number"]) for key, own in found.items()}


def _place(boxes: Mapping[str, _Box], feeders: Mapping[str, Sequence[str]]) -> None:
    """Tables from the last one backwards, so that those that lead to one table stand beside each other."""
    ends: dict[int, int] = defaultdict(int)
    floor = 0
    seen: set[str] = set()

    def put(key: str) -> None:
        nonlocal floor
        if key in seen:
            return
        seen.add(key)
        for feeder in feeders[key]:
            put(feeder)
        box = boxes[key]
        own = [boxes[feeder] for feeder in feeders[key]]
        wanted = floor
        if own:
            wanted = (own[0].middle + own[-1].middle) // 2 - box.height // 2
        box.top = max(wanted, ends[box.column])
        ends[box.column] = box.top + box.height
        floor = max(floor, ends[box.column])

    for key in sorted(boxes, key=lambda one: (-boxes[one].column, boxes[one].node["number"])):
        put(key)


def _connect(
    canvas: _Canvas, boxes: Mapping[str, _Box], feeders: Mapping[str, Sequence[str]], column: int, step: int
) -> set[tuple[str, str]]:
    """Lines between a column and the one before, unless they would cross; which ways were drawn."""
    ways = {
        key: [one for one in feeders[key] if boxes[one].column == column - 1]
        for key, box in boxes.items()
        if box.column == column
    }
    spans = sorted(
        (min(rows), max(rows))
        for key, own in ways.items()
        if (rows := [boxes[key].middle, *(boxes[one].middle for one in own)]) and own
    )
    if any(later[0] <= earlier[1] for earlier, later in pairwise(spans)):
        return set()
    left = column * step - _GUTTER
    for key, own in ways.items():
        for feeder in own:
            canvas.line(left, boxes[feeder].middle, boxes[key].middle)
    return {(feeder, key) for key, own in ways.items() for feeder in own}


def _draw_box(canvas: _Canvas, box: _Box, step: int, drawn: set[tuple[str, str]]) -> None:
    inner = step - _GUTTER - 2
    left = box.column * step
    node = box.node
    key = node["key"]
    ways = list(dict.fromkeys(to for to in node["goes_to"] if to and (key, to) not in drawn))
    canvas.text(left, box.top, f"┌{_edge(key, inner)}┐")
    for row, slot in enumerate(node["slots"], 1):
        guest = _guest(node, slot, with_points=inner >= _WITH_POINTS, width=inner)
        canvas.text(left, box.top + row, f"│{guest}│")
    bottom = _edge("→" + ",".join(ways) if ways else "", inner)
    canvas.text(left, box.top + box.height - 1, f"└{bottom}┘")


def _edge(text: str, width: int) -> str:
    return _fit(text, width).rstrip().ljust(width, "─") if text else "─" * width


def _guest(node: _Node, slot: Mapping[str, Any], *, with_points: bool, width: int | None = None) -> str:
    """One slot: whether it goes on, its seeding where it comes from there, its name, its points."""
    decided = node["status"] == "decided"
    on = decided and slot["place"] is not None and slot["place"] <= (node["advance"] or 1)
    mark = "✗" if slot["is_forfeit"] else "✓" if on and not slot["is_forfeit"] else " "
    source = slot["comes_from"] or {}
    seeding = f"{source['seeding']} " if source.get("seeding") else ""
    if slot["name"] is not None:
        name = printable(slot["name"])
    elif decided or not source:
        name = "nobody"
    else:
        name = f"{source['place']}. of {source['table']}" if source.get("table") else ""
        if width is not None and len(name) >= width:
            name = name.replace(" of ", "")
    points = (
        f" {slot['points']:.2f}".rstrip("0").rstrip(".")
        if with_points and decided and slot["points"] is not None
        else ""
    )
    text = f"{mark}{seeding}{name}"
    return f"{text}{points}" if width is None else _fit(text, width - cell_len(points)) + points


def _fit(text: str, width: int) -> str:
    """Exactly so wide: filled up, or cut with a sign that it was."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"


class _Canvas:
    """Characters by row and column; lines are joined where they meet."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[" "] * width for _ in range(height)]
        self._ways = [[0] * width for _ in range(height)]

    def text(self, left: int, row: int, text: str) -> None:
        """Write from a cell on; a wide character takes two."""
        for char in text:
            size = cell_len(char)
            if size == 0:  # it stands on the one before
                self._cells[row][left - 1] += char
                continue
            self._cells[row][left] = char
            if size == 2:
                self._cells[row][left + 1] = ""
            left += size

    def line(self, left: int, start: int, end: int) -> None:
        """From a box's edge over the gutter into another."""
        self._ways[start][left] |= _EAST | _WEST
        self._ways[end][left + 2] |= _EAST | _WEST
        self._ways[start][left + 1] |= _WEST
        self._ways[end][left + 1] |= _EAST
        low, high = min(start, end), max(start, end)
        for row in range(low, high):
            self._ways[row][left + 1] |= _SOUTH
            self._ways[row + 1][left + 1] |= _NORTH

    def lines(self) -> Iterable[str]:
        for cells, ways in zip(self._cells, self._ways, strict=True):
            yield "".join(
                _LINES[way] if way and cell == " " else cell for cell, way in zip(cells, ways, strict=True)
            ).rstrip()
