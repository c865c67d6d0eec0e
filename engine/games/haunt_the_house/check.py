"""Whether the fields of a position make one that can be; for positions read from text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.core import CHANCE, OVER
from engine.games.haunt_the_house.tables import (
    ACT,
    AFTERS,
    ANSWER,
    BANISH,
    BLUES,
    BOO_WORDS,
    COPIES,
    COUNTS,
    DECK,
    DRIFT_TO,
    EFFECTS,
    ENDED,
    GEAR,
    GET,
    GIVE,
    HUNTER_DRAW,
    HUNTERS,
    KEEPING,
    KINDS,
    KNOWERS,
    KNOWERS_MASK,
    LAST_CHANCE,
    MOST_SEATS,
    MOST_TURNS,
    MOVE_TO,
    NO_BOO,
    OFFERED,
    OWNER,
    OWNER_MASK,
    PHANTOM_DRAW,
    PHANTOMS,
    RALLY,
    RANDOM_DISCARD,
    REDS,
    REWARD,
    ROOM_DRAW,
    ROOMS,
    SCARE_DRAW,
    SHUFFLED,
    STARTLED,
    TROPHY_DRAW,
    UNIT,
    USE_OR_NOT,
    WHOLE,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.state import HouseState


def check(state: HouseState) -> None:
    """Raises ValueError when the fields do not make a position."""
    _check_ranges(state)
    _check_scares(state)
    _check_cards(state)
    _check_phase(state)


def _check_ranges(state: HouseState) -> None:
    seats, places = state.game.seats, state.game.setup.rooms
    seat, place = range(-1, seats), range(-1, places)
    heap = range(WHOLE + 1)
    numbers = {
        "acting": range(OVER, seats), "turn": range(seats), "turns": range(MOST_TURNS + seats),
        "starter": seat, "trigger": seat, "actions": range(5), "echo": range(-1, len(ROOMS)),
        "boo": range(len(BOO_WORDS)), "due": range(1 << seats), "effect": range(-1, len(EFFECTS)),
        "picks": range(3), "place": place, "card": range(-1, MOST_SEATS * DECK), "target": seat,
        "drawer": range(seats + 1), "owed": range(4), "after": range(len(AFTERS)),
    }  # fmt: skip
    lists = {
        "rooms": (range(-1, len(ROOMS)), places), "hunters": (range(-1, len(HUNTERS)), places),
        "rooms_left": (range(len(ROOMS)), None), "rooms_out": (range(len(ROOMS)), None),
        "hunters_left": (range(len(HUNTERS)), None), "visible": (heap, seats * places),
        "hand": (heap, seats), "deck": (heap, seats), "discard": (heap, seats), "made": (heap, seats),
        "known": (heap, seats * seats), "tokens": (range(1000), seats),
        "claimed": (range(1 << len(HUNTERS)), seats), "drawn": (range(len(PHANTOMS)), None),
        "top": (range(len(PHANTOMS)), None), "bottom": (range(seats << 4), None),
    }  # fmt: skip
    nested = {
        "hidden": (range(2 * SHUFFLED), places), "trophies": (range(len(GEAR)), seats),
        "held": (range(len(PHANTOMS)), seats), "played": (range(len(PHANTOMS)), seats),
    }  # fmt: skip
    for name, allowed in numbers.items():
        _check_range(name, [getattr(state, name)], allowed)
    for name, (allowed, size) in lists.items():
        _check_range(name, getattr(state, name), allowed, size)
    for name, (allowed, size) in nested.items():
        _check_range(name, [value for inner in getattr(state, name) for value in inner], allowed)
        _check_range(name, range(len(getattr(state, name))), range(size), size)


def _check_range(name: str, values: Sequence[int], allowed: range, size: int | None = None) -> None:
    if any(value not in allowed for value in values) or size not in (None, len(values)):
        raise ValueError(f"{name} out of range: {list(values)!r:.80}")


def _check_scares(state: HouseState) -> None:
    """HH 1.1: each owner has its 16 Scares somewhere, and nobody knows more of a hand than is in it."""
    seats = state.game.seats
    for owner in range(seats):
        heaps = [state.hand[owner], state.deck[owner], state.discard[owner], *state.visible[owner::seats]]
        hidden = [
            UNIT[card & 3] for cards in state.hidden for card in cards if card >> OWNER & OWNER_MASK == owner
        ]
        there = [sum(count) for count in zip(*(COUNTS[heap] or (9,) * KINDS for heap in heaps), strict=True)]
        for unit in hidden:
            there[UNIT.index(unit)] += 1
        if there != [COPIES] * KINDS:
            raise ValueError(f"seat {owner} does not have its Scares: {there}")
        for heap in (state.made[owner], *state.known[seats * owner : seats * (owner + 1)]):
            if not COUNTS[heap]:
                raise ValueError("no such heap of Scares")
        for heap in state.known[seats * owner : seats * (owner + 1)]:
            if any(map(int.__gt__, COUNTS[heap], COUNTS[state.hand[owner]])):
                raise ValueError("somebody knows a Scare that is not there")
    _check_knowers(state)


def _check_knowers(state: HouseState) -> None:
    """Each owner knows its own, and nobody knows more who does not sit here."""
    seats = state.game.seats
    for cards in state.hidden:
        for card in cards:
            owner = card >> OWNER & OWNER_MASK
            if (
                owner >= seats
                or not card >> KNOWERS + owner & 1
                or card >> KNOWERS & KNOWERS_MASK >= 1 << seats
            ):
                raise ValueError("an invisible Scare that its owner does not know")


def _check_cards(state: HouseState) -> None:
    game = state.game
    claimed = [hunter for bits in state.claimed for hunter in range(len(HUNTERS)) if bits >> hunter & 1]
    rooms = [room for room in state.rooms if room >= 0]
    hunters = [hunter for hunter in state.hunters if hunter >= 0]
    trophies = [gear for held in state.trophies for gear in held]
    phantoms = [kind for held in (*state.held, *state.played) for kind in held]
    phantoms += [*state.drawn, *state.top, *(code & 15 for code in state.bottom)]
    _check_whole("rooms", [*rooms, *state.rooms_left, *state.rooms_out], game.rooms)
    _check_whole("hunters", [*hunters, *state.hunters_left, *claimed], game.hunters)
    _check_whole("Phantoms", phantoms, game.phantoms)
    if len(set(trophies)) < len(trophies):
        raise ValueError("there is one trophy of each gear")
    if game.setup.trophies > 1 and any(
        gear not in kinds for held in state.trophies for gear, kinds in zip(held, (REDS, BLUES), strict=False)
    ):
        raise ValueError("a red trophy and a blue one each")
    if any(len(held) > game.setup.trophies for held in state.trophies):
        raise ValueError("too many trophies")


def _check_whole(name: str, cards: Iterable[int], box: Sequence[int]) -> None:
    if Counter(cards) != Counter(box):
        raise ValueError(f"not all {name} of the box are there once")


def _check_phase(state: HouseState) -> None:
    """The seat to act fits the phase, and what the phase needs is there."""
    phase = state.phase
    if phase <= RANDOM_DISCARD:
        expected = CHANCE
    elif phase == ENDED:
        expected = OVER
    elif phase in (ANSWER, STARTLED):
        expected = state.target
    elif phase == KEEPING:
        expected = state.drawer
    else:
        expected = state.acting if phase == REWARD else state.turn
    if state.acting != expected or (expected < 0 and phase > RANDOM_DISCARD and phase != ENDED):
        raise ValueError("another seat is to act in this phase")
    if not _has_what_it_needs(state):
        raise ValueError("this phase lacks something")


def _has_what_it_needs(state: HouseState) -> bool:
    phase, place, target, drawer = state.phase, state.place, state.target, state.drawer
    laid_out = -1 not in state.rooms and state.starter >= 0
    if (state.effect >= 0) != (phase == RANDOM_DISCARD or USE_OR_NOT <= phase <= GET):
        return False
    if phase >= ACT and not laid_out:
        return False
    if phase in (ROOM_DRAW, HUNTER_DRAW):
        cards = state.rooms if phase == ROOM_DRAW else state.hunters
        return place >= 0 and cards[place] < 0
    if phase == TROPHY_DRAW:
        return drawer < state.game.seats and len(state.trophies[drawer]) < state.game.setup.trophies
    if phase == SCARE_DRAW:
        return laid_out and drawer < state.game.seats and state.owed > 0 and state.deck[drawer] > 0
    if phase == PHANTOM_DRAW:
        fits = 0 < state.owed <= OFFERED - len(state.drawn)
        return laid_out and fits and drawer < state.game.seats and len(state.top) > 0 and place >= 0
    if phase in (RANDOM_DISCARD, ANSWER, BANISH, STARTLED, GIVE, GET):
        return target >= 0 and target != state.turn and (phase != RANDOM_DISCARD or state.hand[target] > 0)
    return _fits_its_choice(state)


def _fits_its_choice(state: HouseState) -> bool:
    phase, place = state.phase, state.place
    if phase == MOVE_TO:
        return place >= 0 and 0 <= state.card < len(state.hidden[place])
    if phase == DRIFT_TO:
        owner, kind = divmod(state.card, KINDS)
        seats = state.game.seats
        there = place >= 0 and 0 <= owner < seats
        return there and COUNTS[state.visible[seats * place + owner]][kind] > 0
    if phase in (RALLY, REWARD, KEEPING):
        marked = phase != REWARD or (state.acting >= 0 and state.due >> state.acting & 1 == 1)
        return place >= 0 and state.boo != NO_BOO and marked and (phase != KEEPING or len(state.drawn) > 1)
    return phase != LAST_CHANCE or state.trigger >= 0
