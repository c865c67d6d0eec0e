from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bundle import seatings
from engine.chance import commit, derive, draw, new_seed

WEIGHTS = st.lists(st.integers(0, 50), min_size=1, max_size=20).filter(any)


@given(st.text(max_size=20), st.text(max_size=10), st.integers(0, 10**6), WEIGHTS)
def test_a_draw_is_a_function_that_hits_only_what_has_weight(seed, stream, index, weights):
    position = draw(seed, stream, index, weights)
    assert weights[position] > 0
    assert draw(seed, stream, index, weights) == position


@pytest.mark.parametrize("weights", [[1, 1], [1, 2, 3, 4], [0, 5, 0, 1], [1] * 7, [1, 6, 15, 20, 15, 6, 1]])
def test_draws_follow_the_weights(weights):
    trials = 6000
    hits = Counter(draw("bias", "dice", index, weights) for index in range(trials))
    expected = {place: trials * weight / sum(weights) for place, weight in enumerate(weights) if weight}
    chi = sum((hits[place] - wanted) ** 2 / wanted for place, wanted in expected.items())
    freedom = len(expected) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(("one", "two"), [(("a", "dice"), ("a", "deck")), (("a", "dice"), ("b", "dice"))])
def test_streams_and_seeds_are_independent(one, two):
    """Pairs of draws at the same index: all 16 combinations of two four-sided draws alike."""
    weights, trials = [1] * 4, 4000
    pairs = Counter((draw(*one, index, weights), draw(*two, index, weights)) for index in range(trials))
    expected = trials / 16
    assert len(pairs) == 16
    assert sum((hits - expected) ** 2 / expected for hits in pairs.values()) < 15 + 5 * 30**0.5


def test_following_draws_of_a_stream_are_independent():
    weights, trials = [1] * 4, 4000
    row = [draw("row", "deck", index, weights) for index in range(trials + 1)]
    pairs = Counter(pairwise(row))
    expected = trials / 16
    assert sum((hits - expected) ** 2 / expected for hits in pairs.values()) < 15 + 5 * 30**0.5


def test_nothing_to_draw_from():
    with pytest.raises(ValueError):
        draw("seed", "dice", 0, [0, 0])


def test_seeds_commitments_and_derived_seeds():
    seeds = {new_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert all(len(seed) == 32 and set(seed) <= set("0123456789abcdef") for seed in seeds)
    assert commit("a") == commit("a") != commit("b")
    assert len(commit("a")) == 64
    derived = {derive("seed", "bot/1"), derive("seed", "bot/2"), derive("other", "bot/1"), "seed"}
    assert len(derived) == 4
    assert all(len(seed) == 32 for seed in derived - {"seed"})


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_bundle_puts_each_entrant_on_each_seat_once(seats):
    for number in range(20):
        bundle = seatings(f"seed {number}", seats)
        assert len(bundle) == seats
        for seat in range(seats):
            assert {match[seat] for match in bundle} == set(range(seats))
        cycles = {tuple(match[match.index(0) :] + match[: match.index(0)]) for match in bundle}
        assert len(cycles) == 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_over_bundles_each_cyclic_order_comes_equally_often(seats):
    orders = [(0, *rest) for rest in permutations(range(1, seats))]
    trials = 150 * len(orders)
    hits = Counter(seatings(f"bundle {number}", seats)[0] for number in range(trials))
    assert set(hits) == set(orders)
    chi = sum((hits[order] - 150) ** 2 / 150 for order in orders)
    freedom = len(orders) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_over_bundles_each_neighbourhood_comes_equally_often():
    seats, trials = 4, 1200
    neighbours = Counter()
    for number in range(trials):
        order = seatings(f"table {number}", seats)[0]
        neighbours.update((order[seat], order[(seat + 1) % seats]) for seat in range(seats))
    assert len(neighbours) == seats * (seats - 1)
    expected = trials / (seats - 1)
    assert all(abs(hits - expected) < 5 * expected**0.5 for hits in neighbours.values())
