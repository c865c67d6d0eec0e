"""Rules 1, 2, 4 of docs/games/treasure-hunters.md: the house, who plays, who gets where."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

from engine.core import CHANCE
from engine.games.treasure_hunters import TreasureHunters
from engine.games.treasure_hunters.paths import FAR, REACH, distance, reach, way
from engine.games.treasure_hunters.tables import (
    BLUE,
    GREEN,
    JEWEL_ROOMS,
    MOVE,
    NEIGHBOURS,
    OUT,
    PASSAGES,
    PLACES,
    ROOM_ROWS,
    ROOMS,
    SQUARE_ROWS,
    UNLOCKED,
)
from tests.engine.th_tables import LETTERS, chance, ends, go, place, table, turn_up
from tests.engine.walking import walk
from tests.test_docs import DOCS

FROM_OUTSIDE = {
    "a": (10, 12, 13), "b": (9, 11, 12), "c": (8, 10, 12), "d": (9, 11, 11), "e": (8, 10, 8), "f": (7, 11, 7),
    "g": (4, 8, 4), "h": (7, 9, 7), "i": (6, 10, 6), "j": (3, 9, 3), "k": (4, 4, 10), "l": (3, 3, 11),
}  # fmt: skip


def test_th_1_1_the_board_has_the_places_and_passages_of_the_box():
    assert len(PLACES) == 36
    assert (len(ROOM_ROWS), len(SQUARE_ROWS)) == (12, 24)
    doors = Counter(row["door"] for row in PASSAGES)
    assert doors == {"front": 1, "none": 22, "blue": 7, "green": 6, "plain": 9}
    assert all(row["status"] == "known" and row["tag"] in "AB" for row in PASSAGES)


def test_th_1_3_jewels_and_first_ghosts():
    assert [row["key"][-1] for row in ROOM_ROWS if row["jewel"]] == list("acdegijl")
    assert [row["key"][-1] for row in ROOM_ROWS if row["ghost"]] == list("cfil")
    state = TreasureHunters(4).initial_state()
    assert [LETTERS[room] for room in range(ROOMS) if state.ghosts_in(room)] == list("cfil")


def test_th_1_4_the_page_names_the_same_doors_as_the_data():
    page = (DOCS / "games" / "treasure-hunters.md").read_text()
    for kind in ("blue", "green", "plain"):
        cells = re.search(rf"\| {kind} doors \| (.*) \|", page)
        assert cells is not None
        told = {frozenset(map(_key, pair.split("\N{EN DASH}"))) for pair in cells[1].split(", ")}
        assert told == {frozenset(row["between"]) for row in PASSAGES if row["door"] == kind}
    corridors = re.search(r"\| hallway \| (.*) \|", page)
    assert corridors is not None
    told = {
        frozenset((one.lower(), other.lower()))
        for line in corridors[1].split("; ")
        for one, other in pairwise(line.split("\N{EN DASH}"))
    }
    assert told == {frozenset(row["between"]) for row in PASSAGES if row["door"] == "none"}


def _key(name: str) -> str:
    return f"room_{name.lower()}" if len(name) == 1 else name.lower()


def test_th_1_4_only_doors_of_the_hallway_have_a_colour():
    for row in PASSAGES:
        in_hallway = [not key.startswith("room_") for key in row["between"]]
        assert sum(in_hallway) == {"plain": 0, "blue": 1, "green": 1}.get(row["door"], 2)


@pytest.mark.parametrize("room", FROM_OUTSIDE)
def test_th_1_4_steps_from_outside(room):
    """By lock: none, blue, green. Whatever is locked, every room can be reached."""
    assert (
        tuple(distance(OUT, place(room), lock, 0) for lock in (UNLOCKED, BLUE, GREEN)) == FROM_OUTSIDE[room]
    )


def test_th_1_4_mean_steps_to_the_jewels():
    means = [
        sum(distance(OUT, room, lock, 0) for room in JEWEL_ROOMS) / 8 for lock in (UNLOCKED, BLUE, GREEN)
    ]
    assert means == [6.375, 9.125, 8.5]


def test_th_1_4_the_far_end_of_the_hallway_is_fifteen_squares_from_the_door():
    """Counted from the first square; the square beside A and E is one nearer."""
    hallway = sum(1 << room for room in range(ROOMS))
    assert distance(place("h23"), OUT, UNLOCKED, hallway) == 15


def test_squares_lie_on_a_grid_whose_neighbours_are_the_hallway():
    """The drawing puts squares side by side exactly where a step leads from one to the other."""
    where = {tuple(row["at"]): row["key"] for row in SQUARE_ROWS}
    beside = {
        frozenset((key, where[row + down, column + across]))
        for (row, column), key in where.items()
        for down, across in ((0, 1), (1, 0))
        if (row + down, column + across) in where
    }
    assert beside == {frozenset(row["between"]) for row in PASSAGES if row["door"] in ("none", "front")}


@pytest.mark.parametrize(("seats", "hunters"), [(2, 4), (3, 3), (4, 4)])
def test_th_2_2_hunters_take_turns(seats, hunters):
    """Two seats alternate with two hunters each: P1a, P2a, P1b, P2b."""
    state = TreasureHunters(seats).initial_state()
    assert [state.places, state.carried] == [[OUT] * hunters, [0] * hunters]
    turns = []
    for _ in range(2 * hunters):
        assert state.actor() == CHANCE
        turns.append(state.hunter)
        chance(state, "movement", 6)
        assert state.actor() == state.hunter % seats == state.observe(None)["on_turn"]
        go(state, "out")
    assert turns == [*range(hunters)] * 2


def test_th_4_1_up_to_the_roll_along_hallway_and_doors():
    assert ends(table(steps=1)) == {"out", "h1"}
    assert ends(table(steps=2)) == {"out", "h1", "h2"}
    assert ends(table(steps=3)) == {"out", "h1", "h2", "h3", "j", "l"}
    assert ends(table(steps=4)) == {"out", "h1", "h2", "h3", "h4", "h10", "j", "l", "g", "k"}


def test_th_4_1_a_door_is_no_space_of_its_own():
    assert "l" in ends(table(steps=1, at=("h2",)))
    assert "k" in ends(table(steps=2, at=("h2",)))


def test_th_4_2_every_table_agrees_with_walking_step_by_step():
    for lock in (UNLOCKED, BLUE, GREEN):
        for start in range(len(PLACES)):
            walked = {start}
            for steps in range(7):
                mask = REACH[lock][start][steps]
                assert {to for to in range(len(PLACES)) if mask >> to & 1} == walked
                walked |= {to for at in walked for to in range(len(PLACES)) if NEIGHBOURS[lock][at] >> to & 1}


def test_th_4_2_a_way_is_as_long_as_the_distance_and_leads_from_step_to_step():
    for stops in (0, 1 << place("g") | 1 << place("i"), 1 << place("f") | 1 << place("c")):
        for start in range(len(PLACES)):
            for goal in range(len(PLACES)):
                steps = distance(start, goal, GREEN, stops)
                if steps == FAR:
                    continue
                path = way(start, goal, GREEN, stops)
                assert (path[0], path[-1], len(path)) == (start, goal, steps + 1)
                assert all(NEIGHBOURS[GREEN][one] >> other & 1 for one, other in pairwise(path))
                assert not any(stops >> through & 1 for through in path[:-1])


def test_th_4_3_hunters_pass_but_do_not_share_a_square():
    state = table(steps=3, at=("out", "h1", "h2", "h3"))
    assert ends(state) == {"out", "j", "l"}
    assert ends(table(steps=1, at=("out", "h1"))) == {"out"}


def test_th_4_3_one_may_stay_on_ones_own_square():
    state = table(steps=1, at=("h2", "h1", "h3"))
    assert ends(state) == {"h2", "j", "l"}
    go(state, "h2")
    assert state.places[0] == place("h2")


def test_th_4_3_a_square_is_free_when_its_hunter_has_left():
    state = table(steps=1, at=("h1",))
    go(state, "h2")
    chance(state, "movement", 6)
    assert "h1" in ends(state)
    assert "h2" not in ends(state)


def test_th_4_3_rooms_and_outside_are_shared():
    assert {"l", "out"} <= ends(table(steps=3, at=("j", "l", "l"), jewels="a"))


def test_th_4_4_ghosts_and_hauntings_stop_nobody_who_carries_nothing():
    free = ends(table(steps=5))
    assert ends(table(steps=5, ghosts={"l": 2, "j": 1}, haunted="kg")) == free
    assert ends(table(steps=3, at=("l",), haunted="l", jewels="a")) == ends(
        table(steps=3, at=("l",), jewels="a")
    )


def test_th_9_3_stops_reached_with_a_step_to_spare_are_told():
    """From H2 both J and L are one step away: on two steps one may go on from either, on one step not."""
    stops = 1 << place("j") | 1 << place("l")
    assert reach(place("h2"), 1, UNLOCKED, stops) >> FAR == 0
    assert reach(place("h2"), 2, UNLOCKED, stops) >> FAR == stops


def test_reach_stays_where_the_way_begins_on_a_stop():
    start = 1 << place("l")
    assert reach(place("l"), 6, UNLOCKED, start) & (1 << FAR) - 1 == start


def test_th_3_1_a_hunter_outside_still_rolls_and_draws():
    state = TreasureHunters(4).initial_state()
    chance(state, "movement", 1)
    turn_up(state, "ghost_a")
    assert state.ghosts_in(place("a")) == 1


def walked_ends(state):
    """Where the hunter on turn can come to rest, by taking every step on its own."""
    hunter, beside = state.hunter, NEIGHBOURS[state.locked]
    carried = state.carried[hunter]
    out_of_turn = state.game.ordered and carried not in (0, state.banked + 1)
    others = {at for which, at in enumerate(state.places) if which != hunter and at > OUT}
    reached, edge = {state.places[hunter]}, {state.places[hunter]}
    for _ in range(state.steps):
        going_on = {at for at in edge if at != OUT and not (carried and state.haunted >> at & 1)}
        going_on |= {at for at in edge if at == OUT and not carried}
        edge = {to for at in going_on for to in range(len(PLACES)) if beside[at] >> to & 1}
        edge -= {OUT} if out_of_turn else set()
        reached |= edge
    return reached - others


def played_ends(state):
    """The same by the moves that the engine offers, through unseen jewels too, whatever their numbers."""
    found = set()
    for action in state.legal_actions():
        if action < len(PLACES):
            found.add(action)
        else:
            child = state.child(action)
            child.apply(child.legal_actions()[0])
            found |= played_ends(child)
    return found


@pytest.mark.parametrize("mode", TreasureHunters.modes)
def test_th_4_and_9_3_moves_lead_where_steps_lead(mode):
    """Every position of many random matches, against walking step by step."""
    rng = random.Random(mode)
    through = carrying = 0
    for seats in (2, 3, 4) * 4:
        for state in walk(TreasureHunters(seats, mode), rng.randrange(10**6)):
            if state.phase == MOVE:
                assert played_ends(state) == walked_ends(state), state.to_text()
                through += state.legal_actions()[-1] >= len(PLACES)
                carrying += state.carried[state.hunter] > 0
    assert carrying > 50
    assert (through > 50) == (mode in ("order", "advanced"))
