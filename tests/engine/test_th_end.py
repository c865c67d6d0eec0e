"""Rule 7 of docs/games/treasure-hunters.md: how a match ends; and the default move."""

from __future__ import annotations

import pytest

from engine.core import OVER
from engine.games.treasure_hunters import TreasureHunters
from engine.games.treasure_hunters.tables import CARD, OUT, PICK_UP, ROLL
from tests.engine.th_tables import chance, do, go, phase, table, turn_up

TAKE = {"type": "take"}


def ended(state) -> str:
    assert (state.actor(), phase(state)) == (OVER, "over")
    return str(state.figures()["ended"])


def test_th_7_1_all_jewels_and_all_hunters_outside():
    state = table(steps=2, at=("h2",), carried=(True,), jewels="")
    events = go(state, "out")
    assert events[-1] == {"kind": "end", "jewels": 8, "hauntings": 0, "turns": 1, "ended": "won"}
    assert ended(state) == "won"
    assert (state.scores(), state.ranks()) == ((1.0,) * 4, (1,) * 4)


def test_th_7_1_the_last_jewel_is_not_enough():
    state = table(steps=2, at=("h2", "h5"), carried=(True,), jewels="")
    go(state, "out")
    assert (state.banked, phase(state)) == (8, "roll")
    state = table(steps=6, hunter=1, at=("out", "h2"), jewels="")
    go(state, "out")
    assert ended(state) == "won"


def test_th_7_1_seven_jewels_are_not_enough():
    state = table(steps=2, at=("h2",), carried=(True,), jewels="a")
    go(state, "out")
    assert phase(state) == "roll"


def test_th_7_1_by_number():
    state = table("order", steps=2, at=("h2",), carried=(8,), jewels="")
    go(state, "out")
    assert ended(state) == "won"
    assert state.observe(0)["next"] is None


def test_th_7_2_the_sixth_haunting_loses_at_once():
    state = table(phase=CARD, steps=3, haunted="abcde", ghosts={"k": 2})
    assert turn_up(state, "ghost_k")[-1]["ended"] == "haunted"
    assert (state.scores(), state.ranks()) == ((0.0,) * 4, (1,) * 4)


def test_th_7_2_even_among_further_cards():
    state = table("cards", phase=CARD, steps=3, haunted="abcde", ghosts={"k": 2})
    turn_up(state, "draw_3")
    turn_up(state, "ghost_k")
    assert ended(state) == "haunted"
    assert state.figures()["hauntings"] == 6


def test_th_7_2_hauntings_removed_before_do_not_count():
    state = table(phase=CARD, steps=3, haunted="abcd", ghosts={"k": 2})
    turn_up(state, "ghost_k")
    assert phase(state) == "move"


ALL_CARRY = {"carried": (True, True, True, True)}


def test_th_7_3_trapped_by_a_card():
    state = table(phase=CARD, steps=3, at=("a", "b", "c", "d"), **ALL_CARRY, haunted="abc", ghosts={"d": 2})
    assert turn_up(state, "ghost_d")[-1]["ended"] == "trapped"
    assert state.scores() == (0.0,) * 4


def test_th_7_3_trapped_by_walking_in():
    state = table(steps=1, at=("h22", "b", "c", "d"), **ALL_CARRY, haunted="abcd")
    go(state, "a")
    assert ended(state) == "trapped"


def test_th_7_3_trapped_by_taking():
    state = table(
        phase=PICK_UP, at=("a", "b", "c", "d"), carried=(False, True, True, True), haunted="abcd", jewels="a"
    )
    do(state, TAKE)
    assert ended(state) == "trapped"


def test_th_7_3_three_hunters_are_enough_where_three_play():
    state = table(
        seats=3, phase=CARD, steps=3, at=("a", "b", "c"), carried=(True,) * 3, haunted="ab", ghosts={"c": 2}
    )
    turn_up(state, "ghost_c")
    assert ended(state) == "trapped"
    assert state.scores() == (0.0,) * 3


@pytest.mark.parametrize(
    "table_of",
    [
        {"at": ("a", "a", "c", "d"), **ALL_CARRY, "haunted": "acd", "ghosts": {"d": 0}},
        {"at": ("a", "b", "c", "d"), "carried": (False, True, True, True), "haunted": "abcd"},
        {"at": ("h22", "b", "c", "d"), **ALL_CARRY, "haunted": "abcd"},
    ],
    ids=["two share a room", "one carries nothing", "one is not in a haunted room"],
)
def test_th_7_3_not_trapped(table_of):
    """A further haunting elsewhere makes the check be done."""
    table_of = {**table_of, "ghosts": {"k": 2}}
    state = table(phase=CARD, steps=3, **table_of)
    turn_up(state, "ghost_k")
    assert phase(state) != "over"


def test_th_7_3_a_fight_in_a_shared_room_goes_on():
    state = table(steps=1, at=("h22", "a", "c", "d"), **ALL_CARRY, haunted="acd")
    go(state, "a")
    assert phase(state) == "fight"


def test_th_7_6_the_last_turn():
    state = table(steps=1, hunter=3, turn=400, at=("h1", "h2", "h3", "h4"))
    assert go(state, "h4")[-1] == {"kind": "end", "jewels": 0, "hauntings": 0, "turns": 400, "ended": "cap"}
    assert state.scores() == (0.0,) * 4
    state = table(steps=1, hunter=2, turn=399, at=("h1", "h2", "h3", "h4"))
    go(state, "h3")
    assert phase(state) == "roll"


def test_th_7_6_a_win_on_the_last_turn_is_a_win():
    state = table(steps=1, hunter=3, turn=400, at=("out", "out", "out", "h1"), jewels="")
    go(state, "out")
    assert ended(state) == "won"


# --- the default move ---


def default(state) -> str:
    return str(state.game.actions.decode(state.game.default_move(state)).get("to")).removeprefix("room_")


@pytest.mark.parametrize(
    ("at", "steps", "to"),
    [("h23", 2, "e"), ("h20", 1, "h19"), ("l", 2, "h1"), ("l", 6, "out"), ("out", 5, "out")],
)
def test_the_default_walks_toward_the_door(at, steps, to):
    assert default(table(steps=steps, at=(at,), jewels="a")) == to


def test_the_default_stops_behind_a_hunter_that_stands_in_the_way():
    assert default(table(steps=1, at=("h2", "h1"))) == "h2"
    assert default(table(steps=2, at=("h3", "h1"))) == "h2"


def test_the_default_takes_the_way_that_is_open():
    assert default(table("locks", steps=2, at=("k",), jewels="a")) == "h2"
    assert default(table("locks", steps=2, at=("k",), jewels="a", locked="green")) == "h8"


def test_the_default_carries_round_haunted_rooms():
    state = table(steps=2, at=("k",), carried=(True,), haunted="l", jewels="a")
    assert default(state) == "h8"
    assert default(table(steps=2, at=("k",), haunted="l", jewels="a")) == "h2"


def test_the_default_stays_where_no_way_is_left():
    """K has two ways out: one through a haunted room, one through a locked door."""
    state = table("locks", steps=6, at=("k",), carried=(True,), haunted="l", jewels="a", locked="blue")
    assert default(state) == "k"


def test_the_default_leaves_jewels():
    state = table(phase=PICK_UP, at=("l",))
    assert state.game.actions.decode(state.game.default_move(state)) == {"type": "leave"}


@pytest.mark.parametrize("mode", TreasureHunters.modes)
def test_whoever_only_walks_home_gets_there(mode):
    """From the far corner, sixes rolled, nobody in the way: at most six turns, and the jewel is safe."""
    jewel = 1 if mode in ("order", "advanced") else True
    state = table(mode, phase=ROLL, at=("h23",), carried=(jewel,))
    while state.turn < 21:
        state.apply(state.game.default_move(state) if state.actor() >= 0 else state.legal_actions()[-1])
    assert (state.places[0], state.banked) == (OUT, 1)


def test_the_default_may_end_in_a_room_with_an_unseen_jewel_on_its_way():
    state = table("advanced", steps=3, at=("b",), locked="blue", jewels="acdegijl")
    assert default(state) == "c"
    go(state, "c")
    chance(state, "jewels", 3)
    assert phase(state) == "take"
