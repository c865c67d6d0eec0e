"""Lets a row of short-lived children compute, and ignores their end."""

import os
import signal
import time

from sdk import run


def attack():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if os.fork() == 0:
            until = time.process_time() + 0.2
            while time.process_time() < until:
                pass
            os._exit(0)
        time.sleep(0.2)


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
