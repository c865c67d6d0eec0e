"""Times a fixed piece of work whenever the other has moved: how long it takes tells what else the cores have to do."""

import time

from attacker import answer, log, questions

WORK = 250_000
BITS = 40

heard = 0

for turn, choice, question in questions():
    others = any(event.get("seat") != questions.hello["seat"] for event in question["events"])
    if others and heard < BITS:
        heard += 1
        began = time.monotonic()
        number = 0
        for _ in range(WORK):
            number += 1
        log(f"heard {began:.6f} {time.monotonic() - began:.6f}")
    answer(turn, choice)
