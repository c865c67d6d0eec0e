"""How the games are drawn: one module a game turns public boards and events into what a template shows.

A game without a module of its own is told in words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from ladder.web.boards import dont_go_in_there, plain
from ladder.web.boards.parts import Part

Steps = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the pages ask of a game's module."""

    template: str
    draw: Callable[[Steps, int, int | None], dict[str, Any]]
    """Template context of the board at one step, by the eyes of a seat or of everyone (None)."""
    tell: Callable[[Mapping[str, Any]], tuple[Part, ...]]
    """One event as a sentence."""
    seat_view: Callable[[Mapping[str, Any], int], dict[str, Any]]
    """What lies before one seat: hand and counters."""
    measure: Callable[[Mapping[str, Any], int], float]
    """The figure of one seat that the chart follows."""
    unit: str
    """What that figure counts."""
    landmark: str
    """Kind of the events that the chart marks and that the keys jump to."""


DRAWINGS: Final[Mapping[str, Drawing]] = MappingProxyType(
    {
        "dont-go-in-there": Drawing(
            template="web/boards/dont_go_in_there.html",
            draw=dont_go_in_there.draw,
            tell=dont_go_in_there.tell,
            seat_view=dont_go_in_there.seat_view,
            measure=dont_go_in_there.curses,
            unit="curses",
            landmark="haunt",
        )
    }
)
PLAIN: Final = Drawing(
    template="web/boards/plain.html",
    draw=plain.draw,
    tell=plain.tell,
    seat_view=plain.seat_view,
    measure=plain.measure,
    unit="",
    landmark="",
)


def drawing_of(game: str) -> Drawing:
    """The module of a game, or the one for games that nobody draws."""
    return DRAWINGS.get(game, PLAIN)
