"""A match step by step, ready to be shown: board, sentence, seats, log, chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser

from engine.core import Game
from engine.registry import make_game
from ladder.accounts.models import User
from ladder.matches import selectors
from ladder.matches.models import Match, MatchSeat
from ladder.web.boards import Drawing, drawing_of
from ladder.web.drawing import chart

Viewer = User | AnonymousUser

_SHOWN_AT: Final = 0.7
"""Where a replay opens that nobody asked a step of, as on the home page: in the thick of it."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A piece of a sentence: a seat's name with its numeral, or plain text without one."""

    text: str
    numeral: int | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One step in the log; `number` counts from 1, as `?step=` does."""

    number: int
    parts: list[Spoken]
    seat: int | None
    landmark: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat beside the board."""

    seat: MatchSeat
    numeral: int
    on_turn: bool
    view: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One step of a match and the way to the others."""

    game: Game
    drawing: Drawing
    number: int
    total: int
    seat: int | None
    board: dict[str, Any]
    said: LogLine
    log: list[LogLine]
    seats: list[SeatView]
    chart: dict[str, Any]
    ply: int
    placed: str
    """How far the game is, in its own count; empty where it has none."""
    previous_landmark: int
    next_landmark: int

    @property
    def previous(self) -> int:
        return max(1, self.number - 1)

    @property
    def following(self) -> int:
        return min(self.total, self.number + 1)

    @property
    def cursor(self) -> int:
        return self.number - 1


def replay(viewer: Viewer, match: Match, *, step: int | None, seat: int | None) -> Replay:
    """The replay at step `step` (from 1), by the eyes of `seat` (from 0) or of everyone.

    Raises what selectors.steps_of raises.
    """
    steps = selectors.steps_of(viewer, match, seat)
    ladder = match.bundle.season.ladder
    game = make_game(ladder.game, match.seats.count(), ladder.mode, ladder.options)
    drawing = drawing_of(game)
    total = len(steps)
    number = min(max(step or round(_SHOWN_AT * total), 1), total)
    here = steps[number - 1]
    names = [one.name for one in match.seats.all()]
    log = [_log_line(game, drawing, names, at, one["event"]) for at, one in enumerate(steps, 1)]
    marks = [line.number for line in log if line.landmark]
    board = here["board"]
    return Replay(
        game=game,
        drawing=drawing,
        number=number,
        total=total,
        seat=seat,
        board=drawing.draw(steps, number - 1, seat),
        said=log[number - 1],
        log=log,
        seats=[
            SeatView(
                one, one.number + 1, board.get("actor") == one.number, drawing.seat_view(board, one.number)
            )
            for one in match.seats.all()
        ],
        chart=chart(
            [[drawing.measure(one["board"], at) for one in steps] for at in range(len(names))],
            [mark - 1 for mark in marks],
        ),
        ply=here["ply"],
        placed=f"placement {board['placed']} of {board['placements']}" if "placements" in board else "",
        previous_landmark=max((mark for mark in marks if mark < number), default=1),
        next_landmark=min((mark for mark in marks if mark > number), default=total),
    )


def step_of_ply(viewer: Viewer, match: Match) -> dict[int, int]:
    """The first step (from 1) that each decision brought, by its index in the record."""
    first: dict[int, int] = {}
    for number, step in enumerate(selectors.steps_of(viewer, match), 1):
        first.setdefault(step["ply"], number)
    return first


def _log_line(game: Game, drawing: Drawing, names: list[str], number: int, event: dict[str, Any]) -> LogLine:
    return LogLine(
        number=number,
        parts=[
            Spoken(part, None) if isinstance(part, str) else Spoken(names[part], part + 1)
            for part in game.event_parts(event)
        ],
        seat=None if event.get("seat") is None else event["seat"] + 1,
        landmark=event["kind"] == drawing.landmark,
    )
