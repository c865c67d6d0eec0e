"""Rules 5, 6, 9 of docs/games/treasure-hunters.md: jewels, fights, numbers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from engine.games.treasure_hunters.tables import CARD, FIGHT, PICK_UP, PLAIN, ROLL
from tests.engine.th_tables import chance, do, ends, go, kinds, passages, phase, place, table, turn_up

TAKE, LEAVE = {"type": "take"}, {"type": "leave"}
FACES = "GGGHH-"


def through(letter: str) -> dict[str, str]:
    return {"type": "through", "room": f"room_{letter}"}


def test_th_5_1_ending_in_a_room_with_a_jewel_asks():
    state = table(steps=3)
    go(state, "l")
    assert (phase(state), kinds(state)) == ("take", {"take", "leave"})
    do(state, TAKE)
    assert state.observe(0)["hunters"][0]["jewel"]
    assert not state.observe(0)["rooms"][11]["jewel"]


def test_th_5_1_leaving_it_is_allowed():
    state = table(steps=3)
    go(state, "l")
    assert do(state, LEAVE)[-1]["kind"] == "leave"
    assert not state.observe(0)["hunters"][0]["jewel"]
    assert state.observe(0)["rooms"][11]["jewel"]


def test_th_5_1_staying_counts_as_ending_there():
    state = table(steps=1, at=("l",))
    go(state, "l")
    assert phase(state) == "take"


def test_th_5_1_before_the_fight_ghosts_or_not():
    state = table(steps=3, ghosts={"l": 2})
    go(state, "l")
    assert phase(state) == "take"
    do(state, TAKE)
    assert phase(state) == "fight"


def test_th_5_1_nothing_to_take_nothing_to_ask():
    for room in "bfhk":
        state = table(steps=1, at=(room,))
        go(state, room)
        assert phase(state) == "roll"


def test_th_5_2_nobody_carries_two_or_gives_away():
    state = table(steps=1, at=("j", "g"), carried=(True, True), jewels="gj")
    go(state, "g")
    assert phase(state) == "roll"
    assert state.carried[:2] == [PLAIN, PLAIN]


def test_th_5_3_taking_in_a_haunted_room_holds_at_once():
    state = table(steps=3, haunted="l", at=("h2", "l"))
    go(state, "l")
    do(state, TAKE)
    assert phase(state) == "fight"
    chance(state, "battle", 0)
    assert state.stops() == 0
    state = table(steps=1, phase=CARD, haunted="l", at=("l",), carried=(True,))
    assert turn_up(state, "ghost_a")[-1] == {"kind": "held", "seat": 0, "hunter": "red", "room": "room_l"}


def test_th_5_4_outside_the_jewel_is_safe():
    state = table(steps=6, at=("h2",), carried=(True,))
    events = go(state, "out")
    assert events[-1] == {"kind": "bank", "seat": 0, "hunter": "red", "number": None, "banked": 1}
    assert (state.banked, state.carried[0], phase(state)) == (1, 0, "roll")


def test_th_5_5_a_carrier_stops_at_the_first_haunted_room():
    """From C through B to A: with B haunted A is out of reach, whatever the die shows."""
    free = {"steps": 3, "at": ("c",), "locked": "green", "jewels": "a"}
    assert {"a", "b", "d", "h19", "h14"} <= ends(table("locks", **free, carried=(True,)))
    held = ends(table("locks", **free, carried=(True,), haunted="b"))
    assert "b" in held
    assert not {"a", "h19"} & held
    assert {"a", "h19"} <= ends(table("locks", **free, haunted="b"))


def test_th_5_5_a_carrier_may_go_round():
    state = table(steps=6, at=("k",), carried=(True,), haunted="l")
    assert "l" in ends(state)
    assert "h2" not in ends(state)
    assert "h3" not in ends(table(steps=6, at=("k",), carried=(True,), haunted="l"))
    assert "h4" in ends(table(steps=6, at=("k",), carried=(True,), haunted="l"))


def test_th_5_6_a_held_carrier_is_not_asked_but_rolls_draws_and_fights():
    state = table(phase=ROLL, at=("l", "l"), carried=(True,), haunted="l")
    chance(state, "movement", 4)
    turn_up(state, "ghost_a")
    assert phase(state) == "fight"
    chance(state, "battle", 1)
    assert state.haunted == 0
    assert state.hunter == 1


def test_th_5_6_the_haunting_of_this_very_turn_holds():
    state = table(phase=CARD, steps=5, at=("c",), carried=(True,), ghosts={"c": 2})
    assert [event["kind"] for event in turn_up(state, "ghost_c")] == ["card", "haunting", "held"]
    assert (phase(state), state.hunter) == ("roll", 1)


def test_th_5_6_who_carries_nothing_walks_out_of_a_haunted_room():
    state = table(phase=CARD, steps=5, at=("b",), ghosts={"b": 2})
    turn_up(state, "ghost_b")
    assert {"h19", "c", "b"} <= ends(state)


# --- the fight ---


def rolls(dice: int, icon: str, most: int) -> list[Fraction]:
    """Chances of removing 0, 1, … figures, by every roll of the dice."""
    ways = Counter(min(most, roll.count(icon)) for roll in product(FACES, repeat=dice))
    return [Fraction(ways[removed], 6**dice) for removed in range(most + 1)]


def chances(state) -> list[Fraction]:
    weights = state.chance_weights()
    return [Fraction(weight, sum(weights)) for weight in weights]


def fighting(helpers: int, **more):
    return table(phase=FIGHT, at=("f",) * (1 + helpers), **more)


@pytest.mark.parametrize(
    ("helpers", "room", "odds", "dice"),
    [
        (0, {"ghosts": {"f": 1}}, ("1/2", "1/2"), (1, "G", 1)),
        (0, {"ghosts": {"f": 2}}, ("1/2", "1/2"), (1, "G", 1)),
        (1, {"ghosts": {"f": 1}}, ("1/4", "3/4"), (2, "G", 1)),
        (3, {"ghosts": {"f": 1}}, ("1/4", "3/4"), (2, "G", 1)),
        (1, {"ghosts": {"f": 2}}, ("1/4", "1/2", "1/4"), (2, "G", 2)),
        (2, {"ghosts": {"f": 2}}, ("1/4", "1/2", "1/4"), (2, "G", 2)),
        (1, {"haunted": "f"}, ("4/9", "5/9"), (2, "H", 1)),
        (3, {"haunted": "f"}, ("4/9", "5/9"), (2, "H", 1)),
    ],
)
def test_th_6_every_fight_has_the_chances_of_its_dice(helpers, room, odds, dice):
    state = fighting(helpers, **room)
    assert state.legal_actions() == list(range(len(odds)))
    assert chances(state) == [Fraction(odd) for odd in odds] == rolls(*dice)
    assert state.observe(0)["fight"]["dice"] == dice[0]


def test_th_6_1_alone_against_a_haunting_nothing_is_rolled():
    state = table(steps=1, at=("b",), haunted="b")
    go(state, "b")
    assert (phase(state), state.hunter) == ("roll", 1)


def test_th_6_1_only_where_the_move_ended():
    state = table(steps=4, ghosts={"l": 2})
    go(state, "k")
    assert (phase(state), state.ghosts_in(place("l"))) == ("roll", 2)


def test_th_6_1_nobody_else_fights():
    state = table(steps=1, at=("h1", "f", "f"), ghosts={"f": 1})
    go(state, "h1")
    assert phase(state) == "roll"


def test_th_6_2_ghosts_go():
    state = fighting(1, ghosts={"f": 2})
    event = chance(state, "battle", 2)[-1]
    assert event == {
        "kind": "fight", "seat": 0, "hunter": "red", "room": "room_f", "dice": 2,
        "against": "ghost", "removed": 2,
    }  # fmt: skip
    assert state.ghosts == 0
    state = fighting(1, ghosts={"f": 2})
    chance(state, "battle", 1)
    assert state.ghosts_in(place("f")) == 1


def test_th_6_3_a_haunting_goes_and_leaves_an_empty_room():
    state = fighting(1, haunted="f")
    chance(state, "battle", 1)
    assert (state.haunted, state.ghosts) == (0, 0)


def test_th_6_4_who_carries_or_is_held_helps():
    state = table(steps=2, at=("e", "f"), carried=(False, True), haunted="f")
    go(state, "f")
    assert (phase(state), state.observe(0)["fight"]) == ("fight", {"dice": 2, "against": "haunting"})


def test_th_6_4_two_hunters_of_one_seat_count_as_two():
    state = table(seats=2, steps=2, at=("e", "h1", "f"), haunted="f")
    go(state, "f")
    assert phase(state) == "fight"


def test_th_6_a_freed_carrier_walks_next_turn_not_this_one():
    state = table(phase=FIGHT, at=("l", "l"), carried=(True,), haunted="l")
    chance(state, "battle", 1)
    assert state.hunter == 1


# --- numbers ---


def numbered(**more):
    return table("order", **more)


def test_th_9_1_numbers_are_unseen_at_first():
    state = numbered(phase=ROLL)
    seen = state.observe(0)
    assert seen["unseen"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(row["number"] is None for row in seen["rooms"])
    assert seen["next"] == 1


def test_th_9_2_entering_shows_the_number_before_the_choice():
    state = numbered(steps=3)
    go(state, "l")
    assert (phase(state), state.legal_actions()) == ("number", [1, 2, 3, 4, 5, 6, 7, 8])
    assert chance(state, "jewels", 5)[-1] == {"kind": "number", "room": "room_l", "number": 5}
    assert phase(state) == "take"
    seen = state.observe(0)
    assert (seen["rooms"][11]["number"], seen["unseen"]) == (5, [1, 2, 3, 4, 6, 7, 8])
    do(state, TAKE)
    assert state.observe(0)["hunters"][0]["number"] == 5


def test_th_9_2_a_number_once_seen_stays():
    state = numbered(steps=2, at=("h2",), numbers={"l": 3})
    go(state, "l")
    assert phase(state) == "take"
    do(state, LEAVE)
    assert state.observe(0)["rooms"][11]["number"] == 3


def test_th_9_2_a_carrier_turns_numbers_up_too():
    state = numbered(steps=2, at=("h2",), carried=(8,), jewels="l")
    go(state, "l")
    assert phase(state) == "number"


def test_th_9_3_a_plain_move_never_leads_through_an_unseen_jewel():
    state = numbered(steps=5)
    assert {"l", "j"} == passages(state)
    assert not {"k", "g", "h9"} & ends(state)
    assert {"l", "j"} <= ends(state)
    assert "k" in ends(numbered(steps=5, numbers={"l": 2}))


def test_th_9_3_through_a_room_shows_the_number_and_leaves_the_other_steps():
    state = numbered(steps=5)
    assert do(state, through("l"))[-1]["path"] == ["out", "h1", "h2", "room_l"]
    chance(state, "jewels", 8)
    assert (phase(state), state.observe(0)["steps"]) == ("move", 2)
    assert ends(state) == {"l", "k", "h9", "h2", "h1", "h3"} | {"j"}
    go(state, "h9")
    assert phase(state) == "roll"


def test_th_9_3_who_went_through_may_stay_and_take():
    state = numbered(steps=4)
    do(state, through("j"))
    chance(state, "jewels", 1)
    go(state, "j")
    assert phase(state) == "take"


def test_th_9_3_the_last_step_cannot_lead_through():
    assert passages(numbered(steps=3)) == set()
    assert passages(numbered(steps=4)) == {"l", "j"}


def test_th_9_3_two_rooms_on_one_way():
    """Out, H1, H2, J, G: both numbers are seen on a 6, with a step left in the end."""
    state = numbered(steps=6)
    do(state, through("j"))
    chance(state, "jewels", 4)
    assert passages(state) == {"g", "l"}
    do(state, through("g"))
    chance(state, "jewels", 6)
    assert state.observe(0)["steps"] == 2
    assert {"h13", "h16", "h12"} <= ends(state)


def test_th_9_3_a_carrier_cannot_go_on_from_a_haunted_room():
    state = numbered(steps=6, at=("h3",), carried=(8,), jewels="jl", haunted="l")
    assert passages(state) == {"j"}
    assert "l" in ends(state)
    state = numbered(steps=6, at=("h3",), jewels="jl", haunted="l")
    assert passages(state) == {"j", "l"}


def test_th_9_4_the_next_number_leaves_the_house():
    state = numbered(steps=2, at=("h2",), carried=(1,))
    assert go(state, "out")[-1]["number"] == 1
    assert state.observe(0)["next"] == 2


@pytest.mark.parametrize(
    ("carried", "jewels", "may"), [(1, "acdegij", True), (2, "acdegij", False), (3, "acdeg", True)]
)
def test_th_9_5_another_number_cannot(carried, jewels, may):
    state = numbered(steps=2, at=("h2",), carried=(carried,), jewels=jewels)
    assert state.banked == 7 - len(jewels)
    assert ("out" in ends(state)) == may


def test_th_9_5_who_carries_nothing_leaves_freely():
    assert "out" in ends(numbered(steps=2, at=("h2",)))


def test_th_9_6_all_carry_later_numbers_and_the_match_goes_on():
    state = numbered(steps=1, at=("h1", "h2", "h3", "h4"), carried=(5, 6, 7, 8))
    go(state, "h1")
    assert phase(state) == "roll"


def test_numbers_do_not_matter_in_the_basic_game():
    state = table(phase=PICK_UP, at=("l",))
    do(state, TAKE)
    assert state.observe(0)["hunters"][0]["number"] is None
    assert state.observe(0)["next"] is None
