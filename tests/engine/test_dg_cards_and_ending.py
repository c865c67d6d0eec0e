"""Rules 5 and 6 of docs/games/dont-go-in-there.md: what cards do, and the end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there.ending import ghost_penalty, settle
from tests.engine.dg_tables import (
    Card,
    cards_in,
    dispelled,
    do,
    face,
    game_with,
    kinds,
    moves,
    of,
    pick,
    table,
    taking,
)


def took(card: Card, held=(), ghosts=(0, 0), **more):
    """The state after seat 0 has taken `card` beside what it held, with nothing else going on."""
    state = taking(game_with(card[0], *(one[0] for one in held)), card, held=held, ghosts=ghosts, **more)
    return state, pick(state, 1)


@pytest.mark.parametrize("kind", ["amulet", "cat", "music_box", "portrait"])
def test_dg_5_game_end_types_do_nothing_when_taken(kind):
    state, events = took((kind, 2), of(kind, 1, 2, 3), ghosts=(6, 3))
    assert kinds(events) == ["take"]
    assert dispelled(state) == []
    assert state.ghosts == [6, 3]


# --- 5.3 clock ---


@pytest.mark.parametrize(
    ("held", "new", "gone"),
    [((4,), 4, [4, 4]), ((4,), 3, []), ((1, 4), 3, [3, 4]), ((1, 2, 2), 3, [2, 3]), ((3, 4), 1, [3, 4])],
)
def test_dg_5_3_clocks_of_eight_dispel_the_two_highest(held, new, gone):
    state, _ = took(("clock", new), of("clock", *held))
    assert dispelled(state) == of("clock", *gone)
    assert state.clock_used == bool(gone)


def test_dg_5_3_only_once_in_a_match_for_the_whole_table():
    state, events = took(("clock", 4), of("clock", 4), clock_used=True)
    assert kinds(events) == ["take"]
    assert dispelled(state) == []
    assert state.observe(1)["clock_used"] is True


# --- 5.4 doll ---


@pytest.mark.parametrize(
    ("held", "new", "gone"),
    [
        ((2, 3), 1, [1, 2, 3]),
        ((1, 4), 1, [1, 1, 4]),
        ((1, 2, 2), 1, [1, 1, 2, 2]),
        ((1, 2, 3, 4), 1, [1, 2, 3]),
        ((4,), 2, [2, 4]),
        ((1, 3), 2, [1, 2, 3]),
        ((1, 1, 2), 2, [1, 1, 2, 2]),
        ((1, 3, 4), 2, [2, 4]),
        ((1, 2), 3, [1, 2, 3]),
        ((3,), 3, [3, 3]),
        ((1, 2, 3), 3, [1, 2, 3]),
        ((2,), 4, [2, 4]),
        ((1, 1), 4, [1, 1, 4]),
        ((1, 1, 2), 4, [2, 4]),
        ((4,), 4, []),
        ((1, 4), 4, []),
        ((3,), 2, []),
        ((), 3, []),
    ],
)
def test_dg_5_4_dolls_of_exactly_six_leave_with_the_new_one(held, new, gone):
    state, _ = took(("doll", new), of("doll", *held))
    assert dispelled(state) == of("doll", *gone)
    assert cards_in(state, 0) == of("doll", *sorted((Counter([*held, new]) - Counter(gone)).elements()))


def test_dg_5_4_whenever_some_set_of_six_exists_one_goes():
    """Every hand of up to five dolls in which the new one completes a six."""
    for size in range(1, 5):
        for held in combinations_with_replacement((1, 2, 3, 4), size):
            for new in (1, 2, 3, 4):
                if max(Counter([*held, new]).values()) > 2:
                    continue
                subsets = [
                    [curse for curse, used in zip(held, use, strict=True) if used]
                    for use in product((0, 1), repeat=size)
                ]
                possible = any(sum(chosen) + new == 6 for chosen in subsets)
                state, _ = took(("doll", new), of("doll", *held))
                assert bool(dispelled(state)) == possible, (held, new)
                if possible:
                    assert sum(curse for _, curse in dispelled(state)) == 6


# --- 5.5 to 5.7 ---


@pytest.mark.parametrize(
    ("count", "ghosts", "left"), [(1, 7, 7), (2, 7, 4), (2, 1, 1), (2, 0, 0), (3, 7, 7), (4, 8, 4)]
)
def test_dg_5_5_each_second_holy_water_discards_half_the_ghosts(count, ghosts, left):
    held = of("holy_water", 1, 2, 3)[: count - 1]
    state, _ = took(("holy_water", 4), held, ghosts=(ghosts, 2))
    assert state.ghosts == [left, 2]
    assert dispelled(state) == []


@pytest.mark.parametrize(
    ("count", "ghosts", "passed"), [(1, 5, 1), (2, 5, 2), (3, 5, 3), (3, 2, 2), (2, 0, 0)]
)
def test_dg_5_6_masks_pass_a_ghost_each_to_the_right(count, ghosts, passed):
    state = taking(
        game_with("mask", seats=4),
        ("mask", 4),
        held=of("mask", 1, 2, 3)[: count - 1],
        seat=2,
        ghosts=[0, 0, ghosts, 0],
    )
    events = pick(state, 1)
    assert state.ghosts == [0, passed, ghosts - passed, 0]
    assert ("pass" in kinds(events)) == bool(passed)


def test_dg_5_6_the_right_of_seat_0_is_the_last_seat():
    state = taking(game_with("mask", seats=3), ("mask", 1), ghosts=[4, 0, 0])
    pick(state, 1)
    assert state.ghosts == [3, 0, 1]


@pytest.mark.parametrize(("held", "gone"), [((), 0), ((1,), 0), ((1, 2), 3)])
def test_dg_5_7_every_mirror_costs_a_ghost_and_three_go(held, gone):
    state, _ = took(("mirror", 4), of("mirror", *held))
    assert state.ghosts == [1, 0]
    assert len(dispelled(state)) == gone


def test_dg_5_7_the_fourth_mirror_starts_again():
    state, _ = took(("mirror", 4), (), down={0: of("mirror", 1, 2, 3)})
    assert cards_in(state, 0) == of("mirror", 4)


# --- 5.10 to 5.12 ---


def test_dg_5_10_four_rings_go():
    state, _ = took(("ring", 4), of("ring", 1, 2))
    assert dispelled(state) == []
    state, _ = took(("ring", 4), of("ring", 1, 2, 3))
    assert dispelled(state) == of("ring", 1, 2, 3, 4)
    state, _ = took(("ring", 4), of("ring", 1, 2, 3), down={0: of("ring", 1, 2, 3, 4)})
    assert len(dispelled(state)) == 8


def test_dg_5_11_the_second_tome_names_a_held_type_before_the_next_pick():
    state, _ = took(("tome", 2), [("tome", 1), ("cat", 1), ("cat", 4), ("ring", 2)], meeples=[1, 1])
    assert state.actor() == 0
    assert state.observe(0)["phase"] == "tome"
    assert moves(state) == [{"type": "tome", "curse_type": "cat"}, {"type": "tome", "curse_type": "ring"}]
    events = do(state, {"type": "tome", "curse_type": "cat"})
    assert kinds(events) == ["tome", "dispel"]
    assert dispelled(state) == of("cat", 1, 4)
    assert cards_in(state, 0) == [("ring", 2), ("tome", 1), ("tome", 2)]
    assert state.actor() == 1


def test_dg_5_11_asked_even_with_one_type_but_not_with_none():
    state, _ = took(("tome", 2), [("tome", 1), ("ring", 2)])
    assert moves(state) == [{"type": "tome", "curse_type": "ring"}]
    state, events = took(("tome", 2), [("tome", 1)])
    assert kinds(events) == ["take"]
    assert state.observe(0)["phase"] == "pick"
    state, _ = took(("tome", 2), [("tome", 1)], down={0: of("cat", 1)})
    assert state.observe(0)["phase"] == "pick"


def test_dg_5_11_every_second_tome_and_not_the_third():
    state, _ = took(("tome", 3), [*of("tome", 1, 2), ("ring", 2)])
    assert state.observe(0)["phase"] == "pick"
    state, _ = took(("tome", 4), [*of("tome", 1, 2, 3), ("ring", 2)])
    assert state.observe(0)["phase"] == "tome"


def test_dg_5_11_a_forced_last_tome_asks_and_then_the_room_is_cleared():
    state = taking(game_with("tome"), ("cat", 1), ("cat", 2), ("tome", 1), held=of("tome", 2))
    pick(state, 1)
    pick(state, 2)
    assert state.observe(0)["phase"] == "tome"
    assert state.observe(0)["rooms"][0]["cards"] == [None] * 3
    assert kinds(do(state, {"type": "tome", "curse_type": "cat"})) == ["tome", "dispel", "turn_over"]


def test_dg_5_11_a_broken_set_starts_from_nothing():
    state, _ = took(("tome", 2), [("tome", 1), *of("ring", 1, 2, 3)])
    do(state, {"type": "tome", "curse_type": "ring"})
    assert len(dispelled(state)) == 3
    state, _ = took(("ring", 4), [], down={0: of("ring", 1, 2, 3)})
    assert cards_in(state, 0) == of("ring", 4)


def test_dg_5_12_equal_twins_go():
    state, _ = took(("twin", 3), of("twin", 3, 4))
    assert dispelled(state) == of("twin", 3, 3)
    state, _ = took(("twin", 2), of("twin", 3, 4))
    assert dispelled(state) == []


def test_dg_5_14_only_the_card_just_taken_acts():
    state, events = took(("ring", 1), of("holy_water", 1, 2), ghosts=(8, 0))
    assert kinds(events) == ["take"]
    assert state.ghosts == [8, 0]


@pytest.mark.parametrize(
    ("new", "held", "down"),
    [
        (("ring", 4), of("ring", 1), of("ring", 2, 3)),
        (("mirror", 4), of("mirror", 1), of("mirror", 2)),
        (("twin", 3), [], of("twin", 3)),
        (("doll", 4), [], of("doll", 2)),
        (("clock", 4), [], of("clock", 4)),
    ],
)
def test_dg_5_15_dispelled_cards_are_in_no_set(new, held, down):
    state, _ = took(new, held, down={0: down})
    assert len(dispelled(state)) == len(down)


# --- 6: the end ---


def ended(*hands, ghosts=None, types=("amulet", "cat", "music_box", "portrait")):
    """A match just over, its seats holding these cards; game-end types have acted."""
    seats = len(hands)
    state = table(
        game_with(*types, seats=seats),
        rooms=(None, None, None),
        up=dict(enumerate(hands)),
        ghosts=ghosts,
        phase="over",
        acting=OVER,
        placed=12 * seats,
    )
    events = []
    settle(state, events.append)
    return state, events


@pytest.mark.parametrize(
    ("amulets", "gone"),
    [
        ((1, 2), [2]),
        ((2, 3), [3]),
        ((3, 4), [4]),
        ((1, 3), []),
        ((1, 1), []),
        ((4, 4), []),
        ((1, 2, 3, 4), [2, 3, 4]),
        ((1, 2, 2), [2]),
        ((2, 2, 3), [3]),
        ((1, 1, 2, 2, 3, 3, 4, 4), [2, 2, 3, 3, 4, 4]),
    ],
)
def test_dg_5_1_amulets_take_the_next_higher_all_at_once(amulets, gone):
    state, _ = ended(of("amulet", *amulets), [])
    assert dispelled(state) == of("amulet", *gone)


@pytest.mark.parametrize(("ghosts", "left"), [(0, [2]), (9, [2]), (10, [2, 2, 3, 4])])
def test_dg_5_2_with_nine_ghosts_or_fewer_only_the_lowest_cat_stays(ghosts, left):
    state, _ = ended(of("cat", 2, 2, 3, 4), [], ghosts=[ghosts, 50])
    assert cards_in(state, 0) == of("cat", *left)


@pytest.mark.parametrize(
    ("mine", "theirs", "gone", "their_gone"),
    [
        ((1, 2, 4), (4, 2), [2, 4], []),
        ((1, 4), (2, 3), [1, 4], [2, 3]),
        ((3,), (1,), [3], []),
        ((), (1, 1), [], [1, 1]),
        ((), (), [], []),
    ],
)
def test_dg_5_8_most_music_box_curses_dispel_two_and_so_do_all_tied(mine, theirs, gone, their_gone):
    state, _ = ended(of("music_box", *mine), of("music_box", *theirs))
    assert dispelled(state, 0) == of("music_box", *gone)
    assert dispelled(state, 1) == of("music_box", *their_gone)


@pytest.mark.parametrize(
    ("portraits", "gone"),
    [((3,), []), ((1, 3), [3]), ((1, 2, 3), [3]), ((1, 2, 2, 4), [2, 4]), ((1, 1, 2, 3, 4), [3, 4])],
)
def test_dg_5_9_half_the_portraits_go_highest_first(portraits, gone):
    state, _ = ended(of("portrait", *portraits), [])
    assert dispelled(state) == of("portrait", *gone)


def test_dg_6_1_game_end_types_count_only_face_up_cards():
    hands = of("portrait", 4)
    state = table(
        game_with(),
        rooms=(None, None, None),
        up={0: hands},
        down={0: [*of("portrait", 1, 2, 3), ("amulet", 1)], 1: of("music_box", 4)},
        phase="over",
        acting=OVER,
        placed=24,
    )
    settle(state, None)
    assert cards_in(state, 0) == hands


@pytest.mark.parametrize(
    ("ghosts", "penalty"),
    [([9, 7, 11], [0, 0, 5]), ([4, 4, 1], [2, 2, 0]), ([0, 0], [0, 0]), ([1, 0], [0, 0]), ([7, 2], [3, 0])],
)
def test_dg_6_2_most_ghosts_cost_half_as_many_curses(ghosts, penalty):
    assert ghost_penalty(ghosts) == penalty


def test_dg_6_3_the_example_of_nine_seven_and_eleven_ghosts():
    """13, 17 and 11 curses on cards: with the penalty 13, 17 and 16."""
    hands = (
        [*of("ring", 4, 3, 3), ("mask", 3)],
        [*of("ring", 4), *of("twin", 4, 3), *of("mask", 4, 2)],
        [*of("tome", 4, 4, 3)],
    )
    state, events = ended(
        *hands, ghosts=[9, 7, 11], types=("ring", "mask", "twin", "tome", "mirror", "clock")
    )
    assert [state.curses(seat) for seat in range(3)] == [13, 17, 11]
    assert state.scores() == (13.0, 17.0, 16.0)
    assert state.ranks() == (1, 3, 2)
    assert kinds(events) == ["penalty", "end"]
    assert events[-1].public == {
        "cards": [13, 17, 11],
        "penalty": [0, 0, 5],
        "curses": [13, 17, 16],
        "ghosts": [9, 7, 11],
        "ranks": [1, 3, 2],
    }


def test_dg_6_3_equal_curses_go_to_fewer_ghosts_and_equal_both_share():
    four = of("ring", 4)
    types = ("ring", "mask", "twin", "tome", "mirror", "clock")
    state, _ = ended([*four], of("mask", 4), of("twin", 4), ghosts=[1, 0, 1], types=types)
    assert state.scores() == (4.0, 4.0, 4.0)
    assert state.ranks() == (2, 1, 2)


def test_dg_5_13_what_is_of_your_choice_goes_highest_first_and_nobody_is_asked():
    state, _ = took(("clock", 4), of("clock", 1, 2, 4))
    assert dispelled(state) == of("clock", 4, 4)
    assert state.observe(0)["phase"] != "tome"


def test_faces_are_numbered_by_type_and_curse():
    assert [face(card) for card in (("amulet", 1), ("amulet", 4), ("cat", 1), ("twin", 4))] == [0, 3, 4, 47]
