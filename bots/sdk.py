"""What a Python bot imports: say hello, read questions, answer them. One file, no dependencies.

    from sdk import run

    def choose(observation, legal, context):
        return legal[0]["id"]

    run(choose)

`choose` gets what the seat may know, the list of legal moves (`{"id": ..., "move": {...}}`), and a
Context. It returns one of the ids, or one of the moves. Whatever the bot prints to stdout would be taken
for an answer, so print() is sent to stderr, which is the author's log.
"""

from __future__ import annotations

import json
import os
import random
import sys

TYPE_CHECKING = False
"""As in `typing`, which would cost each bot five milliseconds of its start."""
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Chooser = Callable[[dict[str, Any], list[dict[str, Any]], "Context"], Any]
    """Returns the id of a legal move, or the move itself."""


class Context:
    """What a bot knows beside the question."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self.game: str = hello["game"]
        self.rules_version: int = hello["rules_version"]
        self.mode: str | None = hello["mode"]
        self.options: dict[str, Any] = hello["options"]
        self.seats: int = hello["seats"]
        self.seat: int = hello["seat"]
        self.clock: dict[str, int] = hello["clock"]
        """`bank_ms` at the start and `increment_ms` for each question, of the bot's own CPU time."""
        self.random = random.Random(hello["seed"])
        """Dice of the bot's own, the same in every match of a bundle, so that its play can be repeated."""
        self.turn = 0
        self.bank_ms: int = self.clock["bank_ms"]
        """CPU time left for this answer and all that follow."""
        self.events: list[dict[str, Any]] = []
        """What happened since the last question."""
        self.note: str | None = None
        """Set it in `choose` to show a line of up to 500 characters beside the move in the replay."""

    def hear(self, question: dict[str, Any]) -> None:
        """Take over what a question tells beside the observation and the moves."""
        self.turn = question["turn"]
        self.bank_ms = question["clock"]["bank_ms"]
        self.events = question["events"]
        self.note = None


def run(
    choose: Chooser,
    *,
    start: Callable[[Context], None] | None = None,
    fault: Callable[[dict[str, Any]], None] | None = None,
    end: Callable[[dict[str, Any], Context], None] | None = None,
) -> None:
    """Play one match, then return.

    `start` runs before the bot says that it is ready: the time for tables, which no clock counts.
    `fault` gets the notice of a fault; without it, the notice is written to stderr.
    """
    questions = sys.stdin.buffer
    answers = os.dup(1)
    sys.stdout = sys.stderr
    context: Context | None = None
    for line in questions:
        message = json.loads(line)
        kind = message["type"]
        if kind == "move" and context is not None:
            _write(answers, _answer(choose, message, context))
        elif kind == "hello":
            context = Context(message)
            if start is not None:
                start(context)
            _write(answers, {"type": "ready"})
        elif kind == "fault":
            (fault or _report)(message)
        elif kind == "end":
            if end is not None and context is not None:
                end(message, context)
            return


def _answer(choose: Chooser, question: dict[str, Any], context: Context) -> dict[str, Any]:
    context.hear(question)
    choice = choose(question["observation"], question["legal"], context)
    answer: dict[str, Any] = {"turn": context.turn, "id" if isinstance(choice, int) else "move": choice}
    if context.note is not None:
        answer["note"] = context.note[:500]
    return answer


def _write(answers: int, message: dict[str, Any]) -> None:
    """One line in as few writes as the pipe takes: nothing is left in a buffer."""
    data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
    while data:
        data = data[os.write(answers, data) :]


def _report(message: dict[str, Any]) -> None:
    sys.stderr.write(f"fault at turn {message['turn']}: {message['code']}: {message['message']}\n")
