"""Rules 3 and 8 of docs/games/treasure-hunters.md: the die, ghosts, hauntings, draw cards, locks."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from engine.errors import OptionError
from engine.games.treasure_hunters import TreasureHunters
from engine.games.treasure_hunters.tables import CARD, CARDS, NUMBER_OF
from tests.engine.th_tables import chance, ends, phase, place, table, turn_up

ALL_GHOSTS = tuple(CARDS[:12])
DRAWING = {"steps": 3, "phase": CARD}


@pytest.mark.parametrize(
    ("mode", "cards"), [("basic", 13), ("locks", 17), ("order", 13), ("cards", 19), ("advanced", 19)]
)
def test_th_1_7_the_deck_of_each_mode(mode, cards):
    deck = Counter(CARDS[card] for card in TreasureHunters(4, mode).deck)
    assert deck.total() == cards
    assert all(deck[card] == 1 for card in (*ALL_GHOSTS, "shuffle"))
    assert deck["blue_locked"] == deck["green_locked"] == (2 if mode in ("locks", "cards", "advanced") else 0)
    assert deck["draw_2"] == deck["draw_3"] == (1 if mode in ("cards", "advanced") else 0)


@pytest.mark.parametrize("face", range(1, 7))
def test_th_3_2_a_six_brings_no_card(face):
    state = TreasureHunters(4).initial_state()
    chance(state, "movement", face)
    assert phase(state) == ("move" if face == 6 else "card")
    assert state.observe(0)["steps"] == face


def test_th_1_5_the_die_is_fair():
    state = TreasureHunters(4).initial_state()
    assert state.legal_actions() == [1, 2, 3, 4, 5, 6]
    assert state.chance_weights() == [1] * 6


def test_th_3_3_shuffle_brings_all_cards_back_and_no_ghost():
    state = table(**DRAWING, pile=("ghost_a", "shuffle"))
    events = turn_up(state, "shuffle")
    assert state.pile == state.game.deck
    assert state.ghosts == 0
    assert [event["kind"] for event in events] == ["card", "shuffle"]
    assert phase(state) == "move"


def test_th_3_4_a_room_holds_two_ghosts_and_the_third_haunts_it():
    state = table(**DRAWING, ghosts={"b": 1})
    assert turn_up(state, "ghost_b")[-1] == {"kind": "ghost", "room": "room_b", "ghosts": 2}
    chance_turn(state)
    assert turn_up(state, "ghost_a")[-1]["kind"] == "ghost"
    state = table(**DRAWING, ghosts={"b": 2})
    assert turn_up(state, "ghost_b")[-1] == {"kind": "haunting", "room": "room_b", "hauntings": 1}
    row = state.observe(0)["rooms"][1]
    assert (row["ghosts"], row["haunted"]) == (0, True)


def chance_turn(state):
    """This hunter stays; the next one rolls a 1."""
    state.apply(state.places[state.hunter])
    chance(state, "movement", 1)


def test_th_3_4_who_is_there_prevents_nothing():
    state = table(**DRAWING, ghosts={"c": 2}, at=("c", "c"), carried=(True,))
    turn_up(state, "ghost_c")
    assert state.haunted == 1 << place("c")


@pytest.mark.parametrize(
    ("haunted", "card", "to"),
    [("a", "a", "b"), ("ab", "a", "c"), ("l", "l", "a"), ("kla", "k", "b"), ("a", "b", "b")],
)
def test_th_3_5_the_ghost_of_a_haunted_room_goes_to_the_next_letter(haunted, card, to):
    state = table(**DRAWING, haunted=haunted)
    assert turn_up(state, f"ghost_{card}")[-1] == {"kind": "ghost", "room": f"room_{to}", "ghosts": 1}


def test_th_3_5_a_ghost_sent_on_may_haunt_but_goes_no_further():
    state = table(**DRAWING, haunted="a", ghosts={"b": 2, "c": 2})
    turn_up(state, "ghost_a")
    assert state.haunted == 1 << place("a") | 1 << place("b")
    assert state.ghosts_in(place("c")) == 2


def test_th_3_5_locks_are_no_matter_to_ghosts():
    state = table("locks", **DRAWING, haunted="e", locked="blue", pile=("ghost_e", "shuffle", "blue_locked"))
    assert turn_up(state, "ghost_e")[-1]["room"] == "room_f"


def test_th_3_ghosts_a_turn_in_the_basic_game():
    """A card on 5 of 6 faces. The shuffle is the n-th card, n from 1 to 13 alike, after n - 1 ghosts."""
    positions = range(1, 14)
    per_card = Fraction(sum(n - 1 for n in positions), sum(positions))
    assert Fraction(5, 6) * per_card == Fraction(5, 7)
    assert round(float(Fraction(5, 6) * per_card), 3) == 0.714
    assert round(float(Fraction(5, 6) * Fraction(13, sum(positions))), 3) == 0.119


def test_th_3_ghosts_a_turn_as_the_engine_draws_them():
    rng = random.Random(1)
    turns = ghosts = shuffles = 0
    for _ in range(600):
        state = TreasureHunters(4).initial_state()
        while phase(state) != "over":
            if phase(state) == "roll":
                turns += 1
            action = state.draw_chance(rng) if state.acting < 0 else state.game.default_move(state)
            if phase(state) == "card":
                ghosts += action < 12
                shuffles += action == 12
            state.apply(action)
    assert abs(ghosts / turns - 5 / 7) < 0.02
    assert abs(shuffles / turns - 5 / 42) < 0.01


def test_th_8_1_draw_3_asks_for_three_cards_and_shuffles():
    state = table("cards", **DRAWING)
    turn_up(state, "draw_3")
    assert state.observe(0)["draw"] == {"card": "draw_3", "left": 3}
    for left, card in ((2, "ghost_a"), (1, "ghost_b")):
        turn_up(state, card)
        assert state.observe(0)["draw"]["left"] == left
        assert phase(state) == "card"
    events = turn_up(state, "ghost_d")
    assert [event["kind"] for event in events] == ["card", "ghost", "shuffle"]
    assert state.pile == state.game.deck
    assert [state.ghosts_in(NUMBER_OF[f"room_{room}"]) for room in "abd"] == [1, 1, 1]
    assert (phase(state), state.observe(0)["draw"]) == ("move", None)


def test_th_8_1_draw_2_asks_for_two():
    state = table("cards", **DRAWING)
    turn_up(state, "draw_2")
    turn_up(state, "ghost_a")
    assert phase(state) == "card"
    turn_up(state, "ghost_b")
    assert phase(state) == "move"


def test_th_8_2_shuffle_and_draw_cards_do_not_count_among_the_further_cards():
    state = table("cards", **DRAWING)
    turn_up(state, "draw_2")
    for card in ("shuffle", "draw_3"):
        events = turn_up(state, card)
        assert [event["kind"] for event in events] == ["card"]
        assert events[0]["skipped"]
        assert state.observe(0)["draw"] == {"card": "draw_2", "left": 2}
    assert len(state.pile) == 16


def test_th_8_2_door_cards_count_and_act():
    state = table("cards", **DRAWING)
    turn_up(state, "draw_3")
    turn_up(state, "blue_locked")
    assert (state.observe(0)["locked"], state.observe(0)["draw"]["left"]) == ("blue", 2)


def test_th_8_3_the_pile_runs_out_among_the_further_cards():
    state = table("cards", **DRAWING, pile=("draw_2", "shuffle"), locked="green")
    turn_up(state, "draw_2")
    assert state.pile == bytes([CARDS.index("shuffle")])
    turn_up(state, "shuffle")
    left = Counter(CARDS[card] for card in state.pile)
    assert left.total() == 17  # 19 without the card at work and the lock that holds
    assert (left["draw_2"], left["draw_3"], left["green_locked"], left["blue_locked"]) == (0, 1, 1, 2)
    turn_up(state, "ghost_a")
    turn_up(state, "ghost_b")
    assert state.pile == state.game.deck


def test_th_8_3_the_last_card_of_the_pile_is_a_draw_card():
    state = table("cards", **DRAWING, pile=("draw_3",))
    turn_up(state, "draw_3")
    assert len(state.pile) == 18
    assert CARDS.index("draw_3") not in state.pile


BLUE_DOORS = {"h2": "j", "h5": "i", "h9": "k", "h12": "f", "h14": "d", "h19": "b", "h22": "e"}
GREEN_DOORS = {"h2": "l", "h8": "h", "h13": "g", "h15": "c", "h18": "f", "h22": "a"}


@pytest.mark.parametrize(
    ("colour", "doors", "others"), [("blue", BLUE_DOORS, GREEN_DOORS), ("green", GREEN_DOORS, BLUE_DOORS)]
)
def test_th_8_4_locked_doors_are_shut_both_ways(colour, doors, others):
    for square, room in doors.items():
        for start, goal in ((square, room), (room, square)):
            assert goal in ends(table("locks", steps=1, at=(start,), jewels="a"))
            assert goal not in ends(table("locks", steps=1, at=(start,), jewels="a", locked=colour))
    for square, room in others.items():
        assert room in ends(table("locks", steps=1, at=(square,), jewels="a", locked=colour))


@pytest.mark.parametrize("colour", ["blue", "green"])
def test_th_8_4_plain_doors_and_the_front_door_never_lock(colour):
    assert "out" in ends(table("locks", steps=1, at=("h1",), locked=colour))
    for pair in ("ab", "bc", "cd", "ef", "eh", "fi", "gj", "hi", "kl"):
        assert pair[1] in ends(table("locks", steps=1, at=(pair[0],), jewels="a", locked=colour))


def test_th_8_4_one_colour_at_a_time():
    state = table("locks", **DRAWING)
    assert turn_up(state, "blue_locked")[-1] == {"kind": "doors", "locked": "blue"}
    chance_turn(state)
    assert [event["kind"] for event in turn_up(state, "blue_locked")] == ["card"]
    chance_turn(state)
    assert turn_up(state, "green_locked")[-1] == {"kind": "doors", "locked": "green"}


def test_th_8_5_shuffle_opens_the_doors_and_takes_the_lock_in():
    state = table("locks", **DRAWING, locked="green", pile=("shuffle", "ghost_a"))
    assert [event["kind"] for event in turn_up(state, "shuffle")] == ["card", "doors", "shuffle"]
    assert state.observe(0)["locked"] is None
    assert len(state.pile) == 17


@pytest.mark.parametrize(("unlock", "locked", "cards"), [("on", None, 19), ("off", "blue", 18)])
def test_th_8_5_the_shuffle_of_a_draw_card(unlock, locked, cards):
    state = table("cards", **DRAWING, options={"draw_cards_unlock_doors": unlock})
    turn_up(state, "draw_2")
    turn_up(state, "blue_locked")
    turn_up(state, "ghost_a")
    assert state.observe(0)["locked"] == locked
    assert len(state.pile) == cards
    assert state.pile.count(CARDS.index("blue_locked")) == cards - 17


def test_options_are_switches():
    with pytest.raises(OptionError, match="option number_order is 'on' or 'off', not True"):
        TreasureHunters(4, None, {"number_order": True})
    game = TreasureHunters(4, "cards", {"number_order": "on"})
    assert (game.mode, dict(game.options)) == (None, dict(TreasureHunters.modes["advanced"]))
