"""Looks one move ahead and takes what costs least; what hurts the others is as good as what helps us."""

import frightening
import haunted
import hunting
from sdk import run

WEIGHTS = haunted.Weights(ghost=0.8, hope=0.9, spite=1.0)


def costs_of_haunting(observation):
    return haunted.Table(observation, WEIGHTS).value


def costs_of_frightening(observation):
    gain = frightening.House(observation).gain
    return lambda move: -gain(move)


def costs_of_hunting(observation):
    return hunting.Hunt(observation).cost


COSTS = {
    "dont-go-in-there": costs_of_haunting,
    "haunt-the-house": costs_of_frightening,
    "treasure-hunters": costs_of_hunting,
}
"""By game: from an observation to what each move costs."""


def choose(observation, legal, context):
    cost = COSTS[context.game](observation)
    costs = [(cost(choice["move"]), context.random.random(), choice["id"]) for choice in legal]
    return min(costs)[2]


run(choose)
