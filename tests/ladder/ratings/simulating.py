"""Matches among versions of known strength, by the model that the fit assumes."""

from __future__ import annotations

import numpy as np

from ladder.ratings.choices import Flags, Floats, Ints, Table
from ladder.ratings.fit import ELO, Pool


def pool(n: int, *, house: tuple[int, ...] = (), previous: dict[int, int] | None = None) -> Pool:
    before = np.full(n, -1, dtype=np.int64)
    for version, earlier in (previous or {}).items():
        before[version] = earlier
    held: Flags = np.isin(np.arange(n), house)
    return Pool(previous=before, house=held)


def table(*matches: tuple[tuple[int, ...], tuple[int, ...]]) -> Table:
    """Matches of (versions, ranks), a bundle each."""
    versions = np.array([versions for versions, _ in matches], dtype=np.int64)
    ranks = np.array([ranks for _, ranks in matches], dtype=np.int64)
    return Table(versions, ranks, np.arange(len(matches), dtype=np.int64))


def simulated(
    rng: np.random.Generator, truth: Floats, *, bundles: int, seats: int, luck: str = "matches"
) -> Table:
    """Bundles of `seats` matches; `luck="bundles"` lets all matches of a bundle end alike."""
    tables = np.argsort(rng.random((bundles, len(truth))), axis=1)[:, :seats]
    versions: Ints = np.repeat(tables, seats, axis=0)
    if luck == "bundles":
        noise = np.repeat(rng.gumbel(size=tables.shape), seats, axis=0)
    else:
        noise = rng.gumbel(size=versions.shape)
    order = np.argsort(-(truth[versions] / ELO + noise), axis=1)
    ranks = np.argsort(order, axis=1) + 1
    return Table(versions, ranks, np.repeat(np.arange(bundles), seats))
