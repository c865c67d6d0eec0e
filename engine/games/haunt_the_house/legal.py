"""What may be done in each phase, and the chances of what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.core import Action, Seat
from engine.games.haunt_the_house.ending import hunters_of
from engine.games.haunt_the_house.tables import (
    BLUES,
    BOO,
    CARD,
    CARDS_A_ROOM,
    COUNTS,
    DISCARDS,
    DISCARDS_OR_PASS,
    DRAW,
    DRAW_AT_MOST,
    DRAW_PHANTOMS,
    DUNGEON,
    ECHOING,
    FAR,
    GALLERY,
    GEAR,
    HELD,
    HUNTER,
    HUNTER_DRAW,
    KEEP,
    KINDS,
    MASK,
    MEDDLING,
    MOST_SEATS,
    NEAR,
    NEAR_BITS,
    NEAR_MASK,
    OWNER,
    OWNER_MASK,
    PASS,
    PHANTOM,
    PHANTOM_ATTACKS,
    PHANTOM_DRAW,
    PLAY,
    RALLYING,
    RANDOM_DISCARD,
    REDS,
    RETRIEVES,
    ROOM_DRAW,
    SCARE_DRAW,
    SEAT,
    SHOWN,
    SIZE,
    SKULL,
    SLUMBERING,
    SPREAD,
    START_DRAW,
    STARTLING,
    THIEVING,
    TIMES,
    TO,
    TROPHY_DRAW,
    USE,
    VANISHING,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.position import Position

SHOWN_A_ROOM: Final = MOST_SEATS * KINDS
"""Moves that choose a visible Scare are numbered `SHOWN + SHOWN_A_ROOM * room + KINDS * owner + kind`."""
_ALL_OWNERS: Final = -1
_NEVER: Final = frozenset(kind for kind, time in enumerate(TIMES) if time != "action")
"""Phantoms that are not played on an Action turn: Vanishing and Rallying."""


# --- chance ---


def weights(state: Position) -> list[int]:
    phase = state.phase
    if phase == SCARE_DRAW:
        return [count for count in COUNTS[state.deck[state.drawer]] if count]
    if phase == RANDOM_DISCARD:
        return [count for count in COUNTS[state.hand[state.target]] if count]
    if phase == PHANTOM_DRAW:
        return [*Counter(state.top).values()]
    return [1] * len(BY_PHASE[phase](state))


def stream(state: Position) -> str:
    """Each deck of Scares has a stream of its own: its order is the same in all matches of a bundle."""
    phase = state.phase
    if phase == SCARE_DRAW:
        return f"scares/{state.drawer + 1}"
    if phase == TROPHY_DRAW and state.game.setup.trophies > 1:
        return "trophies/blue" if state.trophies[state.drawer] else "trophies/red"
    return _STREAMS[phase]


_STREAMS: Final = {
    ROOM_DRAW: "rooms",
    HUNTER_DRAW: "hunters",
    TROPHY_DRAW: "trophies",
    START_DRAW: "start",
    PHANTOM_DRAW: "phantoms",
    RANDOM_DISCARD: "dungeon",
}


def _rooms(state: Position) -> list[int]:
    return [*state.rooms_left]


def _hunters(state: Position) -> list[int]:
    return [*state.hunters_left]


def _trophies(state: Position) -> list[int]:
    """HH 2.5: one red and one blue, or one of either."""
    dealt = {gear for held in state.trophies for gear in held}
    kinds = tuple(range(len(GEAR)))
    if state.game.setup.trophies > 1:
        kinds = BLUES if state.trophies[state.drawer] else REDS
    return [gear for gear in kinds if gear not in dealt]


def _start(state: Position) -> list[int]:
    return [*range(state.game.seats)]


def _scares(state: Position) -> list[int]:
    return [*HELD[state.deck[state.drawer]]]


def _phantoms(state: Position) -> list[int]:
    return [*dict.fromkeys(state.top)]


def _dungeon(state: Position) -> list[int]:
    return [*HELD[state.hand[state.target]]]


# --- a turn ---


def _act(state: Position) -> list[Action]:
    """HH 3.1 to HH 3.6, HH 7.5."""
    seat = state.turn
    hand = state.hand[seat]
    near = state.gaps & SPREAD[hand]
    legal = [*state.game.invisibles[MASK[hand]], *NEAR[near & NEAR_MASK], *FAR[near >> NEAR_BITS]]
    if SIZE[hand] <= DRAW_AT_MOST:
        if state.deck[seat] or state.discard[seat]:
            legal.append(DRAW)
        elif not hand:
            return [*_boos(state), *_playable(state), PASS] if state.fresh else [*_playable(state), PASS]
    if state.fresh:
        legal += _boos(state)
    if state.phantom_free and state.held[seat]:
        legal += _playable(state)
    return legal


def _boos(state: Position) -> list[Action]:
    """HH 4.1."""
    if -1 in state.hunters:
        return [BOO + place for place, hunter in enumerate(state.hunters) if hunter >= 0]
    return state.game.boos


def _playable(state: Position) -> list[Action]:
    """HH 7.5, HH 7.8."""
    held = state.held[state.turn]
    if not held or not state.phantom_free:
        return []
    return [PLAY + kind for kind in dict.fromkeys(held) if _may_play(state, kind)]


def _may_play(state: Position, kind: int) -> bool:
    if kind in _NEVER:
        return False
    if kind == SLUMBERING:
        return state.actions > 0
    if kind == ECHOING:
        return state.echo >= 0
    return not PHANTOM_ATTACKS[kind] or bool(_targets(state, PHANTOM + kind))


def _discarding(state: Position) -> list[Action]:
    """HH 5.1, and the last moment for a Phantom (HH 7.5)."""
    enough = DISCARDS_OR_PASS[MASK[state.hand[state.turn]]]
    return [*_playable(state), *enough] if state.phantom_free else enough[:]


def _last_chance(state: Position) -> list[Action]:
    return [*_boos(state), PASS]


def _rally(state: Position) -> list[Action]:
    return [PLAY + RALLYING, PASS] if RALLYING in state.held[state.turn] else [PASS]


def _reward(state: Position) -> list[Action]:
    return [SKULL, DRAW_PHANTOMS] if state.top or state.bottom else [SKULL]


def _keeping(state: Position) -> list[Action]:
    return [KEEP + kind for kind in dict.fromkeys(state.drawn)]


# --- powers and Phantoms ---


def _use(_state: Position) -> list[Action]:
    return [USE, PASS]


def _retrieving(state: Position) -> list[Action]:
    return [*RETRIEVES[MASK[state.discard[state.turn]]], PASS]


def _invisible(state: Position, owner: Seat) -> list[Action]:
    """Choices among the invisible Scares of one owner, or of all."""
    return [
        CARD + CARDS_A_ROOM * place + number
        for place, cards in enumerate(state.hidden)
        for number, card in enumerate(cards)
        if owner in (_ALL_OWNERS, card >> OWNER & OWNER_MASK)
    ]


def _look(state: Position) -> list[Action]:
    return [*_invisible(state, _ALL_OWNERS), PASS]


def _lay(state: Position) -> list[Action]:
    return [*state.game.invisibles[MASK[state.hand[state.turn]]], PASS]


def _move(state: Position) -> list[Action]:
    return [*_invisible(state, state.turn), PASS]


def _move_to(state: Position) -> list[Action]:
    return [TO + place for place in range(len(state.rooms)) if place != state.place]


def _fetch(state: Position) -> list[Action]:
    seat, seats = state.turn, state.game.seats
    shown = [
        SHOWN + SHOWN_A_ROOM * place + KINDS * seat + kind
        for place in range(len(state.rooms))
        for kind in HELD[state.visible[seats * place + seat]]
    ]
    return [*_invisible(state, seat), *shown, PASS]


def _name(state: Position) -> list[Action]:
    """HH 7.8; the power of a room may be declined, a Phantom has been played."""
    seats = [SEAT + seat for seat in _targets(state, state.effect)]
    return seats if state.effect >= PHANTOM else [*seats, PASS]


def _targets(state: Position, effect: int) -> list[Seat]:
    """Opponents whom an Attack can touch."""
    others = [seat for seat in range(state.game.seats) if seat != state.turn]
    if effect == DUNGEON:
        return [seat for seat in others if state.hand[seat]]
    if effect in (GALLERY, PHANTOM + MEDDLING):
        owners = {card >> OWNER & OWNER_MASK for cards in state.hidden for card in cards}
        return [seat for seat in others if seat in owners]
    if effect == PHANTOM + THIEVING:
        return [seat for seat in others if state.tokens[seat]]
    if effect == PHANTOM + STARTLING:
        return [seat for seat in others if SIZE[state.hand[seat]] > 1]
    return [seat for seat in others if state.claimed[seat] and state.claimed[state.turn]]


def _answer(state: Position) -> list[Action]:
    return [PLAY + VANISHING, PASS] if VANISHING in state.held[state.target] else [PASS]


def _banish(state: Position) -> list[Action]:
    cards = _invisible(state, state.target)
    return [*cards, PASS] if state.effect == PHANTOM + MEDDLING else cards


def _peer(state: Position) -> list[Action]:
    return [
        *[TO + place for place, cards in enumerate(state.hidden) if cards and place != state.place],
        PASS,
    ]


def _drift(state: Position) -> list[Action]:
    """Visible Scares that some other room has a gap for (HH 3.6)."""
    seats = state.game.seats
    return [
        SHOWN + SHOWN_A_ROOM * place + KINDS * owner + kind
        for place in range(len(state.rooms))
        for owner in range(seats)
        for kind in HELD[state.visible[seats * place + owner]]
        if _gaps_elsewhere(state, place, kind)
    ]


def _gaps_elsewhere(state: Position, place: int, kind: int) -> list[int]:
    return [
        other
        for other in range(len(state.rooms))
        if other != place and state.gaps >> KINDS * other + kind & 1
    ]


def _drift_to(state: Position) -> list[Action]:
    return [TO + place for place in _gaps_elsewhere(state, state.place, state.card % KINDS)]


def _haggle(state: Position) -> list[Action]:
    return DISCARDS_OR_PASS[MASK[state.hand[state.turn]]][:]


def _startled(state: Position) -> list[Action]:
    return DISCARDS[MASK[state.hand[state.target]]][:]


def _give(state: Position) -> list[Action]:
    return [HUNTER + hunter for hunter in hunters_of(state.claimed[state.turn])]


def _get(state: Position) -> list[Action]:
    return [HUNTER + hunter for hunter in hunters_of(state.claimed[state.target])]


def _over(_state: Position) -> list[Action]:
    return []


BY_PHASE: Final[tuple[Callable[[Position], list[Action]], ...]] = (
    *(_rooms, _hunters, _trophies, _start, _scares, _phantoms, _dungeon),
    *(_act, _use, _retrieving, _look, _lay, _move, _move_to, _fetch, _name, _answer, _banish),
    *(_peer, _drift, _drift_to, _haggle, _startled, _give, _get),
    *(_rally, _reward, _keeping, _discarding, _last_chance, _over),
)
