"""What the powers of rooms and the Phantoms do (HH 6, HH 7): a function a phase, all by the seat on turn.

Whoever is asked for a choice of several things makes one a move; `pass` declines a power, or stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core import Action, EventSink, Seat
from engine.games.haunt_the_house import legal, tell
from engine.games.haunt_the_house.tables import (
    ATTIC,
    BALLROOM,
    CARD,
    CARDS_A_ROOM,
    CELLAR,
    CRYPT,
    DISCARD,
    DRIFT,
    DRIFT_TO,
    DRIFTING,
    DUNGEON,
    ECHOING,
    FETCH,
    GALLERY,
    GATHERING,
    GO_ON,
    HAGGLE,
    HAGGLING,
    HASTY,
    KINDS,
    KITCHEN,
    KNOWERS,
    KNOWERS_MASK,
    KNOWN_TO,
    LABORATORY,
    LAY,
    LIBRARY,
    LOOK,
    MEDDLING,
    MOVE,
    MOVE_TO,
    NAME,
    PASS,
    PEER,
    PEERING,
    PHANTOM,
    RETRIEVE,
    RETRIEVING,
    RETURNING,
    SCARES,
    SHOWN,
    SLUMBERING,
    STARTLING,
    THIEVING,
    TO,
    TRADING,
    UNIT,
    USE_OR_NOT,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.state import HouseState

EVERYBODY: Final = 31
TWO: Final = 2
"""How many Scares the Library shows, the Kitchen and Rallying draw, and some Phantoms take."""
GATHERED: Final = 3

_FIRST: Final = {
    CRYPT: USE_OR_NOT,
    LABORATORY: RETRIEVING,
    KITCHEN: USE_OR_NOT,
    LIBRARY: LOOK,
    ATTIC: LAY,
    BALLROOM: MOVE,
    CELLAR: FETCH,
    DUNGEON: NAME,
    GALLERY: NAME,
    PHANTOM + PEERING: PEER,
    PHANTOM + RETURNING: FETCH,
    PHANTOM + DRIFTING: DRIFT,
    PHANTOM + HAGGLING: HAGGLE,
    PHANTOM + THIEVING: NAME,
    PHANTOM + STARTLING: NAME,
    PHANTOM + MEDDLING: NAME,
    PHANTOM + TRADING: NAME,
}
"""The phase in which the first choice is made."""
_SEVERAL: Final = frozenset({LIBRARY, PHANTOM + PEERING, PHANTOM + RETURNING, PHANTOM + HAGGLING})


def offer(state: HouseState, effect: int, emit: EventSink | None) -> None:
    """HH 3.7: the seat on turn may use a power, or is to carry out a Phantom, if there is anything to do."""
    phase = _FIRST[effect]
    state.effect = effect
    state.picks = TWO if effect in _SEVERAL else 1
    state.phase = phase
    state.acting = state.turn
    if effect == KITCHEN:
        idle = not (state.deck[state.turn] or state.discard[state.turn])
    else:
        idle = legal.BY_PHASE[phase](state) in ([], [PASS])
    if idle:
        done(state, emit)


def done(state: HouseState, emit: EventSink | None) -> None:
    state.clear_effect()
    state.go_on(emit)


def use(state: HouseState, emit: EventSink | None) -> None:
    """The power is used, so that it may echo; a Phantom was told when it was played."""
    if state.effect < PHANTOM and state.echo != state.effect:
        state.echo = state.effect
        if emit is not None:
            tell.power(state, emit)


def picked(state: HouseState, emit: EventSink | None) -> None:
    """One of several choices is made; on while there is another."""
    state.picks -= 1
    if not state.picks or legal.BY_PHASE[state.phase](state) in ([], [PASS]):
        done(state, emit)


def gain(state: HouseState, seat: Seat, change: int, emit: EventSink | None) -> None:
    state.tokens[seat] += change
    if emit is not None:
        tell.skulls(state, seat, change, emit)


# --- rooms: HH 6 ---


def use_or_not(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.1, HH 6.3."""
    if action == PASS:
        done(state, emit)
        return
    use(state, emit)
    if state.effect == CRYPT:
        gain(state, state.turn, 1, emit)
        done(state, emit)
        return
    state.clear_effect()
    state.draw_scares(state.turn, TWO, GO_ON, emit)


def retrieve(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.2."""
    if action != PASS:
        use(state, emit)
        seat, kind = state.turn, action - RETRIEVE
        state.discard[seat] -= UNIT[kind]
        state.hand[seat] += UNIT[kind]
        state.learn(seat, kind, EVERYBODY)
        if emit is not None:
            tell.retrieve(state, kind, emit)
    done(state, emit)


def look(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.4."""
    if action == PASS:
        done(state, emit)
        return
    use(state, emit)
    place, number = divmod(action - CARD, CARDS_A_ROOM)
    cards = list(state.hidden[place])
    cards[number] |= KNOWN_TO[state.turn]
    state.hidden[place] = tuple(cards)
    if emit is not None:
        tell.look(state, place, number, emit)
    picked(state, emit)


def lay(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.5."""
    if action != PASS:
        use(state, emit)
        state.lay(action, emit)
    done(state, emit)


def move(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.6: which one; where to is the next choice."""
    if action == PASS:
        done(state, emit)
        return
    use(state, emit)
    state.place, state.card = divmod(action - CARD, CARDS_A_ROOM)
    state.phase = MOVE_TO
    if emit is not None:
        tell.choose(state, {"room": state.place + 1, "card": state.card + 1}, emit)


def move_to(state: HouseState, action: Action, emit: EventSink | None) -> None:
    place, number, to = state.place, state.card, action - TO
    card = take_hidden(state, place, number)
    state.hidden[to] += (card,)
    if emit is not None:
        tell.move(state, to, emit)
    done(state, emit)


def take_hidden(state: HouseState, place: int, number: int) -> int:
    cards = state.hidden[place]
    state.hidden[place] = cards[:number] + cards[number + 1 :]
    return cards[number]


def fetch(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """HH 6.7, and Returning."""
    if action == PASS:
        done(state, emit)
        return
    use(state, emit)
    seat = state.turn
    if action < SHOWN:
        place, number = divmod(action - CARD, CARDS_A_ROOM)
        card = take_hidden(state, place, number)
        kind, viewers = card & 3, card >> KNOWERS & KNOWERS_MASK
        if emit is not None:
            tell.fetch_invisible(state, place, number, card, emit)
    else:
        place, kind = (action - SHOWN) // legal.SHOWN_A_ROOM, (action - SHOWN) % KINDS
        viewers = EVERYBODY
        lift(state, place, seat, kind)
        if emit is not None:
            tell.fetch_visible(state, place, kind, emit)
    state.hand[seat] += UNIT[kind]
    state.learn(seat, kind, viewers)
    picked(state, emit)


def lift(state: HouseState, place: int, owner: Seat, kind: int) -> None:
    """A visible Scare leaves its place."""
    state.visible[state.game.seats * place + owner] -= UNIT[kind]
    state.shown[place] -= UNIT[kind]
    state.find_gaps(place)


# --- other Phantoms: HH 7.10 ---


def lay_out(state: HouseState, seat: Seat, kind: int, emit: EventSink | None) -> None:
    """HH 7.6: a Phantom lies face-up from now on."""
    held = state.held[seat]
    at = held.index(kind)
    state.held[seat] = held[:at] + held[at + 1 :]
    state.played[seat] += (kind,)
    if emit is not None:
        tell.phantom(seat, kind, emit)


def play_phantom(state: HouseState, kind: int, emit: EventSink | None) -> None:
    """HH 7.5: the one Phantom of this turn."""
    seat, echo = state.turn, state.echo
    lay_out(state, seat, kind, emit)
    state.fresh = state.phantom_free = False
    state.echo = -1
    if kind == GATHERING:
        state.draw_scares(seat, GATHERED, GO_ON, emit)
    elif kind in (HASTY, SLUMBERING):
        state.actions += 1 if kind == HASTY else -1
        state.go_on(emit)
    else:
        offer(state, echo if kind == ECHOING else PHANTOM + kind, emit)


def peer(state: HouseState, action: Action, emit: EventSink | None) -> None:
    if action == PASS:
        done(state, emit)
        return
    place = state.place = action - TO
    state.hidden[place] = tuple([card | KNOWN_TO[state.turn] for card in state.hidden[place]])
    if emit is not None:
        for number in range(len(state.hidden[place])):
            tell.look(state, place, number, emit)
    picked(state, emit)


def drift(state: HouseState, action: Action, emit: EventSink | None) -> None:
    """Which visible Scare moves; where to is the next choice."""
    state.place, state.card = divmod(action - SHOWN, legal.SHOWN_A_ROOM)
    state.phase = DRIFT_TO
    if emit is not None:
        owner, kind = divmod(state.card, KINDS)
        tell.choose(state, {"room": state.place + 1, "owner": owner, "scare": SCARES[kind]}, emit)


def drift_to(state: HouseState, action: Action, emit: EventSink | None) -> None:
    to = action - TO
    owner, kind = divmod(state.card, KINDS)
    lift(state, state.place, owner, kind)
    state.visible[state.game.seats * to + owner] += UNIT[kind]
    state.shown[to] += UNIT[kind]
    state.find_gaps(to)
    if emit is not None:
        tell.drift(state, to, emit)
    done(state, emit)


def haggle(state: HouseState, action: Action, emit: EventSink | None) -> None:
    if action == PASS:
        done(state, emit)
        return
    state.throw_away(state.turn, action - DISCARD, emit)
    gain(state, state.turn, 1, emit)
    picked(state, emit)
