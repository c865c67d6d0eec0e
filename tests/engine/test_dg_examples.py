"""The worked examples of the rulebooks, in numbers and with people of our own.

Rule numbers are those of docs/games/dont-go-in-there.md.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.ending import settle
from tests.engine.dg_tables import (
    cards_in,
    chance,
    dispelled,
    do,
    game_with,
    kinds,
    moves,
    of,
    pick,
    place,
    table,
    taking,
)
from tests.engine.walking import play

ADA, BEN, CLEO = 0, 1, 2
LOOK_AT = [("tome", 1), ("cat", 2), ("cat", 3)]
"""The Basement's cards: five dice."""


def basement(ada=1, ben=(2, 4)):
    """Ben stands in the Basement on two spaces, and Ada steps in."""
    game = game_with("tome", "ring", "mask", seats=3)
    state = table(
        game,
        rooms=("nursery", "basement", "library"),
        cards={"basement": LOOK_AT},
        meeples={"basement": dict.fromkeys(ben, BEN)},
        placed=ADA,
    )
    place(state, "basement", ada)
    return state


@pytest.mark.parametrize("others", list(permutations((1, 3, 4), 2)))
def test_dg_4_7_who_stands_second_from_the_top_never_picks_last(others):
    """Ben stands on space 2, whichever spaces the other two take."""
    game = game_with("ring", "mask", seats=3)
    state = table(game, rooms=("nursery", "basement", "library"), placed=BEN)
    place(state, "basement", 2)
    place(state, "basement", others[0])  # Cleo
    place(state, "basement", others[1])  # Ada
    chance(state, 0)
    do(state, {"type": "keep"})
    order = []
    while state.observe(None)["phase"] == "pick":
        order.append(state.actor())
        pick(state, moves(state)[0]["slot"])
    assert BEN in order[:2]


def test_dg_4_6_three_ghosts_on_five_dice_against_no_one_and_three_flashlights():
    """Ada meets 3; Ben's upper meeple meets 2, his lower one none."""
    state = basement()
    assert state.observe(None)["haunt"]["dice"] == 5
    chance(state, 3)
    events = do(state, {"type": "keep"})
    met = [(event.public["seat"], event.public["change"]) for event in events if event.kind == "ghosts"]
    assert met == [(ADA, 3), (BEN, 2)]
    assert state.ghosts == [3, 2, 0]


def test_dg_4_7_ada_takes_the_tome_and_ben_both_other_cards():
    state = basement()
    chance(state, 3)
    do(state, {"type": "keep"})
    assert state.actor() == ADA
    pick(state, 1)
    assert cards_in(state, ADA) == [("tome", 1)]
    assert state.actor() == BEN
    pick(state, 2)
    assert cards_in(state, BEN) == of("cat", 2, 3)


def test_dg_4_8_then_the_board_turns_over_and_the_seat_left_of_ada_plays():
    state = basement()
    chance(state, 0)
    do(state, {"type": "keep"})
    pick(state, 1)
    pick(state, 2)
    for _ in range(3):
        chance(state, state.legal_actions()[0])
    assert state.observe(None)["rooms"][1]["room"] == "hallway"
    assert state.actor() == BEN


def test_dg_6_3_ada_wins_with_thirteen_curses():
    """9 ghosts and 13 curses, 7 and 17, 11 and 11: the last gets 5 more for the most ghosts."""
    hands = {
        ADA: [*of("ring", 4, 3, 3), ("mask", 3)],
        BEN: [("ring", 4), *of("twin", 4, 3), *of("mask", 4, 2)],
        CLEO: of("tome", 4, 4, 3),
    }
    game = game_with("ring", "mask", "twin", "tome", "mirror", "clock", seats=3)
    state = table(
        game, rooms=(None, None, None), up=hands, ghosts=[9, 7, 11], phase="over", acting=OVER, placed=36
    )
    events = []
    settle(state, events.append)
    assert state.scores() == (13.0, 17.0, 5 + 11.0)
    assert state.ranks()[ADA] == 1
    assert state.ranks() == (1, 3, 2)
    assert events[0].public == {"seat": CLEO, "ghosts": 11, "curses": 5}


def test_dg_5_5_the_second_holy_water_acts_and_so_does_the_fourth():
    ghosts = []
    for held in range(4):
        state = taking(
            game_with("holy_water"), ("holy_water", 4), held=of("holy_water", 1, 2, 3)[:held], ghosts=[8, 0]
        )
        pick(state, 1)
        ghosts.append(state.ghosts[0])
    assert ghosts == [8, 4, 8, 4]


def test_dg_5_11_cards_a_tome_has_dispelled_are_in_no_set():
    """Three rings go by the tome: the next ring is the first again."""
    state = taking(game_with("tome", "ring"), ("tome", 2), held=[("tome", 1), *of("ring", 1, 2, 3)])
    pick(state, 1)
    do(state, {"type": "tome", "curse_type": "ring"})
    again = taking(game_with("tome", "ring"), ("ring", 4), down={0: of("ring", 1, 2, 3)})
    assert kinds(pick(again, 1)) == ["take"]
    assert dispelled(again) == of("ring", 1, 2, 3)


@pytest.mark.parametrize("mode", ["base", "base-ask", "expansion"])
@pytest.mark.parametrize(("seats", "types", "removed"), [(2, 5, 16), (3, 6, 12), (4, 7, 8), (5, 8, 4)])
def test_dg_2_2_the_table_of_setups_and_twelve_cards_for_everyone(mode, seats, types, removed):
    state, _, events = play(DontGoInThere(seats, mode), "twelve")
    setup = events[0].public
    assert (len(setup["types"]), setup["removed"], setup["deck"]) == (types, removed, 12 * seats)
    assert [len(cards_in(state, seat)) + len(dispelled(state, seat)) for seat in range(seats)] == [12] * seats
