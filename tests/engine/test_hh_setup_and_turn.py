"""Rules 1, 2, 3 and 5 of docs/games/haunt-the-house.md: the box, setup, Actions and the end of a turn."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from engine.core import CHANCE
from engine.games.haunt_the_house import HauntTheHouse
from engine.games.haunt_the_house.tables import (
    GEAR,
    HUNTER_GEAR,
    HUNTER_SKULLS,
    HUNTERS,
    LETTERS,
    NEED,
    PHANTOM_COPIES,
    PHANTOM_SKULLS,
    PHANTOMS,
    ROOMS,
)
from tests.engine.hh_tables import (
    chance,
    chances,
    deck,
    discard,
    do,
    hand,
    invisible,
    lay,
    letters_of,
    moves,
    scares_of,
    settle,
    show,
    skip,
    table,
    types,
    visible,
)

# --- 1, 2: the box and setup ---


def test_hh_1_2_the_hunters_are_balanced():
    """24; each Scare needed 24 times, each gear on five hunters, 16 Skulls on eight hunters."""
    assert len(HUNTERS) == len(set(HUNTERS)) == 24
    needs = [letters_of(need) for need in NEED]
    assert {len(need) for need in needs} == {4}
    assert Counter("".join(needs)) == dict.fromkeys(LETTERS, 24)
    assert Counter(gear for row in HUNTER_GEAR for gear in row) == dict.fromkeys(range(8), 5)
    pairs = [tuple(sorted(row)) for row in HUNTER_GEAR if len(row) == 2]
    assert len(pairs) == len(set(pairs)) == 16
    assert all(gear < 4 <= other for gear, other in pairs), "one red, one blue"
    assert [HUNTER_SKULLS[hunter] for hunter in range(24) if len(HUNTER_GEAR[hunter]) == 1] == [2] * 8
    assert sum(HUNTER_SKULLS) == 16


def test_hh_1_2_the_known_hunter():
    known = HUNTERS.index("gh10")
    assert letters_of(NEED[known]) == "BBMM"
    assert {GEAR[gear] for gear in HUNTER_GEAR[known]} == {"flashlight", "crowbar"}


def test_hh_1_7_there_are_30_phantoms_whose_values_add_up_to_nothing():
    assert len(PHANTOMS) == 14
    assert sum(PHANTOM_COPIES) == 30
    assert sum(map(int.__mul__, PHANTOM_COPIES, PHANTOM_SKULLS)) == 0
    signs = Counter()
    for copies, skulls in zip(PHANTOM_COPIES, PHANTOM_SKULLS, strict=True):
        signs[(skulls > 0) - (skulls < 0)] += copies
    assert signs == {1: 12, 0: 6, -1: 12}


@pytest.mark.parametrize(
    ("seats", "rooms", "pile", "trophies", "hidden"),
    [(2, 3, 6, 2, 4), (3, 4, 5, 2, 2), (4, 4, 5, 2, 0), (5, 5, 4, 1, 3)],
)
def test_hh_1_8_what_a_number_of_seats_asks_for(seats, rooms, pile, trophies, hidden):
    state = HauntTheHouse(seats, "full").initial_state()
    settle(state)
    seen = state.observe(None)
    assert (len(seen["rooms"]), seen["room_pile"]) == (rooms, pile)
    assert all(room["hunter"] for room in seen["rooms"])
    assert [len(held) for held in state.trophies] == [trophies] * seats
    dealt = [gear for held in state.trophies for gear in held]
    assert len(set(dealt)) == len(dealt) == 8 - hidden
    if seats < 5:
        assert all(red < 4 <= blue for red, blue in state.trophies)
    assert [len(hand(state, seat)) for seat in range(seats)] == [3] * seats
    assert [len(deck(state, seat)) for seat in range(seats)] == [13] * seats
    assert len(state.top) == 30
    assert state.tokens == [0] * seats


def test_hh_1_9_without_attacks_two_rooms_and_five_phantoms_stay_in_the_box():
    for seats in (2, 5):
        state = HauntTheHouse(seats, "full-no-attacks").initial_state()
        settle(state)
        rooms = {*state.rooms, *state.rooms_left}
        assert {ROOMS[room] for room in rooms} == {*ROOMS} - {"dungeon", "gallery"}
        kinds_left = {PHANTOMS[kind] for kind in state.top}
        assert len(state.top) == 18
        assert kinds_left == {*PHANTOMS} - {"thieving", "startling", "meddling", "trading", "vanishing"}


def test_hh_1_9_the_beginner_game_has_no_phantoms_and_all_rooms():
    state = HauntTheHouse(3, "beginner").initial_state()
    settle(state)
    assert (state.top, len({*state.rooms, *state.rooms_left})) == ((), 9)


def test_hh_2_6_chance_says_who_begins():
    begun = set()
    for outcome in range(4):
        state = HauntTheHouse(4, "beginner").initial_state()
        while state.chance_stream() != "start":
            chance(state, state.legal_actions()[0])
        assert state.chance_weights() == [1, 1, 1, 1]
        chance(state, outcome)
        settle(state)
        begun.add(state.actor())
    assert begun == {0, 1, 2, 3}


def test_hh_3_1_seats_play_in_order():
    state = HauntTheHouse(3, "beginner").initial_state()
    rng = random.Random(1)
    order = []
    while state.trigger < 0 and len(order) < 30:
        if state.actor() == CHANCE:
            state.apply(state.draw_chance(rng))
            continue
        if types(state) >= {"boo"} and state.fresh:
            order.append(state.actor())
        state.apply(rng.choice(state.legal_actions()))
    assert all((second - first) % 3 == 1 for first, second in itertools.pairwise(order))


# --- 3.4: draw to three ---


@pytest.mark.parametrize(("held", "drawn"), [("", 3), ("C", 2)])
def test_hh_3_4_draw_to_three(held, drawn):
    state = table(hands={0: held})
    do(state, "draw")
    assert state.chance_stream() == "scares/1"
    chances(state, *"MMM"[:drawn])
    assert hand(state, 0) == held + "M" * drawn
    assert types(state) >= {"invisible"}, "the second Action is still to come"
    assert state.actor() == 0


@pytest.mark.parametrize("held", ["CC", "CCC", "CCCK"])
def test_hh_3_4_not_with_two_in_hand(held):
    assert "draw" not in types(table(hands={0: held}))


def test_hh_3_4_as_second_action_too():
    state = table(rooms={"crypt": "gh10"}, hands={0: "KC"})
    lay(state, "K", "crypt")
    do(state, "draw")
    chances(state, "M", "M")
    assert hand(state, 0) == "CMM"
    assert types(state) == {"discard", "pass"}


def test_hh_3_4_not_without_a_card_to_draw():
    state = table(hands={0: "K"}, invisible={"kitchen": [(0, letter) for letter in "BBBBCCCCKKKMMMM"]})
    assert deck(state, 0) == discard(state, 0) == ""
    assert "draw" not in types(state)
    assert "pass" not in types(state), "a Scare can still be laid (3.3)"
    state = table(
        hands={0: "K"}, discards={0: "M"}, invisible={"kitchen": [(0, letter) for letter in "BBBBCCCCKKKMMM"]}
    )
    do(state, "draw")
    assert hand(state, 0) == "K"
    settle(state)
    assert hand(state, 0) == "KM", "no more were to be had (3.8)"


def test_hh_3_3_with_nothing_at_all_both_actions_are_passed():
    state = table(hands={0: ""}, invisible={"kitchen": [(0, letter) for letter in "BBBBCCCCKKKKMMMM"]})
    assert types(state) == {"boo", "pass"}
    skip(state)
    assert types(state) == {"pass"}
    skip(state)
    assert state.actor() == 1
    assert hand(state, 0) == ""


def test_hh_3_3_an_action_that_is_possible_is_not_passed():
    for held in ("", "B", "BC", "BCK"):
        assert "pass" not in types(table(hands={0: held}))


# --- 3.5, 3.6: laying Scares ---


def test_hh_3_5_any_scare_invisibly_anywhere():
    state = table(4, rooms={"crypt": "gh10"}, hands={0: "CKM"}, invisible={"crypt": [(1, "M")] * 3})
    places = {(move["room"], move["scare"]) for move in moves(state, "invisible")}
    assert places == {(place, scare) for place in range(1, 5) for scare in ("chill", "creak", "moan")}
    events = lay(state, "K", "crypt")
    assert invisible(state, "crypt") == [(1, "M")] * 3 + [(0, "K")]
    assert types(state) <= {"invisible", "visible"}, "no power, and no BOO any more"
    assert "creak" not in str(events[0].public)
    assert state.actor() == 0


def test_hh_3_6_only_what_is_needed_and_not_yet_there():
    state = table(rooms={"crypt": "gh22"}, visible={"crypt": [(1, "K"), (2, "K")]}, hands={0: "BCKM"})
    assert scares_of(state, "visible", "crypt") == "M"


def test_hh_3_6_the_same_with_chills_and_creaks():
    state = table(
        rooms={"laboratory": "gh14"}, visible={"laboratory": [(1, "C"), (0, "C")]}, hands={0: "BCKM"}
    )
    assert scares_of(state, "visible", "laboratory") == "K"


def test_hh_3_6_a_need_of_one_bump_is_filled_by_one():
    """Hunter 4 needs BCCC; a Bump lies there; the Chill that is left sets off the Crypt."""
    state = table(rooms={"crypt": "gh04"}, visible={"crypt": [(1, "B")]}, hands={0: "BCM"})
    assert scares_of(state, "visible", "crypt") == "C"
    show(state, "C", "crypt")
    do(state, "use_power")
    assert state.tokens == [1, 0, 0]
    assert visible(state, "crypt") == [(0, "C"), (1, "B")]


def test_hh_3_6_invisible_scares_do_not_count():
    state = table(
        rooms={"crypt": "gh10"}, invisible={"crypt": [(0, "M"), (1, "M"), (1, "M")]}, hands={0: "BM"}
    )
    assert scares_of(state, "visible", "crypt") == "BM"


def test_hh_3_6_every_room_by_its_own_hunter():
    state = table(
        3,
        rooms={"crypt": "gh01", "kitchen": "gh23", "attic": "gh13", "cellar": "gh12"},
        visible={"crypt": [(0, "C")], "attic": [(1, "K"), (1, "C")], "cellar": [(2, "B"), (2, "M")]},
        hands={0: "BCKM"},
    )
    assert [scares_of(state, "visible", room) for room in ("crypt", "kitchen", "attic", "cellar")] == [
        "B", "KM", "C", "M",
    ]  # fmt: skip


def test_hh_3_7_the_power_is_used_at_once_or_not_at_all():
    state = table(rooms={"crypt": "gh10"}, hands={0: "BBM"})
    show(state, "B", "crypt")
    assert types(state) == {"use_power", "pass"}
    skip(state)
    assert state.tokens == [0, 0, 0]
    show(state, "B", "crypt")
    do(state, "use_power")
    assert state.tokens == [1, 0, 0]
    assert types(state) == {"discard", "pass"}, "that was the second Action"


# --- 5: the end of a turn ---


def end_of_actions(held, **more):
    """Two Scares have been laid; `held` is what is left in hand."""
    state = table(rooms={"crypt": "gh10"}, hands={0: "KK" + held}, **more)
    lay(state, "K", "crypt")
    lay(state, "K", "crypt")
    return state


def test_hh_5_1_any_number_is_thrown_away_then_drawn():
    state = end_of_actions("BCM")
    assert scares_of(state, "discard") == "BCM"
    do(state, "discard", scare="B")
    assert scares_of(state, "discard") == "CM"
    do(state, "discard", scare="M")
    skip(state)
    assert discard(state, 0) == "BM"
    chances(state, "M", "B")
    assert hand(state, 0) == "BCM"
    assert state.actor() == 1


def test_hh_5_2_who_holds_nothing_draws_three():
    state = end_of_actions("")
    assert state.actor() == CHANCE
    chances(state, "M", "B", "C")
    assert hand(state, 0) == "BCM"


def test_hh_5_3_more_than_three_are_kept():
    state = end_of_actions("BBCC")
    skip(state)
    assert hand(state, 0) == "BBCC"
    assert state.actor() == 1


def test_hh_5_3_two_kitchens_leave_five():
    state = table(rooms={"kitchen": "gh10"}, hands={0: "BBM"})
    for scares in ("KK", "CC"):
        show(state, "B", "kitchen")
        do(state, "use_power")
        chances(state, *scares)
    assert hand(state, 0) == "CCKKM"
    skip(state)
    assert hand(state, 0) == "CCKKM"
    assert state.actor() == 1


def test_hh_5_4_what_was_thrown_away_is_shuffled_in():
    """One card is left in the deck; the second must come from what has just been thrown away."""
    lying = {"cellar": [(0, letter) for letter in "BBBBCCCCKMMM"]}
    state = end_of_actions("K", invisible=lying)
    assert (deck(state, 0), discard(state, 0)) == ("M", "")
    do(state, "discard", scare="K")
    chance(state, "M")
    assert state.legal_actions() == [LETTERS.index("K")]
    chance(state, "K")
    assert hand(state, 0) == "KM"
    assert state.actor() == 1, "deck and discard are empty: no more is drawn (3.8)"


def test_hh_5_4_scares_of_ones_own_bad_boo_are_shuffled_in():
    state = table(
        rooms={"crypt": "gh10"},
        hands={0: ""},
        invisible={"crypt": [(0, "M"), (0, "K")], "cellar": [(0, letter) for letter in "BBBBCCCCKKKMMM"]},
    )
    assert deck(state, 0) == ""
    do(state, "boo", room="crypt")
    assert state.actor() == CHANCE
    assert [LETTERS[kind] for kind in state.legal_actions()] == ["K", "M"]
    settle(state)
    assert hand(state, 0) == "KM"


def test_hh_3_8_nothing_is_shuffled_before_a_card_is_needed():
    state = table(
        hands={0: ""}, discards={0: "BB"}, invisible={"cellar": [(0, letter) for letter in "CCCCKKKKMMM"]}
    )
    assert deck(state, 0) == "BBM"
    do(state, "draw")
    chances(state, "B", "B", "M")
    assert (deck(state, 0), discard(state, 0)) == ("", "BB")
    assert state.actor() == 0


def test_hh_3_8_a_new_deck_holds_what_was_discarded_and_nothing_else():
    state = table(
        hands={0: ""}, discards={0: "BBK"}, invisible={"cellar": [(0, letter) for letter in "CCCCKKKMMMM"]}
    )
    assert deck(state, 0) == "BB"
    do(state, "draw")
    chances(state, "B", "B")
    assert state.legal_actions() == [LETTERS.index("B"), LETTERS.index("K")]
    assert state.chance_weights() == [2, 1]
    chance(state, "K")
    assert (deck(state, 0), discard(state, 0), hand(state, 0)) == ("BB", "", "BBK")
