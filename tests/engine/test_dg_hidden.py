"""Rule 7 of docs/games/dont-go-in-there.md: what is hidden stays hidden, and samples are fair."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there import DontGoInThere, HauntState
from engine.games.dont_go_in_there.tables import CURSES, TYPES, cards_of
from engine.games.dont_go_in_there.view import hidden_slot
from tests.engine.dg_tables import do, game_with, place, table, taking
from tests.engine.walking import walk

SEATS = (2, 3, 4, 5)


def otherwise(state: HauntState, where: int, unseen: list[int], rng: random.Random) -> HauntState:
    """The same table, but another card lies face-down there."""
    other = state.clone()
    other.cards[where] = rng.choice([face for face in unseen if face != state.cards[where]])
    other.pool = sorted([*state.pool, state.cards[where]])
    other.pool.remove(other.cards[where])
    return other


@pytest.mark.parametrize("seats", SEATS)
def test_dg_7_1_another_hidden_card_changes_nothing_for_who_may_not_see_it(seats):
    """Every position of a match: neither what they observe nor what they may do moves."""
    rng = random.Random(seats)
    changed = seen_by_peekers = 0
    for seed in range(3):
        for state in walk(DontGoInThere(seats), seed):
            where = hidden_slot(state, 2)
            if where < 0 or not state.pool:
                continue
            peekers = {seat for seat in state.spaces[8:] if seat >= 0}
            other = otherwise(state, where, state.pool, rng)
            for viewer in (None, *range(seats)):
                if viewer in peekers:
                    seen_by_peekers += other.observe(viewer) != state.observe(viewer)
                    continue
                assert other.observe(viewer) == state.observe(viewer)
                assert other.observe_json(viewer) == state.observe_json(viewer)
                if viewer is not None and state.actor() == viewer:
                    assert other.legal_actions() == state.legal_actions()
                    game = state.game
                    assert game.default_move(other) == game.default_move(state)
                changed += 1
    assert changed > 20
    assert seen_by_peekers > 0


@pytest.mark.parametrize("seats", SEATS)
def test_dg_7_1_which_unseen_cards_are_in_the_deck_shows_nowhere(seats):
    """The deck has no order and no content of its own: an observation tells unseen cards alone."""
    for state in walk(DontGoInThere(seats), 5):
        unseen = state.observe(None)["unseen"]
        lying = sum(1 for board in range(3) if hidden_slot(state, board) >= 0)
        assert sum(map(sum, unseen.values())) == len(state.pool) + lying


@pytest.mark.parametrize("seats", SEATS)
def test_dg_7_2_counting_always_comes_out(seats):
    """Seen and unseen cards are, for everyone at every moment, all cards of the types in play."""
    for state in walk(DontGoInThere(seats), 8):
        for viewer in (None, *range(seats)):
            view = state.observe(viewer)
            if view["phase"] == "types":
                continue
            seen = Counter()
            for room in view["rooms"]:
                seen.update(
                    (card["type"], card["curse"]) for card in room["cards"] if card and "type" in card
                )
            for player in view["players"]:
                for pile in ("face_up", "dispelled"):
                    for key, row in player[pile].items():
                        seen.update({(key, curse): count for curse, count in enumerate(row, start=1)})
            for key, row in view["unseen"].items():
                seen.update({(key, curse): count for curse, count in enumerate(row, start=1)})
            whole = {(TYPES[f // CURSES], f % CURSES + 1) for f in cards_of(state.types)}
            assert set(seen) == whole
            assert set(seen.values()) == {2}


def test_dg_7_2_a_peeker_knows_the_card_until_the_haunt_and_others_count_it_as_unseen():
    state = table(game_with(), cards={"secret_passage": [("cat", 4), ("cat", 4), ("cat", 1)]})
    assert state.observe(0)["unseen"]["cat"][0] == 2
    place(state, "secret_passage", 1)
    assert state.observe(0)["unseen"]["cat"][0] == 1
    assert state.observe(1)["unseen"]["cat"][0] == 2
    assert state.observe(None)["unseen"]["cat"][0] == 2
    place(state, "secret_passage", 2)
    assert state.observe(1)["unseen"]["cat"][0] == 1
    place(state, "secret_passage", 3)
    assert state.observe(None)["unseen"]["cat"][0] == 1


def test_dg_7_2_events_show_the_peeked_card_to_its_seat_alone():
    state = table(game_with(seats=4), cards={"secret_passage": [("cat", 4), ("cat", 4), ("cat", 1)]})
    (_, peek) = place(state, "secret_passage", 1)
    assert [("card" in peek.seen_by(viewer)) for viewer in (None, 0, 1, 2, 3)] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_dg_7_1_no_public_event_names_a_card_that_lies_face_down():
    for seats in SEATS:
        game = DontGoInThere(seats)
        rng = random.Random(seats)
        state = game.initial_state()
        while state.actor() != OVER:
            events = []
            legal = state.legal_actions()
            state.apply(state.draw_chance(rng) if state.actor() < 0 else rng.choice(legal), events.append)
            if hidden_slot(state, 2) >= 0:
                told = [event for event in events if event.public.get("room") == "secret_passage"]
                assert all(event.kind in ("deal", "place", "peek") for event in told)
                assert all(e.public.get("card") is None for e in told if e.public.get("slot") == 3)


def test_dg_7_3_a_hidden_card_is_sampled_as_often_as_counting_says():
    """Chi-square over the faces that seat 1 has not seen."""
    known = [("cat", 4), ("cat", 4), ("portrait", 1)]
    state = table(game_with(), cards={"secret_passage": known}, up={0: [("cat", 1)], 1: [("music_box", 2)]})
    place(state, "secret_passage", 1)
    view = json.loads(json.dumps(state.observe(1)))
    weights = {
        (key, curse): count
        for key, row in view["unseen"].items()
        for curse, count in enumerate(row, start=1)
        if count
    }
    assert 1 in weights.values()
    assert 2 in weights.values()
    rng, trials = random.Random(4), 6000
    hits = Counter()
    for _ in range(trials):
        face = state.game.sample(view, 1, rng).cards[8]
        hits[TYPES[face // CURSES], face % CURSES + 1] += 1
    assert set(hits) <= set(weights)
    total = sum(weights.values())
    chi = sum((hits[card] - trials * n / total) ** 2 / (trials * n / total) for card, n in weights.items())
    freedom = len(weights) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_dg_7_3_who_peeked_samples_the_very_card():
    state = table(game_with(), cards={"secret_passage": [("cat", 4), ("cat", 4), ("cat", 1)]})
    place(state, "secret_passage", 1)
    rng = random.Random(1)
    assert all(state.game.sample(state.observe(0), 0, rng).cards[8] == state.cards[8] for _ in range(50))


def test_dg_7_3_the_card_drawn_next_in_samples_follows_the_counts_too():
    """Deck and removed cards are one heap of unseen ones: a sample's next draw is any of them alike."""
    state = taking(game_with(), ("cat", 1), ("cat", 2), ("cat", 3))
    for slot in (1, 2):
        do(state, {"type": "pick", "slot": slot})
    sampled = state.game.sample(state.observe(0), 0, random.Random(1))
    assert sampled.chance_stream() == "deck"
    unseen = state.observe(0)["unseen"]
    hidden = Counter(dict.fromkeys(sampled.legal_actions(), 0))
    hidden.update(dict(zip(sampled.legal_actions(), sampled.chance_weights(), strict=True)))
    assert sum(hidden.values()) == sum(map(sum, unseen.values())) - 1  # one of them lies face-down
