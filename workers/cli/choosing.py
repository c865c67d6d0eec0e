"""Which of the legal moves a person means by what was typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Move = Mapping[str, Any]


def meant(typed: str, moves: Sequence[Move], texts: Sequence[str]) -> list[int]:
    """Indices of the moves that `typed` may mean: a number of the list, a move as JSON, or words.

    `texts` are the moves as they are listed. JSON may leave fields out. Words may be cut short and left out:
    "att 2" means "place room Attic, space 2". Of several readings the closest one counts.
    """
    typed = typed.strip()
    if typed.isascii() and typed.isdigit():
        return [int(typed) - 1] if len(typed) < 6 and 1 <= int(typed) <= len(moves) else []
    if typed.startswith("{"):
        return _by_fields(typed, moves)
    return _by_words(_words(typed), [_words(text) for text in texts])


def _by_fields(typed: str, moves: Sequence[Move]) -> list[int]:
    try:
        wanted = json.loads(typed)
    except (ValueError, RecursionError):
        return []
    exact = [number for number, move in enumerate(moves) if move == wanted]
    return exact or [number for number, move in enumerate(moves) if wanted.items() <= move.items()]


def _words(text: str) -> list[str]:
    return text.casefold().replace(",", " ").split()


def _by_words(typed: list[str], known: Sequence[list[str]]) -> list[int]:
    """The moves that fit under the strictest reading that any move fits under."""
    start = " ".join(typed)
    readings: tuple[Callable[[list[str]], bool], ...] = (
        lambda words: words == typed,
        lambda words: " ".join(words).startswith(start),
        lambda words: _in_order(typed, words, str.__eq__),
        lambda words: _in_order(typed, words, str.startswith),
    )
    for reading in readings:
        if found := [number for number, words in enumerate(known) if typed and reading(words)]:
            return found
    return []


def _in_order(typed: list[str], words: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether each typed word fits a word of the move, in the same order."""
    rest = iter(words)
    return all(any(fits(word, wanted) for word in rest) for wanted in typed)
