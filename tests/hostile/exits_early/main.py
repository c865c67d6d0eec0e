"""Ends in the middle of the match, as if all were well."""

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
        if turn == 3:
            sys.exit(0)
        say(json.dumps({"turn": turn, "id": choice}))
