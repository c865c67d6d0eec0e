"""Pieces of a sentence about an event: text, or a seat, whose name the page fills in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    text: str = ""
    seat: int | None = None


def line(*pieces: str | int) -> tuple[Part, ...]:
    """A sentence of texts and seats; a number is a seat."""
    return tuple(Part(seat=piece) if isinstance(piece, int) else Part(text=piece) for piece in pieces)
