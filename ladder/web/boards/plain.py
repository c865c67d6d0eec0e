"""A game that nobody draws yet: its board as the text that a person plays from at a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import Game


def draw(game: Game, steps: Sequence[Mapping[str, Any]], index: int, _seat: int | None) -> dict[str, Any]:
    return {"text": game.board_text(steps[index]["board"])}


def seat_view(_board: Mapping[str, Any], _seat: int) -> dict[str, Any]:
    return {}


def measure(_board: Mapping[str, Any], _seat: int) -> float:
    return 0.0
