"""Times a fixed piece of work at each turn: how long it takes tells what else the cores have to do."""

import time

from attacker import answer, log, questions

WORK = 120_000

for turn, choice, _ in questions():
    began = time.monotonic()
    number = 0
    for _ in range(WORK):
        number += 1
    log(f"heard {began:.6f} {time.monotonic() - began:.6f}")
    answer(turn, choice)
