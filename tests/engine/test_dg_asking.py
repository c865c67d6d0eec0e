"""Rule 5.13 with `dispel: "ask"`: every "of your choice" is a move, where there is a choice."""

from __future__ import annotations

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.extended import doll_ways
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
    place,
    table,
    taking,
)
from tests.engine.walking import walk


def took(card: Card, held=(), seats=2, **more):
    game = game_with(card[0], *(one[0] for one in held), seats=seats, dispel="ask")
    state = taking(game, card, held=held, ghosts=[0] * seats, **more)
    return state, pick(state, 1)


def dispel(kind, curse):
    return {"type": "dispel", "curse_type": kind, "curse": curse}


def stay(curse):
    return {"type": "stay", "curse_type": "cat", "curse": curse}


def asked(state):
    """Who is asked for what: (seat, type, number), as everybody sees it."""
    return [(ask["seat"], ask["type"], ask["number"]) for ask in state.observe(None)["asks"]]


# --- clock and doll: when they are taken ---


def test_dg_5_13_any_two_clocks_one_after_the_other():
    state, events = took(("clock", 3), of("clock", 1, 4), meeples=[1, 1])
    assert kinds(events) == ["take"]
    assert (state.actor(), state.observe(1)["phase"]) == (0, "dispel")
    assert asked(state) == [(0, "clock", 2)]
    assert moves(state) == [dispel("clock", curse) for curse in (1, 3, 4)]
    assert kinds(do(state, dispel("clock", 1))) == ["dispel"]
    assert asked(state) == [(0, "clock", 1)]
    assert moves(state) == [dispel("clock", curse) for curse in (3, 4)]
    do(state, dispel("clock", 3))
    assert cards_in(state, 0) == of("clock", 4)
    assert asked(state) == []
    assert (state.actor(), state.observe(1)["phase"]) == (1, "pick")
    assert state.clock_used


def test_dg_5_13_nobody_is_asked_where_there_is_no_choice():
    state, events = took(("clock", 4), of("clock", 4))
    assert kinds(events) == ["take", "dispel"]
    assert dispelled(state) == of("clock", 4, 4)
    state, _ = took(("clock", 4), of("clock", 1, 1, 4))
    do(state, dispel("clock", 4))
    assert moves(state) == [dispel("clock", 1), dispel("clock", 4)]
    state, _ = took(("clock", 4), of("clock", 3, 3))
    events = do(state, dispel("clock", 4))
    assert kinds(events) == ["dispel", "dispel"]  # of 3 and 3 one goes, whichever
    assert cards_in(state, 0) == of("clock", 3)


def test_dg_5_4_the_owner_chooses_which_dolls_make_six():
    state, events = took(("doll", 1), of("doll", 1, 2, 2, 3, 4))
    assert kinds(events) == ["take", "dispel"]
    assert dispelled(state) == of("doll", 1)
    assert asked(state) == [(0, "doll", 5)]
    assert moves(state) == [dispel("doll", curse) for curse in (1, 2, 3, 4)]
    do(state, dispel("doll", 2))
    assert asked(state) == [(0, "doll", 3)]
    assert moves(state) == [dispel("doll", curse) for curse in (1, 2, 3)]
    do(state, dispel("doll", 1))
    assert dispelled(state) == of("doll", 1, 1, 2, 2)
    assert state.observe(0)["phase"] == "pick"


def test_dg_5_4_one_possible_set_of_dolls_goes_by_itself_and_is_never_declined():
    state, events = took(("doll", 2), of("doll", 4, 3))
    assert kinds(events) == ["take", "dispel"]
    assert dispelled(state) == of("doll", 2, 4)
    state, _ = took(("doll", 2), of("doll", 1, 3, 4))
    do(state, dispel("doll", 1))
    assert dispelled(state) == of("doll", 1, 2, 3)  # 3 came by itself


@pytest.mark.parametrize(
    ("held", "curses", "ways"),
    [((1, 2, 2, 3, 4), 5, [(1, 2, 2), (1, 4), (2, 3)]), ((3, 3), 3, [(3,)]), ((1, 1), 3, [])],
)
def test_dg_5_4_ways_to_make_a_sum(held, curses, ways):
    faces = [face(("doll", curse)) for curse in held]
    assert doll_ways(faces, curses) == [tuple(face(("doll", curse)) for curse in way) for way in ways]


def test_dg_5_13_choices_of_a_forced_card_come_before_the_room_is_cleared():
    game = game_with("clock", dispel="ask")
    state = taking(game, ("cat", 1), ("cat", 2), ("clock", 4), held=of("clock", 2, 4))
    pick(state, 1)
    pick(state, 2)
    assert state.observe(0)["phase"] == "dispel"
    assert kinds(do(state, dispel("clock", 4))) == ["dispel"]
    assert "turn_over" in kinds(do(state, dispel("clock", 2)))


# --- at the end ---


def last_take(*hands, ghosts=None, types=(), seats=2):
    """The last card of a match comes by itself to seat 1; then the game-end types act."""
    game = game_with(*types, *(card[0] for hand in hands for card in hand), seats=seats, dispel="ask")
    spare = [card for kind in game.options["types"] for card in of(kind, 1, 1, 2, 2, 3, 3, 4, 4)]
    for hand in hands:
        for card in hand:
            spare.remove(card)
    quiet = [card for card in spare if card[0] not in {one[0] for hand in hands for one in hand}]
    rest = game.setup.deck - sum(map(len, hands)) - 2
    down = (quiet + [card for card in spare if card not in quiet])[: rest + 2]
    row, down = down[:2], down[2:]
    state = table(
        game,
        rooms=("nursery", None, None),
        cards={"nursery": [*row, None]},
        meeples={"nursery": {1: 1, 2: 1}},
        up=dict(enumerate(hands)),
        down={0: down},
        ghosts=ghosts,
        phase="pick",
        haunted="nursery",
        rolled=0,
        dice=3,
        placed=12 * seats - 1,
        acting=1,
    )
    return state, pick(state, 1)


def test_dg_6_1_every_choice_of_the_end_is_asked_in_turn():
    """Types in their order, within a type seat by seat; what has no choice happens by itself."""
    hands = (
        [*of("cat", 1, 3), *of("music_box", 1, 2, 3)],
        [*of("cat", 2, 2), *of("portrait", 1, 2, 4), *of("music_box", 1, 2, 3)],
    )
    state, events = last_take(*hands, types=("ring", "mask"))
    assert asked(state) == [
        (0, "cat", 1), (1, "cat", 1), (0, "music_box", 2), (1, "music_box", 2), (1, "portrait", 1),
    ]  # fmt: skip
    assert "end" not in kinds(events)
    view = state.observe(0)
    assert (view["phase"], view["actor"], view["on_turn"], view["haunt"]) == ("dispel", 0, None, None)
    assert moves(state) == [stay(1), stay(3)]
    do(state, stay(3))
    assert dispelled(state, 1) == of("cat", 2)  # of two equal cats one goes, whichever
    assert state.actor() == 0
    do(state, dispel("music_box", 1))
    do(state, dispel("music_box", 3))
    assert state.actor() == 1  # still tied for the most, though seat 0 has dispelled hers
    do(state, dispel("music_box", 3))
    do(state, dispel("music_box", 2))
    assert moves(state) == [dispel("portrait", curse) for curse in (1, 2, 4)]
    events = do(state, dispel("portrait", 1))
    assert kinds(events)[-1] == "end"
    assert state.actor() == OVER
    assert cards_in(state, 0) == [("cat", 3), ("music_box", 2)]
    assert [card for card in cards_in(state, 1) if card[0] in ("cat", "music_box", "portrait")] == [
        ("cat", 2), ("music_box", 1), ("portrait", 2), ("portrait", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(("mine", "theirs", "number"), [((1, 2, 3, 4), (1,), 2), ((1, 2, 3), (1, 2, 4), 1)])
def test_dg_8_4_lanterns_are_counted_before_anyone_dispels_and_chosen_freely(mine, theirs, number):
    lanterns = "jack_o_lantern"
    state, _ = last_take(of(lanterns, *mine), of(lanterns, *theirs), types=("ring", "mask", "twin", "tome"))
    assert asked(state)[0] == (0, lanterns, number)
    for _ in range(number):
        do(state, moves(state)[0])
    assert dispelled(state, 0)[-number:] == of(lanterns, 1, 2)[:number]
    assert asked(state) == ([(1, lanterns, 1)] if number == 1 else [])


def test_dg_5_2_ten_ghosts_and_no_cat_is_asked_for():
    state, _ = last_take(of("cat", 1, 3), [], ghosts=[10, 20], types=("ring", "mask", "twin", "tome"))
    assert state.actor() == OVER


def test_dg_5_1_amulets_need_no_answer():
    state, _ = last_take(of("amulet", 1, 2), [], types=("ring", "mask", "twin", "tome"))
    assert state.actor() == OVER
    assert ("amulet", 2) in dispelled(state)


def test_dg_5_13_asked_for_the_highest_a_match_ends_as_without_asking():
    """Default moves give what `auto` does, except that dolls may choose another set of six."""
    for seed in range(12):
        types = ["cat", "clock", "music_box", "portrait", "tome"]
        auto = DontGoInThere(2, None, {"types": types})
        asking = DontGoInThere(2, None, {"types": types, "dispel": "ask"})
        plain = end_of(auto, seed)
        assert end_of(asking, seed) == plain


def end_of(game, seed):
    """Standing of a match in which only cards are placed and picked by a fixed rule."""
    state, turn = game.initial_state(), seed
    while state.actor() != OVER:
        legal = state.legal_actions()
        if state.observe(None)["phase"] == "dispel":
            state.apply(game.default_move(state))
            continue
        turn = (turn * 1103515245 + 12345) % 2**31
        state.apply(legal[(turn >> 8) % len(legal)])
    return state.scores(), state.ranks(), bytes(state.up), bytes(state.down)


@pytest.mark.parametrize("mode", ["base", "base-ask", "expansion"])
def test_dg_5_13_only_a_game_that_asks_ever_asks(mode):
    found = set()
    for seed in range(12):
        found |= {state.observe(None)["phase"] for state in walk(DontGoInThere(3, mode), seed)}
    assert ("dispel" in found) == (mode == "base-ask")
    assert bool({"brew", "raven", "give"} & found) == (mode == "expansion")


def test_an_ask_of_a_game_that_does_not_ask_is_no_position():
    line = table(game_with()).to_text()
    with pytest.raises(ValueError):
        game_with().from_text(line + ";;-1;;;0")
    asking = game_with(dispel="ask")
    line = table(asking).to_text()
    assert asking.from_text(line).to_text() == line
    for wrong in ("0.1.1;-1;;;0", ";3;;;0", ";-1;5;;0", ";-1;;5;0", ";-1;;;9", "0.1;-1;;;0"):
        with pytest.raises(ValueError):
            asking.from_text(";".join(line.split(";")[:15]) + ";" + wrong)


def test_placing_is_as_ever():
    state = table(game_with(dispel="ask"))
    place(state, "nursery", 4)
    assert state.observe(0)["asks"] == []
    assert state.observe(0)["card"] is None
    assert state.observe(0)["removed"] is None
