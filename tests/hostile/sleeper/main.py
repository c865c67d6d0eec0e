"""Sleeps before each correct answer."""

import time

from sdk import run


def choose(observation, legal, context):
    time.sleep(0.3)
    return legal[0]["id"]


run(choose)
