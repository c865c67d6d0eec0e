"""Says one bit at each turn: by burning the core, or leaving it alone, until its next turn."""

import os
import signal
import time

from attacker import answer, log, questions

BITS = open("/bot/bits.txt").read()
BURNERS = 10


def burner():
    pid = os.fork()
    if pid == 0:
        while True:
            pass
    os.kill(pid, signal.SIGSTOP)
    return pid


burners = [burner() for _ in range(BURNERS)]
for turn, choice, _ in questions():
    bit = BITS[turn % len(BITS)]
    for pid in burners:
        os.kill(pid, signal.SIGCONT if bit == "1" else signal.SIGSTOP)
    log(f"said {time.monotonic():.6f} {bit}")
    answer(turn, choice)
