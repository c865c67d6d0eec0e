"""Opens pipes until it may not, then plays on."""

import os
import sys

from sdk import run


def attack():
    opened = 0
    try:
        while opened < 100_000:
            os.pipe()
            opened += 2
    except OSError:
        pass
    sys.stderr.write("contained files\n" if opened < 1_000 else f"ESCAPED files: {opened}\n")


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
