"""Starts threads until it may not, then plays on."""

import sys
import threading

from sdk import run


def attack():
    started = 0
    try:
        while started < 10_000:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    sys.stderr.write("contained threads\n" if started < 100 else f"ESCAPED threads: {started}\n")


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
