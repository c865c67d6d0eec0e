"""Attacks (HH 7.8, HH 7.9), the Phantoms that are some (HH 7.10), and the Vanishing Phantom."""

from __future__ import annotations

import pytest

from engine.core import CHANCE
from tests.engine.hh_tables import (
    chance,
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
    show,
    skip,
    table,
    types,
)

ATTACKS = ("thieving", "startling", "meddling", "trading")
LYING = {"attic": [(1, "M"), (0, "C"), (1, "K"), (2, "B")], "kitchen": [(1, "C")]}
CLAIMED = {0: ["gh01", "gh02"], 1: ["gh03", "gh04"]}


def attacking(kind, *, answers=None, tokens=(0, 2, 0), **more):
    """Seat 1 holds an Attack; seat 2 can be touched by each, and holds what `answers` says."""
    more.setdefault("hands", {0: "BCM", 1: "CKM", 2: "B"})
    return table(
        3,
        "full",
        rooms={"crypt": "gh10"},
        invisible=more.pop("invisible", LYING),
        hunters=more.pop("hunters", CLAIMED),
        tokens=tokens,
        held={0: [kind], **({1: answers} if answers else {})},
        **more,
    )


def attack(state, kind, seat=1):
    do(state, "play", phantom=kind)
    return do(state, "choose_seat", seat=seat)


# --- 7.10: what they do ---


def test_hh_7_10_thieving_takes_a_token():
    state = attacking("thieving")
    do(state, "play", phantom="thieving")
    assert moves(state, "choose_seat") == [{"seat": 1}], "who has none cannot be named"
    do(state, "choose_seat", seat=1)
    assert state.tokens == [1, 1, 0]
    assert (state.actor(), state.actions) == (0, 2)


def test_hh_7_10_startling_leaves_one_scare_of_the_victims_choice():
    state = attacking("startling")
    do(state, "play", phantom="startling")
    assert moves(state, "choose_seat") == [{"seat": 1}], "who holds one only cannot be named"
    do(state, "choose_seat", seat=1)
    assert state.actor() == 1
    assert scares_of(state, "discard") == "CKM"
    do(state, "discard", scare="K")
    do(state, "discard", scare="C")
    assert (hand(state, 1), discard(state, 1)) == ("M", "CK")
    assert (state.actor(), state.actions) == (0, 2)


def test_hh_7_10_meddling_removes_two_invisible_scares_of_one_opponent():
    state = attacking("meddling")
    do(state, "play", phantom="meddling")
    assert moves(state, "choose_seat") == [{"seat": 1}, {"seat": 2}]
    do(state, "choose_seat", seat=1)
    assert len(moves(state, "choose_invisible")) == 3
    do(state, "choose_invisible", room="attic", card=3)
    assert len(moves(state, "choose_invisible")) == 2
    do(state, "choose_invisible", room="kitchen", card=1)
    assert invisible(state, "attic") == [(1, "M"), (0, "C"), (2, "B")]
    assert invisible(state, "kitchen") == []
    assert discard(state, 1) == "CK"
    assert state.tokens == [0, 2, 0]
    assert (state.actor(), state.actions) == (0, 2)


def test_hh_7_10_meddling_may_stop_after_one_and_stops_where_no_more_is():
    state = attacking("meddling")
    attack(state, "meddling")
    do(state, "choose_invisible", room="attic", card=1)
    skip(state)
    assert discard(state, 1) == "M"
    assert state.actions == 2
    state = attacking("meddling")
    attack(state, "meddling", seat=2)
    do(state, "choose_invisible", room="attic", card=4)
    assert types(state) >= {"invisible"}


def test_hh_7_10_trading_swaps_hunters_of_the_players_choice():
    state = attacking("trading")
    do(state, "play", phantom="trading")
    assert moves(state, "choose_seat") == [{"seat": 1}]
    do(state, "choose_seat", seat=1)
    assert moves(state, "choose_hunter") == [{"hunter": "gh01"}, {"hunter": "gh02"}]
    do(state, "choose_hunter", hunter="gh02")
    assert moves(state, "choose_hunter") == [{"hunter": "gh03"}, {"hunter": "gh04"}]
    do(state, "choose_hunter", hunter="gh04")
    assert hunters(state, 0) == ["gh01", "gh04"]
    assert hunters(state, 1) == ["gh02", "gh03"]
    assert (state.actor(), state.actions) == (0, 2)


def test_hh_7_12_trading_never_brings_the_end():
    claimed = {0: ["gh01", "gh02", "gh05"], 1: ["gh03", "gh04", "gh06"]}
    state = attacking("trading", hunters=claimed)
    attack(state, "trading")
    do(state, "choose_hunter", hunter="gh01")
    do(state, "choose_hunter", hunter="gh03")
    assert state.trigger < 0
    assert [len(hunters(state, seat)) for seat in range(3)] == [3, 3, 0]


@pytest.mark.parametrize("kind", ATTACKS)
def test_hh_7_8_an_attack_needs_somebody_whom_it_can_touch(kind):
    state = attacking(
        kind,
        tokens=(3, 0, 0),
        invisible={"attic": [(0, "K")]},
        hunters={0: ["gh01"]},
        hands={0: "BCM", 1: "C", 2: ""},
    )
    assert {"phantom": kind} not in moves(state, "play")
    assert {"phantom": kind} in moves(attacking(kind), "play")


def test_hh_7_8_trading_needs_a_hunter_on_both_sides():
    assert not moves(attacking("trading", hunters={1: ["gh03"]}), "play")


@pytest.mark.parametrize("kind", ATTACKS)
def test_hh_7_8_it_names_one_opponent_and_never_oneself(kind):
    state = attacking(
        kind, tokens=(2, 2, 2), hunters={0: ["gh01"], 1: ["gh02"], 2: ["gh03"]}, hands={1: "BC", 2: "BC"}
    )
    do(state, "play", phantom=kind)
    assert moves(state) == [{"type": "choose_seat", "seat": 1}, {"type": "choose_seat", "seat": 2}]


# --- 7.9: Vanishing ---


@pytest.mark.parametrize("kind", ATTACKS)
def test_hh_7_9_vanishing_shields_and_the_attack_is_spent(kind):
    state = attacking(kind, answers=["vanishing", "hasty"])
    before = (state.hand[:], state.hidden[:], state.tokens[:], state.claimed[:])
    attack(state, kind)
    assert state.actor() == 1
    assert moves(state) == [{"type": "play", "phantom": "vanishing"}, {"type": "pass"}]
    do(state, "play", phantom="vanishing")
    assert (state.hand, state.hidden, state.tokens, state.claimed) == before
    assert (played(state, 0), played(state, 1)) == ([kind], ["vanishing"])
    assert phantoms(state, 1) == ["hasty"]
    assert (state.actor(), state.actions) == (0, 2)
    assert "play" not in types(state)


@pytest.mark.parametrize("kind", ATTACKS)
def test_hh_7_9_vanishing_may_be_kept(kind):
    state = attacking(kind, answers=["vanishing"])
    attack(state, kind)
    skip(state)
    assert phantoms(state, 1) == ["vanishing"]
    assert state.actor() == (1 if kind == "startling" else 0)
    if kind == "thieving":
        assert state.tokens == [1, 1, 0]


def test_hh_7_9_nobody_else_may_answer():
    state = attacking("meddling", answers=["vanishing"])
    attack(state, "meddling", seat=2)
    assert state.actor() == 0
    assert "choose_invisible" in types(state)


def test_hh_7_9_it_does_not_count_as_the_one_of_a_turn():
    state = attacking("thieving", answers=["vanishing", "gathering"])
    attack(state, "thieving")
    do(state, "play", phantom="vanishing")
    lay(state, "B", "crypt")
    lay(state, "C", "crypt")
    skip(state)
    chances(state, "K", "K")
    assert state.actor() == 1
    assert moves(state, "play") == [{"phantom": "gathering"}]


def power_attack(room, **more):
    state = table(
        3,
        "full",
        rooms={room: "gh10"},
        hands={0: "BBM", 1: "CK", 2: "B"},
        invisible={"attic": [(1, "M"), (2, "B")]},
        held={0: more.get("own", []), 1: ["vanishing"]},
    )
    show(state, "B", room)
    do(state, "choose_seat", seat=1)
    return state


@pytest.mark.parametrize("room", ["dungeon", "gallery"])
def test_hh_7_9_vanishing_shields_from_the_power_of_a_room(room):
    state = power_attack(room)
    assert state.actor() == 1
    do(state, "play", phantom="vanishing")
    assert hand(state, 1) == "CK"
    assert invisible(state, "attic") == [(1, "M"), (2, "B")]
    assert (state.actor(), state.actions) == (0, 1)


def test_hh_7_9_he_is_asked_before_any_chance():
    state = power_attack("dungeon")
    skip(state)
    assert state.actor() == CHANCE
    chance(state, "K")
    assert hand(state, 1) == "C"


def test_hh_7_11_the_echo_of_an_attack_is_an_attack():
    state = power_attack("dungeon", own=["echoing"])
    skip(state)
    chance(state, "K")
    do(state, "play", phantom="echoing")
    assert moves(state, "choose_seat") == [{"seat": 1}, {"seat": 2}], "new choices"
    do(state, "choose_seat", seat=1)
    assert (state.actor(), types(state)) == (1, {"play", "pass"})
    do(state, "play", phantom="vanishing")
    assert hand(state, 1) == "C"
    assert (state.actor(), state.actions) == (0, 1)


def test_hh_7_9_a_shielded_power_was_used_and_may_echo():
    state = power_attack("dungeon", own=["echoing"])
    do(state, "play", phantom="vanishing")
    assert moves(state, "play") == [{"phantom": "echoing"}]


def test_hh_9_3_being_asked_does_not_tell_what_is_held():
    """Whoever holds any Phantom is asked, so a question gives no Vanishing Phantom away."""
    asked = attacking("thieving", answers=["hasty"])
    attack(asked, "thieving")
    assert (asked.actor(), types(asked)) == (1, {"pass"})
    shielded = attacking("thieving", answers=["vanishing"])
    attack(shielded, "thieving")
    for onlooker in (None, 0, 2):
        assert asked.observe(onlooker) == shielded.observe(onlooker)
    bare = attacking("thieving")
    attack(bare, "thieving")
    assert bare.tokens == [1, 1, 0], "who holds none is not asked"
