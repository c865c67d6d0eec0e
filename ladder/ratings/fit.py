"""Strengths of a pool of versions: one maximum-a-posteriori Plackett-Luce fit on the Elo scale.

Pure numpy, no clock, no chance, no database. docs/ratings.md has the model in words and its sources.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ladder.ratings.choices import Choices, Flags, Floats, Ints, Pattern, Table, gather, patterns, totals

ELO: Final = 400 / math.log(10)
"""Elo points in one natural unit: 400 points are odds of ten to one."""
START: Final = 1500.0
"""The mean of the house bots, by definition."""
PRIOR_SD: Final = 350.0
"""How far a version is expected from the one before it, or a first version from where first versions lie."""

_CONVERGED: Final = 1e-7
"""Natural units. Newton squares its error: after a step this small it is below 1e-9 Elo."""
_LONGEST_STEP: Final = 3.0
_MOST_STEPS: Final = 100
_A_FEW: Final = 8_000


class FitError(Exception):
    """No optimum was found."""

    code = "fit"


@dataclass(frozen=True, slots=True)
class Pool:
    """Who is rated. Versions are known by their index."""

    previous: Ints
    """(n,): index of the version before this one of the same bot, -1 where there is none."""
    house: Flags
    """(n,): versions whose mean holds the scale still. With none, it is the mean of all."""

    @property
    def size(self) -> int:
        return len(self.previous)

    def anchor(self) -> Floats:
        """Weights of the versions in the mean that is fixed."""
        held: Floats = self.house.astype(np.float64) if self.house.any() else np.ones(self.size)
        return held / float(held.sum())

    def prior(self) -> Floats:
        """Precision of the prior in natural units.

        A later version lies around its previous one, first versions around their common centre. The centre
        is free: were it the anchor, a pool that is stronger than the house bots would be drawn to them.
        """
        distance = np.eye(self.size)
        later = np.flatnonzero(self.previous >= 0)
        distance[later, self.previous[later]] -= 1
        first = self.previous < 0
        distance[first] -= first / first.sum()
        precision: Floats = distance.T @ distance / (PRIOR_SD / ELO) ** 2
        return precision


@dataclass(frozen=True, slots=True)
class Strengths:
    """What a fit found; all in Elo points."""

    elo: Floats
    standard_error: Floats
    """Against the anchor: the larger of the model's and the bundles' own."""
    covariance: Floats
    """(n, n): c[a, a] + c[b, b] - 2 c[a, b] is the variance of a difference, again the larger."""
    bundles: Ints
    matches: Ints
    steps: int


def fit(tables: Sequence[Table], pool: Pool, *, start: Floats | None = None) -> Strengths:
    """Rate a pool by its results.

    `start` (Elo) is where the search begins; it saves time and changes nothing else.
    Raises FitError when no optimum is found, which results of any kind should not bring about.
    """
    if pool.size == 0:
        nothing, none = np.zeros(0), np.zeros(0, dtype=np.int64)
        return Strengths(nothing, nothing, np.zeros((0, 0)), none, none, 0)
    groups, prior, anchor = list(patterns(tables)), pool.prior(), pool.anchor()
    # Results and prior know differences only; the last term sets the anchor's mean to zero and no more.
    precision = prior + np.outer(anchor, anchor)
    strengths = _guess(groups, precision) if start is None else (start - START) / ELO
    strengths, curvature, steps = _climb(Posterior(*gather(groups, pool.size), precision), strengths)
    scores = _Scores.of(groups, strengths)
    covariance = _covariance(curvature, prior + scores.spread(), anchor)
    return Strengths(
        elo=START + ELO * (strengths - anchor @ strengths),
        standard_error=np.sqrt(np.diag(covariance)),
        covariance=covariance,
        bundles=scores.bundles,
        matches=_matches(groups, pool.size),
        steps=steps,
    )


def _guess(groups: Sequence[Pattern], precision: Floats) -> Floats:
    """Where a search from nothing begins: where a few of many matches lead, else at equal strengths."""
    strengths, n = np.zeros(len(precision)), len(precision)
    every = sum(len(group.bundles) for group in groups) // _A_FEW
    if every > 1:
        few = [replace(group, by_place=group.by_place[::every]) for group in groups]
        strengths, _, _ = _climb(Posterior(*gather(few, n), precision), strengths)
    return strengths


class Posterior:
    """Log posterior as a function of strengths in natural units, with its first two derivatives."""

    def __init__(self, chosen: Floats, choices: Sequence[Choices], precision: Floats) -> None:
        self._chosen, self._choices, self._precision = chosen, choices, precision

    def at(self, strengths: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient, and curvature (minus the Hessian: positive definite)."""
        n = len(strengths)
        pull = self._precision @ strengths
        value = float(self._chosen @ strengths - strengths @ pull / 2)
        gradient = self._chosen - pull
        square = np.zeros(n * n)
        diagonal = np.zeros(n)
        worth = np.exp(strengths)
        for choices in self._choices:
            share = worth[choices.members]
            total = share.sum(axis=0)
            value -= float(choices.weights @ np.log(total))
            share /= total
            expected = choices.weights * share
            gradient -= totals(choices.members, expected, n)
            diagonal += totals(choices.members, expected * (1 - share), n)
            first, second = np.triu_indices(len(share), k=1)
            square += totals(choices.pairs, expected[first] * share[second], n * n)
        half = square.reshape(n, n)
        return value, gradient, self._precision + np.diag(diagonal) - half - half.T


def _climb(posterior: Posterior, strengths: Floats) -> tuple[Floats, Floats, int]:
    """The top, the curvature there, and steps taken: Newton, halving a step that leads down.

    The posterior is strictly concave, so there is one top, wherever the search begins.
    """
    value, gradient, curvature = posterior.at(strengths)
    for steps in range(1, _MOST_STEPS + 1):
        step = np.linalg.solve(curvature, gradient)
        length = float(np.abs(step).max())
        if length <= _CONVERGED:
            return strengths + step, curvature, steps
        step *= min(1.0, _LONGEST_STEP / length)
        strengths, before = strengths + step, value
        value, gradient, curvature = posterior.at(strengths)
        while value < before - 1e-9 * abs(before):
            step /= 2
            strengths = strengths - step
            value, gradient, curvature = posterior.at(strengths)
    raise FitError(f"no optimum after {_MOST_STEPS} steps")


@dataclass(frozen=True, slots=True)
class _Scores:
    """Each bundle's own gradient of the log-likelihood: how much better than expected its versions did."""

    size: int
    version: Ints
    """With `bundle` and `score`, one row for each version of each bundle, bundles together."""
    bundle: Ints
    score: Floats

    @classmethod
    def of(cls, groups: Sequence[Pattern], strengths: Floats) -> _Scores:
        n = len(strengths)
        worth = np.exp(strengths)
        names = np.unique(np.concatenate([np.zeros(0, np.int64), *(group.bundles for group in groups)]))
        keys, values = [np.zeros(0, np.int64)], [np.zeros(0)]
        for group in groups:
            share = worth[group.by_place]
            score = np.ones(share.shape)
            for columns, weight in group.subsets:
                among = share[:, columns]
                score[:, columns] -= weight * among / among.sum(axis=1, keepdims=True)
            keys.append((np.searchsorted(names, group.bundles)[:, None] * n + group.by_place).ravel())
            values.append(score.ravel())
        cells, inverse = np.unique(np.concatenate(keys), return_inverse=True)
        score = totals(inverse, np.concatenate(values), len(cells))
        return cls(size=n, version=cells % n, bundle=cells // n, score=score)

    @property
    def bundles(self) -> Ints:
        """Of each version."""
        return np.bincount(self.version, minlength=self.size)

    def spread(self) -> Floats:
        """Sum over bundles of the outer product of their scores: the middle of the sandwich."""
        n = self.size
        counts = np.bincount(self.bundle)
        if len(counts) < 2:
            return np.zeros((n, n))
        place = np.arange(len(self.bundle)) - (np.cumsum(counts) - counts)[self.bundle]
        version = np.zeros((int(counts.max()), len(counts)), dtype=np.int64)
        score = np.zeros(version.shape)
        version[place, self.bundle], score[place, self.bundle] = self.version, self.score
        spread = np.zeros(n * n)
        for column, own in zip(version, score, strict=True):
            spread += totals(column * n + version, own * score, n * n)
        return spread.reshape(n, n) * (len(counts) / (len(counts) - 1))


def _matches(groups: Sequence[Pattern], n: int) -> Ints:
    """Of each version; one that holds two seats of a match has played one."""
    total = np.zeros(n, dtype=np.int64)
    for group in groups:
        ordered = np.sort(group.by_place, axis=1)
        again = np.zeros(ordered.shape, dtype=bool)
        again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
        total += np.bincount(ordered[~again], minlength=n)
    return total


def _covariance(curvature: Floats, spread: Floats, anchor: Floats) -> Floats:
    """Elo squared, against the anchor; for each version and each difference the larger of two variances.

    One is the model's, the inverse curvature, which holds when matches are independent. The other is the
    sandwich, whose middle takes bundles as they came (and the prior as the model has it).
    """
    centre = np.eye(len(anchor)) - anchor[None, :]
    inverse = np.linalg.inv(curvature)
    both = np.stack([centre @ middle @ centre.T for middle in (inverse, inverse @ spread @ inverse)])
    own = np.clip(np.diagonal(both, axis1=1, axis2=2), 0, None)
    apart = (own[:, :, None] + own[:, None, :] - 2 * both).max(axis=0)
    own = own.max(axis=0)
    covariance: Floats = (own[:, None] + own[None, :] - apart) / 2
    np.fill_diagonal(covariance, own)
    return covariance * ELO**2
