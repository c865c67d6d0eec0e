"""Writes one file larger than a file may be."""

import signal
import sys

from sdk import run


def attack():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    try:
        with open("/tmp/one", "wb", buffering=0) as file:
            while written < 64 << 20:
                written += file.write(bytes(1 << 20))
    except OSError:
        pass
    sys.stderr.write("contained file\n" if written <= 16 << 20 else f"ESCAPED file: {written}\n")


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
