"""Which move leaves the team best off: all moves at a glance, then the best ones a turn further.

All seats run this program and see the same table, so the next hunter is expected to move as this one would.
At a glance a move is worth the mean over its fight and the number it may turn up. Then the few best moves
are played on through the next hunter's die and card, all with the same luck, up to that hunter's best answer;
the worse half drops out as the tries go on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from worth import Worth

from engine.core import CHANCE, OVER
from engine.games.treasure_hunters.tables import DIE_FACES, ROLL, TAKE, THROUGH, WON

PACE = 0.994
"""What a win is still worth a turn later; without it nobody would be in a hurry."""
WIDTH = 6
"""Moves looked at further, at most..."""
MARGIN = 0.06
"""... and how far behind the best at a glance they may be."""
HALVED = frozenset((6, 18, 36))
"""Numbers of tries after which the worse half drops out."""
TRIES = 60


class Planner:
    """Plays for any seat of one match."""

    def __init__(self, game: Any) -> None:
        self.game = game
        plain = all(game.options[option] == "off" for option in ("door_cards", "draw_cards", "number_order"))
        self.worth = Worth(game, Path(__file__).with_name("basic.bin" if plain else "advanced.bin"))

    def choose(
        self,
        state: Any,
        legal: Sequence[int],
        luck: random.Random,
        more: Callable[[], bool] = lambda: False,
    ) -> int:
        """The best of the legal moves; `more` says whether there is time to look further."""
        glances = sorted(((self.glance(state.child(action)), action) for action in legal), reverse=True)
        best = glances[0][0]
        left = [action for value, action in glances[:WIDTH] if value > best - MARGIN]
        totals = dict.fromkeys(left, 0.0)
        for tries in range(TRIES):
            if tries in HALVED:
                left = sorted(left, key=totals.__getitem__, reverse=True)[: (len(left) + 1) // 2]
            if len(left) == 1:
                break
            face, seed, values = 1 + tries % DIE_FACES, luck.random(), []
            for action in left:
                if not more():
                    return max(left, key=totals.__getitem__)
                values.append(self.further(state.child(action), face, seed))
            for action, value in zip(left, values, strict=True):
                totals[action] += value
        return max(left, key=totals.__getitem__)

    def glance(self, state: Any) -> float:
        """Worth of a position somewhere in a turn, exact up to the end of it."""
        if state.phase == ROLL:
            return PACE * self.worth(state)
        if state.acting == OVER:
            return float(state.ended == WON)
        if state.acting == CHANCE:
            outcomes, weights = state.legal_actions(), state.chance_weights()
            values = [self.glance(state.child(outcome)) for outcome in outcomes]
            return sum(map(float.__mul__, values, map(float, weights))) / sum(weights)
        return max(self.glance(state.child(action)) for action in self.answers(state))

    def answers(self, state: Any) -> list[int]:
        """Moves worth a glance within a glance: who has just seen a number walks through no further room."""
        legal: list[int] = state.legal_actions()
        return [action for action in legal if not THROUGH <= action < TAKE]

    def further(self, state: Any, face: int, seed: float) -> float:
        """Worth of a position by the next hunter's best answer to this face of the die and this luck."""
        fights, cards = random.Random(seed), random.Random(-1 - seed)
        rolled = False
        while True:
            if state.acting == OVER:
                return float(state.ended == WON)
            if state.phase == ROLL:
                if rolled:
                    return PACE * PACE * self.worth(state)
                rolled = True
                state.apply(face)
            elif state.acting == CHANCE:
                state.apply(state.draw_chance(cards if rolled else fights))
            else:
                value, action = max(
                    (self.glance(state.child(action)), action) for action in self.answers(state)
                )
                if rolled:
                    return PACE * value
                state.apply(action)
