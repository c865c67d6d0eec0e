"""Time of a whole rating fit from nothing, beside one pass of pairwise Elo over the same results."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np

from ladder.ratings.choices import Ints, Table
from ladder.ratings.fit import ELO, Pool, fit
from tests.bench.figure import Figure

VERSIONS = 200
MATCHES = 100_000
SEATS = 4
SPREAD = 208.0
REPEATS = 5
K = 16.0


def figures() -> Iterator[Figure]:
    """Strengths, covariance and both standard errors of 200 versions from 100,000 matches of four seats."""
    table = results()
    house = np.zeros(VERSIONS, dtype=np.bool_)
    house[:3] = True
    pool = Pool(previous=np.full(VERSIONS, -1, dtype=np.int64), house=house)
    ours, elo = [], []
    for _ in range(REPEATS):
        began = time.perf_counter()
        fit([table], pool)
        ours.append(time.perf_counter() - began)
        elo.append(pairwise_elo_s(table))
    yield Figure(
        key="ratings.fit_s",
        value=statistics.median(ours),
        unit="s",
        better="lower",
        peer="pairwise Elo in plain Python, one pass, no error bars",
        peer_value=statistics.median(elo),
        aim=0.3,
    )


def results() -> Table:
    """Matches of versions with known strengths; the order of a match is drawn by its Gumbel noise."""
    rng = np.random.default_rng(1)
    strengths = rng.normal(0, SPREAD, VERSIONS) / ELO
    seated = np.argsort(rng.random((MATCHES, VERSIONS)), axis=1)[:, :SEATS]
    order = np.argsort(-(strengths[seated] + rng.gumbel(size=seated.shape)), axis=1)
    ranks: Ints = np.argsort(order, axis=1) + 1
    return Table(versions=seated, ranks=ranks, bundles=np.arange(MATCHES) // SEATS)


def pairwise_elo_s(table: Table) -> float:
    """The usual way: every pair of a match moves two ratings, in the order of the matches."""
    versions, ranks = table.versions.tolist(), table.ranks.tolist()
    began = time.perf_counter()
    rating = [1500.0] * VERSIONS
    for seated, places in zip(versions, ranks, strict=True):
        for i in range(SEATS - 1):
            for j in range(i + 1, SEATS):
                first, second = seated[i], seated[j]
                expected = 1 / (1 + 10 ** ((rating[second] - rating[first]) / 400))
                moved = K / (SEATS - 1) * ((places[i] < places[j]) - expected)
                rating[first] += moved
                rating[second] -= moved
    return time.perf_counter() - began
