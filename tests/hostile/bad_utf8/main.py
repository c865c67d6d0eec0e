"""Answers with bytes that are no UTF-8."""

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
        sys.stdout.buffer.write(b'{"turn":1,"id":0,"note":"\xff\xfe"}\n')
        sys.stdout.buffer.flush()
