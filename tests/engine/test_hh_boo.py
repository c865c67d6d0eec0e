"""Rule 4 of docs/games/haunt-the-house.md: a BOO."""

from __future__ import annotations

import pytest

from engine.games.haunt_the_house.tables import ROOMS
from tests.engine.hh_tables import (
    boo,
    chance,
    chances,
    deck,
    discard,
    doorway,
    hand,
    hunters,
    invisible,
    kinds,
    moves,
    rooms_in_play,
    settle,
    skip,
    table,
    types,
    visible,
)

PURPLE, YELLOW, GREEN = 0, 1, 2
READY = [(1, "M"), (1, "M"), (2, "B"), (0, "B")]
"""Enough for hunter 10."""


def example(hand="BBK", mode="beginner", **more):
    """Hunter 10 needs BBMM; Yellow showed a Moan and hid a Creak, Green hid a Moan; Purple is to play."""
    return table(
        3,
        mode,
        rooms={"crypt": "gh10"},
        visible={"crypt": [(YELLOW, "M")]},
        invisible={"crypt": [(YELLOW, "K"), (GREEN, "M")]},
        hands={PURPLE: hand},
        **more,
    )


def test_hh_4_the_example_of_the_rulebook_succeeds():
    state = example()
    boo(state, "crypt")
    settle(state)
    assert state.tokens == [0, 0, 1]
    assert hunters(state, PURPLE) == ["gh10"]
    assert hand(state, PURPLE) == "K"
    assert [discard(state, seat) for seat in range(3)] == ["BB", "KM", "M"]
    assert state.actor() == YELLOW, "nothing is thrown away or drawn (5.5)"


def test_hh_4_8_a_new_room_and_a_new_hunter_come():
    state = example()
    before = rooms_in_play(state)
    boo(state, "crypt")
    assert state.chance_stream() == "rooms"
    chance(state, "gallery")
    assert state.chance_stream() == "hunters"
    chance(state, "gh12")
    assert rooms_in_play(state) == ["gallery", *before[1:]]
    assert doorway(state, "gallery") == "gh12"
    assert visible(state, "gallery") == invisible(state, "gallery") == []


def test_hh_4_8_the_room_that_left_stays_away_while_the_pile_lasts():
    state = example()
    boo(state, "crypt")
    settle(state)
    assert "crypt" not in rooms_in_play(state)
    assert state.observe(None)["room_discard"] == ["crypt"]


@pytest.mark.parametrize("held", ["BKK", "KKK", "BMM", ""])
def test_hh_4_9_the_example_goes_bad_with_one_bump_at_most(held):
    state = example(held)
    boo(state, "crypt")
    if held:
        assert hand(state, PURPLE) == held, "nothing is spent"
        assert state.actor() == PURPLE, "the end of the turn is still to come (5.1)"
    assert state.tokens == [0, 0, 1], "paid all the same (4.4)"
    assert [discard(state, seat) for seat in range(3)] == ["", "K", "M"]
    assert visible(state, "crypt") == [(YELLOW, "M")]
    assert invisible(state, "crypt") == []
    assert doorway(state, "crypt") == "gh10"
    assert hunters(state, PURPLE) == []


def test_hh_4_2_bluffs_go_at_once():
    """They are in the discard pile before the caller draws by Rallying, and so in a deck made of it."""
    state = table(
        3,
        "full",
        rooms={"crypt": "gh10"},
        invisible={"crypt": [(0, "C"), (0, "B")]},
        hands={0: "BBBCCCKKKKMMMM"},
        held={0: ["rallying"]},
    )
    assert deck(state, 0) == ""
    boo(state, "crypt")
    assert discard(state, 0) == "C"
    assert invisible(state, "crypt") == [(0, "B")], "a correct one stays until the end of the BOO (4.3)"


def test_hh_4_4_two_correct_scares_of_one_seat_earn_one_reward():
    state = table(
        rooms={"crypt": "gh10"}, invisible={"crypt": [(1, "M"), (1, "B"), (1, "M")]}, hands={0: "KKK"}
    )
    boo(state, "crypt")
    assert state.tokens == [0, 1, 0]


def test_hh_4_4_all_who_are_right_earn_at_once_in_the_beginner_game():
    state = table(
        4,
        rooms={"crypt": "gh10"},
        invisible={"crypt": [(1, "M"), (2, "B"), (3, "K"), (0, "C")]},
        hands={0: "KKK"},
    )
    boo(state, "crypt")
    assert state.tokens == [0, 1, 1, 0]


def test_hh_4_3_a_scare_whose_need_is_full_is_correct():
    state = table(
        rooms={"crypt": "gh10"},
        visible={"crypt": [(0, "M"), (2, "M")]},
        invisible={"crypt": [(1, "M")]},
        hands={0: "BBC"},
    )
    boo(state, "crypt")
    settle(state)
    assert state.tokens == [0, 1, 0]
    assert hunters(state, 0) == ["gh10"]
    assert [discard(state, seat) for seat in range(3)] == ["BBM", "M", "M"]


def test_hh_4_6_surplus_of_one_scare_stands_for_no_other():
    state = table(rooms={"crypt": "gh10"}, invisible={"crypt": [(1, "M")] * 4}, hands={0: "BMM"})
    boo(state, "crypt")
    assert hunters(state, 0) == []
    assert discard(state, 1) == "MMMM"


def test_hh_4_6_eight_hidden_scares_of_one_kind_count_as_eight():
    state = table(
        rooms={"crypt": "gh10"}, invisible={"crypt": [(1, "B")] * 4 + [(2, "B")] * 4}, hands={0: "MMC"}
    )
    boo(state, "crypt")
    assert hunters(state, 0) == ["gh10"]
    assert [discard(state, seat) for seat in range(3)] == ["MM", "BBBB", "BBBB"]


def test_hh_4_4_the_caller_earns_too_but_not_for_visible_scares_or_the_hand():
    state = table(
        rooms={"crypt": "gh10"},
        visible={"crypt": [(1, "M")]},
        invisible={"crypt": [(0, "M")]},
        hands={0: "BBK"},
    )
    boo(state, "crypt")
    assert state.tokens == [1, 0, 0]

    state = table(rooms={"crypt": "gh10"}, visible={"crypt": [(1, "M"), (1, "M")]}, hands={0: "BBK"})
    boo(state, "crypt")
    assert hunters(state, 0) == ["gh10"]
    assert state.tokens == [0, 0, 0]


def test_hh_4_1_a_boo_with_an_empty_hand_succeeds_where_enough_lies():
    state = table(rooms={"crypt": "gh10"}, visible={"crypt": READY}, hands={0: ""})
    boo(state, "crypt")
    settle(state)
    assert hunters(state, 0) == ["gh10"]
    assert hand(state, 0) == ""
    assert state.actor() == 1


def test_hh_4_1_a_hopeless_boo_is_legal_and_goes_bad():
    state = table(rooms={"crypt": "gh10"}, hands={0: ""})
    assert kinds(boo(state, "crypt")).count("bad_boo") == 1
    assert state.tokens == [0, 0, 0]
    settle(state)
    assert len(hand(state, 0)) == 3
    assert state.actor() == 1


@pytest.mark.parametrize(("seats", "rooms"), [(2, 3), (3, 4), (4, 4), (5, 5)])
def test_hh_4_1_every_room_may_be_called(seats, rooms):
    assert moves(table(seats), "boo") == [{"room": place + 1} for place in range(rooms)]


@pytest.mark.parametrize(("held", "left"), [("BMM", "M"), ("BBMK", "BK"), ("BMCK", "CK"), ("BBMMCC", "BCCM")])
def test_hh_4_6_exactly_what_is_missing_comes_from_the_hand(held, left):
    state = table(
        rooms={"crypt": "gh10"},
        visible={"crypt": [(1, "M")]},
        invisible={"crypt": [(2, "B"), (2, "C")]},
        hands={0: held},
    )
    boo(state, "crypt")
    assert hunters(state, 0) == ["gh10"]
    assert hand(state, 0) == left
    assert discard(state, 0) == "BM"
    assert [discard(state, seat) for seat in (1, 2)] == ["M", "BC"]


@pytest.mark.parametrize(("letters", "hunter"), [("BCCC", "gh04"), ("CKKK", "gh16"), ("BBBM", "gh09")])
def test_hh_1_2_a_hunter_needs_what_its_card_shows(letters, hunter):
    state = table(rooms={"crypt": hunter}, hands={0: letters})
    boo(state, "crypt")
    assert hunters(state, 0) == [hunter]
    assert hand(state, 0) == ""
    for missing in set(letters):
        state = table(rooms={"crypt": hunter}, hands={0: letters.replace(missing, "", 1)})
        boo(state, "crypt")
        assert hunters(state, 0) == []


def test_hh_4_8_the_fifth_success_of_five_seats_shuffles_the_five_rooms_that_left():
    state = table(5)
    left = []
    for number in range(5):
        seat, room = state.actor(), rooms_in_play(state)[0]
        state.hand[seat], state.deck[seat] = state.deck[seat] + state.hand[seat], 0  # enough for any hunter
        boo(state, room)
        left.append(room)
        names = [ROOMS[outcome] for outcome in state.legal_actions()]
        assert state.chance_stream() == "rooms"
        assert len(names) == (4 - number if number < 4 else 5)
        if number == 4:
            assert set(names) == set(left), "the one that just left, too"
        settle(state)
        seen = state.observe(None)
        assert seen["room_pile"] == (3 - number if number < 4 else 4)
        assert len(seen["room_discard"]) == (number + 1 if number < 4 else 0)


def test_hh_4_10_where_no_hunter_is_left_the_doorway_stays_empty():
    state = table(5, rooms={"crypt": "gh10"}, visible={"crypt": READY})
    state.hunters_left = ()
    boo(state, "crypt")
    chance(state, "dungeon")
    assert state.actor() == 1
    assert {"room": 1} not in moves(state, "boo")
    assert not [move for move in moves(state, "visible") if move["room"] == 1]
    assert [move for move in moves(state, "invisible") if move["room"] == 1]


def test_hh_3_1_a_boo_is_a_whole_turn():
    state = table(hands={0: "BBC"})
    assert "boo" in types(state)
    state.game.play(state, state.legal_actions()[0])
    assert "boo" not in types(state), "an Action has been done"


def test_hh_5_after_a_bad_boo_scares_are_thrown_away_and_drawn():
    state = table(rooms={"crypt": "gh10"}, hands={0: "CKK"})
    boo(state, "crypt")
    assert types(state) == {"discard", "pass"}
    skip(state)
    assert state.actor() == 1, "three are held, so none is drawn"
    state = table(rooms={"crypt": "gh10"}, hands={0: "C"})
    boo(state, "crypt")
    skip(state)
    chances(state, "M", "M")
    assert hand(state, 0) == "CMM"
