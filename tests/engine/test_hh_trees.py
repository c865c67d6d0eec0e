"""Counted trees: how many ways there are to a fixed depth, by hand where a hand can count."""

from __future__ import annotations

import pytest

from engine.core import State
from engine.registry import make_game
from tests.engine.hh_tables import do, show, table
from tests.engine.walking import leaves, trees


def test_the_first_action():
    """Four rooms: three different Scares invisibly anywhere, those that fit visibly, four BOOs."""
    state = table(
        rooms={"crypt": "gh10", "kitchen": "gh14", "attic": "gh13", "cellar": "gh12"}, hands={0: "BCK"}
    )
    visibly = 1 + 2 + 2 + 1  # BBMM; CCKK; CCCK; BMMM
    assert leaves(state, 1) == 4 * 3 + visibly + 4


def test_two_actions_without_powers():
    """Two invisible Scares of one kind: five ways each, then three ways to throw away of what is left."""
    state = table(2, rooms={"crypt": "gh13", "kitchen": "gh14", "attic": "gh16"}, hands={0: "BBB"})
    assert leaves(state, 1) == 3 + 3
    state.fresh = False
    assert leaves(state, 1) == 3
    assert leaves(state, 2) == 3 * 3
    assert leaves(state, 3) == 9 * 2  # the last Bump away, or pass


def test_a_power_asks_first():
    """The Crypt is used or not; then comes the second Action."""
    state = table(2, rooms={"crypt": "gh10", "kitchen": "gh13", "attic": "gh16"}, hands={0: "BBB"})
    show(state, "B", "crypt")
    assert leaves(state, 1) == 2
    assert leaves(state, 2) == 2 * (3 + 1)


def test_two_looks():
    """Three invisible Scares: any one, or stop; then any one again, or stop; then the second Action."""
    state = table(
        2,
        rooms={"library": "gh10", "kitchen": "gh13", "attic": "gh16"},
        invisible={"kitchen": [(1, "M"), (1, "K")], "attic": [(0, "C")]},
        hands={0: "BBB"},
    )
    show(state, "B", "library")
    second_action = 3 + 1
    assert leaves(state, 1) == 3 + 1
    assert leaves(state, 2) == 3 * (3 + 1) + second_action
    assert leaves(state, 3) == 3 * (3 * second_action + second_action) + leaves_after_a_pass(state, 2)


def leaves_after_a_pass(state: State, depth: int) -> int:
    other = state.clone()
    do(other, "pass")
    return leaves(other, depth)


def test_a_boo_on_a_bare_room():
    """It goes bad; Scares may be thrown away; if none is, the hand is full and the next seat is on turn."""
    state = table(2, rooms={"crypt": "gh13", "kitchen": "gh14", "attic": "gh16"}, hands={0: "BBM", 1: "BBB"})
    do(state, "boo", room="crypt")
    assert leaves(state, 1) == 2 + 1
    next_turn = 3 + 3
    discards = (1 + 1 + 1) + (1 + 1)  # B or M of BM, or enough; B of BB, or enough
    assert leaves(state, 2) == discards + next_turn


@pytest.mark.parametrize(
    ("mode", "seats", "seed", "plies", "counted"),
    [
        ("full", 2, "tree", (152, 153, 188, 263, 295), (2, 2, 239, 30, 34)),
        ("full", 3, "tree", (69, 168, 284, 319, 330), (54, 340, 18, 19, 48)),
        ("full", 4, "tree", (368, 369, 453, 462, 463), (30, 81, 59, 20, 52)),
        ("full", 5, "tree", (128, 325, 343, 449, 692), (60, 448, 3, 66, 52)),
        ("full-no-attacks", 2, "tree", (76, 136, 179, 229, 311), (12, 50, 173, 40, 8)),
        ("full-no-attacks", 3, "tree", (220, 260, 342, 419, 521), (401, 197, 116, 134, 4)),
        ("full-no-attacks", 4, "tree", (255, 256, 286, 311, 481), (16, 16, 96, 83, 23)),
        ("full-no-attacks", 5, "tree", (191, 192, 377, 745, 775), (22, 8, 336, 34, 6)),
        ("beginner", 2, "tree", (37, 62, 194, 267), (55, 154, 16, 5)),
        ("beginner", 3, "tree", (261, 277, 282, 341, 428), (51, 14, 63, 8, 48)),
        ("beginner", 4, "tree", (90, 137, 190, 311, 361), (38, 6, 1112, 85, 16)),
        ("beginner", 5, "tree", (257, 334, 393, 463, 509), (4, 60, 397, 8, 39)),
    ],
)
def test_trees_in_the_middle_of_a_match(
    mode: str, seats: int, seed: str, plies: tuple[int, ...], counted: tuple[int, ...]
):
    """Counted once and held: a figure that moves is a rule that moved."""
    assert trees(make_game("haunt-the-house", seats, mode), seed, plies) == counted
