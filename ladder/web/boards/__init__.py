"""How the games are drawn: one module a game turns public boards into what a template shows.

A game without a module of its own is shown as the text that a person plays from at a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from engine.core import Game
from ladder.web.boards import dont_go_in_there, plain

Steps = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What the pages ask of a game's module."""

    template: str
    draw: Callable[[Steps, int, int | None], dict[str, Any]]
    """Template context of the board at one step, by the eyes of a seat or of everyone (None)."""
    seat_view: Callable[[Mapping[str, Any], int], dict[str, Any]]
    """What lies before one seat: hand and counters."""
    measure: Callable[[Mapping[str, Any], int], float]
    """The figure of one seat that the chart follows."""
    unit: str
    """What that figure counts; empty where there is none to follow."""
    landmark: str
    """Kind of the events that the chart marks and that the keys jump to; empty where there are none."""
    everyone: str = "everyone"
    """What the view of no seat is called, for it may show more than any of them."""


DRAWINGS: Final[Mapping[str, Drawing]] = MappingProxyType(
    {
        "dont-go-in-there": Drawing(
            template="web/boards/dont_go_in_there.html",
            draw=dont_go_in_there.draw,
            seat_view=dont_go_in_there.seat_view,
            measure=dont_go_in_there.curses,
            unit="curses",
            landmark="haunt",
            everyone="everyone (all cards)",
        )
    }
)
LANDMARKS: Final[Mapping[str, str]] = {"haunt-the-house": "boo", "treasure-hunters": "haunting"}
"""The same for games that nobody draws yet."""


def drawing_of(game: Game) -> Drawing:
    """The module of a game, or its text for games that nobody draws yet."""
    return DRAWINGS.get(game.name) or Drawing(
        template="web/boards/plain.html",
        draw=partial(plain.draw, game),
        seat_view=plain.seat_view,
        measure=plain.measure,
        unit="",
        landmark=LANDMARKS.get(game.name, ""),
    )
