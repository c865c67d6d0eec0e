"""Sends signals to everything that it can name."""

import os
import signal
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
    parent = os.getppid()
    tried(
        "parent",
        lambda: (os.kill(parent, signal.SIGKILL), os.kill(parent, signal.SIGSTOP), os.kill(parent, 0), 1 / 0),
    )
    for pid in range(2, 2000):
        if pid != os.getpid():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
            sys.stderr.write(f"ESCAPED killed {pid}\n")
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        pass


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
