"""What may be said of two versions."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.ratings.fit import fit
from ladder.ratings.separation import (
    Z95,
    Difference,
    bands,
    bundles_to_part,
    difference,
    rank_ranges,
    stronger,
)
from tests.ladder.ratings.simulating import pool, simulated


def test_bands_are_runs_that_cannot_be_parted_from_their_first_row() -> None:
    """Steps of 30 with an error of 20: neighbours overlap all the way down, bands do not."""
    elo = np.array([120.0, 90.0, 60.0, 30.0, 0.0])
    ahead = stronger(elo, np.eye(5) * 20.0**2)
    assert bands(ahead) == [1, 1, 2, 2, 3]
    assert rank_ranges(ahead) == [(1, 2), (1, 3), (2, 4), (3, 5), (4, 5)]


def test_covariance_parts_what_overlapping_bars_would_not() -> None:
    elo = np.array([30.0, 0.0])
    shared = np.full((2, 2), 50.0**2) + np.eye(2) * 5.0**2
    assert stronger(elo, shared)[0, 1]
    assert not stronger(elo, np.diag(np.diag(shared)))[0, 1]
    gap = difference(elo, shared, 0, 1)
    assert gap.standard_error == pytest.approx(np.sqrt(2) * 5)
    assert gap.separable
    assert gap.superiority > 0.9999


def test_superiority_is_even_where_nothing_is_known() -> None:
    assert Difference(0.0, 10.0).superiority == 0.5
    assert Difference(0.0, 0.0).superiority == 0.5
    assert Difference(10.0, 0.0).superiority == 1.0
    assert Difference(Z95 * 10, 10.0).superiority == pytest.approx(0.975)


def test_nobody_and_one_alone() -> None:
    assert rank_ranges(stronger(np.zeros(0), np.zeros((0, 0)))) == []
    assert bands(stronger(np.zeros(1), np.ones((1, 1)))) == [1]


def test_four_times_the_bundles_halve_the_error() -> None:
    gap = Difference(elo=Z95 * 10, standard_error=20.0)
    assert bundles_to_part(gap, (100, 100)) == pytest.approx(300, abs=1)
    assert bundles_to_part(Difference(50.0, 20.0), (100, 100)) == 0


def test_a_newcomer_needs_fewer_than_one_as_old_as_its_rival() -> None:
    gap = Difference(elo=30.0, standard_error=20.0)
    more = bundles_to_part(gap, (1000, 40))
    assert more is not None
    unit = 20.0**2 / (1 / 1000 + 1 / 40)
    assert Z95**2 * unit * (1 / (1000 + more) + 1 / (40 + more)) <= 30.0**2
    assert Z95**2 * unit * (1 / (999 + more) + 1 / (39 + more)) > 30.0**2


def test_equals_are_never_parted() -> None:
    assert bundles_to_part(Difference(0.0, 20.0), (100, 100)) is None
    assert bundles_to_part(Difference(0.01, 20.0), (100, 100)) is None


def test_the_forecast_comes_true() -> None:
    """As many bundles as were said to be missing do bring the error down to where they can be parted."""
    rng = np.random.default_rng(4)
    truth = np.array([40.0, 0.0, -60.0, 20.0])
    before = fit([simulated(rng, truth, bundles=30, seats=4)], pool(4))
    gap = difference(np.array([1540.0, 1500.0]), before.covariance[:2, :2], 0, 1)
    more = bundles_to_part(gap, (30, 30))
    assert more
    after = fit([simulated(rng, truth, bundles=30 + more, seats=4)], pool(4))
    error = difference(after.elo, after.covariance, 0, 1).standard_error
    assert 40.0 / error == pytest.approx(Z95, rel=0.15)
