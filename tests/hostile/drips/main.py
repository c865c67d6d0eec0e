"""Writes its answer one byte at a time, slowly."""

import json
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
        for char in json.dumps({"turn": turn, "id": choice}) + "\n":
            sys.stdout.write(char)
            sys.stdout.flush()
            time.sleep(0.2)
