"""Which of the legal moves a person means by what was typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Move = Mapping[str, Any]


def meant(typed: str, moves: Sequence[Move], texts: Sequence[str]) -> list[int]:
    """Indices of the moves that `typed` may mean: a number of the list, a move as JSON, or words.

    `texts` are the moves as they are listed. JSON may leave fields out. Words may be cut short and left out:
    "att 2" means "Attic, space 2", and so does "place attic 2" where that is a move of the type "place". Of
    several readings the closest one counts.
    """
    typed = typed.strip()
    if typed.isascii() and typed.isdigit():
        return [int(typed) - 1] if len(typed) < 6 and 1 <= int(typed) <= len(moves) else []
    if typed.startswith("{"):
        return _by_fields(typed, moves)
    return _by_words(_words(typed), moves, texts)


def _by_fields(typed: str, moves: Sequence[Move]) -> list[int]:
    try:
        wanted = json.loads(typed)
    except (ValueError, RecursionError):
        return []
    exact = [number for number, move in enumerate(moves) if move == wanted]
    return exact or [number for number, move in enumerate(moves) if wanted.items() <= move.items()]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\s,;:()]+", text.casefold().replace("_", " "))


def _by_words(typed: list[str], moves: Sequence[Move], texts: Sequence[str]) -> list[int]:
    """The moves that fit under the strictest reading that any move fits under."""
    listed = [_words(text) for text in texts]
    values = [[word for value in move.values() for word in _words(str(value))] for move in moves]
    both = [words + more for words, more in zip(listed, values, strict=True)]
    start = " ".join(typed)
    readings: tuple[tuple[Sequence[list[str]], Callable[[list[str]], bool]], ...] = (
        (listed, lambda words: words == typed),
        (listed, lambda words: " ".join(words).startswith(start)),
        (values, lambda words: set(typed) <= set(words)),
        (listed, lambda words: set(typed) <= set(words)),
        (values, lambda words: _begun(typed, words)),
        (both, lambda words: _begun(typed, words)),
    )
    for known, reading in readings:
        if found := [number for number, words in enumerate(known) if typed and reading(words)]:
            return found
    return []


def _begun(typed: list[str], words: list[str]) -> bool:
    """Whether each typed word is the beginning of a word of the move."""
    return all(any(word.startswith(cut) for word in words) for cut in typed)
