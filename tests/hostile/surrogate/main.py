"""Answers with half a character in its note."""

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
        say('{"turn":%d,"id":%d,"note":"\\ud800"}' % (turn, choice))
