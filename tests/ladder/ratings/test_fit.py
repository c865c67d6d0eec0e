"""The fit: right by definition where that can be written down, right on average where it cannot."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ladder.ratings.choices import Floats, Table, gather, patterns
from ladder.ratings.fit import ELO, START, Posterior, fit
from tests.ladder.ratings.simulating import pool, simulated, table


def posterior(tables: list[Table], n: int) -> Posterior:
    return Posterior(*gather(list(patterns(tables)), n), np.zeros((n, n)))


def by_definition(strengths: Floats, versions: tuple[int, ...], ranks: tuple[int, ...]) -> float:
    """Mean log-likelihood of all orders of the seats that agree with the ranks."""
    orders = [
        order for order in permutations(range(len(ranks))) if [ranks[seat] for seat in order] == sorted(ranks)
    ]
    total = 0.0
    for order in orders:
        worth = np.exp([strengths[versions[seat]] for seat in order])
        total += sum(np.log(worth[at] / worth[at:].sum()) for at in range(len(worth)))
    return total / len(orders)


@pytest.mark.parametrize(
    ("versions", "ranks"),
    [
        ((0, 1), (1, 2)),
        ((0, 1), (1, 1)),
        ((2, 0, 1), (3, 1, 2)),
        ((2, 0, 1), (1, 2, 2)),
        ((0, 1, 2, 3), (1, 1, 3, 3)),
        ((0, 1, 2, 3), (4, 1, 1, 1)),
        ((0, 1, 2, 3, 4), (1, 1, 1, 1, 1)),
        ((0, 1, 2, 3, 4), (5, 1, 1, 3, 3)),
        ((0, 0, 1, 2), (1, 3, 2, 4)),
        ((0, 0, 1, 1, 0), (1, 1, 3, 3, 5)),
        ((3, 3, 3), (1, 2, 3)),
    ],
)
def test_likelihood_is_the_mean_over_the_orders_that_a_result_leaves_open(
    versions: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    strengths = np.array([0.3, -0.7, 1.1, 0.0, 2.0])
    value, _, _ = posterior([table((versions, ranks))], 5).at(strengths)
    assert value == pytest.approx(by_definition(strengths, versions, ranks), abs=1e-12)


def test_gradient_and_curvature_are_those_of_the_value() -> None:
    rng = np.random.default_rng(5)
    tables = []
    for seats in (2, 3, 4, 5):
        versions = rng.integers(0, 6, size=(40, seats))
        ranks = np.sort(rng.integers(1, seats + 1, size=(40, seats)), axis=1)
        tables.append(Table(versions, ranks, np.arange(40)))
    function = posterior(tables, 6)
    strengths = rng.normal(size=6)
    _, gradient, curvature = function.at(strengths)
    step = 1e-5
    for version in range(6):
        moved = np.eye(6)[version] * step
        up, gradient_up, _ = function.at(strengths + moved)
        down, gradient_down, _ = function.at(strengths - moved)
        assert gradient[version] == pytest.approx((up - down) / (2 * step), abs=1e-6)
        assert curvature[version] == pytest.approx((gradient_down - gradient_up) / (2 * step), abs=1e-6)


def test_two_seats_are_bradley_and_terry() -> None:
    """With the prior's pull, the score that is expected is the score that was made."""
    wins = 60
    result = fit([table(*[((0, 1), (1, 2))] * wins, *[((0, 1), (2, 1))] * 40)], pool(2, house=(1,)))
    gap = (result.elo[0] - result.elo[1]) / ELO
    pull = gap * (ELO / 350) ** 2 / 2
    assert 100 / (1 + np.exp(-gap)) + pull == pytest.approx(wins, abs=1e-6)
    information = 100 * np.exp(-gap) / (1 + np.exp(-gap)) ** 2 + (ELO / 350) ** 2 / 2
    assert result.standard_error[0] >= ELO / np.sqrt(information) * (1 - 1e-9)
    assert result.standard_error[0] == pytest.approx(ELO / np.sqrt(information), rel=0.02)


def test_a_hundred_draws_against_the_anchor_put_a_version_on_the_anchor() -> None:
    result = fit([table(*[((0, 1), (1, 1))] * 100)], pool(2, house=(1,)))
    assert result.elo == pytest.approx([START, START], abs=1e-6)
    assert result.standard_error[1] == 0


def test_draws_with_one_of_several_house_bots_put_a_version_beside_it() -> None:
    house = [((1, 2), (1, 2))] * 70 + [((1, 2), (2, 1))] * 30
    result = fit([table(*house, *[((0, 1), (1, 1))] * 100)], pool(3, house=(1, 2)))
    assert result.elo[0] == pytest.approx(result.elo[1], abs=3)
    assert result.elo[1:].mean() == pytest.approx(START, abs=1e-9)


def test_a_draw_is_half_a_win_and_half_a_loss() -> None:
    draws = fit([table(*[((0, 1), (1, 1))] * 20, *[((0, 1), (1, 2))] * 9)], pool(2))
    halves = fit([table(*[((0, 1), (1, 2))] * 19, *[((0, 1), (2, 1))] * 10)], pool(2))
    assert draws.elo == pytest.approx(halves.elo, abs=1e-6)


def test_neither_the_order_of_matches_nor_the_start_matters() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(0, 300, 30)
    played = simulated(rng, truth, bundles=400, seats=4)
    order = rng.permutation(len(played.bundles))
    shuffled = Table(played.versions[order], played.ranks[order], played.bundles[order])
    house = pool(30, house=(3, 4), previous={8: 7, 9: 8})
    one = fit([played], house)
    for other in (fit([shuffled], house), fit([played], house, start=rng.normal(1500, 900, 30))):
        assert other.elo == pytest.approx(one.elo, abs=1e-6)
        assert other.standard_error == pytest.approx(one.standard_error, abs=1e-6)
        assert other.covariance == pytest.approx(one.covariance, abs=1e-5)


def test_the_order_of_seats_does_not_matter() -> None:
    one = fit([table(((0, 1, 2), (2, 1, 3)), ((1, 2, 0), (1, 1, 3)))], pool(3))
    other = fit([table(((2, 1, 0), (3, 1, 2)), ((0, 2, 1), (3, 1, 1)))], pool(3))
    assert other.elo == pytest.approx(one.elo, abs=1e-9)


def test_who_wins_or_loses_all_gets_a_finite_rating_in_its_order() -> None:
    result = fit([table(*[((0, 1, 2), (1, 2, 3))] * 500)], pool(3, house=(1,)))
    assert np.isfinite(result.elo).all()
    assert np.isfinite(result.covariance).all()
    assert result.elo[0] > START + 600 > START > START - 600 > result.elo[2]


def test_pools_that_never_met_are_held_by_the_prior() -> None:
    apart = [((0, 1), (1, 2))] * 30 + [((2, 3), (1, 2))] * 30 + [((2, 3), (2, 1))] * 30
    result = fit([table(*apart)], pool(4, house=(0, 1)))
    assert result.elo[2:] == pytest.approx([START, START], abs=1)
    assert (result.standard_error[2:] > 200).all()
    gap = result.covariance[2, 2] + result.covariance[3, 3] - 2 * result.covariance[2, 3]
    assert np.sqrt(gap) < 60


def test_a_version_without_results_lies_where_its_predecessor_does() -> None:
    result = fit([table(*[((0, 1), (1, 2))] * 300)], pool(4, house=(1,), previous={2: 0}))
    assert result.elo[2] == pytest.approx(result.elo[0], abs=1e-6)
    assert result.standard_error[2] == pytest.approx(np.hypot(result.standard_error[0], 350), rel=0.01)
    assert result.elo[3] == pytest.approx((result.elo[0] + result.elo[1]) / 2, abs=1e-6)
    assert result.standard_error[3] > 350


def test_a_version_at_every_seat_says_nothing_and_breaks_nothing() -> None:
    alone = fit([table(*[((0, 0, 0, 0), (1, 2, 2, 4))] * 50)], pool(2, house=(1,)))
    assert alone.elo == pytest.approx([START, START], abs=1e-9)
    assert alone.standard_error[0] == pytest.approx(350 * np.sqrt(2), rel=1e-6)
    assert alone.matches[0] == 50
    assert alone.bundles[0] == 50


def test_a_fit_of_nothing_is_empty() -> None:
    assert fit([], pool(0)).elo.size == 0
    assert fit([], pool(2)).elo == pytest.approx([START, START])


def test_bundles_and_matches_are_counted_once_for_each_version() -> None:
    played = Table(
        np.array([[0, 1, 1], [1, 0, 1], [2, 0, 1]]), np.tile([1, 2, 3], (3, 1)), np.array([7, 7, 9])
    )
    result = fit([played], pool(3))
    assert result.matches.tolist() == [3, 3, 1]
    assert result.bundles.tolist() == [2, 2, 1]


def test_a_pool_stronger_than_the_house_is_not_drawn_to_it() -> None:
    """Forty bots 600 Elo above the two of the house, few matches each: no bias that all of them share."""
    rng = np.random.default_rng(8)
    truth = np.concatenate([[-20.0, 20.0], rng.normal(600, 60, 40)])
    errors = []
    for _ in range(20):
        played = simulated(rng, truth, bundles=200, seats=4)
        errors.append((fit([played], pool(42, house=(0, 1))).elo - START - truth)[2:].mean())
    assert abs(np.mean(errors)) < 30


@pytest.mark.parametrize(("seats", "expected"), [(2, 30.0), (4, 14.6), (5, 12.0)])
def test_true_strengths_are_found_as_well_as_by_the_best_peers(seats: int, expected: float) -> None:
    """20,000 matches, 200 versions, spread 208 Elo; choix and L-BFGS reach 28.4 and 14.6 (2, 4 seats)."""
    rng = np.random.default_rng(11)
    truth = rng.normal(0, 208, 200)
    truth -= truth.mean()
    result = fit([simulated(rng, truth, bundles=20_000 // seats, seats=seats)], pool(200))
    error = result.elo - START - truth
    assert np.sqrt((error**2).mean()) < expected * 1.15
    assert np.sqrt((error**2).mean()) == pytest.approx(result.standard_error.mean(), rel=0.2)


@pytest.mark.parametrize("luck", ["matches", "bundles"])
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_hold_the_truth_as_often_as_they_say(seats: int, luck: str) -> None:
    """Even where all matches of a bundle end alike, which the model alone would not know."""
    rng = np.random.default_rng(3)
    inside, apart = [], []
    for _ in range(120):
        truth = rng.normal(0, 250, 14)
        truth -= truth[:2].mean()
        played = simulated(rng, truth, bundles=260, seats=seats, luck=luck)
        result = fit([played], pool(14, house=(0, 1)))
        inside += list(np.abs(result.elo - START - truth) < 1.96 * result.standard_error)
        gap = (result.elo[2] - result.elo[3]) - (truth[2] - truth[3])
        variance = result.covariance[2, 2] + result.covariance[3, 3] - 2 * result.covariance[2, 3]
        apart.append(abs(gap) < 1.96 * np.sqrt(variance))
    assert 0.93 <= np.mean(inside) <= 0.97
    assert 0.90 <= np.mean(apart) <= 0.99
