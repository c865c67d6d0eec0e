"""Computes for ever."""

from sdk import run


def attack():
    while True:
        pass


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
