"""Attacks (HH 7.8, HH 7.9): an opponent is named, may answer, and is then struck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import CHANCE, Action, EventSink
from engine.games.haunt_the_house import powers, tell
from engine.games.haunt_the_house.powers import TWO
from engine.games.haunt_the_house.tables import (
    ANSWER,
    BANISH,
    CARD,
    CARDS_A_ROOM,
    DISCARD,
    DUNGEON,
    GET,
    GIVE,
    HUNTER,
    HUNTERS,
    MEDDLING,
    PASS,
    PHANTOM,
    RANDOM_DISCARD,
    SEAT,
    SIZE,
    STARTLED,
    STARTLING,
    THIEVING,
    TRADING,
    UNIT,
    VANISHING,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.state import HouseState


def name(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """An Attack names an opponent. Who holds any Phantom is asked: so that being asked tells nothing."""
    if action == PASS:
        powers.done(state, emit)
        return
    powers.use(state, emit)
    target = state.target = action - SEAT
    if emit is not None:
        tell.attack(state, emit)
    if state.held[target]:
        state.phase = ANSWER
        state.acting = target
    else:
        strike(state, emit)


def answer(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 7.9: only the one who is named may play a Vanishing Phantom, and the Attack is spent."""
    if action == PASS:
        strike(state, emit)
        return
    powers.lay_out(state, state.target, VANISHING, emit)
    powers.done(state, emit)


def strike(state: HouseState, emit: EventSink | None) -> None:
    effect, target = state.effect, state.target
    state.acting = state.turn
    if effect == DUNGEON:
        state.phase = RANDOM_DISCARD
        state.acting = CHANCE
    elif effect == PHANTOM + STARTLING:
        state.phase = STARTLED
        state.acting = target
    elif effect == PHANTOM + TRADING:
        state.phase = GIVE
    elif effect == PHANTOM + THIEVING:
        powers.gain(state, target, -1, emit)
        powers.gain(state, state.turn, 1, emit)
        powers.done(state, emit)
    else:
        state.phase = BANISH
        state.picks = TWO if effect == PHANTOM + MEDDLING else 1


def discard_at_random(state: HouseState, kind: int, emit: EventSink | None) -> None:
    """HH 6.8."""
    state.throw_away(state.target, kind, emit)
    powers.done(state, emit)


def banish(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.9, and Meddling."""
    if action == PASS:
        powers.done(state, emit)
        return
    place, number = divmod(action - CARD, CARDS_A_ROOM)
    card = powers.take_hidden(state, place, number)
    state.discard[state.target] += UNIT[card & 3]
    if emit is not None:
        tell.banish(state, place, number, card & 3, emit)
    powers.picked(state, emit)


def startled(state: HouseState, action: Action, emit: EventSink | None) -> None:
    target = state.target
    state.throw_away(target, action - DISCARD, emit)
    if SIZE[state.hand[target]] == 1:
        powers.done(state, emit)


def give(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """Trading: which of one's own hunters goes."""
    state.card = action - HUNTER
    state.phase = GET
    if emit is not None:
        tell.choose(state, {"hunter": HUNTERS[state.card]}, emit)


def get(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 7.12: nobody frightens out a hunter here, so the end is not brought."""
    swap = 1 << state.card | 1 << action - HUNTER
    state.claimed[state.turn] ^= swap
    state.claimed[state.target] ^= swap
    if emit is not None:
        tell.trade(state, action - HUNTER, emit)
    powers.done(state, emit)
