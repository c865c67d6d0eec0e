"""Rule 4 of docs/games/dont-go-in-there.md: a haunt."""

from __future__ import annotations

import random

import pytest

from engine.core import CHANCE, OVER
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.tables import (
    BINOMIAL,
    ROOMS,
)
from tests.engine.dg_tables import (
    cards_in,
    chance,
    do,
    game_with,
    kinds,
    moves,
    pick,
    place,
    table,
    taking,
)
from tests.engine.walking import walk

HIGH, LOW = ("cat", 4), ("cat", 1)


def haunted(room: str, cards, seats=(0, 1, 0), spaces=(1, 2, 3)):
    """The third meeple has just been placed in a room; chance is to roll."""
    rooms = [room if ROOMS.index(room) // 2 == board else name
             for board, name in enumerate(("attic", "hallway", "secret_passage"))]  # fmt: skip
    first, second, third = zip(spaces, seats, strict=True)
    state = table(
        game_with(), rooms=rooms, cards={room: cards}, meeples={room: dict([first, second])}, placed=third[1]
    )
    return state, place(state, room, third[0])


def test_dg_4_1_the_hidden_card_is_turned_up_and_its_icons_count():
    state, events = haunted("secret_passage", [HIGH, HIGH, LOW])
    assert kinds(events) == ["place", "peek", "haunt", "reveal"]
    assert events[3].public == {
        "room": "secret_passage",
        "slot": 3,
        "card": {"type": "cat", "curse": 1, "dice": 2},
    }
    assert state.observe(None)["rooms"][2]["cards"][2] == {"type": "cat", "curse": 1, "dice": 2}
    assert state.observe(None)["haunt"]["dice"] == 4


@pytest.mark.parametrize(
    ("cards", "dice"),
    [([HIGH, HIGH, ("cat", 3)], 3), ([LOW, LOW, ("cat", 2)], 6), ([LOW, HIGH, ("cat", 3)], 4)],
)
def test_dg_4_2_as_many_dice_as_icons(cards, dice):
    state, _ = haunted("nursery", cards)
    assert (state.actor(), state.chance_stream()) == (CHANCE, "dice")
    assert state.legal_actions() == list(range(dice + 1))
    assert state.chance_weights() == BINOMIAL[dice]


def test_dg_4_4_in_the_basement_the_resolver_may_roll_all_dice_again_once():
    state, _ = haunted("basement", [LOW, LOW, HIGH])
    chance(state, 5)
    assert state.actor() == 0
    assert moves(state) == [{"type": "keep"}, {"type": "reroll"}]
    assert state.observe(1)["haunt"]["ghosts"] == 5
    assert kinds(do(state, {"type": "reroll"})) == ["reroll"]
    assert state.actor() == CHANCE
    assert state.legal_actions() == list(range(6))
    events = chance(state, 4)
    assert events[0].public == {"room": "basement", "dice": 5, "ghosts": 4, "again": True}
    assert state.observe(None)["phase"] == "pick"
    assert state.ghosts == [4 + 2, 3]


def test_dg_4_4_or_keep_them():
    state, _ = haunted("basement", [LOW, LOW, HIGH])
    chance(state, 1)
    assert kinds(do(state, {"type": "keep"})) == ["keep", "ghosts"]
    assert state.ghosts == [1, 0]


@pytest.mark.parametrize(
    ("rolled", "choices"), [(0, ["keep", "ghost"]), (2, ["keep", "ghost", "blank"]), (3, ["keep", "blank"])]
)
def test_dg_4_5_in_the_hallway_the_resolver_may_turn_one_die(rolled, choices):
    state, _ = haunted("hallway", [HIGH, HIGH, ("cat", 3)], seats=(1, 0, 1))
    chance(state, rolled)
    assert state.actor() == 1
    assert [move.get("to", move["type"]) for move in moves(state)] == choices


@pytest.mark.parametrize(("to", "ghosts"), [("ghost", [2, 3 + 1]), ("blank", [0, 1])])
def test_dg_4_5_the_turned_die_counts_as_it_lies_then(to, ghosts):
    state, _ = haunted("hallway", [HIGH, HIGH, ("cat", 3)], seats=(1, 0, 1))
    chance(state, 2)
    assert do(state, {"type": "flip", "to": to})[0].public["ghosts"] == (3 if to == "ghost" else 1)
    assert state.ghosts == ghosts


def test_dg_4_6_each_meeple_meets_the_ghosts_its_flashlights_leave():
    state, _ = haunted("nursery", [LOW, LOW, HIGH], seats=(0, 1, 0), spaces=(1, 3, 4))
    events = chance(state, 5)
    assert [(e.public["seat"], e.public["space"], e.public["change"]) for e in events[1:]] == [
        (0, 1, 5),
        (1, 3, 3),
        (0, 4, 2),
    ]
    assert state.ghosts == [7, 3]


def test_dg_4_6_never_less_than_none():
    state, _ = haunted("nursery", [LOW, LOW, HIGH], seats=(0, 1, 0), spaces=(2, 3, 4))
    chance(state, 1)
    assert state.ghosts == [0, 0]


def test_dg_4_7_cards_are_picked_from_the_top_and_the_last_comes_by_itself():
    state, _ = haunted("nursery", [HIGH, LOW, ("cat", 2)], seats=(1, 0, 1), spaces=(2, 1, 4))
    chance(state, 0)
    assert (state.actor(), len(moves(state))) == (0, 3)
    pick(state, 2)
    assert state.actor() == 1
    assert moves(state) == [{"type": "pick", "slot": 1}, {"type": "pick", "slot": 3}]
    events = pick(state, 1)
    assert [(e.public["seat"], e.public["slot"], e.public["forced"]) for e in events if e.kind == "take"] == [
        (1, 1, False),
        (1, 3, True),
    ]
    assert cards_in(state, 0) == [LOW]
    assert cards_in(state, 1) == [("cat", 2), HIGH]


def test_dg_4_7_all_ghosts_come_before_any_card_acts():
    """Holy water halves what the haunt has brought to both meeples of its taker."""
    game = game_with("holy_water")
    water = ("holy_water", 1)
    state = table(
        game,
        cards={"nursery": [water, HIGH, HIGH]},
        meeples={"nursery": {1: 0, 2: 1}},
        up={0: [water]},
        placed=0,
    )
    place(state, "nursery", 3)
    chance(state, 3)
    assert state.ghosts == [3 + 1, 2]
    pick(state, 1)
    assert state.ghosts == [2, 2]


def test_dg_4_8_the_board_turns_over_and_gets_three_new_cards():
    state = taking(game_with(), HIGH)
    pick(state, 1)
    events = pick(state, 2)
    assert events[-1].public == {"room": "nursery", "to": "attic"}
    assert (state.actor(), state.chance_stream()) == (CHANCE, "deck")
    for _ in range(3):
        chance(state, state.legal_actions()[0])
    assert state.observe(None)["rooms"][0]["room"] == "attic"
    assert state.observe(None)["rooms"][0]["spaces"] == [None] * 4
    assert state.actor() == 1


def test_dg_4_8_without_three_cards_left_the_board_goes_for_good():
    game = game_with()
    gone = [
        card for kind in ("cat", "music_box", "portrait") for curse in (1, 2) for card in [(kind, curse)] * 2
    ]
    state = taking(
        game,
        ("amulet", 4),
        ("amulet", 3),
        ("amulet", 2),
        down={1: [*gone, ("amulet", 1), ("amulet", 1), ("amulet", 2)]},
    )
    assert state.deck == 0
    pick(state, 1)
    events = pick(state, 2)
    assert events[-1].kind == "remove_room"
    assert state.observe(None)["rooms"][0]["room"] is None
    assert {move["room"] for move in moves(state)} == {"hallway", "secret_passage"}


def test_dg_4_9_after_a_haunt_the_seat_left_of_the_resolver_plays():
    game = game_with(seats=3)
    state = table(game, cards={"nursery": [HIGH, HIGH, LOW]}, meeples={"nursery": {1: 2, 2: 2}}, placed=4)
    assert state.actor() == 1
    place(state, "nursery", 3)
    chance(state, 0)
    pick(state, 1)
    pick(state, 2)
    while state.actor() == CHANCE:
        chance(state, state.legal_actions()[0])
    assert state.actor() == 2


def test_dg_4_10_library_slots_bring_and_take_a_ghost():
    game = game_with()
    row = [("amulet", 1), ("cat", 2), ("cat", 3)]
    for slot, change in ((1, 1), (2, 0), (3, -1)):
        state = taking(game, *row, room="library", ghosts=[5, 0])
        pick(state, slot)
        assert state.ghosts[0] == 5 + change
    state = taking(game, *row, room="library", ghosts=[0, 0])
    pick(state, 3)
    assert state.ghosts == [0, 0]


def test_dg_4_10_slots_are_fixed_and_bind_the_forced_last_card_too():
    row = [("amulet", 1), ("cat", 2), ("cat", 3)]
    state = taking(game_with(), *row, room="library", ghosts=[5, 5], meeples=[0, 1])
    pick(state, 1)
    pick(state, 2)
    assert state.ghosts == [6, 4]


def test_dg_4_10_the_ghost_comes_before_the_effect():
    game = game_with("holy_water")
    state = taking(game, ("holy_water", 1), room="library", held=[("holy_water", 2)], ghosts=[5, 0])
    pick(state, 1)
    assert state.ghosts[0] == 3


def test_a_match_always_ends_with_every_card_taken():
    rng = random.Random(1)
    for seats in (2, 3, 4, 5):
        *_, state = walk(DontGoInThere(seats), rng.randrange(99))
        assert state.actor() == OVER
        held = [len(cards_in(state, s)) + len(cards_in(state, s, "dispelled")) for s in range(seats)]
        assert held == [12] * seats
        assert state.observe(None)["deck"] == 0
