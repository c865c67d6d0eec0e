"""Rule 7 of docs/games/haunt-the-house.md: the Phantoms that are no Attacks."""

from __future__ import annotations

import pytest

from engine.core import CHANCE
from engine.games.haunt_the_house.tables import PHANTOM_SKULLS, PHANTOMS
from tests.engine.hh_tables import (
    boo,
    chances,
    discard,
    do,
    hand,
    hunters,
    invisible,
    lay,
    moves,
    phantoms,
    played,
    scares_of,
    settle,
    show,
    skip,
    table,
    types,
    visible,
)

# --- 7.5: when a Phantom may be played ---


def holding(*held, seats=3, mode="full", **more):
    more.setdefault("hands", {0: "BCM"})
    more.setdefault("rooms", {"crypt": "gh10"})
    return table(seats, mode, held={0: held, **more.pop("others", {})}, **more)


def playable(state):
    return {move["phantom"] for move in moves(state, "play")}


def test_hh_7_5_before_between_or_after_the_actions_once():
    for actions_before in range(3):
        state = holding("gathering", "peering")
        for _ in range(actions_before):
            assert playable(state) == {"gathering", "peering"}
            lay(state, hand(state, 0)[0], "crypt")
        assert playable(state) == {"gathering", "peering"}
        do(state, "play", phantom="gathering")
        settle(state)
        assert playable(state) == set(), "one a turn"
        assert state.actions == 2 - actions_before, "it costs no Action"
        assert played(state, 0) == ["gathering"]
        assert phantoms(state, 0) == ["peering"]
        assert "boo" not in types(state), "it has become a turn of Actions"


def test_hh_7_5_not_once_throwing_away_has_begun():
    state = holding("gathering", hands={0: "BCMM"})
    lay(state, "B", "crypt")
    lay(state, "C", "crypt")
    assert "play" in types(state)
    do(state, "discard", scare="M")
    assert types(state) == {"discard", "pass"}


def test_hh_7_5_not_in_the_turn_of_a_boo():
    state = holding("gathering", hands={0: "KKK"})
    boo(state, "crypt")
    while state.actor() == 0 and "discard" not in types(state):
        assert playable(state) == set()
        skip(state)
    assert types(state) == {"discard", "pass"}


def test_hh_7_5_again_in_the_next_turn():
    state = holding("gathering", "slumbering")
    do(state, "play", phantom="gathering")
    settle(state)
    while state.turn == 0:
        if state.actor() == CHANCE:
            settle(state)
        else:
            state.game.play(state, state.legal_actions()[-1])
    state.turn = state.acting = 0
    state._begin_turn(None)
    assert playable(state) == {"slumbering"}


def test_hh_7_5_two_held_of_one_kind_are_one_choice():
    assert len(moves(holding("hasty", "hasty"), "play")) == 1


@pytest.mark.parametrize("kind", ["vanishing", "rallying"])
def test_hh_7_10_not_on_a_turn_of_actions(kind):
    assert playable(holding(kind)) == set()


# --- 7.10: the kinds that are no Attacks ---


def test_hh_7_7_values_are_those_of_the_table():
    told = {
        "vanishing": 1, "hasty": -1, "slumbering": 3, "gathering": 0, "peering": 1, "returning": 1,
        "drifting": 1, "echoing": -1, "rallying": -1, "haggling": -1, "thieving": 0, "startling": -1,
        "meddling": 0, "trading": -3,
    }  # fmt: skip
    assert dict(zip(PHANTOMS, PHANTOM_SKULLS, strict=True)) == told


def test_hh_7_10_hasty_gives_one_more_action():
    state = holding("hasty", hands={0: "BCKM"})
    do(state, "play", phantom="hasty")
    for letter in "BCK":
        assert "invisible" in types(state)
        lay(state, letter, "crypt")
    assert types(state) == {"discard", "pass"}


def test_hh_7_10_hasty_after_the_second_action():
    state = holding("hasty", hands={0: "BCKM"})
    lay(state, "B", "crypt")
    lay(state, "C", "crypt")
    do(state, "play", phantom="hasty")
    assert types(state) >= {"invisible"}
    lay(state, "K", "crypt")
    assert types(state) == {"discard", "pass"}


def test_hh_7_10_slumbering_costs_an_action():
    state = holding("slumbering")
    do(state, "play", phantom="slumbering")
    lay(state, "B", "crypt")
    assert types(state) == {"discard", "pass"}
    state = holding("slumbering")
    lay(state, "B", "crypt")
    lay(state, "C", "crypt")
    assert playable(state) == set(), "no Action is left"


def test_hh_7_10_gathering_draws_three():
    state = holding("gathering")
    do(state, "play", phantom="gathering")
    chances(state, "K", "K", "K")
    assert hand(state, 0) == "BCKKKM"


def test_hh_7_10_peering_shows_all_of_two_rooms():
    lying = {"crypt": [(1, "M"), (2, "B")], "attic": [(1, "K")], "kitchen": [(2, "C")]}
    state = holding("peering", invisible=lying)
    do(state, "play", phantom="peering")
    assert len(moves(state, "choose_room")) == 3, "rooms where something lies"
    events = do(state, "choose_room", room="crypt")
    assert [e.seen_by(0)["scare"] for e in events if "scare" in e.seen_by(0)] == ["moan", "bump"]
    assert not any(
        {"moan", "bump"} & set(map(str, e.seen_by(1).values()))
        for e in events
        if e.seen_by(1).get("owner") == 2
    )
    do(state, "choose_room", room="attic")
    shown = {
        room["room"]: [card.get("scare") for card in room["invisible"]] for room in state.observe(0)["rooms"]
    }
    assert (shown["crypt"], shown["attic"], shown["kitchen"]) == (["moan", "bump"], ["creak"], [None])
    assert types(state) >= {"invisible"}


def test_hh_7_10_returning_takes_back_two_of_ones_own():
    state = holding(
        "returning", visible={"crypt": [(0, "M"), (1, "B")]}, invisible={"attic": [(0, "K"), (1, "K")]}
    )
    do(state, "play", phantom="returning")
    do(state, "choose_visible", room="crypt", seat=0, scare="moan")
    do(state, "choose_invisible", room="attic", card=1)
    assert hand(state, 0) == "BCKMM"
    assert (visible(state, "crypt"), invisible(state, "attic")) == ([(1, "B")], [(1, "K")])
    assert "invisible" in types(state)


def test_hh_7_10_returning_may_stop_after_one_or_none():
    for taken in range(2):
        state = holding("returning", invisible={"attic": [(0, "K"), (0, "C")]})
        do(state, "play", phantom="returning")
        for _ in range(taken):
            do(state, "choose_invisible", room="attic", card=1)
        skip(state)
        assert len(hand(state, 0)) == 3 + taken
        assert "invisible" in types(state)


def test_hh_7_10_drifting_moves_a_visible_scare_where_it_is_needed():
    state = holding(
        "drifting",
        rooms={"crypt": "gh10", "kitchen": "gh11", "attic": "gh04", "cellar": "gh08"},
        visible={"crypt": [(1, "M")], "kitchen": [(2, "M"), (0, "M")], "attic": [(1, "C")]},
    )
    do(state, "play", phantom="drifting")
    offered = {(move["room"], move["seat"], move["scare"]) for move in moves(state, "choose_visible")}
    assert offered == {(2, 2, "moan"), (2, 0, "moan")}, "no other room has a gap for the rest"
    do(state, "choose_visible", room="kitchen", seat=2, scare="moan")
    assert moves(state, "choose_room") == [{"room": 1}]
    do(state, "choose_room", room="crypt")
    assert visible(state, "crypt") == [(1, "M"), (2, "M")]
    assert visible(state, "kitchen") == [(0, "M")]
    assert state.tokens == [0, 0, 0], "no power is set off"
    assert scares_of(state, "visible", "crypt") == "B"
    assert scares_of(state, "visible", "kitchen") == "BM"


def test_hh_7_10_echoing_uses_the_power_of_a_room_again():
    state = holding("echoing")
    assert playable(state) == set()
    show(state, "B", "crypt")
    do(state, "use_power")
    assert playable(state) == {"echoing"}
    do(state, "play", phantom="echoing")
    do(state, "use_power")
    assert state.tokens == [2, 0, 0]
    assert state.actions == 1


def test_hh_7_10_echoing_only_straight_after_the_power():
    state = holding("echoing", hands={0: "BCMM"})
    show(state, "B", "crypt")
    skip(state)
    assert playable(state) == set(), "the power was declined"
    state = holding("echoing", hands={0: "BCMM"})
    show(state, "B", "crypt")
    do(state, "use_power")
    lay(state, "C", "crypt")
    assert playable(state) == set(), "something else was done since"


def test_hh_7_10_echoing_not_once_another_power_was_declined():
    state = holding("echoing", rooms={"crypt": "gh10", "kitchen": "gh11"}, hands={0: "BBM"})
    show(state, "B", "crypt")
    do(state, "use_power")
    show(state, "B", "kitchen")
    assert state.observe(1)["echo"] is None
    skip(state)
    assert playable(state) == set()


def test_hh_7_10_echoing_repeats_the_power_that_was_used_last():
    state = holding("echoing", rooms={"kitchen": "gh11", "crypt": "gh10"}, hands={0: "BBM"})
    show(state, "B", "kitchen")
    do(state, "use_power")
    chances(state, "C", "C")
    show(state, "B", "crypt")
    do(state, "use_power")
    do(state, "play", phantom="echoing")
    do(state, "use_power")
    assert state.tokens == [2, 0, 0]


def test_hh_7_10_echoing_after_the_second_action_with_new_choices():
    state = holding("echoing", rooms={"attic": "gh10", "crypt": "gh04"}, hands={0: "BBCKM"})
    lay(state, "B", "crypt")
    show(state, "B", "attic")
    do(state, "invisible", room="crypt", scare="C")
    do(state, "play", phantom="echoing")
    do(state, "invisible", room="attic", scare="K")
    assert (invisible(state, "crypt"), invisible(state, "attic")) == ([(0, "B"), (0, "C")], [(0, "K")])
    assert types(state) == {"discard", "pass"}


def test_hh_7_10_rallying_draws_two_before_the_count():
    state = holding("rallying", hands={0: "BKK"}, visible={"crypt": [(1, "M"), (1, "M")]})
    boo(state, "crypt")
    assert playable(state) == {"rallying"}
    do(state, "play", phantom="rallying")
    chances(state, "B", "C")
    settle(state)
    assert hunters(state, 0) == ["gh10"]
    assert hand(state, 0) == "CKK"
    assert played(state, 0) == ["rallying"]


def test_hh_7_10_rallying_may_be_kept_and_may_fail():
    state = holding("rallying", hands={0: "BKK"}, visible={"crypt": [(1, "M"), (1, "M")]})
    boo(state, "crypt")
    skip(state)
    assert hunters(state, 0) == []
    assert phantoms(state, 0) == ["rallying"]
    state = holding("rallying", hands={0: "BKK"}, visible={"crypt": [(1, "M"), (1, "M")]})
    boo(state, "crypt")
    do(state, "play", phantom="rallying")
    chances(state, "C", "C")
    assert hunters(state, 0) == []
    assert hand(state, 0) == "BCCKK"
    assert types(state) == {"discard", "pass"}
    skip(state)
    assert hand(state, 0) == "BCCKK"


def test_hh_7_10_rallying_once_a_turn():
    state = holding("rallying", "rallying", hands={0: "BKK"}, visible={"crypt": [(1, "M"), (1, "M")]})
    boo(state, "crypt")
    do(state, "play", phantom="rallying")
    chances(state, "C", "C")
    assert playable(state) == set()


@pytest.mark.parametrize("thrown", ["", "C", "CM"])
def test_hh_7_10_haggling_sells_up_to_two_scares(thrown):
    state = holding("haggling")
    do(state, "play", phantom="haggling")
    for letter in thrown:
        do(state, "discard", scare=letter)
    if len(thrown) < 2:
        skip(state)
    assert state.tokens == [len(thrown), 0, 0]
    assert discard(state, 0) == thrown
    assert state.actions == 2
    assert "invisible" in types(state) or "draw" in types(state)


@pytest.mark.parametrize("kind", ["peering", "returning", "drifting", "haggling", "gathering"])
def test_hh_7_11_a_phantom_may_be_played_for_nothing(kind):
    lying = {"kitchen": [(0, letter) for letter in "BBBBCCCCKKKKMMMM"]} if kind == "gathering" else {}
    hands = {0: "B"} if kind != "haggling" else {0: ""}
    if kind == "gathering":
        hands = {0: ""}
    state = holding(kind, hands=hands, invisible=lying)
    do(state, "play", phantom=kind)
    assert played(state, 0) == [kind]
    assert state.actor() == 0
    assert state.actions == 2


def test_hh_7_6_a_played_phantom_lies_open_and_never_returns_to_the_deck():
    state = holding("gathering")
    left = len(state.top)
    do(state, "play", phantom="gathering")
    settle(state)
    assert len(state.top) == left
    assert state.observe(None)["players"][0]["played"] == ["gathering"]
