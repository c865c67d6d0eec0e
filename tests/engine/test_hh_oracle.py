"""Random matches of Haunt the House held against the rules told a second time, from the page alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.core import CHANCE, OVER
from engine.games.haunt_the_house import HauntTheHouse
from engine.games.haunt_the_house.tables import HUNTERS, LETTERS, NEED, ROOMS, SCARES
from tests.engine.hh_tables import (
    deck,
    discard,
    doorway,
    hand,
    hunters,
    invisible,
    letters_of,
    phantoms,
    rooms_in_play,
    visible,
)

TABLES = [(mode, seats) for mode in HauntTheHouse.modes for seats in (2, 3, 5)]
WORD = dict(zip(SCARES, LETTERS, strict=True))
ATTACKS = {"thieving", "startling", "meddling", "trading"}


def walked(mode, seats, seeds=4):
    """Every position of some random matches, with the move that is made there; BOOs are called seldom."""
    game = HauntTheHouse(seats, mode)
    for seed in range(seeds):
        rng = random.Random(seed)
        state = game.initial_state()
        while (actor := state.actor()) != OVER:
            legal = state.legal_actions()
            if actor != CHANCE:
                calm = [action for action in legal if game.actions.decode(action)["type"] != "boo"]
                legal = calm if calm and rng.random() < 0.8 else legal
            action = rng.choice(legal)
            yield state, action
            state.apply(action)


def need(state, room):
    return Counter(letters_of(NEED[HUNTERS.index(doorway(state, room))]))


def scares(cards):
    return Counter(letter for _, letter in cards)


# --- 3, 7.5: what may be done in a turn of Actions ---


def expected_moves(state):
    """Rules 3.3 to 3.6, 4.1 and 7.5, as sets of (type, room, Scare or Phantom)."""
    seat, held = state.turn, hand(state, state.turn)
    rooms = list(enumerate(rooms_in_play(state), start=1))
    found = {("invisible", place, letter) for place, _ in rooms for letter in held}
    for place, room in rooms:
        gaps = need(state, room) - scares(visible(state, room))
        found |= {("visible", place, letter) for letter in held if gaps[letter]}
    if len(held) < 2 and deck(state, seat) + discard(state, seat):
        found.add(("draw", None, None))
    if not found:
        found.add(("pass", None, None))
    if state.fresh:
        found |= {("boo", place, None) for place, _ in rooms}
    if state.phantom_free:
        found |= {("play", None, key) for key in phantoms(state, seat) if playable(state, key)}
    return found


def playable(state, key):
    if key in ("vanishing", "rallying"):
        return False
    if key == "echoing":
        return state.echo >= 0
    others = [seat for seat in range(state.game.seats) if seat != state.turn]
    laid = {owner for room in rooms_in_play(state) for owner, _ in invisible(state, room)}
    touched = {
        "thieving": [seat for seat in others if state.tokens[seat] > 0],
        "startling": [seat for seat in others if len(hand(state, seat)) >= 2],
        "meddling": [seat for seat in others if seat in laid],
        "trading": [seat for seat in others if hunters(state, seat) and hunters(state, state.turn)],
    }
    return bool(touched[key]) if key in ATTACKS else True


def told(state):
    for action in state.legal_actions():
        move = state.game.actions.decode(action)
        yield move["type"], move.get("room"), WORD.get(move.get("scare"), move.get("phantom"))


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_hh_3_the_moves_of_a_turn_are_those_of_the_page(mode, seats):
    checked = 0
    for state, _ in walked(mode, seats):
        if state.observe(None)["phase"] == "act":
            assert set(told(state)) == expected_moves(state)
            checked += 1
    assert checked > 200


# --- 4: what comes of a BOO ---


def expected_boo(state, room):
    """Rules 4.2 to 4.9: who earns, whether it succeeds, what is spent, and each owner's gain in discards."""
    seat, wanted = state.turn, need(state, room)
    shown, hidden = visible(state, room), invisible(state, room)
    correct = [(owner, letter) for owner, letter in hidden if letter in wanted]
    missing = wanted - scares(shown) - scares(correct)
    success = not missing - Counter(hand(state, seat))
    gone = hidden + (shown + [(seat, letter) for letter in missing.elements()] if success else [])
    gains = [Counter(letter for owner, letter in gone if owner == of) for of in range(state.game.seats)]
    return {owner for owner, _ in correct}, success, missing if success else Counter(), gains


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_hh_4_a_boo_ends_as_the_page_says(mode, seats):
    outcomes = Counter()
    for before, action in walked(mode, seats, seeds=8):
        move = before.game.actions.decode(action) if before.actor() >= 0 else {"type": "chance"}
        if move["type"] != "boo":
            continue
        state, seat = before.clone(), before.turn
        room = rooms_in_play(state)[move["room"] - 1]
        earning, success, spent, gains = expected_boo(before, room)
        target = doorway(before, room)
        state.apply(action)
        if state.observe(None)["phase"] == "rally":
            state.apply(state.legal_actions()[-1])  # pass
        outcomes[success] += 1
        assert (target in hunters(state, seat)) == success
        assert Counter(hand(state, seat)) == Counter(hand(before, seat)) - spent
        for owner in range(seats):
            if owner != seat or success or hand(state, seat):  # else he is drawing, perhaps from a new deck
                assert Counter(discard(state, owner)) == Counter(discard(before, owner)) + gains[owner]
        if mode == "beginner":
            paid = [now - was for now, was in zip(state.tokens, before.tokens, strict=True)]
            assert {owner for owner, tokens in enumerate(paid) if tokens} == earning
            assert max(paid) <= 1
        else:
            assert {owner for owner in range(seats) if state.due >> owner & 1} == earning
            assert state.tokens == before.tokens
        if not success:
            assert visible(state, room) == visible(before, room)
            assert invisible(state, room) == []
    assert outcomes[False] > 10


# --- the whole match ---


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_hh_1_nothing_is_lost_and_nothing_comes_from_nowhere(mode, seats):
    box = Counter(HauntTheHouse(seats, mode).phantoms)
    for number, (state, _) in enumerate(walked(mode, seats)):
        if number % 7 or state.observe(None)["phase"] in ("rooms", "hunters", "trophies", "start"):
            continue
        for owner in range(seats):
            lying = [letter for room in state.rooms if room >= 0 for letter in lying_of(state, room, owner)]
            pieces = hand(state, owner) + deck(state, owner) + discard(state, owner) + "".join(lying)
            assert Counter(pieces) == dict.fromkeys("BCKM", 4)
        cards = [*state.top, *state.drawn, *(code & 15 for code in state.bottom)]
        cards += [kind for held in (*state.held, *state.played) for kind in held]
        assert Counter(cards) == box


def lying_of(state, room, owner):
    name = ROOMS[room]
    return [letter for of, letter in visible(state, name) + invisible(state, name) if of == owner]


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_hh_8_the_match_ends_as_the_page_says(mode, seats):
    goal = 5 if seats == 2 else 4
    game = HauntTheHouse(seats, mode)
    for seed in range(20):
        rng = random.Random(seed)
        state = game.initial_state()
        chances: list[int] = []
        while (actor := state.actor()) != OVER:
            if state.observe(None)["phase"] == "last_chance":
                chances.append(actor)
            state.apply(rng.choice(state.legal_actions()))
        turns = state.figures()["turns"]
        if state.trigger < 0:
            assert turns == 300
            assert max(len(hunters(state, seat)) for seat in range(seats)) < goal
            continue
        assert chances == [(state.trigger + step) % seats for step in range(1, seats)]
        assert turns <= 300 + seats - 1
        assert len(hunters(state, state.trigger)) == goal
        assert all(len(hunters(state, seat)) <= goal for seat in range(seats))
