"""Rule 8 of docs/games/dont-go-in-there.md: the expansion's five types."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core import CHANCE
from engine.errors import OptionError
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.dont_go_in_there.tables import (
    BASE_TYPES,
    CURSE,
    CURSES,
    ICONS,
    TYPES,
    cards_of,
)
from tests.engine.dg_tables import (
    QUIET,
    Card,
    cards_in,
    chance,
    dispelled,
    do,
    face,
    game_with,
    kinds,
    moves,
    of,
    pick,
    taking,
)
from tests.engine.test_dg_cards_and_ending import ended
from tests.engine.walking import play

NEW = ("candle", "jack_o_lantern", "raven", "skull", "witchs_brews")


def took(card: Card, held=(), ghosts=(0, 0), types=(), **more):
    """The state after seat 0 has taken `card` beside what it held, with nothing else going on."""
    game = game_with(card[0], *types, *(one[0] for one in held))
    state = taking(game, card, held=held, ghosts=ghosts, **more)
    return state, pick(state, 1)


# --- 8.1: the box ---


def test_dg_8_1_five_types_of_eight_cards_and_skulls_from_2_to_5():
    assert TYPES[BASE_TYPES:] == NEW
    for kind, key in enumerate(NEW, start=BASE_TYPES):
        curses = Counter(CURSE[card] for card in cards_of([kind]))
        assert curses == dict.fromkeys((2, 3, 4, 5) if key == "skull" else (1, 2, 3, 4), 2)


def test_dg_8_1_icons_are_those_of_the_base_game_and_a_five_has_one():
    by_curse = {1: 2, 2: 2, 3: 1, 4: 1, 5: 1}
    assert {CURSE[card]: ICONS[card] for card in range(CURSES * BASE_TYPES, len(ICONS))} == by_curse
    assert all(ICONS[card] == by_curse[CURSE[card]] for card in range(len(ICONS)))


def test_dg_8_1_icons_and_copies_are_marked_as_assumed():
    from engine.games.dont_go_in_there import tables

    assert tables._BOX["expansion_cards"]["status"] == "assumed"
    assert tables._BOX["cards"]["status"] == "known"
    assert tables._BOX["expansion_cards"]["copies"] == tables.COPIES


def test_dg_8_1_all_seventeen_types_are_drawn_alike():
    drawn = Counter(
        key
        for seed in range(300)
        for key in play(DontGoInThere(2, "expansion"), str(seed))[2][0].public["types"]
    )
    assert set(drawn) == set(TYPES)
    assert all(55 < count < 125 for count in drawn.values())  # 300 * 5 / 17 = 88


def test_dg_8_1_its_types_are_named_only_with_it():
    types = ["cat", "clock", "mask", "skull", "raven"]
    with pytest.raises(OptionError, match="expansion"):
        DontGoInThere(2, None, {"types": types})
    game = DontGoInThere(2, "expansion", {"types": types})
    assert game.options["types"] == ["cat", "clock", "mask", "raven", "skull"]
    _, _, events = play(game, "named")
    assert events[0].public["types"] == game.options["types"]


# --- 8.2: setup with ravens ---


def test_dg_8_2_with_ravens_the_removed_cards_are_drawn_before_the_first_deal():
    game = game_with("raven")
    state = game.initial_state()
    for _ in range(3):
        chance(state, 0)
    for left in range(16, 0, -1):
        assert (state.actor(), state.chance_stream()) == (CHANCE, "removed")
        assert sum(state.chance_weights()) == 24 + left
        assert state.observe(0)["removed"]["number"] == 16 - left
        chance(state, state.legal_actions()[0])
    assert state.chance_stream() == "deck"
    assert sum(state.chance_weights()) == state.deck == 24


def test_dg_8_2_without_ravens_nothing_is_drawn_for_it():
    _, _, events = play(game_with("skull"), "none")
    state = game_with("skull").initial_state()
    for _ in range(3):
        chance(state, 0)
    assert state.chance_stream() == "deck"
    assert state.observe(0)["removed"] is None
    assert "look" not in kinds(events)


# --- 8.3: candle ---

FOUR_TYPES = [("amulet", 1), ("cat", 1), ("music_box", 1), ("portrait", 1)]


def test_dg_8_3_candles_go_when_their_owner_has_five_types():
    state, events = took(("candle", 2), [*FOUR_TYPES, ("candle", 3)])
    assert kinds(events) == ["take", "dispel"]
    assert events[1].public["cause"] == "candle"
    assert dispelled(state) == of("candle", 2, 3)
    assert cards_in(state, 0) == FOUR_TYPES


def test_dg_8_3_any_card_may_bring_the_fifth_type():
    state, _ = took(("portrait", 4), [*FOUR_TYPES[:3], ("candle", 4)])
    assert dispelled(state) == of("candle", 4)


def test_dg_8_3_four_types_are_too_few_and_so_are_five_without_a_candle():
    state, _ = took(("candle", 2), FOUR_TYPES[:3])
    assert dispelled(state) == []
    game = game_with("candle", "skull", seats=3)
    state = taking(game, ("skull", 2), held=FOUR_TYPES, ghosts=[0, 0, 0])
    assert kinds(pick(state, 1)) == ["take"]


def test_dg_8_3_more_than_five_will_do_and_it_happens_again():
    game = game_with("candle", "ring", seats=3)
    held = [*FOUR_TYPES, ("ring", 1)]
    state = taking(game, ("candle", 4), held=held, down={0: of("candle", 1, 2)}, ghosts=[0, 0, 0])
    pick(state, 1)
    assert dispelled(state) == of("candle", 1, 2, 4)


def test_dg_8_3_dispelled_cards_are_no_type():
    state, _ = took(("candle", 2), FOUR_TYPES[:3], down={0: of("portrait", 1)})
    assert dispelled(state) == [("portrait", 1)]


def test_dg_8_3_only_the_taker_is_looked_at():
    state, _ = took(("cat", 4), [], up={1: [*FOUR_TYPES[:3], ("candle", 1)]}, types=("candle",))
    assert dispelled(state, 1) == []


def test_dg_8_9_a_card_acts_before_the_candles_are_looked_at():
    """Four rings that go are no fifth type any more; a twin that stays alone is one."""
    game = game_with("candle", "ring", "twin", seats=3)
    held = [*FOUR_TYPES[:3], *of("ring", 1, 2, 3), ("candle", 1)]
    state = taking(game, ("ring", 4), held=held, ghosts=[0, 0, 0])
    pick(state, 1)
    assert dispelled(state) == of("ring", 1, 2, 3, 4)
    state = taking(game, ("twin", 4), held=[*held[:3], ("candle", 1)], ghosts=[0, 0, 0])
    pick(state, 1)
    assert dispelled(state) == of("candle", 1)


def test_dg_8_9_the_tome_is_answered_before_the_candles_are_looked_at():
    """Five types with the tome: naming one of two makes four, and the candles stay."""
    game = game_with("candle", "tome", seats=3)
    held = [*FOUR_TYPES[:3], ("tome", 1), ("candle", 1)]
    for named, gone in (("cat", of("cat", 1)), ("amulet", of("amulet", 1))):
        state = taking(game, ("tome", 2), held=held, ghosts=[0, 0, 0])
        pick(state, 1)
        assert dispelled(state) == []
        do(state, {"type": "tome", "curse_type": named})
        assert dispelled(state) == gone


# --- 8.4: jack-o'-lantern ---


@pytest.mark.parametrize(
    ("mine", "theirs", "gone", "their_gone"),
    [
        ((1, 2, 4), (), [2, 4], []),
        ((1, 2, 4), (3, 3), [2, 4], []),
        ((1, 2, 4), (1, 3, 3), [4], [3]),
        ((1, 2), (1, 3), [], []),
        ((1, 1, 2, 2, 3, 4), (), [3, 4], []),
        ((1, 1, 2, 2), (3, 3, 4, 4), [2], [4]),
    ],
)
def test_dg_8_4_three_lanterns_dispel_two_or_one_where_others_have_three(mine, theirs, gone, their_gone):
    lanterns = "jack_o_lantern"
    state, _ = ended(of(lanterns, *mine), of(lanterns, *theirs), types=(lanterns,))
    assert dispelled(state, 0) == of(lanterns, *gone)
    assert dispelled(state, 1) == of(lanterns, *their_gone)


def test_dg_8_4_nothing_happens_on_taking_one():
    state, events = took(("jack_o_lantern", 4), of("jack_o_lantern", 1, 2, 3))
    assert kinds(events) == ["take"]
    assert dispelled(state) == []


# --- 8.7: skull ---


@pytest.mark.parametrize(
    ("held", "new", "gone"),
    [
        ((5,), 5, []),
        ((5, 4), 2, [2, 4, 5]),
        ((5, 5), 2, [2, 5, 5]),
        ((4, 4), 2, []),
        ((2, 2, 3), 4, [2, 2, 3, 4]),
        ((5,), 2, []),
    ],
)
def test_dg_8_7_skulls_of_eleven_all_go(held, new, gone):
    state, _ = took(("skull", new), of("skull", *held))
    assert dispelled(state) == of("skull", *gone)


def test_dg_8_7_and_again():
    state, _ = took(("skull", 5), of("skull", 3, 3), down={0: of("skull", 2, 4, 5)})
    assert dispelled(state) == of("skull", 2, 3, 3, 4, 5, 5)


# --- 8.8: witch's brew ---


def brew(choice, new=3, held=(), ghosts=4):
    state, events = took(("witchs_brews", new), of("witchs_brews", *held), ghosts=(ghosts, 0))
    assert kinds(events) == ["take"]
    assert moves(state) == [{"type": "brew", "choice": "dispel"}, {"type": "brew", "choice": "keep"}]
    return state, do(state, {"type": "brew", "choice": choice})


def test_dg_8_8_away_with_it_for_two_ghosts():
    state, events = brew("dispel", held=(1,))
    assert kinds(events) == ["brew", "dispel", "ghosts"]
    assert dispelled(state) == of("witchs_brews", 3)
    assert cards_in(state, 0) == of("witchs_brews", 1)
    assert state.ghosts == [6, 0]


@pytest.mark.parametrize(
    ("held", "ghosts", "left"),
    [((), 9, 9), ((1,), 9, 4), ((1,), 3, 0), ((1,), 0, 0), ((1, 2), 9, 9), ((1, 2, 4), 9, 4)],
)
def test_dg_8_8_a_kept_one_that_makes_a_pair_discards_five_ghosts(held, ghosts, left):
    state, events = brew("keep", held=held, ghosts=ghosts)
    assert state.ghosts == [left, 0]
    assert cards_in(state, 0) == of("witchs_brews", *sorted((*held, 3)))
    assert dispelled(state) == []
    assert kinds(events)[0] == "brew"


def test_dg_8_8_one_dispelled_at_once_never_makes_a_pair():
    """Two are face-up at the moment of taking, but the new one leaves."""
    state, _ = brew("dispel", held=(1,), ghosts=9)
    assert state.ghosts == [11, 0]


def test_dg_8_8_the_card_in_question_is_shown_to_all():
    state, _ = took(("witchs_brews", 3), of("witchs_brews", 2))
    for viewer in (None, 0, 1):
        assert state.observe(viewer)["card"] == {"type": "witchs_brews", "curse": 3, "dice": 1}
        assert state.observe(viewer)["phase"] == "brew"


# --- 8.9: with the rest of the game ---


@pytest.mark.parametrize("key", NEW)
def test_dg_8_9_a_tome_may_name_any_type_of_the_expansion(key):
    state, _ = took(("tome", 2), [("tome", 1), (key, 3)])
    assert moves(state) == [{"type": "tome", "curse_type": key}]
    do(state, moves(state)[0])
    assert dispelled(state) == of(key, 3)


def test_dg_8_9_the_library_ghost_comes_before_the_choice():
    state, events = took(("witchs_brews", 3), room="library", ghosts=(0, 0))
    assert kinds(events) == ["take", "ghosts"]
    do(state, {"type": "brew", "choice": "dispel"})
    assert state.ghosts == [3, 0]


def test_dg_8_9_everybody_still_takes_twelve_cards():
    for seats in (2, 3, 4, 5):
        game = game_with("raven", "witchs_brews", "candle", "skull", "jack_o_lantern", seats=seats)
        state, _, events = play(game, "twelve")
        held = [len(cards_in(state, seat)) + len(dispelled(state, seat)) for seat in range(seats)]
        assert held == [12] * seats
        assert "give" in kinds(events)


def test_dg_8_4_end_types_touch_only_their_own():
    """Order makes no difference: all of them at once come to what each comes to alone."""
    hands = {key: of(key, 1, 2, 4) for key in ("amulet", "cat", "music_box", "portrait", "jack_o_lantern")}
    whole, _ = ended([card for hand in hands.values() for card in hand], [], types=(*QUIET, "jack_o_lantern"))
    alone = [dispelled(ended(hand, [], types=(key,))[0]) for key, hand in hands.items()]
    assert Counter(dispelled(whole)) == Counter(card for gone in alone for card in gone)


def test_faces_of_skulls_follow_their_curses():
    assert [face(("skull", curse)) - face(("skull", 2)) for curse in (2, 3, 4, 5)] == [0, 1, 2, 3]
