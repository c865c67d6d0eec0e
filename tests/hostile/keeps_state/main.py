"""Looks for what it left in the match before."""

import os
import sys

from sdk import run


def tried(name, act):
    """Whether something that must not work worked."""
    try:
        result = act()
    except Exception as error:
        sys.stderr.write(f"contained {name}: {error}\n")
    else:
        sys.stderr.write(f"ESCAPED {name}: {result!r:.200}\n")


def attack():
    tried("state", lambda: open("/tmp/state").read())
    tried("shared memory", lambda: open("/dev/shm/state").read())
    with open("/tmp/state", "w") as file:
        file.write("remember")


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
