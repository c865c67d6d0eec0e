"""Rule 9 of docs/games/haunt-the-house.md: what is open, what is hidden, what is remembered."""

from __future__ import annotations

import random

import pytest

from engine.core import CHANCE, OVER
from engine.games.haunt_the_house import HauntTheHouse
from engine.games.haunt_the_house.tables import KNOWN_TO, UNIT
from tests.engine.hh_tables import (
    boo,
    chances,
    do,
    hand,
    lay,
    moves,
    settle,
    show,
    skip,
    table,
)
from tests.engine.walking import walk


def lying(state, viewer, room):
    """What a viewer sees of the invisible Scares of a room."""
    row = next(row for row in state.observe(viewer)["rooms"] if row["room"] == room)["invisible"]
    return [(card["seat"], card.get("scare")) for card in row]


def known(state, viewer, of):
    """What a viewer knows to be in a hand."""
    return state.observe(viewer)["players"][of]["known"]


# --- 9.1: open ---


def test_hh_9_1_piles_and_numbers_are_open():
    state = table(
        3,
        "full",
        rooms={"crypt": "gh10"},
        visible={"crypt": [(1, "M")]},
        discards={1: "BBK"},
        hunters={2: ["gh01"]},
        tokens=[0, 3, 1],
        held={1: ["hasty", "peering"]},
        played={2: ["slumbering"]},
    )
    for viewer in (None, 0, 1, 2):
        seen = state.observe(viewer)
        assert [player["discard"] for player in seen["players"]] == [[0] * 4, [2, 0, 1, 0], [0] * 4]
        assert [player["hand"] for player in seen["players"]] == [3, 3, 3]
        assert [player["deck"] for player in seen["players"]] == [13, 9, 13]
        assert [player["skulls"] for player in seen["players"]] == [0, 3, 1]
        assert [player["phantoms"] for player in seen["players"]] == [0, 2, 0]
        assert [player["played"] for player in seen["players"]] == [[], [], ["slumbering"]]
        assert [player["hunters"] for player in seen["players"]] == [[], [], ["gh01"]]
        assert (seen["room_pile"], seen["hunters_left"], seen["phantom_deck"]) == (5, 19, 27)
        crypt = seen["rooms"][0]
        assert (crypt["hunter"], crypt["need"]) == ("gh10", [2, 0, 0, 2])
        assert crypt["visible"] == [[0] * 4, [0, 0, 0, 1], [0] * 4]


# --- 9.2: who laid what, and who knows it ---


def test_hh_9_2_who_laid_it_is_open_and_what_it_is_only_the_owner_knows():
    state = table(hands={0: "KM"}, rooms={"crypt": "gh10"}, invisible={"crypt": [(2, "B")]})
    lay(state, "K", "crypt")
    assert lying(state, None, "crypt") == lying(state, 1, "crypt") == [(2, None), (0, None)]
    assert lying(state, 0, "crypt") == [(2, None), (0, "creak")]
    assert lying(state, 2, "crypt") == [(2, "bump"), (0, None)]


def test_hh_9_2_who_looked_and_at_which_is_open():
    state = table(rooms={"library": "gh10"}, hands={0: "BB"}, invisible={"library": [(1, "M"), (2, "K")]})
    show(state, "B", "library")
    do(state, "choose_invisible", room="library", card=2)
    skip(state)
    cards = state.observe(None)["rooms"][0]["invisible"]
    assert [card["known_to"] for card in cards] == [[1], [0, 2]]


def test_hh_9_2_what_one_has_seen_one_knows_after_it_moved():
    """Seat 1 looks at a Scare of seat 2, who then moves it elsewhere."""
    state = table(
        2,
        rooms={"library": "gh10", "ballroom": "gh11"},
        hands={0: "BCC", 1: "BKK"},
        invisible={"library": [(1, "M")]},
    )
    show(state, "B", "library")
    do(state, "choose_invisible", room="library", card=1)
    skip(state)
    lay(state, "C", "library")
    skip(state)
    settle(state)
    assert state.actor() == 1
    show(state, "B", "ballroom")
    do(state, "choose_invisible", room="library", card=1)
    do(state, "choose_room", room="ballroom")
    assert lying(state, 0, "ballroom") == [(1, "moan")]
    assert lying(state, None, "ballroom") == [(1, None)]


def test_hh_9_2_what_all_have_seen_go_to_a_hand_they_know_to_be_there():
    state = table(rooms={"cellar": "gh10"}, hands={0: "BC"}, visible={"cellar": [(0, "M")]})
    show(state, "B", "cellar")
    do(state, "choose_visible", room="cellar", seat=0, scare="moan")
    assert known(state, 1, 0) == known(state, 2, 0) == [0, 0, 0, 1]
    assert hand(state, 0) == "CM"
    show(state, "M", "cellar")
    assert known(state, 1, 0) == [0, 0, 0, 0]


def test_hh_9_2_an_invisible_one_taken_back_is_known_to_who_had_seen_it():
    state = table(rooms={"cellar": "gh10"}, hands={0: "BC"}, invisible={"cellar": [(0, "K")]})
    state.hidden[0] = tuple(card | KNOWN_TO[2] for card in state.hidden[0])
    show(state, "B", "cellar")
    do(state, "choose_invisible", room="cellar", card=1)
    assert known(state, 1, 0) == [0, 0, 0, 0]
    assert known(state, 2, 0) == [0, 0, 1, 0]


def test_hh_9_2_once_something_is_laid_unseen_it_might_be_the_one_that_was_known():
    state = table(rooms={"laboratory": "gh10"}, hands={0: "BC"}, discards={0: "K"})
    show(state, "B", "laboratory")
    do(state, "retrieve", scare="K")
    assert known(state, 1, 0) == [0, 0, 1, 0]
    lay(state, "C", "laboratory")
    assert known(state, 1, 0) == [0, 0, 0, 0]


# --- 9.3, 9.4: hidden ---


def test_hh_9_4_what_is_drawn_as_a_reward_only_its_seat_sees():
    state = table(3, "full", rooms={"crypt": "gh10"}, invisible={"crypt": [(2, "M")]}, hands={0: "KKK"})
    boo(state, "crypt")
    do(state, "draw_phantoms")
    chances(state, "hasty", "slumbering")
    assert state.observe(2)["offered"] == ["hasty", "slumbering"]
    assert [state.observe(viewer)["offered"] for viewer in (None, 0, 1)] == [[], [], []]


def test_hh_9_5_the_dungeon_shows_what_it_takes():
    state = table(rooms={"dungeon": "gh10"}, hands={0: "B", 1: "KM"})
    show(state, "B", "dungeon")
    do(state, "choose_seat", seat=1)
    events = chances(state, "M")
    assert [event.seen_by(None)["scare"] for event in events if event.kind == "discard"] == ["moan"]


def _swap_in_hand(state, rng, viewer):
    """A Scare in another's hand for a different one of his deck."""
    for owner in _others(state, rng, viewer):
        pairs = [
            (mine, other)
            for mine in range(4)
            for other in range(4)
            if mine != other and state.hand[owner] >> 3 * mine & 7 and state.deck[owner] >> 3 * other & 7
        ]
        if pairs:
            mine, other = rng.choice(pairs)
            state.hand[owner] += UNIT[other] - UNIT[mine]
            state.deck[owner] += UNIT[mine] - UNIT[other]


def _swap_laid(state, rng, viewer):
    """An invisible Scare that the viewer does not know for another of its owner's deck."""
    for place, cards in enumerate(state.hidden):
        for number, card in enumerate(cards):
            owner, kind = card >> 2 & 7, card & 3
            if viewer is not None and card & KNOWN_TO[viewer]:
                continue
            held = [other for other in range(4) if state.deck[owner] >> 3 * other & 7 and other != kind]
            if held:
                other = rng.choice(held)
                state.deck[owner] += UNIT[kind] - UNIT[other]
                changed = list(state.hidden[place])
                changed[number] = card - kind + other
                state.hidden[place] = tuple(changed)


def _swap_phantoms(state, rng, viewer):
    for owner in _others(state, rng, viewer):
        if state.held[owner] and state.top:
            mine, other = rng.choice(state.held[owner]), rng.choice(state.top)
            held, top = list(state.held[owner]), list(state.top)
            held[held.index(mine)], top[top.index(other)] = other, mine
            state.held[owner], state.top = tuple(sorted(held)), tuple(sorted(top))


def _swap_trophies(state, rng, viewer):
    others = _others(state, rng, viewer)
    if len(others) > 1 and state.phase and all(len(state.trophies[seat]) == 2 for seat in others[:2]):
        one, two = others[:2]
        (red, blue), (other_red, other_blue) = state.trophies[one], state.trophies[two]
        state.trophies[one], state.trophies[two] = (other_red, blue), (red, other_blue)


def _others(state, rng, viewer):
    others = [seat for seat in range(state.game.seats) if seat != viewer]
    rng.shuffle(others)
    return others


SWAPS = [_swap_in_hand, _swap_laid, _swap_phantoms, _swap_trophies]


@pytest.mark.parametrize("swap", SWAPS, ids=lambda swap: swap.__name__)
@pytest.mark.parametrize(
    ("mode", "seats"), [("full", 2), ("full", 3), ("full-no-attacks", 4), ("beginner", 3)]
)
def test_hh_9_3_what_a_seat_may_not_know_changes_nothing_it_sees(mode, seats, swap):
    rng = random.Random(3)
    game = HauntTheHouse(seats, mode)
    changed = 0
    for state in walk(game, 4):
        if state.actor() == OVER or rng.random() < 0.5:
            continue
        for viewer in (None, *range(seats)):
            other = state.clone()
            swap(other, rng, viewer)
            if other.to_text() == state.to_text():
                continue
            changed += 1
            assert other.observe(viewer) == state.observe(viewer)
            if state.actor() == viewer:
                assert other.legal_actions() == state.legal_actions()
    assert (
        changed > 20 or (swap, mode) == (_swap_phantoms, "beginner") or (swap, seats) == (_swap_trophies, 2)
    )


# --- who is asked, and what happens to a seat that does not answer ---


@pytest.mark.parametrize(
    ("mode", "seats"), [("full", 2), ("full", 5), ("full-no-attacks", 3), ("beginner", 4)]
)
def test_the_default_move_is_legal_everywhere_and_ends_every_match(mode, seats):
    rng = random.Random(9)
    game = HauntTheHouse(seats, mode)
    for state in walk(game, 8):
        if state.actor() >= 0:
            assert game.default_move(state) in state.legal_actions()
    state = game.initial_state()
    while (actor := state.actor()) != OVER:
        state.apply(state.draw_chance(rng) if actor == CHANCE else game.default_move(state))
    assert state.figures()["turns"] <= 300


def test_a_seat_is_never_without_a_move():
    rng = random.Random(2)
    for seed in range(30):
        for state in walk(HauntTheHouse(rng.choice((2, 3, 4, 5)), rng.choice(("full", "beginner"))), seed):
            assert state.actor() == OVER or moves_or_chance(state)


def moves_or_chance(state):
    return state.legal_actions() if state.actor() == CHANCE else moves(state)
