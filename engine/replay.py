"""A record played out again step by step, for those who draw it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Event, Json
from engine.record import Record, game_of


@dataclass(frozen=True, slots=True)
class Step:
    """One event, the ply that brought it, and the board as an onlooker sees it after that ply."""

    event: Event
    ply: int
    board: dict[str, Json]


def expand(record: Record) -> list[Step]:
    """All steps of a match in order. Steps of one ply share one board.

    Raises RecordError for another game or rules version, IllegalMoveError for a move that cannot be.
    """
    game = game_of(record)
    state = game.initial_state()
    steps: list[Step] = []
    for ply, action in enumerate(record.actions):
        events: list[Event] = []
        game.play(state, action, events.append)
        if events:
            board = state.observe(None)
            steps.extend(Step(event, ply, board) for event in events)
    return steps
