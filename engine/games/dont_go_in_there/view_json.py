"""The observation of `view.py` written as JSON at once: most observations go to programs, and many of them.

What seldom changes is remembered, by all that it shows: no card hidden from a seat is in there.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final

from engine.core import Seat, compact_json
from engine.games.dont_go_in_there.tables import (
    BOARD_NAMES,
    BOARDS,
    CLOSED,
    CURSE,
    CURSES,
    DEAL,
    FACES,
    NO_CARDS,
    PHASES,
    ROOMS,
    TURNS,
    TYPES,
)
from engine.games.dont_go_in_there.view import card_seen, counts_of, on_turn, shown, unseen

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position


_TOP: Final = (
    b'{"seat":%b,"phase":"%b","actor":%b,"on_turn":%b,"placed":%d,"placements":%d,"types":%b,"deck":%d,'
    b'"unseen":%b,"rooms":[%b],"haunt":%b,"dealing":%b,"clock_used":%b,"players":[%b]}'
)
_PLAYER: Final = b'{"ghosts":%d,%b}'
_PHASES: Final = tuple(phase.encode("ascii") for phase in PHASES)
_OR_NULL: Final[dict[int | None, bytes]] = {None: b"null", **{number: b"%d" % number for number in range(16)}}
_SEATS: Final = (*(b"%d" % seat for seat in range(16)), b"null")
"""By seat; -1, the last, is none."""
_CARDS: Final = [compact_json(card_seen(card)) for card in (*range(2 * FACES + 1), -1)]
"""By what `shown` says of a card."""
_CONTENT: Final = b'"spaces":[%b,%b,%b,%b],"cards":[%b,%b,%b]}'
_ROOMS: Final = [
    b'{"board":"%b","room":"%b",' % (BOARD_NAMES[room // 2].encode("ascii"), key.encode("ascii")) + _CONTENT
    for room, key in enumerate(ROOMS)
]
_CLOSED: Final = [b'{"board":"%b","room":null,' % name.encode("ascii") + _CONTENT for name in BOARD_NAMES]


def observe_json(state: Position, seat: Seat | None) -> bytes:
    """Byte for byte the compact JSON of `view.observe`."""
    seats = state.game.seats
    types = state.types
    hands = _hands(types, bytes(state.up), bytes(state.down))
    return _TOP % (
        _OR_NULL[seat],
        _PHASES[state.phase],
        _OR_NULL[state.acting if state.acting >= 0 else None],
        _OR_NULL[on_turn(state)],
        state.placed,
        TURNS * seats,
        _types(types),
        state.deck,
        _unseen(types, unseen(state, seat)),
        b",".join([_room(state, board, seat) for board in range(BOARDS)]),
        _haunt(state),
        _OR_NULL[state.rooms[state.board] // 2 if state.phase == DEAL else None],
        b"true" if state.clock_used else b"false",
        b",".join([_PLAYER % player for player in zip(state.ghosts, hands, strict=True)]),
    )


@lru_cache(maxsize=256)
def _types(types: tuple[int, ...]) -> bytes:
    return compact_json([TYPES[kind] for kind in types])


@lru_cache(maxsize=4096)
def _counts(kind: int, counts: bytes) -> bytes:
    """One type and its counts, as they stand in an object."""
    return b'"%b":%b' % (TYPES[kind].encode("ascii"), compact_json([*counts]))


@lru_cache(maxsize=1024)
def _unseen(types: tuple[int, ...], cards: bytes) -> bytes:
    counts = counts_of(cards)
    rows = [_counts(kind, counts[CURSES * kind : CURSES * (kind + 1)]) for kind in types]
    return b"{%b}" % b",".join(rows)


def _room(state: Position, board: int, seat: Seat | None) -> bytes:
    room = state.rooms[board]
    (one, two, three, four), (left, middle, right) = shown(state, board, seat)
    return (_CLOSED[board] if room == CLOSED else _ROOMS[room]) % (
        _SEATS[one],
        _SEATS[two],
        _SEATS[three],
        _SEATS[four],
        _CARDS[left],
        _CARDS[middle],
        _CARDS[right],
    )


def _haunt(state: Position) -> bytes:
    if not state.dice:
        return b"null"
    return b'{"room":"%b","resolver":%d,"dice":%d,"ghosts":%b,"rerolled":%b}' % (
        ROOMS[state.rooms[state.board]].encode("ascii"),
        state.placed % state.game.seats,
        state.dice,
        _SEATS[state.rolled],
        b"true" if state.rerolled else b"false",
    )


@lru_cache(maxsize=1024)
def _hands(types: tuple[int, ...], up: bytes, down: bytes) -> list[bytes]:
    """By seat, what lies before it."""
    seats = range(0, len(up), FACES)
    return [
        b'%b,"dispelled":%b' % (_face_up(types, up[at : at + FACES]), _pile(types, down[at : at + FACES]))
        for at in seats
    ]


@lru_cache(maxsize=4096)
def _face_up(types: tuple[int, ...], held: bytes) -> bytes:
    return b'"curses":%d,"face_up":%b' % (sum(map(mul, held, CURSE)), _pile(types, held))


@lru_cache(maxsize=4096)
def _pile(types: tuple[int, ...], held: bytes) -> bytes:
    """Cards before a seat, by those types of which there are some."""
    rows = [
        _counts(kind, counts)
        for kind in types
        if (counts := held[CURSES * kind : CURSES * (kind + 1)]) != NO_CARDS
    ]
    return b"{%b}" % b",".join(rows)
