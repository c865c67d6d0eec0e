"""Rules 1 to 3 of docs/games/dont-go-in-there.md: box, setup, turn."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.errors import OptionError
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.tables import (
    AFTER_ROLL,
    BASE_TYPES,
    BINOMIAL,
    CURSE,
    CURSES,
    FLASHLIGHTS,
    ICONS,
    NAMES,
    ROOMS,
    SETUP,
    TYPES,
    cards_of,
)
from tests.engine.dg_tables import (
    chance,
    face,
    game_with,
    kinds,
    moves,
    place,
    table,
)
from tests.engine.walking import play, walk

HIGH, LOW = ("cat", 4), ("cat", 1)


def test_dg_1_1_each_type_has_two_cards_of_each_curse():
    assert BASE_TYPES == 12
    assert len(cards_of(range(BASE_TYPES))) == 96
    assert Counter(CURSE[card] for card in cards_of(range(12))) == {1: 24, 2: 24, 3: 24, 4: 24}
    assert sum(CURSE[card] for card in cards_of([5])) == 20


def test_dg_1_2_dice_icons_depend_on_the_curse_alone():
    base = range(CURSES * BASE_TYPES)
    assert {curse: {ICONS[f] for f in base if CURSE[f] == curse} for curse in (1, 2, 3, 4)} == {
        1: {2}, 2: {2}, 3: {1}, 4: {1},
    }  # fmt: skip
    assert sum(ICONS[card] for card in cards_of([5])) == 12


def test_dg_1_3_three_boards_of_two_rooms_with_four_spaces():
    assert ROOMS == ("attic", "nursery", "basement", "hallway", "library", "secret_passage")
    assert set(FLASHLIGHTS) == {(0, 1, 2, 3)}
    assert AFTER_ROLL == (None, None, "reroll", "flip", None, None)


def test_dg_1_4_each_die_is_a_ghost_or_a_blank_alike():
    assert BINOMIAL[3] == [1, 3, 3, 1]
    assert BINOMIAL[6] == [1, 6, 15, 20, 15, 6, 1]


def test_every_part_has_its_names():
    assert {*TYPES, *ROOMS} <= set(NAMES)
    assert all(name["en"] and name["ja"] for name in NAMES.values())


@pytest.mark.parametrize(
    ("seats", "types", "removed", "deck"), [(2, 5, 16, 24), (3, 6, 12, 36), (4, 7, 8, 48), (5, 8, 4, 60)]
)
def test_dg_2_2_types_deck_and_removed_cards_by_seats(seats, types, removed, deck):
    _, _, events = play(DontGoInThere(seats), "setup")
    setup = events[0]
    assert setup.kind == "setup"
    facts = setup.public
    assert (len(facts["types"]), facts["removed"], facts["deck"]) == (types, removed, deck)
    assert SETUP[seats].deck == 12 * seats


def test_dg_2_1_types_are_drawn_or_given():
    given = ["twin", "cat", "tome", "mask", "clock"]
    game = DontGoInThere(2, None, {"types": given})
    assert game.options["types"] == ["cat", "clock", "mask", "tome", "twin"]
    assert game.mode is None
    assert game.initial_state().chance_stream() == "rooms"
    assert DontGoInThere(2).initial_state().chance_stream() == "types"
    drawn = Counter(
        key for seed in range(150) for key in play(DontGoInThere(2), str(seed))[2][0].public["types"]
    )
    assert set(drawn) == set(TYPES[:BASE_TYPES])
    assert all(30 < count < 100 for count in drawn.values())


@pytest.mark.parametrize(
    "options",
    [
        {"types": ["cat"] * 5},
        {"types": ["cat", "clock", "mask", "tome"]},
        {"types": ["cat", "clock", "mask", "tome", "twin", "ring"]},
        {"types": ["cat", "clock", "mask", "tome", "dragon"]},
        {"types": ["cat", "clock", "mask", "tome", 5]},
        {"types": ["cat", "clock", "mask", "tome", ["twin"]]},
        {"types": "cat"},
        {"types": None},
        {"types": 5},
        {"types": ["cat", "clock", "mask", "tome", "candle"]},
        {"dispel": "never"},
        {"dispel": None},
        {"expansion": True},
        {"expansion": "maybe"},
    ],
    ids=repr,
)
def test_dg_2_1_options_that_do_not_exist(options):
    with pytest.raises(OptionError) as caught:
        DontGoInThere(2, None, options)
    assert "dont-go-in-there" in str(caught.value)


def test_dg_2_3_each_board_lies_on_either_side():
    sides = Counter(tuple(play(DontGoInThere(2), f"side {n}")[2][0].public["rooms"]) for n in range(160))
    assert len(sides) == 8
    assert all(5 < count < 40 for count in sides.values())


def test_dg_2_4_nine_cards_are_dealt_and_seat_0_starts():
    for state in walk(DontGoInThere(3), 1):
        if state.actor() >= 0:
            break
    view = state.observe(None)
    assert (state.actor(), view["deck"], view["placed"]) == (0, 36 - 9, 0)
    assert all(len([card for card in room["cards"] if card]) == 3 for room in view["rooms"])


def dealt(room: str, *cards: tuple[str, int]):
    """The third room of a fresh match, dealt these cards; and its deal events."""
    game = game_with("twin")
    state = game.initial_state()
    for side in (0, 0, ROOMS.index(room) % 2):
        chance(state, side)
    spare = cards_of(game.types)
    for card in cards:
        spare.remove(face(card))
    for _ in range(6):
        chance(state, spare.pop(0))
    events = [event for card in cards for event in chance(state, face(card))]
    return state, events


def test_dg_2_4_library_cards_lie_by_rising_curse():
    state, events = dealt("library", ("twin", 4), ("twin", 2), ("portrait", 3))
    shown = [(card["type"], card["curse"]) for card in state.observe(0)["rooms"][2]["cards"]]
    assert shown == [("twin", 2), ("portrait", 3), ("twin", 4)]
    assert [(event.public["slot"], event.public["card"]["curse"]) for event in events] == [
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert [event.public["deck"] for event in events] == [17, 16, 15]


def test_dg_2_4_equal_curses_in_the_library_stay_as_drawn():
    state, _ = dealt("library", ("twin", 3), ("portrait", 3), ("portrait", 1))
    shown = [(card["type"], card["curse"]) for card in state.observe(0)["rooms"][2]["cards"]]
    assert shown == [("portrait", 1), ("twin", 3), ("portrait", 3)]


def test_dg_2_4_other_rooms_keep_the_order_of_drawing():
    _, events = dealt("secret_passage", ("twin", 4), ("twin", 2), ("portrait", 3))
    assert [event.public["card"] and event.public["card"]["curse"] for event in events] == [4, 2, None]


# --- 3: a turn ---


def test_dg_3_1_any_free_space_of_any_room_in_play():
    game = game_with()
    state = table(game, rooms=("attic", None, "library"), meeples={"attic": {2: 1}, "library": {1: 0, 4: 0}})
    assert moves(state) == [
        {"type": "place", "room": room, "space": space}
        for room, space in [("attic", 1), ("attic", 3), ("attic", 4), ("library", 2), ("library", 3)]
    ]


def test_dg_3_1_turns_go_round_and_everyone_has_twelve():
    for seats in (2, 3, 4, 5):
        _, _, events = play(DontGoInThere(seats), "turns")
        order = [event.public["seat"] for event in events if event.kind == "place"]
        assert order == [turn % seats for turn in range(12 * seats)]
        taken = Counter(event.public["seat"] for event in events if event.kind == "take")
        assert taken == dict.fromkeys(range(seats), 12)


def test_dg_3_2_attic_top_gives_a_ghost_even_to_the_third_meeple_before_the_haunt():
    state = table(game_with(), rooms=("attic", "hallway", "library"), meeples={"attic": {2: 1, 3: 1}})
    events = place(state, "attic", 1)
    assert kinds(events) == ["place", "ghosts", "haunt"]
    assert events[1].public == {"seat": 0, "change": 1, "total": 1, "cause": "attic"}
    assert state.ghosts == [1, 0]
    other = table(game_with(), rooms=("attic", "hallway", "library"))
    place(other, "attic", 2)
    assert other.ghosts == [0, 0]


def test_dg_3_2_nursery_bottom_takes_a_ghost_and_is_free_without_any():
    for had, left in ((3, 2), (0, 0)):
        state = table(game_with(), ghosts=[had, 5])
        place(state, "nursery", 4)
        assert state.ghosts == [left, 5]
    state = table(game_with(), ghosts=[3, 5])
    place(state, "nursery", 1)
    assert state.ghosts == [3, 5]


def test_dg_3_3_placing_in_the_secret_passage_shows_the_hidden_card_to_that_seat():
    state = table(game_with(), cards={"secret_passage": [HIGH, HIGH, LOW]})
    hidden = {"face_down": True}
    known = {"type": "cat", "curse": 1, "dice": 2, "face_down": True}
    assert state.observe(0)["rooms"][2]["cards"][2] == hidden
    (_, peek) = place(state, "secret_passage", 4)
    assert peek.seen_by(0)["card"] == {"type": "cat", "curse": 1, "dice": 2}
    assert "card" not in peek.seen_by(1)
    assert "card" not in peek.seen_by(None)
    assert state.observe(0)["rooms"][2]["cards"][2] == known
    assert state.observe(1)["rooms"][2]["cards"][2] == hidden
    assert state.observe(None)["rooms"][2]["cards"][2] == hidden
    place(state, "nursery", 1)
    assert state.observe(0)["rooms"][2]["cards"][2] == known
