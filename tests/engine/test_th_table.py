"""What is known and shown (TH 10), the text of a position, the drawing, counted trees, fair samples."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from engine.chance import Dealer
from engine.core import CHANCE, OVER
from engine.games.treasure_hunters import TreasureHunters
from engine.games.treasure_hunters.plan import DOORS
from engine.games.treasure_hunters.tables import ACTIONS, CARD, NAMES, NUMBER, PASSAGES, PLACES, ROOMS
from tests.engine.th_tables import chance, do, go, place, table
from tests.engine.walking import leaves, play, trees, walk

SEATS = (2, 3, 4)
MODES = tuple(TreasureHunters.modes)
GAMES = [TreasureHunters(seats, mode) for mode in MODES for seats in SEATS]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.mode}.{game.seats}")


@each_game
def test_th_10_1_everybody_sees_the_same_table(game):
    """Leak test: no seat knows more than an onlooker, and an onlooker learns nothing that lies hidden."""
    for state in walk(game, 1):
        public = state.observe(None)
        for seat in range(game.seats):
            assert {**state.observe(seat), "seat": None} == public


@each_game
def test_th_10_2_a_position_holds_no_secret(game):
    """What is still to be drawn is decided nowhere: two seeds part only where something is drawn."""
    rng = random.Random(2)
    for state in walk(game, 3):
        seen = json.loads(json.dumps(state.observe(None)))
        assert game.sample(seen, 0, rng).to_text() == state.to_text()


@each_game
def test_events_hold_nothing_private(game):
    assert not any(event.private for event in play(game, "open")[2])


def test_th_10_2_samples_played_on_are_fair():
    """The number in a room comes out of a sample as often as counting says: each unseen one alike."""
    state = table("advanced", phase=NUMBER, at=("l",), numbers={"a": 2, "c": 7}, steps=0)
    rng = random.Random(4)
    drawn = Counter(_sampled(state, rng).draw_chance(rng) for _ in range(6000))
    assert set(drawn) == {1, 3, 4, 5, 6, 8}
    assert all(abs(hits - 1000) < 5 * 29 for hits in drawn.values())


def test_th_10_2_cards_of_a_sample_are_fair():
    state = table("cards", phase=CARD, steps=2, pile=("ghost_a", "blue_locked", "blue_locked", "shuffle"))
    rng = random.Random(5)
    drawn = Counter(_sampled(state, rng).draw_chance(rng) for _ in range(6000))
    assert [abs(drawn[card] - hits) < 5 * 40 for card, hits in ((0, 1500), (12, 1500), (15, 3000))] == [
        True
    ] * 3


def _sampled(state, rng):
    return state.game.sample(state.observe(0), 0, rng)


@each_game
def test_numbers_are_each_on_one_jewel(game):
    """All a match long: what lies, is carried, is safe or unseen adds up to 1 to 8."""
    for state in walk(game, 8):
        if not game.ordered:
            assert not state.unseen
            continue
        lying = [number for number in state.numbers if number]
        carried = [number for number in state.carried if number]
        assert sorted([*lying, *carried, *state.unseen, *range(1, state.banked + 1)]) == [
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
        ]
        assert len(state.unseen) == state.unknown.bit_count()


@each_game
def test_cards_lie_in_the_pile_or_elsewhere(game):
    dealer, state = Dealer("cards"), game.initial_state()
    while state.actor() != OVER:
        if state.actor() == CHANCE:
            assert all(state.pile.count(card) <= game.deck.count(card) for card in state.pile)
            state.apply(dealer.choose(state))
        else:
            state.apply(game.default_move(state))


# --- text ---


GOOD = "move;1;3;-1;0;0;0;0;0,12;001000000000;?-???-?-??-?;12,12,12,12;0,0,0,0"


def test_text_is_read_as_it_is_written():
    assert TreasureHunters(4).from_text(GOOD).to_text() == GOOD


@pytest.mark.parametrize(
    ("damage", "because"),
    [
        (("move;", "dance;"), "not a position"),
        ((";0,12;", ";0,0,12;"), "more often than it exists"),
        ((";0,12;", ";0,14;"), "out of range"),
        ((";0,12;", ";12,0;"), "as it is written"),
        (("001000000000", "hhhhhh000000"), "too many haunted rooms"),
        (("001000000000", "00100000000"), "out of range"),
        (("?-???-?-??-?", "?-???-?-??--"), "there are 8 jewels"),
        (("?-???-?-??-?", "??-??-?-??-?"), "where none belongs"),
        (("?-???-?-??-?", "1-???-?-??-?"), "no numbers in this match"),
        (("12,12,12,12", "13,13,12,12"), "two hunters on one square"),
        (("12,12,12,12;0,0", "12,12,12,12;9,0"), "8 jewels"),
        (("?-???-?-??-?;12,12,12,12;0", "--???-?-??-?;12,12,12,12;9"), "a jewel outside is safe"),
        (("move;1;3", "move;1;0"), "steps are left"),
        (("move;1;3", "take;1;0"), "nothing to pick up"),
        (("move;1;3", "fight;1;0"), "nothing to fight"),
        (("move;1;3", "number;1;0"), "number of a jewel"),
        (("move;1;3", "over;1;3"), "over, or it has not ended"),
        (("move;1;3", "move;0;3"), "has not begun"),
        (("-1;0;0", "13;0;0"), "further cards"),
        (("-1;0;0", "-1;0;1"), "locks a door"),
        (("move;1;3;-1;0;0;0;0;0,12", "card;1;3;-1;0;0;0;0;"), "no card to draw"),
    ],
)
def test_what_cannot_be_is_no_position(damage, because):
    assert damage[0] in GOOD
    with pytest.raises(ValueError, match=because):
        TreasureHunters(4).from_text(GOOD.replace(*damage, 1))


# --- for people ---


@each_game
def test_the_table_fits_a_terminal_and_shows_every_hunter(game):
    for state in walk(game, 6):
        text = game.board_text(state.observe(0))
        assert max(map(len, text.splitlines())) <= 100
        for row in state.observe(0)["hunters"]:
            assert f"{NAMES[row['hunter']]['en']} (seat {row['seat'] + 1}" in text


def test_every_door_is_drawn_once():
    kinds = Counter(kind for _, _, kind in DOORS)
    assert kinds == Counter(row["door"] for row in PASSAGES if row["door"] != "none")


def test_the_drawing_shows_ghosts_hauntings_jewels_hunters_and_locks():
    state = table(
        "advanced", steps=4, at=("h13", "l", "l"), ghosts={"c": 2}, haunted="f", locked="green",
        numbers={"c": 3}, jewels="acdegij", carried=(False, 5),
    )  # fmt: skip
    text = state.game.board_text(state.observe(0))
    for shown in (" C oo *3 ", " F HAUNTED ", " A *? ", " L YB ", "# 2 ", " 13 R #", "green doors locked"):
        assert shown in text
    assert "Yellow (seat 2): Room L with jewel 5" in text
    assert "Red (seat 1, you): Hallway 13" in text
    assert " g " not in text.split("Doors:")[0]


def test_the_drawing_says_who_is_held():
    state = table(steps=4, hunter=1, at=("l",), carried=(True,), haunted="l")
    assert "Red (seat 1): Room L with a jewel, cannot move" in state.game.board_text(state.observe(1))


def test_moves_in_words():
    game = TreasureHunters(4)
    words = [game.move_text(game.actions.decode(action)) for action in (0, 12, 13, 36, 44, 45)]
    assert words == [
        "go to Room A",
        "go to Outside",
        "go to Hallway 1",
        "enter Room A, see its number, go on",
        "pick up the jewel",
        "leave the jewel",
    ]


def test_every_key_has_its_names():
    keys = {
        *PLACES,
        *(move.get("to", move.get("room", "out")) for move in map(ACTIONS.decode, range(len(ACTIONS)))),
    }
    for event in play(TreasureHunters(4, "advanced"), "names")[2]:
        keys |= {
            event.public[field]
            for field in ("card", "hunter", "room", "against", "ended")
            if field in event.public
        }
    assert all(set(NAMES[key]) == {"en", "ja"} for key in keys)


def test_figures():
    state = table(steps=2, at=("h2",), carried=(True,), haunted="abc")
    go(state, "out")
    assert state.figures() == {"jewels": 1, "hauntings": 3, "turns": 1, "ended": None}


# --- counted trees ---


def test_a_first_turn_counted_by_hand():
    """Six faces; five of them bring one of 13 cards. Each step reaches a few places more."""
    state = TreasureHunters(4).initial_state()
    within = [2, 3, 6, 10, 14, 19]
    assert [len(table(steps=steps).legal_actions()) for steps in range(1, 7)] == within
    assert leaves(state, 1) == 6
    assert leaves(state, 2) == 5 * 13 + within[5]


def test_a_first_turn_with_numbers_counted_by_hand():
    """Three steps end on 4 places without a jewel, where the next hunter rolls, or show a number in J or L.

    The next hunter draws one of 13 cards on five faces; on a six there are 13 ends and 2 rooms to go through,
    an end fewer where the first one stands on a square.
    """
    assert leaves(table("order", steps=3), 2) == 4 * 6 + 2 * 8
    assert leaves(table("order", steps=3), 3) == 4 * 5 * 13 + 15 + 3 * 14 + 2 * 8 * 2


@pytest.mark.parametrize(
    ("mode", "seats", "counted"),
    [
        ("basic", 2, (596, 776, 1011)),
        ("basic", 3, (1252, 519, 646)),
        ("basic", 4, (596, 776, 1011)),
        ("locks", 4, (580, 184, 404)),
        ("order", 4, (211, 1216, 252)),
        ("cards", 4, (1044, 952, 180)),
        ("advanced", 3, (303, 990, 762)),
        ("advanced", 4, (285, 500, 1150)),
    ],
)
def test_trees_in_the_middle_of_a_match(mode, seats, counted):
    """Counted once and held: a figure that moves is a rule that moved."""
    assert trees(TreasureHunters(seats, mode), "trees", (10, 40, 70)) == counted


@pytest.mark.parametrize("seats", SEATS)
def test_a_match_of_random_hunters_ends_before_the_cap(seats):
    """They lose to hauntings; the longest of 100 stays far below 400 turns."""
    rng = random.Random(seats)
    game = TreasureHunters(seats)
    longest = 0
    for _ in range(100):
        state = game.initial_state()
        while state.actor() != OVER:
            legal = state.legal_actions()
            state.apply(state.draw_chance(rng) if state.actor() == CHANCE else rng.choice(legal))
        assert state.figures()["ended"] in ("haunted", "trapped")
        longest = max(longest, state.turn)
    assert 40 < longest < 300


def test_a_whole_way_by_hand():
    """Out, through J and G to the hallway, on to room C, and home with jewel 1."""
    state = table("order", steps=6)
    do(state, {"type": "through", "room": "room_j"})
    chance(state, "jewels", 2)
    do(state, {"type": "through", "room": "room_g"})
    chance(state, "jewels", 1)
    go(state, "g")
    do(state, {"type": "take"})
    assert state.carried[0] == 1
    assert state.numbers[place("j")] == 2
    for _ in range(state.game.hunters - 1):
        chance(state, "movement", 6)
        go(state, "out")
    chance(state, "movement", 6)
    go(state, "out")
    assert state.banked == 1
    assert state.observe(0)["next"] == 2
    assert not any(state.ghosts_in(room) for room in range(ROOMS))
