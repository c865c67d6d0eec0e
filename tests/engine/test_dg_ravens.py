"""Rules 8.2, 8.5, 8.6 and 8.9 of docs/games/dont-go-in-there.md: ravens and what they bring."""

from __future__ import annotations

import random

import pytest

from engine.chance import Dealer
from engine.core import CHANCE, OVER
from tests.engine.dg_tables import (
    cards_in,
    cards_of_counts,
    dispelled,
    do,
    game_with,
    kinds,
    moves,
    of,
    pick,
    taking,
)


def test_dg_8_2_swaps_do_not_change_the_order_of_the_deck():
    """Bundles with ravens: whatever the seats exchange, the k-th card dealt is the same."""
    game = game_with("raven", "tome", seats=3)
    dealt, swaps = [], 0
    for chooser in range(6):
        cards, given = deal_order(game, chooser)
        dealt.append(cards)
        swaps += given
    assert swaps > 3
    assert all(cards == dealt[0] for cards in dealt)


def deal_order(game, chooser):
    """The cards as they were dealt in one match of the bundle, and how many were exchanged."""
    rng, dealer, state = random.Random(chooser), Dealer("bundle"), game.initial_state()
    cards, given = [], 0
    while state.actor() != OVER:
        if state.actor() == CHANCE:
            action = dealer.choose(state)
            if state.chance_stream() == "deck":
                cards.append(action)
        else:
            given += state.observe(None)["phase"] == "give"
            action = rng.choice(state.legal_actions())
        state.apply(action)
    return cards, given


def raven(held=(), card=("raven", 1), removed=(("cat", 4), ("ring", 1)), **more):
    """Seat 0 has just taken a raven."""
    types = more.pop("types", ("ring",))
    seats = more.pop("seats", 3)
    game = game_with("raven", *types, *(one[0] for one in held), seats=seats)
    more = {"ghosts": [0] * seats, **more}
    state = taking(game, card, held=held, removed=removed, **more)
    return state, pick(state, 1)


def bring(kind, curse):
    return {"type": "bring", "curse_type": kind, "curse": curse}


def give(kind, curse):
    return {"type": "give", "curse_type": kind, "curse": curse}


@pytest.mark.parametrize(("ravens", "looks"), [(1, False), (2, True), (3, False), (4, True), (6, True)])
def test_dg_8_5_every_second_raven_shows_the_removed_cards(ravens, looks):
    curses = (1, 1, 2, 2, 3, 3)[: ravens - 1]
    _, events = raven([*of("raven", *curses), ("cat", 1)], ("raven", 4))
    assert ("look" in kinds(events)) == looks


def test_dg_8_5_the_look_is_private_and_whole():
    state, events = raven([("raven", 2), ("cat", 1)])
    look = events[-1]
    assert look.public == {"seat": 0, "number": 12}
    assert "removed" in look.seen_by(0)
    assert all("removed" not in look.seen_by(viewer) for viewer in (None, 1, 2))
    seen = cards_of_counts(state.observe(0)["removed"]["seen"])
    assert seen == [(card["type"], card["curse"]) for card in look.seen_by(0)["removed"]]
    assert len(seen) == 12
    assert {("cat", 4), ("ring", 1)} <= set(seen)
    assert all(state.observe(viewer)["removed"]["seen"] is None for viewer in (None, 1, 2))
    assert state.observe(None)["removed"]["looked"] == [0]


def test_dg_8_6_who_has_looked_may_bring_one_or_leave_them():
    state, _ = raven([("raven", 2), ("cat", 1)])
    assert state.actor() == 0
    assert state.observe(0)["phase"] == "raven"
    brought = {(move["curse_type"], move["curse"]) for move in moves(state) if move["type"] == "bring"}
    assert brought == set(cards_of_counts(state.observe(0)["removed"]["seen"]))
    assert moves(state)[0] == {"type": "leave"}
    assert kinds(do(state, {"type": "leave"})) == ["leave"]
    assert cards_in(state, 0) == [("cat", 1), *of("raven", 1, 2)]
    assert state.observe(0)["phase"] == "pick"


def test_dg_8_6_one_face_up_card_goes_for_it_and_no_raven():
    state, _ = raven([("raven", 2), ("cat", 1), ("portrait", 3)], down={0: of("ring", 4)})
    assert kinds(do(state, bring("ring", 1))) == ["bring"]
    assert state.observe(0)["phase"] == "give"
    assert moves(state) == [give("cat", 1), give("portrait", 3)]
    assert kinds(do(state, give("portrait", 3))) == ["give"]
    assert cards_in(state, 0) == [("cat", 1), ("ring", 1), *of("raven", 1, 2)]
    shown = state.observe(0)["removed"]
    assert shown["number"] == 12
    assert ("portrait", 3) in cards_of_counts(shown["seen"])
    assert ("ring", 1) not in cards_of_counts(shown["seen"])
    assert cards_of_counts(state.observe(None)["removed"]["returned"]) == [("portrait", 3)]


def test_dg_8_6_with_nothing_to_give_there_is_only_the_look():
    state, events = raven([("raven", 2)])
    assert kinds(events) == ["take", "look"]
    assert state.observe(0)["phase"] == "pick"


def test_dg_8_6_a_raven_may_be_brought_and_makes_three():
    state, _ = raven([("raven", 2), ("cat", 1)], removed=[("raven", 3)])
    do(state, bring("raven", 3))
    events = do(state, give("cat", 1))
    assert kinds(events) == ["give"]
    assert cards_in(state, 0) == of("raven", 1, 2, 3)


@pytest.mark.parametrize(
    ("kind", "held", "brought", "ghosts", "left", "happened"),
    [
        ("ring", (1, 2, 3), 4, 5, 5, ["give", "dispel"]),
        ("holy_water", (1,), 2, 5, 3, ["give", "ghosts"]),
        ("mirror", (), 1, 5, 6, ["give", "ghosts"]),
        ("mask", (), 1, 5, 4, ["give", "pass"]),
        ("skull", (5, 4), 2, 5, 5, ["give", "dispel"]),
        ("clock", (4,), 4, 5, 5, ["give", "dispel"]),
        ("portrait", (1,), 2, 5, 5, ["give"]),
    ],
)
def test_dg_8_6_what_is_brought_counts_as_taken(kind, held, brought, ghosts, left, happened):
    state, _ = raven(
        [("raven", 2), ("cat", 1), *of(kind, *held)],
        removed=[(kind, brought)],
        types=(kind,),
        ghosts=[ghosts, 0, 0],
    )
    do(state, bring(kind, brought))
    assert kinds(do(state, give("cat", 1))) == happened
    assert state.ghosts[0] == left


def test_dg_8_6_a_brought_tome_asks_and_a_brought_brew_too():
    state, _ = raven([("raven", 2), ("cat", 1), *of("tome", 1)], removed=[("tome", 2)], types=("tome",))
    do(state, bring("tome", 2))
    do(state, give("cat", 1))
    assert moves(state) == [{"type": "tome", "curse_type": "raven"}]
    do(state, moves(state)[0])
    assert dispelled(state) == of("raven", 1, 2)
    state, _ = raven([("raven", 2), ("cat", 1)], removed=[("witchs_brews", 4)], types=("witchs_brews",))
    do(state, bring("witchs_brews", 4))
    do(state, give("cat", 1))
    assert state.observe(0)["card"] == {"type": "witchs_brews", "curse": 4, "dice": 1}
    do(state, {"type": "brew", "choice": "dispel"})
    assert dispelled(state) == of("witchs_brews", 4)


def test_dg_8_6_no_library_ghost_for_a_brought_card():
    state, _ = raven([("raven", 2), ("cat", 1)], room="library", card=("raven", 1))
    assert state.ghosts[0] == 1  # for the raven, in slot 1
    do(state, bring("ring", 1))
    do(state, give("cat", 1))
    assert state.ghosts[0] == 1


def test_dg_8_6_a_broken_pair_is_made_again_by_one_more_card():
    """Two holy waters have acted; one is given away; the next one makes a pair again and acts."""
    state, _ = raven(
        [("raven", 2), *of("holy_water", 1, 2)], removed=[("cat", 1)], types=("holy_water",), ghosts=[8, 0, 0]
    )
    do(state, bring("cat", 1))
    do(state, give("holy_water", 1))
    assert state.ghosts[0] == 8
    again = taking(
        state.game, ("holy_water", 3), held=[*of("raven", 1, 2), ("holy_water", 2)], ghosts=[8, 0, 0]
    )
    pick(again, 1)
    assert again.ghosts[0] == 4


def test_dg_8_6_a_card_given_may_be_brought_back():
    state, _ = raven(
        [*of("raven", 2, 3, 3), ("cat", 1)],
        removed=[("ring", 1)],
        returned=[("ring", 1)],
        looked=[1],
    )
    do(state, bring("ring", 1))
    do(state, give("cat", 1))
    for viewer in (None, 0, 1, 2):
        assert cards_of_counts(state.observe(viewer)["removed"]["returned"]) == [("cat", 1)]
    assert ("cat", 1) in cards_of_counts(state.observe(1)["removed"]["seen"])


def test_dg_8_9_candles_are_looked_at_after_the_exchange():
    """The raven is the fifth type, but giving the only cat away makes four; bringing a ring makes five."""
    held = [("raven", 2), ("cat", 1), ("amulet", 1), ("portrait", 1), ("candle", 1)]
    for brought, gone in ((("portrait", 4), []), (("ring", 1), of("candle", 1))):
        state, _ = raven(held, removed=[brought], types=("candle", "ring"))
        do(state, bring(*brought))
        do(state, give("cat", 1))
        assert dispelled(state) == gone
    state, _ = raven(held, types=("candle", "ring"))
    do(state, {"type": "leave"})
    assert dispelled(state) == of("candle", 1)
