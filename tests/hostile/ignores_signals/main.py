"""Ignores every signal, starts daemons that do too, and does not end."""

import os
import signal
import time

from sdk import run


def stay(question, context):
    time.sleep(60)


for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
        os._exit(0)
run(lambda observation, legal, context: legal[0]["id"], end=stay)
