"""Where the tables of a bracket stand in its picture: rounds in columns, the losers' side below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ladder.tournaments.board import RoundView, TableView
from ladder.tournaments.formats.brackets import FINAL, LOSERS, WINNERS

ROW: Final = 20.0
"""Height of a chair; all lengths are in the units of the picture, about a pixel."""
WIDTH: Final = 236.0
GAP_X: Final = 48.0
GAP_Y: Final = 14.0
SIDES_APART: Final = 64.0


@dataclass(slots=True)
class Layout:
    """Tables with the corner of each, headings, and the size of it all."""

    tables: dict[str, TableView] = field(default_factory=dict)
    """By key."""
    at: dict[str, tuple[float, float]] = field(default_factory=dict)
    titles: list[tuple[float, float, str]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def joins(self, table: TableView, target: str, place: int) -> bool:
        """Whether a line is drawn: not for those who fall to the other side."""
        other = self.tables.get(target)
        if other is None:
            return False
        if other.side == FINAL:
            return place == 1 or table.side == FINAL
        return table.side == other.side and place <= (table.advance or 1)

    def row_of(self, target: str, key: str, place: int) -> float:
        """The chair at which somebody from a place arrives."""
        table = self.tables[target]
        for row, chair in enumerate(table.chairs):
            source = chair.comes_from
            if source is not None and (source.table, source.place) == (key, place):
                return row
        return (len(table.chairs) - 1) / 2


def lay_out(rounds: Sequence[RoundView]) -> Layout:
    """Place every table of a bracket; tables of groups and of rounds are no part of its picture."""
    layout = Layout()
    titles = {table.key: one.title for one in rounds for table in one.tables}
    bracket = [t for one in rounds for t in one.tables if t.side in (WINNERS, LOSERS, FINAL)]
    upper = [table for table in bracket if table.side != LOSERS]
    lower = [table for table in bracket if table.side == LOSERS]
    bottom = _place(layout, upper, titles, top=0.0, finals_from=len({table.round for table in lower}))
    if lower:
        bottom = _place(layout, lower, titles, top=bottom + SIDES_APART)
    layout.tables = {table.key: table for table in bracket}
    layout.height = bottom
    layout.width = max((x + WIDTH for x, _ in layout.at.values()), default=WIDTH)
    return layout


def _place(
    layout: Layout,
    tables: Sequence[TableView],
    titles: dict[str, str],
    *,
    top: float,
    finals_from: int = 0,
) -> float:
    """One side: each table in the middle of those that lead to it. Gives its lowest edge.

    The final of both sides stands right of both: in no column before `finals_from`.
    """
    columns: dict[int, int] = {}
    for number, side in sorted({(table.round, table.side) for table in tables}):
        column = max(columns.values(), default=-1) + 1
        columns[number] = max(column, finals_from) if side == FINAL else column
    by_key = {table.key: table for table in tables}
    leading: dict[str, list[TableView]] = defaultdict(list)
    led: set[str] = set()
    for table in tables:
        target = next((key for key in table.goes_to if key in by_key), None)
        if target is not None and table.key not in led:
            leading[target].append(table)
            led.add(table.key)
    cursor = top

    def stand(table: TableView) -> float:
        """Place a table below what stands already; its middle."""
        nonlocal cursor
        middles = [stand(one) for one in sorted(leading[table.key], key=lambda one: _arrival(table, one))]
        height = ROW * len(table.chairs)
        middle = (middles[0] + middles[-1]) / 2 if middles else cursor + height / 2
        middle = max(middle, top + height / 2)
        layout.at[table.key] = (columns[table.round] * (WIDTH + GAP_X), middle - height / 2)
        cursor = max(cursor, middle + height / 2 + GAP_Y)
        return middle

    for root in [table for table in tables if table.key not in led]:
        stand(root)
    _part(layout, tables)
    for number, place in columns.items():
        first = next(table for table in tables if table.round == number)
        layout.titles.append((place * (WIDTH + GAP_X), top - 12, titles[first.key]))
    return max((layout.at[table.key][1] + ROW * len(table.chairs) for table in tables), default=top)


def _arrival(table: TableView, guest: TableView) -> int:
    """At which chair somebody from another table arrives."""
    rows = [
        row
        for row, chair in enumerate(table.chairs)
        if chair.comes_from is not None and chair.comes_from.table == guest.key
    ]
    return min(rows, default=len(table.chairs))


def _part(layout: Layout, tables: Sequence[TableView]) -> None:
    """Move tables of one column down where they would lie on each other."""
    columns: dict[float, list[TableView]] = defaultdict(list)
    for table in tables:
        columns[layout.at[table.key][0]].append(table)
    for column in columns.values():
        free = float("-inf")
        for table in sorted(column, key=lambda one: layout.at[one.key][1]):
            x, y = layout.at[table.key]
            y = max(y, free)
            layout.at[table.key] = (x, y)
            free = y + ROW * len(table.chairs) + GAP_Y
