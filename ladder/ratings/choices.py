"""Results as choices: what the Plackett-Luce likelihood needs to know of matches.

An order of places is a run of choices: the first is chosen among all seats, the second among those left, and
so on. Shared places count as the mean of the log-likelihoods of their orders. By symmetry that mean needs no
orders: while a group of t ties is taken up, each of its subsets of s seats is what is left equally often, so
every subset is one choice with weight 1 / C(t, s) (31 subsets for five ties, where there are 120 orders).

Seats are what competes: a version that holds two seats of a match is in its choices twice, with the same
strength both times. Its copies compared with each other cancel out and say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

_CELLS_A_CHOICE: Final = 4
"""Choices are merged by counting in a table of all there can be; it pays while that is not much longer."""


@dataclass(frozen=True, slots=True)
class Table:
    """Matches of one number of seats, a row each."""

    versions: Ints
    """(matches, seats): versions as indices from 0."""
    ranks: Ints
    """(matches, seats): 1 is best, equal ranks are shared."""
    bundles: Ints
    """(matches,): any number that is the same for the matches of one bundle."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Equal choices of one size, counted once with their weight."""

    members: Ints
    """(size, choices): who was left to choose from."""
    pairs: Ints
    """(pairs of members, choices): cells of a flattened n x n matrix."""
    weights: Floats

    @classmethod
    def among(cls, members: Ints, weights: Floats, n: int) -> Choices:
        first, second = np.triu_indices(len(members), k=1)
        return cls(members=members, pairs=members[first] * n + members[second], weights=weights)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The matches of a table whose places are shared in the same way."""

    bundles: Ints
    by_place: Ints
    """(matches, seats): versions from the first place to the last."""
    subsets: tuple[tuple[tuple[int, ...], float], ...]
    """Columns of `by_place` that a choice was among, and its weight."""


def patterns(tables: Sequence[Table]) -> Iterator[Pattern]:
    """All matches, grouped by how their places are shared."""
    for table in tables:
        seats = table.versions.shape[1]
        order = np.argsort(table.ranks, axis=1, kind="stable")
        by_place = np.take_along_axis(table.versions, order, axis=1)
        ranks = np.take_along_axis(table.ranks, order, axis=1)
        ties = (ranks[:, 1:] == ranks[:, :-1]) @ (1 << np.arange(seats - 1))
        for code in np.unique(ties):
            rows = np.flatnonzero(ties == code)
            yield Pattern(table.bundles[rows], by_place[rows], tuple(_subsets(seats, int(code))))


def _subsets(seats: int, ties: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Bit i of `ties`: places i and i + 1 are shared."""
    start = 0
    for end in range(1, seats + 1):
        if end < seats and ties >> (end - 1) & 1:
            continue
        behind = tuple(range(end, seats))
        for size in range(1, end - start + 1):
            weight = 1 / comb(end - start, size)
            for left in combinations(range(start, end), size):
                yield (*left, *behind), weight
        start = end


def totals(keys: Ints, values: Floats, size: int) -> Floats:
    """The sum of the values under each key below `size`."""
    return np.asarray(np.bincount(keys.ravel(), values.ravel(), minlength=size), dtype=np.float64)


def gather(groups: Sequence[Pattern], n: int) -> tuple[Floats, list[Choices]]:
    """How often each of `n` versions was chosen (choices among one taken off), and all choices by size."""
    chosen = np.zeros(n)
    by_size: dict[int, list[tuple[Ints, Floats]]] = {}
    for pattern in groups:
        chosen += np.bincount(pattern.by_place.ravel(), minlength=n)
        for columns, weight in pattern.subsets:
            members = pattern.by_place[:, columns]
            weights = np.full(len(members), weight)
            if len(columns) == 1:
                chosen -= totals(members[:, 0], weights, n)
            else:
                by_size.setdefault(len(columns), []).append((members, weights))
    choices = [
        _merge(np.concatenate([m for m, _ in parts]), np.concatenate([w for _, w in parts]), n)
        for _, parts in sorted(by_size.items())
    ]
    return chosen, choices


def _merge(members: Ints, weights: Floats, n: int) -> Choices:
    """Equal choices become one where many are equal: who stands where in a choice does not matter."""
    size = members.shape[1]
    if n**size <= _CELLS_A_CHOICE * len(members):
        place = n ** np.arange(size, dtype=np.int64)
        weights = totals(np.sort(members, axis=1) @ place, weights, n**size)
        cells = np.flatnonzero(weights)
        members, weights = cells[:, None] // place % n, weights[cells]
    return Choices.among(np.ascontiguousarray(members.T), weights, n)
