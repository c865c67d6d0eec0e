"""Sampled positions of Haunt the House: each hidden card turns up as often as counting says."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from engine.games.haunt_the_house.tables import GEAR, PHANTOM_COPIES
from tests.engine.hh_tables import chances, deck, do, hand, invisible, letters_of, table

MANY = 4000


def samples(state, seat, many=MANY):
    rng = random.Random(1)
    seen = state.observe(seat)
    for _ in range(many):
        yield state.game.sample(seen, seat, rng)


def close(hits, expected):
    """Hits of each outcome against its chance, by chi square far out in the tail."""
    total = sum(hits.values())
    assert set(hits) <= {key for key, chance in expected.items() if chance}
    chi = sum(
        (hits[key] - total * chance) ** 2 / (total * chance) for key, chance in expected.items() if chance
    )
    freedom = max(1, len(expected) - 1)
    assert chi < freedom + 5 * (2 * freedom) ** 0.5, (hits, expected)


def test_an_unknown_scare_is_any_that_its_owner_has_left():
    """Of seat 1's Scares a Bump, four Chills, three Creaks and four Moans are nowhere to be seen."""
    state = table(
        3, rooms={"crypt": "gh10"}, discards={1: "BBB"}, visible={"attic": [(1, "K")]},
        invisible={"crypt": [(1, "M"), (0, "B"), (1, "C")]}, hands={1: "BCK"},
    )  # fmt: skip
    laid, held = Counter(), Counter()
    for sampled in samples(state, 0):
        (_, first), own, (_, second) = invisible(sampled, "crypt")
        assert own == (0, "B")
        laid[first] += 1
        held.update(hand(sampled, 1))
        assert second in "BCKM"
        assert Counter(hand(sampled, 1) + deck(sampled, 1) + first + second) == {
            "B": 1,
            "C": 4,
            "K": 3,
            "M": 4,
        }
    unseen = {"B": 1 / 12, "C": 4 / 12, "K": 3 / 12, "M": 4 / 12}
    close(laid, unseen)
    assert {kind: pytest.approx(held[kind] / MANY / 3, abs=0.02) for kind in unseen} == unseen


def after_a_shuffle():
    """A deck was made of BBKK while eleven Scares lay and one was in hand; two were drawn since."""
    lying = [(1, letter) for letter in "CCCCMMMMBKK"]
    state = table(
        3, turn=1, rooms={"crypt": "gh10"}, hands={1: "B"}, discards={1: "BBKK"}, invisible={"crypt": lying}
    )
    do(state, "draw")
    chances(state, "B", "K")
    assert (deck(state, 1), hand(state, 1)) == ("BK", "BBK")
    return state


def test_what_was_shuffled_and_what_lay_through_it_are_kept_apart():
    """Two of BBKK are the deck and two in hand; of the other twelve one is in hand, each alike."""
    old, new = "BBCCCCKKMMMM", "BBKK"
    ways = Counter(
        (
            "".join(sorted(new[a] + new[b])),
            "".join(sorted([*(new[i] for i in range(4) if i not in (a, b)), kept])),
        )
        for a, b in combinations(range(4), 2)
        for kept in old
    )
    expected = {pair: count / sum(ways.values()) for pair, count in ways.items()}
    hits = Counter((deck(sampled, 1), hand(sampled, 1)) for sampled in samples(after_a_shuffle(), 0))
    close(hits, expected)


def test_what_is_seen_later_may_be_of_either():
    """A Bump is shown then: the one kept in hand or one drawn since, each alike."""
    state = after_a_shuffle()
    do(state, "visible", room="crypt", scare="B")
    do(state, "use_power")
    old, new = "BBCCCCKKMMMM", "BBKK"
    ways: Counter[tuple[str, str]] = Counter()
    for a, b in combinations(range(4), 2):
        for kept in old:
            held = [*(new[i] for i in range(4) if i not in (a, b)), kept]
            for number, letter in enumerate(held):
                if letter == "B":
                    rest = "".join(sorted(held[:number] + held[number + 1 :]))
                    ways["".join(sorted(new[a] + new[b])), rest] += 1
    expected = {pair: count / sum(ways.values()) for pair, count in ways.items()}
    close(Counter((deck(sampled, 1), hand(sampled, 1)) for sampled in samples(state, 0)), expected)


def test_trophies_of_others_are_any_but_ones_own():
    state = table(3, trophies={0: ("candle", "key"), 1: ("flashlight", "rope"), 2: ("lantern", "map")})
    hits = Counter(sampled.trophies[1] for sampled in samples(state, 0, 2000))
    reds, blues = (0, 2, 3), (4, 6, 7)
    assert GEAR[1] == "candle"
    assert GEAR[5] == "key"
    close(hits, {(red, blue): 1 / 9 for red in reds for blue in blues})


def test_phantoms_of_others_are_any_that_were_not_seen():
    """Two Vanishing ones are ours, so two of 27 are left; Slumbering has been played once."""
    state = table(3, "full", held={0: ["vanishing", "vanishing"], 1: ["hasty"]}, played={2: ["slumbering"]})
    copies = list(PHANTOM_COPIES)
    copies[0] -= 2
    copies[2] -= 1
    hits = Counter(sampled.held[1][0] for sampled in samples(state, 0))
    close(hits, {kind: count / 27 for kind, count in enumerate(copies)})


def test_what_one_knows_of_a_hand_is_always_there():
    state = table(3, rooms={"laboratory": "gh10"}, hands={0: "BC"}, discards={0: "K"})
    do(state, "visible", room="laboratory", scare="B")
    do(state, "retrieve", scare="K")
    for sampled in samples(state, 1, 200):
        assert "K" in hand(sampled, 0)
        assert len(hand(sampled, 0)) == 2
        assert letters_of(sampled.discard[0]) == ""
