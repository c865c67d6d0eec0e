"""A terminal at which people play: what it shows, and the lines that are typed there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from rich.console import Console
from rich.text import Text

from workers.player import VoidError
from workers.stderr import printable

_WIDTH: Final = 100
_ONE_COLUMN: Final = 12
"""So many moves stand below each other; more of them stand side by side where they are short."""
_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
_GIVE_UP: Final = ("q", "quit")


class Terminal:
    """Writes to stdout, or to stderr where stdout is for a document; reads stdin."""

    def __init__(self, *, on_stderr: bool) -> None:
        self._console = Console(stderr=on_stderr, highlight=False, soft_wrap=True)

    def say(self, text: str = "", style: str = "") -> None:
        self._console.print(Text(printable(text), style=style))

    def list(self, texts: Sequence[str]) -> None:
        """Moves with their numbers, from 1."""
        digits = len(str(len(texts)))
        rows = [f"  {number:>{digits}}  {text}" for number, text in enumerate(texts, 1)]
        width = max(map(len, rows)) + 1
        columns = 1 if len(rows) <= _ONE_COLUMN else max(1, _WIDTH // width)
        height = -(-len(rows) // columns)
        stacks = [rows[start : start + height] for start in range(0, len(rows), height)]
        for line in zip_longest(*stacks, fillvalue=""):
            self.say("".join(f"{cell:<{width}}" for cell in line).rstrip())

    def ask(self, prompt: str) -> str:
        """The next line that is typed. Raises VoidError("gave_up") at `q` and at the end of the input."""
        self._console.print(Text(prompt, style="bold"), end="")
        self._console.file.flush()
        typed = sys.stdin.buffer.readline().decode("utf-8", "replace")
        if not sys.stdin.isatty():
            self.say()  # what a person types ends the line of the prompt, a pipe does not
        if not typed or typed.strip().casefold() in _GIVE_UP:
            raise VoidError("gave_up")
        return typed.strip()

    def hand_over(self, seat: int) -> None:
        """Hide what the last person saw, and wait for the next one."""
        if self._console.is_terminal:
            self._console.file.write(_CLEAR)
        self.ask(f"Hand over to seat {seat + 1}, who presses Enter: ")
