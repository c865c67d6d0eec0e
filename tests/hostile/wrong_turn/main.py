"""Answers for another turn."""

import json
import sys


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say('{"type":"ready"}')
    elif message["type"] == "move":
        turn, choice = message["turn"], message["legal"][0]["id"]
        say(json.dumps({"turn": turn + 7, "id": choice}))
