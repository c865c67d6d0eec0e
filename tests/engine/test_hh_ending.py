"""Rule 8 of docs/games/haunt-the-house.md: the end, the score and the ranks."""

from __future__ import annotations

import random

import pytest

from engine.core import CHANCE, OVER
from engine.games.haunt_the_house.ending import score
from engine.playout import play_on
from tests.engine.hh_tables import (
    boo,
    chances,
    do,
    hand,
    hunters,
    kinds,
    lay,
    played,
    settle,
    skip,
    table,
    types,
)

READY = [(1, "B"), (1, "B"), (1, "M"), (1, "M")]
"""What frightens out hunter 10 without a Scare from the hand."""
CLAIMED = ("gh01", "gh02", "gh03", "gh04")


def about_to_end(seats=3, seat=0, mode="beginner", **more):
    """`seat` is to play and lacks one hunter, whom a BOO in the Crypt frightens out."""
    claimed = {seat: CLAIMED[: 4 if seats == 2 else 3], **more.pop("hunters", {})}
    visible = {"crypt": READY, **more.pop("visible", {})}
    rooms = {"crypt": "gh10", **more.pop("rooms", {})}
    return table(seats, mode, rooms=rooms, visible=visible, hunters=claimed, turn=seat, **more)


def room_at(state, place):
    return state.observe(None)["rooms"][place]["room"]


def pass_all(state):
    asked = []
    while state.actor() != OVER:
        if state.actor() == CHANCE:
            settle(state)
            continue
        asked.append(state.actor())
        skip(state)
    return asked


# --- 8.1 to 8.5: the end ---


@pytest.mark.parametrize(
    ("seats", "seat", "order"), [(2, 1, [0]), (3, 1, [2, 0]), (4, 0, [1, 2, 3]), (5, 3, [4, 0, 1, 2])]
)
def test_hh_8_2_each_other_seat_has_one_last_chance_in_turn_order(seats, seat, order):
    state = about_to_end(seats, seat)
    assert "trigger" in kinds(boo(state, "crypt"))
    settle(state)
    assert types(state) == {"boo", "pass"}
    assert pass_all(state) == order


def test_hh_8_1_the_fourth_hunter_does_not_end_a_match_of_two():
    state = table(2, rooms={"crypt": "gh10"}, visible={"crypt": READY}, hunters={0: CLAIMED[:3]})
    boo(state, "crypt")
    settle(state)
    assert len(hunters(state, 0)) == 4
    assert state.trigger < 0
    assert state.actor() == 1
    assert "invisible" in types(state)


def test_hh_8_1_the_third_hunter_does_not_end_a_match_of_three():
    state = table(3, rooms={"crypt": "gh10"}, visible={"crypt": READY}, hunters={0: CLAIMED[:2]})
    boo(state, "crypt")
    settle(state)
    assert state.trigger < 0


def test_hh_8_2_a_boo_of_the_last_chance_is_resolved_as_ever():
    state = about_to_end(
        invisible={"kitchen": [(2, "C")]}, rooms={"kitchen": "gh13"}, hands={1: "CCK", 2: "MM"}
    )
    boo(state, "crypt")
    settle(state)
    boo(state, "kitchen")
    settle(state)
    assert hunters(state, 1) == ["gh13"]
    assert state.tokens == [0, 0, 1], "rewards, too"
    assert (state.actor(), types(state)) == (2, {"boo", "pass"})
    assert hand(state, 1) == ""


def test_hh_8_2_others_who_reach_four_change_nothing():
    state = about_to_end(hunters={1: ("gh05", "gh06", "gh07")}, rooms={"kitchen": "gh13"}, hands={1: "CCCK"})
    boo(state, "crypt")
    settle(state)
    events = boo(state, "kitchen")
    assert "trigger" not in kinds(events)
    settle(state)
    assert len(hunters(state, 1)) == 4
    assert state.trigger == 0
    assert pass_all(state) == [2], "nobody is asked twice"


def test_hh_8_3_no_throwing_away_and_no_drawing():
    state = about_to_end(hands={0: "CK", 1: "C"})
    boo(state, "crypt")
    settle(state)
    assert hand(state, 0) == "CK"
    boo(state, room_at(state, 1))
    assert hand(state, 1) == "C"
    assert state.actor() == 2


def test_hh_8_3_no_phantom_but_rallying():
    state = about_to_end(
        mode="full", rooms={"kitchen": "gh13"}, hands={1: "CK"}, held={1: ["gathering", "rallying"]}
    )
    boo(state, "crypt")
    settle(state)
    assert types(state) == {"boo", "pass"}
    boo(state, "kitchen")
    assert state.actor() == 1
    do(state, "play", phantom="rallying")
    chances(state, "C", "C")
    settle(state)
    assert hunters(state, 1) == ["gh13"]
    assert played(state, 1) == ["rallying"]


def test_hh_8_4_rewards_of_the_boo_that_brings_the_end_come_first():
    state = about_to_end(mode="full", invisible={"crypt": [(0, "B"), (2, "M")]})
    boo(state, "crypt")
    settle(state)
    assert (state.actor(), types(state)) == (0, {"take_skull", "draw_phantoms"})
    do(state, "take_skull")
    assert state.actor() == 2
    do(state, "take_skull")
    assert (state.actor(), types(state)) == (1, {"boo", "pass"})


def test_hh_8_4_who_brought_the_end_may_still_earn():
    state = about_to_end(invisible={"kitchen": [(0, "C")]}, rooms={"kitchen": "gh13"}, hands={1: ""})
    boo(state, "crypt")
    settle(state)
    boo(state, "kitchen")
    assert state.tokens == [1, 0, 0]


def test_hh_8_4_the_new_room_may_be_called_on():
    state = about_to_end(hands={1: "CCCK"})
    boo(state, "crypt")
    chances(state, "dungeon", "gh13")
    boo(state, room_at(state, 0))
    settle(state)
    assert hunters(state, 1) == ["gh13"]


def last_turn(turns, **more):
    """The seat on turn does two quiet Actions."""
    state = table(3, turns=turns, hands={0: "BKM"}, rooms={"attic": "gh10"}, **more)
    lay(state, "B", "attic")
    lay(state, "K", "attic")
    skip(state)
    settle(state)
    return state


def test_hh_8_5_a_match_ends_after_300_turns():
    state = last_turn(298)
    assert state.actor() == 1, "one more"
    state = last_turn(299)
    assert state.actor() == OVER
    assert state.figures()["turns"] == 300


def test_hh_8_5_the_last_chances_are_taken_even_so():
    state = about_to_end(turns=299)
    boo(state, "crypt")
    settle(state)
    assert pass_all(state) == [1, 2]


def test_hh_8_7_after_300_turns_ties_go_from_the_seat_that_began():
    state = last_turn(299, trophies={0: ("flashlight", "rope"), 1: ("candle", "key"), 2: ("lantern", "map")})
    assert state.scores() == (2.0, 2.0, 2.0)
    assert state.ranks() == (1, 2, 3)
    state.starter = 2
    assert state.ranks() == (2, 3, 1)


# --- 8.6: the score ---


@pytest.mark.parametrize(
    ("candles", "gear"), [(1, 1 + 1), (2, 4 + 1), (3, 9 + 2), (4, 16 + 3), (5, 25 + 4), (6, 36 + 3 + 4)]
)
def test_hh_8_6_gear_scores_its_square(candles, gear):
    """A Candle and a Key are trophies; hunters 4, 7 (Crowbar), 11 (Rope), 14 (Map), 24 (Key) carry more."""
    claimed = ["gh04", "gh07", "gh11", "gh14", "gh24"][: candles - 1]
    state = table(2, hunters={0: claimed}, trophies={0: ("candle", "key"), 1: ("lantern", "map")})
    assert score(state, 0).gear == gear
    assert score(state, 0).hunters == (2 if candles > 1 else 0), "hunter 4 has two Skulls"
    assert score(state, 1).total == 2


def test_hh_8_6_the_example_of_28_points():
    """Hunters 22, 3, 18 and 9, the trophies Flashlight and Rope, three tokens."""
    state = table(
        rooms={"crypt": "gh09"},
        visible={"crypt": [(1, "B"), (1, "B"), (1, "B"), (1, "M")]},
        hunters={0: ("gh22", "gh03", "gh18")},
        trophies={0: ("flashlight", "rope"), 1: ("candle", "key"), 2: ("lantern", "map")},
        tokens=[3, 0, 0],
    )
    events = boo(state, "crypt")
    events += settle(state)
    for seat in (1, 2):
        assert state.actor() == seat
        events += skip(state)
    assert state.actor() == OVER
    assert state.scores() == (28.0, 2.0, 2.0)
    assert state.ranks() == (1, 2, 3)
    assert events[-1].kind == "end"
    assert events[-1].public["scores"] == [28, 2, 2]
    assert events[-1].public["trophies"][0] == ["flashlight", "rope"]


@pytest.mark.parametrize("kind", ["slumbering", "trading", "hasty", "vanishing"])
def test_hh_7_7_a_phantom_counts_only_once_it_is_played(kind):
    value = {"slumbering": 3, "trading": -3, "hasty": -1, "vanishing": 1}[kind]
    bare, holding = table(3, "full"), table(3, "full", held={0: [kind]})
    assert score(holding, 0) == score(bare, 0)
    lying = table(3, "full", played={0: [kind]})
    assert score(lying, 0).total == score(bare, 0).total + value
    assert score(lying, 1) == score(bare, 1)


def test_hh_8_6_two_played_phantoms_count_twice():
    state = table(3, "full", played={0: ["slumbering", "slumbering", "trading"]})
    assert score(state, 0).phantoms == 3


# --- 8.7: ranks ---


def ended(by, tokens, seats=4):
    state = about_to_end(seats, by, tokens=tokens)
    boo(state, "crypt")
    settle(state)
    pass_all(state)
    return state


def test_hh_8_7_a_tie_goes_to_the_earlier_one_from_the_seat_that_brought_the_end():
    """Seats 2 and 4 tie for best, seat 3 brought the end: the order is 3, 4, 1, 2."""
    state = ended(2, [0, 60, 0, 60])
    assert state.scores()[1] == state.scores()[3]
    assert state.ranks() == (4, 2, 3, 1)


def test_hh_8_7_the_same_order_breaks_every_tie():
    state = ended(2, [0, 0, 0, 0])
    assert len({state.scores()[seat] for seat in (0, 1, 3)}) == 1
    assert state.ranks() == (3, 4, 1, 2)


def test_hh_8_7_who_brought_the_end_wins_a_tie():
    mine = ended(1, [0, 0, 0], seats=3).scores()
    state = ended(1, [int(mine[1] - mine[0]), 0, 0], seats=3)
    assert state.scores()[0] == state.scores()[1]
    assert state.ranks()[:2] == (2, 1)


def test_hh_8_7_no_rank_is_ever_shared():
    rng = random.Random(5)
    for _ in range(30):
        state = table(5, "full").game.initial_state()
        play_on(state, rng)
        assert sorted(state.ranks()) == [1, 2, 3, 4, 5]


def test_hh_8_6_trophies_are_shown_at_the_end_and_not_before():
    state = about_to_end()
    assert all(player["trophies"] is None for player in state.observe(1)["players"])
    boo(state, "crypt")
    settle(state)
    pass_all(state)
    assert [player["trophies"] for player in state.observe(None)["players"]] == [
        ["flashlight", "rope"], ["candle", "key"], ["lantern", "map"],
    ]  # fmt: skip
