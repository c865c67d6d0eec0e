"""What a bot can do wrong in a match, and what it costs.

A soft fault costs a strike and the house's move is played; a hard fault, or the third strike, and the
house moves for the seat to the end. The sentences for the author stand in the catalogue of messages.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

FaultCode: TypeAlias = Literal[
    "crash",
    "timeout",
    "no_answer",
    "illegal_move",
    "bad_message",
    "output_flood",
    "memory",
    "broken_attempts",
]

CRASH: Final = "crash"
"""Its process ended."""
TIMEOUT: Final = "timeout"
"""Its clock of CPU time ran out; the first time costs a strike, the second is hard."""
NO_ANSWER: Final = "no_answer"
"""Wall time ran out: it slept, hung, or never read."""
ILLEGAL_MOVE: Final = "illegal_move"
BAD_MESSAGE: Final = "bad_message"
"""Not a line of protocol 1, or a line that nobody had asked for."""
OUTPUT_FLOOD: Final = "output_flood"
MEMORY: Final = "memory"
BROKEN_ATTEMPTS: Final = "broken_attempts"
"""Three attempts at the match broke off in its turn; in the fourth it was not started."""

CODES: Final[tuple[FaultCode, ...]] = (
    CRASH,
    TIMEOUT,
    NO_ANSWER,
    ILLEGAL_MOVE,
    BAD_MESSAGE,
    OUTPUT_FLOOD,
    MEMORY,
    BROKEN_ATTEMPTS,
)

STRIKES: Final = 3
"""The strike that ends a bot's part; equal to the record's own figure, which a test holds."""

_SOFT: Final = frozenset({ILLEGAL_MOVE, BAD_MESSAGE})


def is_hard(code: FaultCode, *, timeouts_before: int = 0, at_start: bool = False) -> bool:
    """Whether a fault ends the bot's part at once.

    One late move is soft, the next is not. Before the first question there is no move that the
    house could play instead, so everything is hard.
    """
    if at_start:
        return True
    if code == TIMEOUT:
        return timeouts_before > 0
    return code not in _SOFT
