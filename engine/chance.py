"""Chance without a generator: each outcome is a hash of (seed, stream, index).

The k-th card of the deck is thus the same in every match on one seed, however many dice were
rolled in between, and a replay needs no hidden state.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core import State


def new_seed() -> str:
    """A seed of 128 bits from the operating system, as 32 hex digits."""
    return secrets.token_hex(16)


def commit(seed: str) -> str:
    """SHA-256 (hex) that binds us to a seed before the match and gives nothing of it away."""
    return hashlib.sha256(f"hauntladder/commitment/{seed}".encode()).hexdigest()


def derive(seed: str, label: str) -> str:
    """A seed (32 hex digits) for another use, from which the first cannot be found again."""
    key = hashlib.sha256(seed.encode()).digest()
    return hashlib.blake2b(f"hauntladder/{label}".encode(), key=key, digest_size=16).hexdigest()


def draw(seed: str, stream: str, index: int, weights: Sequence[int]) -> int:
    """Position in `weights` drawn with probability proportional to its integer weight.

    blake2b of seed, stream, index and a salt; values in the last, incomplete multiple of the
    total are rejected, so there is no bias. Raises ValueError when no weight is positive.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("nothing to draw from: all weights are zero")
    bound = (1 << 128) // total * total
    salt = 0
    value = bound
    while value >= bound:
        text = f"{seed}\n{stream}\n{index}\n{salt}".encode()
        value = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
        salt += 1
    value %= total
    for position, weight in enumerate(weights):
        value -= weight
        if value < 0:
            return position
    raise AssertionError("weights changed while drawing")


class Dealer:
    """Decides a match's chance nodes from its seed; counts each stream's index on its own."""

    __slots__ = ("_indices", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._indices: dict[str, int] = {}

    def choose(self, state: State) -> int:
        """The action id that the seed gives at this CHANCE node; moves the stream's index on."""
        stream = state.chance_stream()
        index = self._indices.get(stream, 0)
        self._indices[stream] = index + 1
        return state.legal_actions()[draw(self.seed, stream, index, state.chance_weights())]
