"""A BOO, its rewards, and the last chances (HH 4, HH 7.2 to HH 7.4, HH 8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import CHANCE, Action, EventSink
from engine.games.haunt_the_house import powers, tell
from engine.games.haunt_the_house.tables import (
    BAD_BOO,
    BOO,
    CARDS,
    CLOSE_BOO,
    COUNTS,
    DISCARDING,
    GOOD_BOO,
    KEEP,
    KEEPING,
    KINDS,
    MASK,
    NEED,
    NO_BOO,
    OFFERED,
    OPEN_BOO,
    OWNER,
    OWNER_MASK,
    PASS,
    PHANTOM_DRAW,
    RALLY,
    RALLYING,
    REWARD,
    ROOM_DRAW,
    SKULL,
    UNIT,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.state import HouseState

# --- a BOO: HH 4 ---


def call_boo(state: HouseState, place: int, emit: EventSink | None) -> None:
    """HH 4.1 to HH 4.5: reveal, bluffs away, rewards earned."""
    state.fresh = False
    state.phantom_free = False
    state.place = place
    state.boo = OPEN_BOO
    feared = MASK[NEED[state.hunters[place]]]
    before = state.hidden[place]
    correct = [card for card in before if feared >> (card & 3) & 1]
    for card in before:
        if not feared >> (card & 3) & 1:
            state.discard[card >> OWNER & OWNER_MASK] += UNIT[card & 3]
    everyone = state.game.everyone
    state.hidden[place] = tuple([card | everyone for card in correct])
    earned = 0
    for card in correct:
        earned |= 1 << (card >> OWNER & OWNER_MASK)
    if emit is not None:
        tell.boo(state, before, emit)
    if state.game.with_phantoms:
        state.due = earned
    else:
        for seat in range(state.game.seats):
            if earned >> seat & 1:
                powers.gain(state, seat, 1, emit)
    if state.held[state.turn]:
        state.phase = RALLY
        state.acting = state.turn
    else:
        close_boo(state, emit)


def rally(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 7.10: the caller draws two more before the count."""
    if action == PASS:
        close_boo(state, emit)
        return
    powers.lay_out(state, state.turn, RALLYING, emit)
    state.draw_scares(state.turn, 2, CLOSE_BOO, emit)


def close_boo(state: HouseState, emit: EventSink | None) -> None:
    """HH 4.6 to HH 4.9."""
    place, seat = state.place, state.turn
    shown, hand = COUNTS[state.shown[place]], state.hand[seat]
    lacks = [need - there for need, there in zip(COUNTS[NEED[state.hunters[place]]], shown, strict=True)]
    for card in state.hidden[place]:
        lacks[card & 3] -= 1
    spent, able = 0, True
    for kind, lacking in enumerate(lacks):
        if lacking > 0:
            spent += lacking * UNIT[kind]
            able = able and lacking <= hand >> 3 * kind & 7
    if able:
        succeed(state, spent, emit)
        return
    state.boo = BAD_BOO
    clear_hidden(state, place)
    if emit is not None:
        tell.bad_boo(state, emit)
    ask_rewards(state, emit)


def clear_hidden(state: HouseState, place: int) -> None:
    for card in state.hidden[place]:
        state.discard[card >> OWNER & OWNER_MASK] += UNIT[card & 3]
    state.hidden[place] = ()


def succeed(state: HouseState, spent: int, emit: EventSink | None) -> None:
    """HH 4.7, HH 4.8, HH 8.1."""
    place, seat = state.place, state.turn
    state.boo = GOOD_BOO
    state.hand[seat] -= spent
    state.discard[seat] += spent
    if state.knows >> seat & 1:
        for kind in CARDS[spent]:
            state.unlearn(seat, 1 << kind)
    state.claimed[seat] |= 1 << state.hunters[place]
    if emit is not None:
        tell.good_boo(state, spent, emit)
    clear_hidden(state, place)
    seats = state.game.seats
    for owner in range(seats):
        state.discard[owner] += state.visible[seats * place + owner]
        state.visible[seats * place + owner] = 0
    state.shown[place] = 0
    state.gaps &= ~(15 << KINDS * place)
    state.rooms_out = tuple(sorted((*state.rooms_out, state.rooms[place])))
    state.rooms[place] = state.hunters[place] = -1
    if state.trigger < 0 and state.claimed[seat].bit_count() >= state.game.setup.hunters:
        state.trigger = seat
        if emit is not None:
            tell.trigger(state, emit)
    if not state.rooms_left:
        state.rooms_left, state.rooms_out = state.rooms_out, ()
        if emit is not None:
            tell.rooms_shuffled(state, emit)
    state.phase = ROOM_DRAW
    state.acting = CHANCE


def last_chance(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 8.2."""
    if action != PASS:
        call_boo(state, action - BOO, emit)
        return
    if emit is not None:
        tell.passed(state, emit)
    state.next_turn(emit)


# --- rewards: HH 7.2 to HH 7.4 ---


def ask_rewards(state: HouseState, emit: EventSink | None) -> None:
    """The next marked seat chooses, from the caller on; then the turn comes to its end."""
    if state.due:
        seat = state.turn
        while not state.due >> seat & 1:
            seat = (seat + 1) % state.game.seats
        state.phase = REWARD
        state.acting = seat
        return
    turn_is_over = state.boo == GOOD_BOO or state.trigger >= 0
    state.clear_effect()
    state.boo = NO_BOO
    if turn_is_over:
        state.next_turn(emit)
    elif state.hand[state.turn]:
        state.phase = DISCARDING
        state.acting = state.turn
    else:
        state.refill(emit)


def reward(state: HouseState, action: Action, emit: EventSink | None) -> None:
    seat = state.acting
    state.due &= ~(1 << seat)
    if action == SKULL:
        powers.gain(state, seat, 1, emit)
        ask_rewards(state, emit)
        return
    state.drawer = seat
    state.owed = min(OFFERED, len(state.top) + len(state.bottom))
    next_phantom(state, emit)


def next_phantom(state: HouseState, emit: EventSink | None) -> None:
    """From the top of the deck, and when that is gone what was put under it, in that order."""
    while state.owed and not state.top:
        state.drawn += (state.bottom[0] & 15,)
        state.bottom = state.bottom[1:]
        state.owed -= 1
    if state.owed:
        state.phase = PHANTOM_DRAW
        state.acting = CHANCE
        return
    if emit is not None:
        tell.draw_phantoms(state, emit)
    if len(state.drawn) == 1:
        keep(state, KEEP + state.drawn[0], emit)
        return
    state.drawn = tuple(sorted(state.drawn))
    state.phase = KEEPING
    state.acting = state.drawer


def draw_phantom(state: HouseState, kind: int, emit: EventSink | None) -> None:
    at = state.top.index(kind)
    state.top = state.top[:at] + state.top[at + 1 :]
    state.drawn += (kind,)
    state.owed -= 1
    next_phantom(state, emit)


def keep(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 7.3, HH 7.4."""
    seat, kind = state.drawer, action - KEEP
    drawn = list(state.drawn)
    drawn.remove(kind)
    state.drawn = ()
    state.held[seat] = tuple(sorted((*state.held[seat], kind)))
    state.bottom += tuple([other | seat << 4 for other in drawn])
    if emit is not None:
        tell.keep(state, seat, kind, drawn, emit)
    ask_rewards(state, emit)
