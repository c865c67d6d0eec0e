"""Rules 1 to 4 of docs/games/dont-go-in-there.md: box, setup, turn, haunt."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.core import CHANCE, OVER
from engine.errors import OptionError
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.tables import (
    AFTER_ROLL,
    BINOMIAL,
    CURSE,
    FACES,
    FLASHLIGHTS,
    ICONS,
    NAMES,
    ROOMS,
    SETUP,
    TYPES,
    cards_of,
)
from tests.engine.dg_tables import (
    cards_in,
    chance,
    do,
    face,
    game_with,
    kinds,
    moves,
    pick,
    place,
    table,
    taking,
)
from tests.engine.walking import play, walk

HIGH, LOW = ("cat", 4), ("cat", 1)


def test_dg_1_1_each_type_has_two_cards_of_each_curse():
    assert len(TYPES) == 12
    assert len(cards_of(range(12))) == 96
    assert Counter(CURSE[card] for card in cards_of(range(12))) == {1: 24, 2: 24, 3: 24, 4: 24}
    assert sum(CURSE[card] for card in cards_of([5])) == 20


def test_dg_1_2_dice_icons_depend_on_the_curse_alone():
    assert {curse: {ICONS[f] for f in range(FACES) if CURSE[f] == curse} for curse in (1, 2, 3, 4)} == {
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
    assert set(NAMES) == {*TYPES, *ROOMS}
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
    assert set(drawn) == set(TYPES)
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
        {"dispel": "ask"},
        {"dispel": None},
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


# --- 4: a haunt ---


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
