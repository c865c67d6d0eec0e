"""Rule 8.10 of docs/games/dont-go-in-there.md: what the ravens have shown, and to whom."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import chain

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there.tables import cards_of
from engine.games.dont_go_in_there.view import hidden_slot
from tests.engine.dg_tables import (
    card_of,
    cards_of_counts,
    do,
    face,
    game_with,
    moves,
    pick,
    place,
    table,
    taking,
)
from tests.engine.walking import walk

SEATS = (2, 3, 4, 5)


def with_ravens(seats):
    return game_with("raven", "tome", "cat", "witchs_brews", "clock", seats=seats)


def has_looked(state, viewer):
    return viewer is not None and bool(state.looked >> viewer & 1)


def matches(seats, number=3):
    return chain.from_iterable(walk(with_ravens(seats), seed) for seed in range(number))


def swapped(state, rng):
    """The same table, but a removed card that nobody saw go there and one of the deck have changed places."""
    other = state.clone()
    secret = [*(Counter(state.removed) - Counter(state.returned)).elements()]
    first = rng.choice(secret)
    choices = [one for one in state.pool if one != first]
    if not choices:
        return None
    second = rng.choice(choices)
    for heap, gone, come in ((other.removed, first, second), (other.pool, second, first)):
        heap.remove(gone)
        heap.append(come)
        heap.sort()
    return other


@pytest.mark.parametrize("seats", SEATS)
def test_dg_8_10_which_cards_were_removed_is_known_to_nobody_who_has_not_looked(seats):
    rng = random.Random(seats)
    blind = sighted = 0
    for state in matches(seats):
        if not state.removed or (other := swapped(state, rng)) is None:
            continue
        for viewer in (None, *range(seats)):
            if has_looked(state, viewer):
                sighted += other.observe(viewer) != state.observe(viewer)
                continue
            assert other.observe(viewer) == state.observe(viewer)
            assert other.observe_json(viewer) == state.observe_json(viewer)
            if viewer is not None and state.actor() == viewer:
                assert other.legal_actions() == state.legal_actions()
                assert state.game.default_move(other) == state.game.default_move(state)
            blind += 1
    assert blind > 100
    assert sighted > 20


@pytest.mark.parametrize("seats", SEATS)
def test_dg_8_10_who_has_looked_still_does_not_know_the_hidden_card(seats):
    """It changes places with one of the deck, and only those who peeked see it."""
    rng = random.Random(seats)
    changed = lookers = 0
    for state in matches(seats):
        where = hidden_slot(state, 2)
        others = [one for one in state.pool if where >= 0 and one != state.cards[where]]
        if not others:
            continue
        other = state.clone()
        other.cards[where] = rng.choice(others)
        other.pool.remove(other.cards[where])
        other.pool = sorted([*other.pool, state.cards[where]])
        for viewer in (None, *range(seats)):
            if viewer is None or viewer not in state.spaces[8:]:
                assert other.observe(viewer) == state.observe(viewer)
                changed += 1
                lookers += has_looked(state, viewer)
    assert changed > 20
    assert lookers > 0


@pytest.mark.parametrize("seats", SEATS)
def test_dg_8_10_counting_always_comes_out(seats):
    """Cards seen, known to be removed, in question and unseen are all cards in play, for everyone."""
    for state in matches(seats, 2):
        for viewer in (None, *range(seats)):
            view = state.observe(viewer)
            if not view["removed"]:
                continue
            seen = Counter(
                (card["type"], card["curse"])
                for room in view["rooms"]
                for card in room["cards"]
                if card and "type" in card
            )
            for player in view["players"]:
                seen.update(cards_of_counts(player["face_up"]))
                seen.update(cards_of_counts(player["dispelled"]))
            known = view["removed"]["seen"]
            seen.update(cards_of_counts(view["removed"]["returned"] if known is None else known))
            if view["phase"] == "give":
                seen[view["card"]["type"], view["card"]["curse"]] += 1
            seen.update(cards_of_counts(view["unseen"]))
            assert seen == Counter(map(card_of, cards_of(state.types)))


def test_dg_8_10_no_public_event_names_a_removed_card_that_was_not_brought():
    for seats in SEATS:
        rng, looks = random.Random(seats), 0
        for seed in range(4):
            state = with_ravens(seats).initial_state()
            rng.seed(seed)
            while state.actor() != OVER:
                events = []
                secret = Counter(state.removed) - Counter(state.returned)
                action = state.draw_chance(rng) if state.actor() < 0 else rng.choice(state.legal_actions())
                state.apply(action, events.append)
                for event in events:
                    if event.kind == "look":
                        looks += 1
                        assert set(event.public) == {"seat", "number"}
                        assert list(event.private) == [event.public["seat"]]
                        told = event.private[event.public["seat"]]["removed"]
                        assert [face((card["type"], card["curse"])) for card in told] == state.removed
                    elif event.kind == "bring":
                        card = event.public["card"]
                        assert (Counter(state.removed) + Counter([state.card])) >= secret
                        assert face((card["type"], card["curse"])) == state.card
        assert looks > 0


# --- samples ---


def looked_at(**more):
    """Seat 0 of three has looked and exchanged its cat; the Secret Passage hides a card from seat 2 alone."""
    game = game_with("raven", "ring", "twin", seats=3)
    state = taking(
        game, ("raven", 1), held=[("raven", 2), ("cat", 1)], removed=[("ring", 4)], ghosts=[0, 0, 0], **more
    )
    pick(state, 1)
    do(state, {"type": "bring", "curse_type": "ring", "curse": 4})
    do(state, {"type": "give", "curse_type": "cat", "curse": 1})
    return state


def chi_square(hits, expected):
    chi = sum((hits[key] - mean) ** 2 / mean for key, mean in expected.items())
    freedom = len(expected) - 1
    return chi, freedom + 5 * (2 * freedom) ** 0.5


def test_dg_8_10_removed_cards_are_sampled_as_often_as_counting_says():
    """For seat 1, which has not looked: twelve removed, of which it knows the cat."""
    state = looked_at()
    view = json.loads(json.dumps(state.observe(1)))
    assert cards_of_counts(view["removed"]["returned"]) == [("cat", 1)]
    unseen = Counter(cards_of_counts(view["unseen"]))
    total = sum(unseen.values())
    rng, trials, hits, hidden = random.Random(2), 4000, Counter(), Counter()
    for _ in range(trials):
        sampled = state.game.sample(view, 1, rng)
        assert len(sampled.removed) == 12
        assert face(("cat", 1)) in sampled.removed
        removed = Counter(sampled.removed) - Counter([face(("cat", 1))])
        hits.update(card_of(one) for one in removed.elements())
        hidden[card_of(sampled.cards[8])] += 1
    for found, slots in ((hits, 11), (hidden, 1)):
        assert set(found) <= set(unseen)
        chi, bound = chi_square(found, {card: trials * slots * n / total for card, n in unseen.items()})
        assert chi < bound


def test_dg_8_10_who_has_looked_samples_the_very_removed_cards():
    state = looked_at()
    view = json.loads(json.dumps(state.observe(0)))
    unseen = Counter(cards_of_counts(view["unseen"]))
    assert unseen == Counter(map(card_of, [*state.pool, state.cards[8]]))
    rng, trials, hidden = random.Random(3), 3000, Counter()
    for _ in range(trials):
        sampled = state.game.sample(view, 0, rng)
        assert (sampled.removed, sampled.returned, sampled.looked) == (state.removed, state.returned, 1)
        hidden[card_of(sampled.cards[8])] += 1
    total = sum(unseen.values())
    chi, bound = chi_square(hidden, {card: trials * n / total for card, n in unseen.items()})
    assert chi < bound


def test_dg_8_10_who_has_looked_and_peeked_knows_the_deck_itself():
    game = game_with("raven", "ring", "twin", seats=3)
    state = table(game, up={0: [("raven", 1), ("raven", 2)]}, looked=[0], ghosts=[0, 0, 0])
    place(state, "secret_passage", 1)
    sampled = game.sample(state.observe(0), 0, random.Random(1))
    assert sampled.to_text() == state.to_text()


def test_dg_8_10_what_a_sample_deals_next_is_any_unseen_card_alike():
    """Deck and removed cards together: seat 1's next card is as likely to be any of them."""
    state = looked_at()
    view = state.observe(1)
    unseen = Counter(cards_of_counts(view["unseen"]))
    rng, trials, hits = random.Random(5), 4000, Counter()
    for _ in range(trials):
        hits[card_of(rng.choice(state.game.sample(view, 1, rng).pool))] += 1
    total = sum(unseen.values())
    chi, bound = chi_square(hits, {card: trials * n / total for card, n in unseen.items()})
    assert chi < bound


def test_dg_8_10_knowledge_stays_through_the_swaps_of_others():
    """Seat 1 looked before; seat 0 then brings and gives: seat 1 still knows all that lies there."""
    state = looked_at(looked=[1])
    for viewer in (0, 1):
        seen = state.observe(viewer)["removed"]["seen"]
        assert sorted(map(face, cards_of_counts(seen))) == state.removed
    assert state.observe(2)["removed"]["seen"] is None
    assert state.observe(2)["removed"]["looked"] == [0, 1]


def test_dg_8_10_while_a_card_is_being_exchanged_all_see_it():
    game = game_with("raven", "ring", seats=3)
    state = taking(
        game, ("raven", 1), held=[("raven", 2), ("cat", 1)], removed=[("ring", 4)], ghosts=[0, 0, 0]
    )
    pick(state, 1)
    do(state, {"type": "bring", "curse_type": "ring", "curse": 4})
    assert len(moves(state)) == 1
    for viewer in (None, 0, 1, 2):
        assert state.observe(viewer)["card"] == {"type": "ring", "curse": 4, "dice": 1}
        assert state.observe(viewer)["removed"]["number"] == 11
    for seat in range(3):
        sampled = game.sample(state.observe(seat), seat, random.Random(seat))
        assert sampled.observe(seat) == state.observe(seat)
        assert len(sampled.removed) == 11


@pytest.mark.parametrize("seats", SEATS)
def test_dg_8_10_positions_with_ravens_are_written_and_sampled_whole(seats):
    rng = random.Random(seats)
    for state in matches(seats, 2):
        game = state.game
        assert game.from_text(state.to_text()).to_text() == state.to_text()
        for seat in range(seats):
            sampled = game.sample(json.loads(state.observe_json(seat)), seat, rng)
            assert sampled.observe(seat) == state.observe(seat)
            if state.actor() == seat:
                assert sampled.legal_actions() == state.legal_actions()


def test_dg_8_10_wrong_counts_of_removed_cards_are_no_position():
    game = game_with("raven", "ring", seats=3)
    fields = table(game, looked=[2], removed=[("ring", 4)], returned=[("ring", 4)]).to_text().split(";")
    assert game.from_text(";".join(fields)).looked == 4
    for at, wrong in ((17, ""), (17, fields[17] + ",3"), (18, "0,0,0"), (19, "8"), (16, "3"), (15, "0.2.1")):
        damaged = [*fields[:at], wrong, *fields[at + 1 :]]
        with pytest.raises(ValueError):
            game.from_text(";".join(damaged))
