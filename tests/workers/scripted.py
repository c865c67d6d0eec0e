"""A bot that does at each turn what its script says, and keeps what it was sent in `received`."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

from tests.workers.matches import program
from workers.referee import SeatProgram

MAIN = textwrap.dedent(
    """
    import json, os, sys, time

    script = json.load(open(os.path.join(os.path.dirname(__file__), "script.json")))
    received = open("received", "wb", buffering=0) if script.get("keep") else None

    def say(text, **facts):
        for name, value in facts.items():
            text = text.replace("<" + name + ">", json.dumps(value))
        os.write(1, text.encode("utf-8", "surrogateescape"))

    def spin(seconds):
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass

    for line in sys.stdin.buffer:
        if received:
            received.write(line)
        message = json.loads(line)
        if message["type"] == "hello":
            for step in script.get("ready", ['{"type":"ready"}\\n']):
                exec(step[1:]) if step.startswith("!") else say(step)
        elif message["type"] == "move":
            turn, legal = message["turn"], message["legal"]
            steps = script.get(str(turn), script.get("always", ['{"turn":<turn>,"id":<id>}\\n']))
            for step in steps:
                exec(step[1:]) if step.startswith("!") else say(
                    step, turn=turn, id=legal[-1]["id"], move=legal[-1]["move"]
                )
    """
).lstrip()

GOOD = '{"turn":<turn>,"id":<id>}\n'


def scripted(folder: Path, **script: list[str] | bool) -> SeatProgram:
    """`ready`, `always` and turns (`t3`) -> steps: text to write, or `!` and Python to run."""
    folder.mkdir(parents=True, exist_ok=True)
    steps = {name.removeprefix("t"): value for name, value in script.items()}
    (folder / "main.py").write_text(MAIN, encoding="ascii")
    (folder / "script.json").write_text(json.dumps(steps), encoding="ascii")
    return program(folder)
