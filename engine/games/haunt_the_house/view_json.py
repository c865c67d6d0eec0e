"""The observation that `view.observe` builds, written as JSON at once, out of parts that are remembered.

Most of a table stays as it was from question to question. A part is remembered by what it is made of and by
the seat that sees it, so that no seat is shown what another may see.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.core import Seat, compact_json
from engine.games.haunt_the_house import view
from engine.games.haunt_the_house.ending import hunters_of
from engine.games.haunt_the_house.tables import (
    COUNTS,
    ENDED,
    GEAR,
    HUNTERS,
    MOST_TURNS,
    NO_BOO,
    PHANTOMS,
    PHASES,
    ROOMS,
    SIZE,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house.position import Position

_TOP: Final = (
    b'{"seat":%b,"phase":"%b","actor":%b,"on_turn":%b,"turn":%b,"start":%b,"trigger":%b,"actions":%b,"fresh":%b,'
    b'"phantom_free":%b,"echo":%b,"boo":%b,"effect":%b,"drawing":%b,"offered":%b,"rooms":[%b],"room_pile":%b,'
    b'"room_discard":%b,"hunters_left":%b,"phantom_deck":%b,"under_deck":[%b],"players":[%b],"own":%b}'
)
_ROOM: Final = b'%b%b],"invisible":[%b]}'
_PLAYER: Final = (
    b'{"hand":%d,"known":%b,"deck":%d,"shuffled":%b,"discard":%b,"skulls":%d,"hunters":%b,"phantoms":%d,'
    b'"played":%b,"trophies":%b}'
)
_OWN: Final = b'{"hand":%b,"known_by":[%b],"deck":%b,"trophies":%b,"phantoms":%b}'
_HEAPS: Final = tuple(b"[%d,%d,%d,%d]" % counts if counts else b"" for counts in COUNTS)
_REMEMBERED: Final = 512
"""What a few tables need; more would only push other things out of the processor's own memory."""
_PHASES: Final = tuple(phase.encode("ascii") for phase in PHASES)
_NUMBERS: Final[tuple[bytes, ...]] = (*(b"%d" % number for number in range(2 * MOST_TURNS)), b"null", b"null")
"""Numbers; -1 and -2, which stand for nothing, are null."""
_BOOLS: Final = (b"false", b"true")


def observe_json(state: Position, seat: Seat | None) -> bytes:
    """Byte for byte what `compact_json(observe(state, seat))` gives."""
    viewer = -1 if seat is None else seat
    return _TOP % (
        _NUMBERS[viewer],
        _PHASES[state.phase],
        _NUMBERS[state.acting],
        _NUMBERS[state.turn],
        _NUMBERS[state.turns + 1],
        _NUMBERS[state.starter],
        _NUMBERS[state.trigger],
        _NUMBERS[state.actions],
        _BOOLS[state.fresh],
        _BOOLS[state.phantom_free],
        _room_or_null(state.echo),
        b"null" if state.boo == NO_BOO else _boo(state.boo, state.place, state.due),
        b"null" if state.effect < 0 else _effect_of(state),
        compact_json(view.drawing(state)) if state.phase in view.DRAWING else b"null",
        compact_json(view.offered(state, seat)) if state.drawn else b"[]",
        _rooms(state, viewer),
        _NUMBERS[len(state.rooms_left)],
        _discarded_rooms(state.rooms_out),
        _NUMBERS[len(state.hunters_left)],
        _NUMBERS[len(state.top)],
        b",".join([_under(code, viewer) for code in state.bottom]),
        _players(state, viewer),
        b"null" if seat is None else _own(state, seat),
    )


def _effect_of(state: Position) -> bytes:
    return _effect(state.phase, state.effect, state.picks, state.target, state.place, state.card)


def _rooms(state: Position, viewer: int) -> bytes:
    seats = state.game.seats
    heaps = [_HEAPS[heap] for heap in state.visible]
    return b",".join(
        [
            _ROOM % (_doorway(room, hunter), b",".join(heaps[first : first + seats]), _hidden(cards, viewer))
            for room, hunter, cards, first in zip(
                state.rooms, state.hunters, state.hidden, state.game.firsts, strict=True
            )
        ]
    )


def _players(state: Position, viewer: int) -> bytes:
    seats = state.game.seats
    rows = zip(
        state.hand,
        [0] * seats if viewer < 0 else state.known[viewer::seats],
        state.deck,
        state.made,
        state.discard,
        state.tokens,
        state.claimed,
        state.held,
        state.played,
        state.trophies if state.phase == ENDED else [None] * seats,
        strict=True,
    )
    return b",".join(
        [
            _player(SIZE[hand], known, SIZE[deck], made, out, tokens, claimed, len(held), played, trophies)
            for hand, known, deck, made, out, tokens, claimed, held, played, trophies in rows
        ]
    )


def _own(state: Position, seat: Seat) -> bytes:
    base, seats = state.game.seats * seat, state.game.seats
    return _OWN % (
        _HEAPS[state.hand[seat]],
        b",".join([_HEAPS[heap] for heap in state.known[base : base + seats]]),
        _HEAPS[state.deck[seat]],
        _trophies(state.trophies[seat]),
        _phantoms(state.held[seat]),
    )


# --- remembered ---


@lru_cache(maxsize=len(ROOMS) + 1)
def _room_or_null(room: int) -> bytes:
    return compact_json(None if room < 0 else ROOMS[room])


@lru_cache(maxsize=_REMEMBERED)
def _discarded_rooms(rooms: tuple[int, ...]) -> bytes:
    return compact_json([ROOMS[room] for room in rooms])


@lru_cache(maxsize=_REMEMBERED)
def _doorway(room: int, hunter: int) -> bytes:
    """A room up to the list of visible Scares."""
    return compact_json(view.room(room, hunter, (), (), -1)).removesuffix(b'],"invisible":[]}')


@lru_cache(maxsize=_REMEMBERED)
def _hidden(cards: tuple[int, ...], viewer: int) -> bytes:
    return b",".join([_card(card, viewer) for card in cards])


@lru_cache(maxsize=2048)
def _card(card: int, viewer: int) -> bytes:
    return compact_json(view.invisible(card, viewer))


@lru_cache(maxsize=_REMEMBERED)
def _player(
    hand: int,
    known: int,
    deck: int,
    made: int,
    discard: int,
    tokens: int,
    claimed: int,
    held: int,
    played: tuple[int, ...],
    trophies: tuple[int, ...] | None,
) -> bytes:
    return _PLAYER % (
        hand,
        _HEAPS[known],
        deck,
        _HEAPS[made],
        _HEAPS[discard],
        tokens,
        _hunters(claimed),
        held,
        _phantoms(played),
        b"null" if trophies is None else _trophies(trophies),
    )


@lru_cache(maxsize=_REMEMBERED)
def _hunters(claimed: int) -> bytes:
    return compact_json([HUNTERS[hunter] for hunter in hunters_of(claimed)])


@lru_cache(maxsize=_REMEMBERED)
def _phantoms(kinds: tuple[int, ...]) -> bytes:
    return compact_json([PHANTOMS[kind] for kind in kinds])


@lru_cache(maxsize=_REMEMBERED)
def _trophies(gear: tuple[int, ...]) -> bytes:
    return compact_json([GEAR[each] for each in gear])


@lru_cache(maxsize=_REMEMBERED)
def _effect(phase: int, effect: int, picks: int, target: int, place: int, card: int) -> bytes:
    return compact_json(view.effect(phase, effect, picks, target, place, card))


@lru_cache(maxsize=_REMEMBERED)
def _boo(boo: int, place: int, due: int) -> bytes:
    return compact_json(view.boo(boo, place, due))


@lru_cache(maxsize=_REMEMBERED)
def _under(code: int, viewer: int) -> bytes:
    return compact_json(view.under(code, viewer))
