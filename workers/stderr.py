"""What a program wrote to stderr: the head and the tail of it, by turn."""

from __future__ import annotations

from typing import Final

from bots.job import StderrChunk

KEEP: Final = 64_000
"""Bytes kept of a match: half of them from its start, half up to its end."""
FLOOD: Final = 1_000_000
"""More than this in a match is a fault."""


class Stderr:
    """Collects in pieces; `turn` is set by the referee as questions are put."""

    def __init__(self) -> None:
        self.turn = 0
        self.total = 0
        self._head: list[tuple[int, bytes]] = []
        self._tail: list[tuple[int, bytes]] = []
        self._head_bytes = 0
        self._tail_bytes = 0

    @property
    def flooded(self) -> bool:
        return self.total > FLOOD

    def add(self, part: bytes) -> None:
        self.total += len(part)
        room = KEEP // 2 - self._head_bytes
        if room > 0:
            self._head.append((self.turn, part[:room]))
            self._head_bytes += len(part[:room])
            part = part[room:]
        if part:
            self._tail.append((self.turn, part))
            self._tail_bytes += len(part)
            self._drop()

    def _drop(self) -> None:
        """Let go of the oldest of the tail beyond its half."""
        over = self._tail_bytes - KEEP // 2
        while over > 0:
            turn, part = self._tail[0]
            cut = min(over, len(part))
            over -= cut
            self._tail_bytes -= cut
            if cut == len(part):
                del self._tail[0]
            else:
                self._tail[0] = (turn, part[cut:])

    @property
    def dropped(self) -> int:
        """Bytes between head and tail that were thrown away."""
        return self.total - self._head_bytes - self._tail_bytes

    def tail(self, size: int) -> bytes:
        """The last bytes that are kept."""
        return b"".join(part for _, part in [*self._head, *self._tail])[-size:]

    def chunks(self) -> list[StderrChunk]:
        """What is kept, one chunk a turn for head and tail each; bytes that are no UTF-8 replaced.

        NUL is replaced as well: no database takes it in a text.
        """
        chunks: list[StderrChunk] = []
        for half in (self._head, self._tail):
            by_turn: dict[int, bytes] = {}
            for turn, part in half:
                by_turn[turn] = by_turn.get(turn, b"") + part
            chunks += [StderrChunk(turn=turn, text=clean_text(text)) for turn, text in by_turn.items()]
        return chunks


def clean_text(data: bytes) -> str:
    """Text of bytes from a program: what is no UTF-8 and NULs become replacement characters."""
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


def printable(text: str) -> str:
    """The text with everything that would steer a terminal written out: escapes, bidirectional marks."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\u{{{ord(char):x}}}" for char in text)
