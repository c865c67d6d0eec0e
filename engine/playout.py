"""Random play to the end, as tests, bench and search bots run it."""

from __future__ import annotations

import random

from engine.core import CHANCE, OVER, Game, State


def random_playout(game: Game, rng: random.Random) -> tuple[int, int]:
    """Play one match at random; how many decisions of seats it took, and how many chance steps."""
    return play_on(game.initial_state(), rng)


def play_on(state: State, rng: random.Random) -> tuple[int, int]:
    """Play `state` itself at random until it is over; decisions and chance steps taken."""
    decisions = chance_steps = 0
    uniform = rng.random
    actor, apply = state.actor, state.apply
    legal_actions, draw_chance = state.legal_actions, state.draw_chance
    while (seat := actor()) != OVER:
        if seat == CHANCE:
            apply(draw_chance(rng))
            chance_steps += 1
        else:
            legal = legal_actions()
            apply(legal[int(uniform() * len(legal))])
            decisions += 1
    return decisions, chance_steps
