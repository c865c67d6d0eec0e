"""Samples of Haunt the House are fair: each hidden card turns up as often as counting says (HH 9)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb, prod

import pytest

from engine.core import OVER
from engine.games.haunt_the_house import HauntTheHouse, HouseState
from engine.games.haunt_the_house.tables import (
    COUNTS,
    GEAR,
    LETTERS,
    PHANTOMS,
    REDS,
    SHUFFLED,
    UNIT,
    WHOLE,
)
from tests.engine.hh_tables import boo, chances, do, letters_of, pile, settle, table
from tests.engine.walking import walk

TRIALS = 4000


def samples(state: HouseState, viewer: int, trials: int = TRIALS) -> list[HouseState]:
    seen, rng = json.loads(json.dumps(state.observe(viewer))), random.Random(viewer + 5)
    return [state.game.sample(seen, viewer, rng) for _ in range(trials)]


def assert_fair(hits: Counter[object], weights: dict[object, float]) -> None:
    """Chi-square, five sigma."""
    total, trials = sum(weights.values()), sum(hits.values())
    assert set(hits) <= {value for value, weight in weights.items() if weight}
    expected = {value: trials * weight / total for value, weight in weights.items() if weight}
    chi = sum((hits[value] - most) ** 2 / most for value, most in expected.items())
    freedom = max(1, len(expected) - 1)
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_a_hidden_scare_is_any_that_was_not_seen():
    state = table(3, visible={"crypt": [(1, "B")]}, invisible={"attic": [(1, "M")]}, discards={1: "BBK"})
    place = next(at for at, cards in enumerate(state.hidden) if cards)
    hits = Counter(LETTERS[sample.hidden[place][0] & 3] for sample in samples(state, 0))
    assert_fair(hits, {"B": 1, "C": 4, "K": 3, "M": 4})


def test_a_hand_is_drawn_from_all_that_was_not_seen():
    """Two Chills of seat 2 were not seen, and twelve others: how many are among three in hand."""
    state = table(3, hands={1: "BBB"}, discards={1: "CC"})
    hits = Counter(sample.hand[1] >> 3 & 7 for sample in samples(state, 0))
    none, one, two = 12 * 11 * 10, 3 * 2 * 12 * 11, 3 * 2 * 12
    assert_fair(hits, {0: none, 1: one, 2: two})


def test_who_looked_samples_the_very_card():
    state = table(3, rooms={"library": "gh10"}, invisible={"attic": [(1, "M"), (2, "K")]})
    do(state, "visible", room="library", scare="B")
    attic = next(at for at, cards in enumerate(state.hidden) if cards)
    do(state, "choose_invisible", room="attic", card=1)
    assert {sample.hidden[attic][0] for sample in samples(state, 0, 50)} == {state.hidden[attic][0]}
    assert len({sample.hidden[attic][1] for sample in samples(state, 0, 50)}) == 4


def test_what_is_known_of_a_hand_is_in_every_sample():
    state = table(3, rooms={"laboratory": "gh10"}, hands={0: "BCK"}, discards={0: "M"})
    do(state, "visible", room="laboratory", scare="B")
    do(state, "retrieve", scare="M")
    hands = Counter(letters_of(sample.hand[0]) for sample in samples(state, 1))
    assert all("M" in hand for hand in hands)
    assert len(hands) > 5


def shuffled_table() -> HouseState:
    """Seat 2 has shuffled: its deck was BBCKM and has KM left; one Scare lay before that, one came after."""
    state = table(2, hands={1: "CKM"}, visible={"crypt": [(1, "B")]}, discards={1: "CCKKM"})
    attic, kitchen = 2, 1
    state.hidden[attic] = (LETTERS.index("B") | 1 << 2 | 1 << 6 | SHUFFLED,)
    state.hidden[kitchen] = (LETTERS.index("B") | 1 << 2 | 1 << 6,)
    state.made[1], state.deck[1] = pile("BBCKM"), pile("KM")
    state.discard[1] = WHOLE - state.hand[1] - state.deck[1] - pile("BBB")
    return state.game.from_text(state.to_text())


def test_after_a_shuffle_decks_hold_what_the_shuffle_put_there():
    """By hand: deal what is left in every order, whichever copies were seen, and count what can be."""
    state = shuffled_table()
    new = COUNTS[state.made[1]]
    seen = COUNTS[state.discard[1] + pile("B")]
    ways: Counter[object] = Counter()
    for taken in product(*(range(min(pair) + 1) for pair in zip(new, seen, strict=True))):
        copies = prod(comb(n, t) * comb(4 - n, s - t) for n, t, s in zip(new, taken, seen, strict=True))
        left = [(kind, True) for kind in range(4) for _ in range(new[kind] - taken[kind])]
        left += [(kind, False) for kind in range(4) for _ in range(4 - new[kind] - seen[kind] + taken[kind])]
        for one, two, three, (later, _), *hand in permutations(left) if copies else ():
            if one[1] and two[1] and not three[1]:
                held = sum(UNIT[kind] for kind, _ in hand)
                ways[UNIT[one[0]] + UNIT[two[0]], three[0], later, held] += copies
    hits = Counter(
        (sample.deck[1], sample.hidden[2][0] & 3, sample.hidden[1][0] & 3, sample.hand[1])
        for sample in samples(state, 0)
    )
    assert len(ways) > 10
    assert_fair(hits, dict(ways))


def after_drawing() -> HouseState:
    """A deck was made of BBKK while eleven Scares lay and one was in hand; two were drawn since."""
    lying = [(1, letter) for letter in "CCCCMMMMBKK"]
    state = table(
        3, turn=1, rooms={"crypt": "gh10"}, hands={1: "B"}, discards={1: "BBKK"}, invisible={"crypt": lying}
    )
    do(state, "draw")
    chances(state, "B", "K")
    return state


def deals() -> Iterator[tuple[str, list[str]]]:
    """Each way it may be: two of the new deck and one of the other twelve in hand."""
    new = "BBKK"
    for drawn in combinations(range(4), 2):
        for kept in "BBCCCCKKMMMM":
            yield (
                "".join(new[at] for at in range(4) if at not in drawn),
                sorted([kept, *(new[at] for at in drawn)]),
            )


def test_what_was_kept_in_hand_through_a_shuffle_is_none_of_the_new_deck():
    state = after_drawing()
    ways = Counter((deck, "".join(hand)) for deck, hand in deals())
    hits = Counter((letters_of(each.deck[1]), letters_of(each.hand[1])) for each in samples(state, 0))
    assert_fair(hits, dict(ways))


def test_what_is_seen_after_a_shuffle_may_have_been_in_it_or_not():
    """A Bump is shown: each of those that may be in hand is as likely."""
    state = after_drawing()
    do(state, "visible", room="crypt", scare="B")
    do(state, "use_power")
    ways: Counter[object] = Counter()
    for deck, hand in deals():
        for number, letter in enumerate(hand):
            if letter == "B":
                ways[deck, "".join(hand[:number] + hand[number + 1 :])] += 1
    hits = Counter((letters_of(each.deck[1]), letters_of(each.hand[1])) for each in samples(state, 0))
    assert_fair(hits, dict(ways))


@pytest.mark.parametrize(("mode", "seats"), [("full", 2), ("full", 5), ("beginner", 3)])
def test_what_samples_hold_to_is_true_at_every_table(mode: str, seats: int):
    """A deck holds nothing that its shuffle did not put there; what lay through the shuffle was not in it."""
    shuffles = 0
    for state in walk(HauntTheHouse(seats, mode), 3):
        for owner in range(seats):
            made = COUNTS[state.made[owner]]
            shuffles += state.made[owner] != WHOLE
            assert all(map(int.__le__, COUNTS[state.deck[owner]], made))
            lying = Counter(
                card & 3
                for cards in state.hidden
                for card in cards
                if card >> 2 & 7 == owner and card >= SHUFFLED
            )
            assert all(lying[kind] <= 4 - made[kind] for kind in lying)
            for viewer in range(seats):
                known = COUNTS[state.known[seats * owner + viewer]]
                assert all(map(int.__le__, known, COUNTS[state.hand[owner]]))
    assert shuffles > 50


def test_another_seat_has_each_trophy_that_is_left_alike():
    state = table(3, trophies={0: ("candle", "map"), 1: ("torch", "key"), 2: ("lantern", "rope")})
    reds = Counter(GEAR[sample.trophies[1][0]] for sample in samples(state, 0))
    assert_fair(reds, {GEAR[gear]: 1 for gear in REDS if GEAR[gear] != "candle"})
    pairs = Counter(sample.trophies[1] == sample.trophies[2] for sample in samples(state, 0, 200))
    assert pairs[True] == 0


def test_with_five_seats_a_trophy_is_any_of_the_seven_others():
    state = table(5)
    hits = Counter(GEAR[sample.trophies[4][0]] for sample in samples(state, 0))
    assert_fair(hits, {gear: 1 for gear in GEAR if gear != GEAR[0]})


def test_a_phantom_in_another_hand_is_any_copy_that_was_not_seen():
    state = table(3, "full", held={0: ["hasty"], 1: ["vanishing"]}, played={2: ["vanishing", "peering"]})
    weights = dict.fromkeys(PHANTOMS, 2) | {"vanishing": 3, "hasty": 1, "peering": 1}
    hits = Counter(PHANTOMS[sample.held[1][0]] for sample in samples(state, 0))
    assert_fair(hits, weights)
    nexts = Counter(PHANTOMS[kind] for sample in samples(state, 0, 300) for kind in sample.top)
    assert nexts["peering"] < nexts["gathering"] < nexts["vanishing"]


def test_who_put_a_phantom_under_the_deck_knows_it():
    state = table(3, "full", rooms={"crypt": "gh10"}, invisible={"crypt": [(2, "M")]}, hands={0: "KKK"})
    boo(state, "crypt")
    do(state, "draw_phantoms")
    chances(state, "hasty", "slumbering")
    do(state, "keep", phantom="hasty")
    settle(state)
    under = PHANTOMS.index("slumbering") | 2 << 4
    assert {sample.bottom for sample in samples(state, 2, 50)} == {(under,)}
    kinds = Counter(PHANTOMS[sample.bottom[0] & 15] for sample in samples(state, 1))
    assert_fair(kinds, dict.fromkeys(PHANTOMS, 2) | {"vanishing": 4})


def test_what_another_has_drawn_to_choose_from_is_any():
    state = table(3, "full", rooms={"crypt": "gh10"}, invisible={"crypt": [(2, "M")]}, hands={0: "KKK"})
    boo(state, "crypt")
    do(state, "draw_phantoms")
    chances(state, "hasty", "slumbering")
    drawn = Counter(PHANTOMS[kind] for sample in samples(state, 0) for kind in sample.drawn)
    assert sum(drawn.values()) == 2 * TRIALS
    assert 1.6 < drawn["vanishing"] / drawn["hasty"] < 2.5
    assert {sample.drawn for sample in samples(state, 2, 20)} == {state.drawn}


def test_samples_are_the_same_for_the_same_luck():
    game = HauntTheHouse(4, "full")
    for state in walk(game, 6):
        if state.actor() != OVER:
            seen = state.observe(1)
            one, two = (game.sample(seen, 1, random.Random(3)).to_text() for _ in range(2))
            assert one == two
