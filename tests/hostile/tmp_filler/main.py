"""Fills /tmp and /dev/shm, then plays on."""

import sys

from sdk import run


def attack():
    for place, limit in (("/tmp", 40), ("/dev/shm", 2)):
        written = 0
        try:
            for number in range(200):
                with open(f"{place}/{number}", "wb", buffering=0) as file:
                    written += file.write(bytes(1 << 20))
        except OSError:
            pass
        word = "contained" if written < limit << 20 else "ESCAPED"
        sys.stderr.write(f"{word} {place}: {written}\n")


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
