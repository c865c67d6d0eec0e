"""What a search knows of a game beside its rules. Here: nothing, which does for every game.

A game with a file of its own here (`dont_go_in_there.py`) has a class `Sense` there that knows more.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence

from engine.core import Action, Game, State


class Sense:
    """How to play on quickly from a position, and what it is worth when there is no time to play it out."""

    depth = 10_000
    """Decisions to play on before a position is judged."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def candidates(self, deals: Sequence[State], legal: Sequence[Action]) -> Sequence[Action]:
        """Moves worth looking at, the likeliest first; `deals` are positions that may be the true one."""
        usual = self.game.default_move(deals[0])
        return [usual, *[action for action in legal if action != usual]]

    def lean(self, state: State, seat: int, rng: random.Random) -> None:
        """Change what was dealt at random towards what is likely, seeing how people play."""

    def play(self, state: State, legal: Sequence[Action], rng: random.Random) -> Action:
        """A quick move of whoever is to decide."""
        return legal[int(rng.random() * len(legal))]

    def quiet(self, state: State) -> bool:
        """Whether the position can be judged, being at no moment of great change."""
        return True

    def scores(self, state: State) -> Sequence[float]:
        """What each seat is expected to score; exact where the match is over."""
        return state.scores()


def sense_of(game: Game) -> Sense:
    """The sense for a game: its own where there is one."""
    try:
        module = importlib.import_module(game.name.replace("-", "_"))
    except ModuleNotFoundError:
        return Sense(game)
    own: Sense = module.Sense(game)
    return own
