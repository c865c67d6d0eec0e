"""Rule 6 of docs/games/haunt-the-house.md: the powers of the rooms."""

from __future__ import annotations

import pytest

from engine.core import CHANCE
from engine.games.haunt_the_house.tables import ROOMS
from tests.engine.hh_tables import (
    chance,
    chances,
    deck,
    discard,
    do,
    hand,
    invisible,
    lay,
    moves,
    scares_of,
    settle,
    show,
    skip,
    table,
    types,
    visible,
)

OTHERS = {
    "laboratory": "gh20",
    "kitchen": "gh12",
    "attic": "gh24",
    "ballroom": "gh09",
    "cellar": "gh05",
    "library": "gh13",
}


def in_room(room, hands="BBM", seats=3, **more):
    """Seat 1 has just laid a Bump visibly into this room, whose hunter needs BBMM."""
    state = table(
        seats,
        more.pop("mode", "beginner"),
        rooms={room: "gh10"},
        hands={0: "B" + hands, **more.pop("others", {})},
        **more,
    )
    show(state, "B", room)
    return state


def second_action(state):
    """The power is done, and the same seat goes on with its second Action."""
    return (
        state.actor() == 0
        and state.actions == 1
        and types(state) <= {"invisible", "visible", "draw", "play", "pass"}
    )


def test_there_is_a_test_of_every_room():
    tested = {
        name for name in ROOMS if any(name in test for test in globals() if test.startswith("test_hh_6"))
    }
    assert tested == set(ROOMS)


def test_hh_6_1_crypt_gains_a_token():
    state = in_room("crypt")
    do(state, "use_power")
    assert state.tokens == [1, 0, 0]
    assert second_action(state)


def test_hh_6_2_laboratory_takes_a_scare_from_ones_own_discard_pile():
    state = in_room("laboratory", discards={0: "CKK", 1: "MM"})
    assert scares_of(state, "retrieve") == "CK"
    do(state, "retrieve", scare="K")
    assert (hand(state, 0), discard(state, 0)) == ("BBKM", "CK")
    assert second_action(state)


def test_hh_6_2_laboratory_with_an_empty_discard_pile_does_nothing():
    assert second_action(in_room("laboratory", discards={1: "MM"}))


def test_hh_6_3_kitchen_draws_two():
    state = in_room("kitchen")
    do(state, "use_power")
    chances(state, "C", "K")
    assert hand(state, 0) == "BBCKM"
    assert second_action(state)


def test_hh_6_3_kitchen_shuffles_when_the_second_card_is_needed():
    lying = {"cellar": [(0, letter) for letter in "CCCCKKKKMMM"]}
    state = in_room("kitchen", hands="", discards={0: "BBM"}, invisible=lying)
    do(state, "use_power")
    assert (deck(state, 0), discard(state, 0)) == ("B", "BBM")
    chance(state, "B")
    assert (deck(state, 0), discard(state, 0)) == ("BBM", "")
    chance(state, "M")
    assert hand(state, 0) == "BM"
    assert second_action(state)


def test_hh_6_3_kitchen_without_a_card_does_nothing():
    lying = {"attic": [(0, letter) for letter in "BBBCCCCKKKKMMMM"]}
    state = in_room("kitchen", hands="", invisible=lying)
    assert types(state) == {"pass"}
    assert state.actions == 1


def test_hh_6_4_library_shows_two_one_after_the_other():
    state = in_room(
        "library",
        invisible={"library": [(1, "M"), (2, "K")], "cellar": [(0, "C"), (2, "C")]},
    )
    everywhere = [{"room": 1, "card": 1}, {"room": 1, "card": 2}]
    assert everywhere == [move for move in moves(state, "choose_invisible") if move["room"] == 1]
    assert len(moves(state, "choose_invisible")) == 4
    events = do(state, "choose_invisible", room="library", card=2)
    assert [event.seen_by(0).get("scare") for event in events if "scare" in event.seen_by(0)] == ["creak"]
    for onlooker in (None, 1):
        assert not any("creak" in str(event.seen_by(onlooker)) for event in events)
    do(state, "choose_invisible", room="library", card=1)
    assert invisible(state, "library") == [(1, "M"), (2, "K")], "they stay"
    assert second_action(state)


def test_hh_6_4_library_what_was_seen_is_remembered_by_the_one_who_looked():
    state = in_room("library", invisible={"cellar": [(1, "M"), (1, "K")]})
    do(state, "choose_invisible", room="cellar", card=1)
    skip(state)
    assert second_action(state)
    lay(state, "B", "library")
    settle(state)

    def seen_by(viewer):
        cards = next(room for room in state.observe(viewer)["rooms"] if room["room"] == "cellar")["invisible"]
        return [card.get("scare") for card in cards]

    assert seen_by(0) == ["moan", None]
    assert seen_by(1) == ["moan", "creak"]
    assert seen_by(2) == seen_by(None) == [None, None]


def test_hh_6_4_library_without_an_invisible_scare_does_nothing():
    assert second_action(in_room("library"))


def test_hh_6_5_attic_lays_a_scare_for_no_action():
    state = in_room("attic", hands="CM")
    assert scares_of(state, "invisible", "attic") == "CM", "this room included"
    do(state, "invisible", room="kitchen", scare="C")
    assert invisible(state, "kitchen") == [(0, "C")]
    assert hand(state, 0) == "M"
    assert second_action(state)


def test_hh_6_5_attic_with_an_empty_hand_does_nothing():
    state = in_room("attic", hands="")
    assert state.actions == 1
    assert types(state) == {"draw"}


def test_hh_6_6_ballroom_moves_ones_own_invisible_scare():
    state = in_room("ballroom", invisible={"cellar": [(1, "K"), (0, "M"), (0, "C")], "ballroom": [(2, "K")]})
    place = moves(state, "choose_invisible")[0]["room"]
    assert moves(state, "choose_invisible") == [{"room": place, "card": 2}, {"room": place, "card": 3}]
    do(state, "choose_invisible", room="cellar", card=2)
    assert {"room": place} not in moves(state, "choose_room"), "to another room"
    assert len(moves(state, "choose_room")) == 3
    events = do(state, "choose_room", room="ballroom")
    assert invisible(state, "cellar") == [(1, "K"), (0, "C")]
    assert invisible(state, "ballroom") == [(2, "K"), (0, "M")]
    assert not any("moan" in str(event.seen_by(1)) for event in events)
    assert second_action(state), "no power is set off (6.10)"


def test_hh_6_6_ballroom_without_an_own_invisible_scare_does_nothing():
    assert second_action(in_room("ballroom", invisible={"cellar": [(1, "K")]}))


def test_hh_6_7_cellar_takes_back_the_scare_just_laid():
    state = in_room("cellar", visible={"cellar": [(1, "B")]})
    assert {"room": 1, "seat": 0, "scare": "bump"} in moves(state, "choose_visible")
    assert all(move["seat"] == 0 for move in moves(state, "choose_visible"))
    do(state, "choose_visible", room="cellar", seat=0, scare="bump")
    assert hand(state, 0) == "BBBM"
    assert visible(state, "cellar") == [(1, "B")]
    assert scares_of(state, "visible", "cellar") == "BM", "the need is open again"
    assert second_action(state)


def test_hh_6_7_cellar_takes_back_an_invisible_one():
    state = in_room("cellar", invisible={"cellar": [(1, "K")], "attic": [(0, "C"), (0, "K")]})
    assert len(moves(state, "choose_invisible")) == 2
    do(state, "choose_invisible", room="attic", card=2)
    assert hand(state, 0) == "BBKM"
    assert invisible(state, "attic") == [(0, "C")]
    assert second_action(state)


def test_hh_6_8_dungeon_takes_a_scare_from_an_opponent_at_random():
    state = in_room("dungeon", others={1: "CCK", 2: ""})
    assert moves(state, "choose_seat") == [{"seat": 1}], "whose hand is empty cannot be named"
    do(state, "choose_seat", seat=1)
    assert state.actor() == CHANCE
    assert state.chance_weights() == [2, 1]
    chance(state, "C")
    assert (hand(state, 1), discard(state, 1)) == ("CK", "C")
    assert second_action(state)


def test_hh_6_9_gallery_removes_an_invisible_scare_of_an_opponent():
    state = in_room("gallery", invisible={"gallery": [(0, "K"), (1, "M"), (1, "B")], "attic": [(1, "C")]})
    assert moves(state, "choose_seat") == [{"seat": 1}], "seat 3 has none"
    do(state, "choose_seat", seat=1)
    assert len(moves(state, "choose_invisible")) == 3
    do(state, "choose_invisible", room="gallery", card=2)
    assert invisible(state, "gallery") == [(0, "K"), (1, "B")]
    assert discard(state, 1) == "M"
    assert state.tokens == [0, 0, 0], "it earns nothing"
    assert second_action(state)


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in ("crypt", "kitchen")])
def test_hh_3_7_every_power_may_be_declined(room):
    state = in_room(
        room, discards={0: "K"}, invisible={"attic" if room != "attic" else "cellar": [(0, "M"), (1, "K")]}
    )
    assert "pass" in types(state)
    before = (state.hand[:], state.hidden[:], state.discard[:], state.tokens[:])
    skip(state)
    assert (state.hand, state.hidden, state.discard, state.tokens) == before
    assert second_action(state)


def test_hh_6_10_a_scare_laid_by_the_attic_sets_off_no_power():
    state = in_room("attic", hands="BM")
    do(state, "invisible", room="attic", scare="M")
    assert second_action(state)
