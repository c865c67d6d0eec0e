"""Ends, and leaves a daemon that keeps its pipes."""

import json
import os
import sys
import time


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say('{"type":"ready"}')
    elif message["type"] == "move":
        turn, choice = message["turn"], message["legal"][0]["id"]
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        os._exit(0)
