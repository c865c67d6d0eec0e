"""The bracket as SVG, drawn on the server: for two seats and for pods, on a page or as a file.

Every shape carries its colours as attributes, so that a file needs no style sheet, and a class, by which a
page's own style sheet overrides them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import font_source_sans_pro
import resvg_py

from ladder.tournaments.board import Chair, RoundView, TableView, where_from
from ladder.tournaments.layout import GAP_X, ROW, WIDTH, Layout, lay_out

_FONTS: Final = Path(font_source_sans_pro.__file__).parent / "files"
_NAME_CHARACTERS: Final = 25
_MARGIN: Final = 14
_HEAD: Final = 26
_MOST_PIXELS: Final = 16_000_000
"""Of a PNG: a second of work, and 64 MB. The SVG of a larger bracket can be enlarged at will."""

Address = Callable[[TableView], str | None]
"""Where a click on a table leads."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a file; a page has tokens instead."""

    background: str
    surface: str
    line: str
    edge: str
    text: str
    muted: str
    lamp: str
    flame: str


PALETTES: Final[Mapping[str, Palette]] = {
    "light": Palette("#f6f2e9", "#fffdf8", "#d9d1bf", "#7a705b", "#1f1b27", "#5c5666", "#8a5200", "#b06500"),
    "dark": Palette("#12121a", "#1a1a25", "#343446", "#7f7f9a", "#ece8df", "#aaa7b6", "#f2b950", "#f2b950"),
}


def draw(
    rounds: Sequence[RoundView],
    *,
    title: str,
    theme: str = "light",
    address: Address = lambda _: None,
    own: Collection[int] = (),
    background: bool = True,
) -> str:
    """A bracket as SVG. `own` are ids of entries whose names and ways are lit; KeyError for a theme."""
    return _Drawing(lay_out(rounds), PALETTES[theme], address, frozenset(own)).svg(title, background)


def png(svg: str) -> bytes:
    """The same picture for a chat, which shows no SVG: twice as large while that is not too large, in a font
    of our own."""
    root = ET.fromstring(svg)  # noqa: S314 - drawn above
    pixels = float(root.get("width", "1")) * float(root.get("height", "1"))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=min(2.0, sqrt(_MOST_PIXELS / pixels)),
            font_dirs=[str(_FONTS)],
            sans_serif_family="Source Sans Pro",
        )
    )


class _Drawing:
    def __init__(self, layout: Layout, palette: Palette, address: Address, own: frozenset[int]) -> None:
        self._layout, self._palette = layout, palette
        self._address, self._own = address, own

    def svg(self, title: str, background: bool) -> str:
        width, height = self._layout.width + 2 * _MARGIN, self._layout.height + _HEAD + 2 * _MARGIN
        root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "class": "bracket",
                "width": f"{width:g}",
                "height": f"{height:g}",
                "viewBox": f"{-_MARGIN} {-_MARGIN - _HEAD} {width:g} {height:g}",
                "font-family": "Source Sans Pro, system-ui, sans-serif",
                "font-size": "14",
                "role": "group",
                "aria-label": title,
            },
        )
        ET.SubElement(root, "title").text = title
        if background:
            box = {
                "x": str(-_MARGIN),
                "y": str(-_MARGIN - _HEAD),
                "width": f"{width:g}",
                "height": f"{height:g}",
            }
            ET.SubElement(root, "rect", {**box, "fill": self._palette.background})
        for x, y, text in self._layout.titles:
            self._text(root, "rd", x, y, text, fill=self._palette.muted, **{"font-weight": "600"})
        for table in self._layout.tables.values():
            self._edges(root, table)
        for table in self._layout.tables.values():
            self._table(root, table)
        return ET.tostring(root, encoding="unicode")

    def _edges(self, root: ET.Element, table: TableView) -> None:
        """A line from each place to where it goes on to, in the same half of the picture."""
        x, y = self._layout.at[table.key]
        for place, target in enumerate(table.goes_to, 1):
            if target is None or not self._layout.joins(table, target, place):
                continue
            to_x, to_y = self._layout.at[target]
            row = self._layout.row_of(target, table.key, place)
            start = (x + WIDTH, y + ROW * (self._row_leaving(table, place) + 0.5))
            end = (to_x, to_y + ROW * (row + 0.5))
            lit = self._goes_there(table, place)
            stroke = (
                {"stroke": self._palette.flame, "stroke-width": "2.5"}
                if lit
                else {"stroke": self._palette.line, "stroke-width": "1.6"}
            )
            path = {"class": "edge lit" if lit else "edge", "d": _bend(start, end), "fill": "none"}
            ET.SubElement(root, "path", {**path, **stroke})

    def _row_leaving(self, table: TableView, place: int) -> float:
        """The row of whoever has that place; the middle while nobody has."""
        for row, chair in enumerate(table.chairs):
            if chair.place == place:
                return row
        return (len(table.chairs) - 1) / 2

    def _goes_there(self, table: TableView, place: int) -> bool:
        return any(
            chair.place == place and chair.entry is not None and chair.entry.pk in self._own
            for chair in table.chairs
        )

    def _table(self, root: ET.Element, table: TableView) -> None:
        x, y = self._layout.at[table.key]
        parent = ET.SubElement(
            root, "g", {"class": f"pod {table.status}", "transform": f"translate({x:g} {y:g})"}
        )
        ET.SubElement(parent, "title").text = f"{table.key}: {table.status}"
        if (link := self._address(table)) is not None:
            parent = ET.SubElement(parent, "a", {"href": link})
        height = ROW * len(table.chairs)
        box = {"class": "box", "width": f"{WIDTH:g}", "height": f"{height:g}", "rx": "7"}
        ET.SubElement(parent, "rect", {**box, **self._box_colours(table)})
        for row, chair in enumerate(table.chairs):
            if row:
                line = {"x1": "0", "x2": f"{WIDTH:g}", "y1": f"{row * ROW:g}", "y2": f"{row * ROW:g}"}
                ET.SubElement(parent, "line", {"class": "sep", **line, "stroke": self._palette.line})
            self._chair(parent, table, chair, row)

    def _box_colours(self, table: TableView) -> dict[str, str]:
        palette = self._palette
        if table.status == "playing":
            return {"fill": palette.surface, "stroke": palette.flame, "stroke-width": "2.5"}
        if table.status == "decided":
            return {"fill": palette.surface, "stroke": palette.line}
        return {"fill": "none", "stroke": palette.edge, "stroke-dasharray": "5 4"}

    def _chair(self, parent: ET.Element, table: TableView, chair: Chair, row: int) -> None:
        palette = self._palette
        base = row * ROW + ROW * 0.72
        went_on = chair.place is not None and chair.place <= (table.advance or 1) and not chair.is_forfeit
        if went_on:
            bar = {"x": "0", "y": f"{row * ROW + 3:g}", "width": "4", "height": f"{ROW - 6:g}", "rx": "2"}
            ET.SubElement(parent, "rect", {"class": "win", **bar, "fill": palette.flame})
        if chair.entry is None:
            style = {"fill": palette.muted, "font-style": "italic"}
            self._text(parent, "wait", 32, base, where_from(chair.comes_from), **style)
            return
        own = chair.entry.pk in self._own
        kind = "me" if own else "w" if went_on else "o" if table.status == "decided" else ""
        colour = palette.lamp if own else palette.muted if kind == "o" else palette.text
        weight = {"font-weight": "700"} if went_on else {}
        seeding = {"fill": palette.muted, "font-size": "11", "text-anchor": "end"}
        self._text(parent, "sd", 25, base, str(chair.entry.seeding or ""), **seeding)
        name = _cut(chair.entry.bot.name)
        if chair.is_forfeit:
            weight["text-decoration"] = "line-through"
        self._text(parent, f"nm {kind}".strip(), 32, base, name, fill=colour, **weight)
        if chair.points is not None:
            points = {"fill": colour, "text-anchor": "end", "font-weight": "600"}
            self._text(parent, f"pt {kind}".strip(), WIDTH - 9, base, _points(chair), **points)

    def _text(self, parent: ET.Element, kind: str, x: float, y: float, text: str, **style: str) -> None:
        ET.SubElement(parent, "text", {"class": kind, "x": f"{x:g}", "y": f"{y:g}", **style}).text = text


def _points(chair: Chair) -> str:
    return "forfeit" if chair.is_forfeit else f"{100 * (chair.points or 0.0):.0f}"


def _cut(name: str) -> str:
    return name if len(name) <= _NAME_CHARACTERS else name[: _NAME_CHARACTERS - 1] + "…"


def _bend(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Right, down or up, right, with rounded corners."""
    middle = end[0] - GAP_X / 2
    drop = end[1] - start[1]
    if abs(drop) < 1:
        return f"M{start[0]:g} {start[1]:g}H{end[0]:g}"
    r = min(8.0, abs(drop) / 2)
    turn = r if drop > 0 else -r
    return (
        f"M{start[0]:g} {start[1]:g}H{middle - r:g}q{r:g} 0 {r:g} {turn:g}"
        f"V{end[1] - turn:g}q0 {turn:g} {r:g} {turn:g}H{end[0]:g}"
    )
