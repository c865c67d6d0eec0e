"""Everybody has a turn, and nobody's failure takes another's away."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def in_turn(ids: Iterable[int], do: Callable[[int], int]) -> int:
    """The sum of what `do` gives for each. An error is raised when all have had their turn: the last one."""
    done = 0
    failure: Exception | None = None
    for one in ids:
        try:
            done += do(one)
        except Exception as error:  # noqa: BLE001 - raised below
            failure = error
    if failure is not None:
        raise failure
    return done
