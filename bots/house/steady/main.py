"""Greedy with another weighting: trusts in few promises, and minds its own business more."""

from haunted import Table, Weights
from sdk import run

WEIGHTS = Weights(ghost=1.0, hope=0.3, spite=0.5)


def choose(observation, legal, context):
    table = Table(observation, WEIGHTS)
    costs = [(table.value(choice["move"]), context.random.random(), choice["id"]) for choice in legal]
    return min(costs)[2]


run(choose)
