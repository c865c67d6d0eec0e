"""Plays any legal move, each alike. The floor of every ladder."""

from sdk import run


def choose(observation, legal, context):
    return context.random.choice(legal)["id"]


run(choose)
