"""A team of one mind: every seat plans for all hunters, so that none has to be told what the others do."""

import random
import time

from planning import Planner
from sdk import run

from engine.registry import make_game

KEPT = 0.15
"""Part of the first bank that is never planned for: a machine may be slow at times."""
SHARE = 1 / 40
"""Part of the rest that one answer may cost, beside..."""
INCREMENT = 0.7
"""... this part of the increment."""
WARM_UP_S = 1.0
"""CPU time for practice before the first question, which no clock counts."""

table = {}


def start(context):
    game = make_game(context.game, context.seats, context.mode, context.options)
    table["game"], table["planner"] = game, Planner(game)
    practise(game, table["planner"])


def practise(game, planner):
    """Play with oneself at a glance: what is judged once is remembered."""
    luck, began = random.Random(0), time.process_time()
    state = game.initial_state()
    while time.process_time() - began < WARM_UP_S:
        if state.actor() >= 0:
            state.apply(planner.choose(state, state.legal_actions(), luck))
        elif state.legal_actions():
            state.apply(state.draw_chance(luck))
        else:
            state = game.initial_state()


def allowance(context):
    """Seconds that this answer may cost."""
    bank, whole = context.bank_ms / 1000, context.clock["bank_ms"] / 1000
    increment = context.clock["increment_ms"] / 1000
    spare = max(0.0, bank - increment - KEPT * whole)
    return min(INCREMENT * increment + SHARE * spare, bank / 3)


def choose(observation, legal, context):
    began = time.process_time()
    ids = [choice["id"] for choice in legal]
    if len(ids) == 1:
        return ids[0]
    seconds = allowance(context)
    state = table["game"].sample(observation, context.seat, context.random)
    return table["planner"].choose(state, ids, context.random, lambda: time.process_time() - began < seconds)


run(choose, start=start)
