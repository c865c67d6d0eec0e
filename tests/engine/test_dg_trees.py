"""Counted trees: how many ways there are to a fixed depth, by hand where a hand can count."""

from __future__ import annotations

import pytest

from engine.core import CHANCE, State
from engine.registry import make_game
from tests.engine.dg_tables import game_with, of, table, taking
from tests.engine.walking import leaves, trees


def test_three_placements():
    assert [leaves(table(game_with()), depth) for depth in (1, 2, 3)] == [12, 12 * 11, 12 * 11 * 10]


def test_a_third_meeple_calls_for_dice():
    """72 of the 1320 openings fill a room: 24 in each, whose next step is a roll of its dice."""
    cards = {
        "nursery": [("cat", 1), ("cat", 1), ("cat", 2)],
        "hallway": [("cat", 3), ("cat", 3), ("cat", 4)],
        "secret_passage": [("cat", 2), ("cat", 4), ("amulet", 3)],
    }
    rolls = 24 * (6 + 1) + 24 * (3 + 1) + 24 * (4 + 1)
    assert leaves(table(game_with(), cards=cards), 4) == (1320 - 72) * 9 + rolls


def test_picks_of_a_haunt():
    """Three picks are 3 x 2 x 1 of which the last is no choice; then a card is drawn."""
    state = taking(game_with(), ("cat", 1), ("cat", 2), ("cat", 3))
    assert leaves(state, 2) == 3 * 2
    assert leaves(state, 3) == 6 * _draws(state)


def _draws(state: State) -> int:
    while state.actor() != CHANCE:
        state = state.child(state.legal_actions()[0])
    return len(state.legal_actions())


def test_two_of_three_clocks():
    """Three ways to choose the first, two for the second; then two cards are left to pick from."""
    state = taking(game_with("clock", dispel="ask"), ("clock", 3), held=[("clock", 1), ("clock", 4)])
    state.apply(state.legal_actions()[0])
    assert [leaves(state, depth) for depth in (1, 2, 3)] == [3, 6, 6 * 2]


def test_a_brew_is_kept_or_not():
    state = taking(game_with("witchs_brews"), ("witchs_brews", 3))
    assert leaves(state, 2) == 2 + 2 + 2  # the brew, or one of two others and then what is left
    state.apply(state.legal_actions()[0])
    assert [leaves(state, depth) for depth in (1, 2)] == [2, 2 * 2]


def test_a_raven_brings_one_of_the_removed_cards_for_one_of_three():
    """Seven different ones are to be had; or none, and then one of the two cards left is picked."""
    held = [("raven", 2), ("cat", 1), ("cat", 2), ("cat", 2), ("ring", 4)]
    removed = [*of("ring", 1, 1, 2, 2, 3, 3), *of("raven", 3, 3, 4, 4), ("twin", 1), ("twin", 2)]
    game = game_with("raven", "ring", "twin", seats=3)
    state = taking(game, ("raven", 1), held=held, removed=removed, ghosts=[0, 0, 0])
    state.apply(state.legal_actions()[0])
    different = len(set(removed))
    assert different == 7
    assert leaves(state, 1) == 1 + different
    assert leaves(state, 2) == 2 + different * 3


@pytest.mark.parametrize(
    ("mode", "seats", "seed", "plies", "counted"),
    [
        ("base", 2, "tree", (0, 60, 70, 77), (1320, 42, 270, 36)),
        ("base", 3, "tree", (0, 60, 70, 115), (1320, 36, 30, 66)),
        ("base", 4, "tree", (0, 60, 70, 157), (1320, 580, 402, 12)),
        ("base", 5, "tree", (0, 60, 70, 196), (1320, 2378, 696, 24)),
        ("base-ask", 2, "tree", (8, 83, 85), (7980, 18, 12)),
        ("base-ask", 3, "tree", (8, 121, 123), (1152, 12, 14)),
        ("base-ask", 4, "tree", (8, 83, 85, 167), (112, 54, 126, 12)),
        ("base-ask", 5, "tree", (8, 183, 185, 205), (8, 42, 12, 12)),
        ("expansion", 2, "tree 23", (12, 69, 103), (7752, 111, 12)),
        ("expansion", 3, "tree 0", (12, 57, 137), (13593, 279, 12)),
        ("expansion", 4, "tree 0", (12, 63, 162, 173), (21762, 82, 28, 30)),
        ("expansion", 5, "tree 0", (12, 177, 188, 213), (32643, 34, 12, 44)),
    ],
)
def test_trees_in_the_middle_of_a_match(
    mode: str, seats: int, seed: str, plies: tuple[int, ...], counted: tuple[int, ...]
):
    """Counted once and held: a figure that moves is a rule that moved."""
    assert trees(make_game("dont-go-in-there", seats, mode), seed, plies) == counted
