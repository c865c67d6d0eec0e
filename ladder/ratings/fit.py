"""Strengths from results: a maximum-a-posteriori Plackett-Luce fit on the Elo scale. Pure numpy.

A match is a sequence of choices: the best place goes to a version with probability proportional to
exp(strength) among all, the next among the rest, and so on (Luce 1959, Plackett 1975; for two seats this
is Bradley and Terry 1952). Shared places count as the mean of the log-likelihoods of their orders, so
that a draw is half a win and half a loss. docs/ratings.md tells it in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ELO: Final = 400 / np.log(10)
"""Elo points of one unit of strength."""
PRIOR_SIGMA: Final = 350.0
"""Elo; how far a version may be from its predecessor, or a first version from the pool's start."""
START: Final = 1500.0
"""Elo of the pool's start, and of the house bots' mean."""
_TOLERANCE: Final = 1e-10
_MAX_STEPS: Final = 60
_CHUNK: Final = 4096


class FitError(Exception):
    """The fit did not converge, or its input is not what it should be."""

    code = "fit"


@dataclass(frozen=True, slots=True)
class Results:
    """Matches of one seat count: `versions` and `ranks` (m, k), `bundles` (m,)."""

    versions: Ints
    ranks: Ints
    bundles: Ints


@dataclass(frozen=True, slots=True)
class Orders:
    """Strict orders, best first: `versions` (m, k), their `weights` (m,), the `bundles` (m,) they are of."""

    versions: Ints
    weights: Floats
    bundles: Ints


@dataclass(frozen=True, slots=True)
class Fitted:
    """Per version: `elo`, its `standard_error` (n,), and their `covariance` (n, n) in Elo squared."""

    elo: Floats
    standard_error: Floats
    covariance: Floats
    steps: int


def strict_orders(results: Results) -> Orders:
    """Each match as the strict orders that agree with its ranks, weighted alike."""
    m, k = results.ranks.shape
    base = int(results.ranks.max(initial=1)) + 1
    codes = results.ranks @ (base ** np.arange(k, dtype=np.int64))
    versions, weights, bundles = [], [], []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        orders = _orders(tuple(int(rank) for rank in results.ranks[rows[0]]))
        for order in orders:
            versions.append(results.versions[rows][:, order])
            weights.append(np.full(len(rows), 1 / len(orders)))
            bundles.append(results.bundles[rows])
    if not m:
        return Orders(results.versions, np.empty(0), results.bundles)
    return Orders(np.concatenate(versions), np.concatenate(weights), np.concatenate(bundles))


@lru_cache(maxsize=4096)
def _orders(ranks: tuple[int, ...]) -> list[list[int]]:
    """Seats best first, in every order that shared ranks leave open."""
    seats = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    shared = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat])]
    return [[seat for part in parts for seat in part] for parts in product(*map(permutations, shared))]


def prior_precision(previous: Sequence[int | None]) -> Floats:
    """Of a Gaussian (n, n) in units of strength: a first version lies around the pool's start, which is
    zero, a later one around its predecessor.
    """
    n = len(previous)
    tightness = (ELO / PRIOR_SIGMA) ** 2
    precision = np.zeros((n, n))
    for version, before in enumerate(previous):
        precision[version, version] += tightness
        if before is not None:
            precision[before, before] += tightness
            precision[version, before] -= tightness
            precision[before, version] -= tightness
    return precision


def running_sums(rows: Floats) -> Floats:
    """Cumulative sums down the few rows; numpy's own walks this shape across the grain, 10 times slower."""
    total = rows.copy()
    for place in range(1, len(rows)):
        total[place] += total[place - 1]
    return total


class _Group:
    """Orders of one seat count, laid out by place so that each place is one run of memory (k, m)."""

    def __init__(self, orders: Orders, n: int) -> None:
        self.places = np.ascontiguousarray(orders.versions.T)
        self.weights = orders.weights
        self.bundles = orders.bundles
        k = len(self.places)
        self.pairs = [(i, j) for i in range(k - 1) for j in range(i + 1, k)]
        self.keys = [self.places[i] * n + self.places[j] for i, j in self.pairs]

    def power_and_left(self, strength: Floats) -> tuple[Floats, Floats]:
        """exp(strength) at each place, and what is left to choose from at each stage (k, m)."""
        power = np.exp(strength)[self.places]
        return power, running_sums(power[::-1])[::-1]

    def scores(self, power: Floats, left: Floats) -> Floats:
        """Derivative of each order by the strength at each place (k, m)."""
        return np.asarray(self.weights * (1 - power * running_sums(1 / left)))


class _Likelihood:
    """Value, gradient and curvature of all orders at given strengths."""

    def __init__(self, orders: Sequence[Orders], n: int) -> None:
        self._groups = [_Group(part, n) for part in orders]
        self._n = n

    def value(self, strength: Floats) -> float:
        """Log-likelihood."""
        total = 0.0
        for group in self._groups:
            _, left = group.power_and_left(strength)
            seated = strength[group.places].sum(axis=0)
            total += float(group.weights @ (seated - np.log(left.prod(axis=0))))
        return total

    def gradient_and_curvature(self, strength: Floats) -> tuple[Floats, Floats]:
        """First derivatives (n,), and the negative second ones (n, n).

        A stage's curvature is diag(p) - p p', whose rows sum to zero: the products of pairs are enough.
        """
        n = self._n
        gradient = np.zeros(n)
        both = np.zeros(n * n)
        for group in self._groups:
            power, left = group.power_and_left(strength)
            gradient += np.bincount(group.places.ravel(), group.scores(power, left).ravel(), n)
            stages = group.weights * power * running_sums(1 / (left * left))
            for (i, j), keys in zip(group.pairs, group.keys, strict=True):
                both += np.bincount(keys, stages[i] * power[j], n * n)
        pairs = both.reshape(n, n)
        pairs = pairs + pairs.T
        return gradient, np.diag(pairs.sum(axis=1)) - pairs

    def bundle_products(self, strength: Floats) -> Floats:
        """Sum over bundles of score times score' (n, n): what the sandwich is filled with."""
        n = self._n
        keys, values = [], []
        for group in self._groups:
            keys.append((group.bundles * n + group.places).ravel())
            values.append(group.scores(*group.power_and_left(strength)).ravel())
        return _outer_sums(np.concatenate(keys), np.concatenate(values), n) if keys else np.zeros((n, n))


def _outer_sums(keys: Ints, values: Floats, n: int) -> Floats:
    """Sum of outer products of each bundle's score vector; `keys` are bundle * n + version."""
    bundles, index = np.unique(keys // n, return_inverse=True)
    total = np.zeros((n, n))
    for first in range(0, len(bundles), _CHUNK):
        inside = (index >= first) & (index < first + _CHUNK)
        rows = (index[inside] - first) * n + keys[inside] % n
        scores = np.bincount(rows, values[inside], _CHUNK * n).reshape(_CHUNK, n)
        total += scores.T @ scores
    count = len(bundles)
    return total * (count / (count - 1)) if count > 1 else total


def fit(
    results: Sequence[Results],
    *,
    n: int,
    previous: Sequence[int | None] | None = None,
    anchors: Sequence[int] = (),
    start: Floats | None = None,
) -> Fitted:
    """Fit `n` versions, numbered 0..n-1, to all results at once.

    `previous[v]` is the version before v of the same bot; `anchors` are the versions whose mean is START
    (all, where there are none). `start` (Elo) only saves steps. Raises FitError.
    """
    groups = [strict_orders(part) for part in results if len(part.versions)]
    likelihood = _Likelihood(groups, n)
    prior = prior_precision(previous or [None] * n)
    strength = np.zeros(n) if start is None else (np.asarray(start, dtype=np.float64) - START) / ELO
    strength, curvature, steps = _climb(likelihood, prior, strength)
    model = np.linalg.inv(curvature)
    sandwich = model @ likelihood.bundle_products(strength) @ model
    return _on_scale(strength, model, sandwich, anchors, steps)


def _climb(likelihood: _Likelihood, prior: Floats, strength: Floats) -> tuple[Floats, Floats, int]:
    """Newton's method with halved steps; the posterior is concave, so there is one top."""

    def height(at: Floats) -> float:
        return likelihood.value(at) - 0.5 * float(at @ prior @ at)

    now = height(strength)
    for step in range(_MAX_STEPS):
        gradient, curvature = likelihood.gradient_and_curvature(strength)
        gradient = gradient - prior @ strength
        curvature = curvature + prior
        move = np.linalg.solve(curvature, gradient)
        gain = float(gradient @ move)
        if gain < _TOLERANCE:
            return strength, curvature, step
        size = 1.0
        while (then := height(strength + size * move)) < now + 1e-4 * size * gain:
            size /= 2
            if size < 1e-8:
                return strength, curvature, step
        strength, now = strength + size * move, then
    raise FitError(f"no convergence within {_MAX_STEPS} steps")


def _on_scale(
    strength: Floats, model: Floats, sandwich: Floats, anchors: Sequence[int], steps: int
) -> Fitted:
    """Centre on the anchors, and take the larger of the two standard errors, version by version."""
    n = len(strength)
    share = np.zeros(n)
    share[list(anchors) or slice(None)] = 1 / (len(anchors) or n)
    centre = np.eye(n) - np.outer(np.ones(n), share)
    by_model = centre @ model @ centre.T
    by_bundles = centre @ sandwich @ centre.T
    small = np.sqrt(np.maximum(np.diag(by_model), 1e-12))
    error = np.maximum(small, np.sqrt(np.maximum(np.diag(by_bundles), 0)))
    # Stretched to the larger errors, correlations kept: differences of two versions stay honest.
    stretch = error / small
    covariance = by_model * np.outer(stretch, stretch) * ELO**2
    return Fitted(START + centre @ strength * ELO, error * ELO, covariance, steps)
