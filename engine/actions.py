"""A game's whole list of moves, numbered once: id <-> JSON move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeAlias

from engine.errors import InvalidMoveError

Scalar: TypeAlias = int | str | bool
Move: TypeAlias = dict[str, Scalar]


class ActionSpace:
    """Blocks of moves laid end to end; ids never change while the blocks do not.

    `ActionSpace({"bid": {"dice": range(1, 7)}, "call": {}})` numbers six bids 0..5 and the call 6;
    `starts["call"]` is 6.
    """

    __slots__ = ("_ids", "_moves", "starts")

    def __init__(self, blocks: Mapping[str, Mapping[str, Sequence[Scalar]]]) -> None:
        self._moves: list[Move] = []
        self.starts: dict[str, int] = {}
        for kind, fields in blocks.items():
            self.starts[kind] = len(self._moves)
            for values in product(*fields.values()):
                self._moves.append({"type": kind, **dict(zip(fields, values, strict=True))})
        self._ids = {_key(move): number for number, move in enumerate(self._moves)}

    def __len__(self) -> int:
        return len(self._moves)

    def decode(self, action: int) -> Move:
        """The JSON move of an id. Raises InvalidMoveError for an id outside the table."""
        if type(action) is not int or not 0 <= action < len(self._moves):
            raise InvalidMoveError(f"no such action id: {action!r:.40}")
        return dict(self._moves[action])

    def encode(self, move: object) -> int:
        """The id of a JSON move; `True` is not 1 and 1.0 is not 1. Raises InvalidMoveError."""
        try:
            return self._ids[_key(move)]  # type: ignore[arg-type]
        except (KeyError, TypeError, AttributeError):
            raise InvalidMoveError(f"no such move: {move!r:.200}") from None


def _key(move: Mapping[str, Scalar]) -> frozenset[tuple[str, type, Scalar]]:
    return frozenset((name, type(value), value) for name, value in move.items())
