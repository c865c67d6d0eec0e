"""What a card does when it is taken (DG 5). Game-end types do nothing then; see ending.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.core import Event, EventSink, Seat
from engine.games.dont_go_in_there.tables import (
    COPIES,
    CURSE,
    CURSES,
    FACES,
    LOWEST,
    NAME,
    TYPE_ROWS,
    TYPES,
    card_json,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there.position import Position
    from engine.games.dont_go_in_there.state import HauntState

Effect: TypeAlias = "Callable[[HauntState, Seat, int, EventSink | None], int]"
"""Takes state, seat, the face just taken and the listener; gives the phase in which the seat must now
choose, or GOES_ON."""
GOES_ON: Final = 0

CLOCK_SUM: Final[int] = TYPE_ROWS["clock"]["sum"]
HOLY_WATER_SET: Final[int] = TYPE_ROWS["holy_water"]["set"]
MIRROR_SET: Final[int] = TYPE_ROWS["mirror"]["set"]
RING_SET: Final[int] = TYPE_ROWS["ring"]["set"]
TOME_SET: Final[int] = TYPE_ROWS["tome"]["set"]
TWIN_SET: Final[int] = TYPE_ROWS["twin"]["set"]
SKULL_SUM: Final[int] = TYPE_ROWS["skull"]["sum"]

DOLL_SETS: Final = {
    1: ((2, 3), (1, 4), (1, 2, 2)),
    2: ((4,), (1, 3), (2, 1, 1)),
    3: ((1, 2), (3,)),
    4: ((2,), (1, 1)),
}
"""DG 5.4: by the curse of the new doll, which others it leaves with, in the order tried."""
_DOLLS: Final = {
    (new, bytes(held)): [
        others
        for others in DOLL_SETS[new]
        if all(held[curse - 1] - (curse == new) >= others.count(curse) for curse in others)
    ]
    for new in DOLL_SETS
    for held in product(range(COPIES + 1), repeat=CURSES)
}
"""The sets that a new doll makes, by its curse and how many of each curse are face-up with it."""


def gain(state: Position, seat: Seat, change: int, cause: str, emit: EventSink | None) -> None:
    """Ghosts come (change > 0) or go; a seat without ghosts loses none (DG 1.5)."""
    had = state.ghosts[seat]
    total = max(0, had + change)
    if total == had:
        return
    state.ghosts[seat] = total
    if emit is not None:
        emit(Event("ghosts", {"seat": seat, "change": total - had, "total": total, "cause": cause}))


def dispel(state: Position, seat: Seat, faces: Sequence[int], cause: str, emit: EventSink | None) -> None:
    """Turn face-up cards face-down (DG 1.6)."""
    base = FACES * seat
    up, down = state.up, state.down
    for face in faces:
        up[base + face] -= 1
        down[base + face] += 1
    if emit is not None and faces:
        emit(Event("dispel", {"seat": seat, "cause": cause, "cards": [card_json(face) for face in faces]}))


_HELD: Final = [
    {
        bytes(held): tuple(CURSES * kind + step for step, count in enumerate(held) for _ in range(count))
        for held in product(range(COPIES + 1), repeat=CURSES)
    }
    for kind in range(len(TYPES))
]
"""By type, the cards that counts of its faces stand for."""


def face_up(state: Position, seat: Seat, kind: int) -> tuple[int, ...]:
    """A seat's face-up cards of a type, lowest curse first."""
    first = FACES * seat + CURSES * kind
    return _HELD[kind][bytes(state.up[first : first + CURSES])]


def highest(state: Position, seat: Seat, kind: int, number: int) -> tuple[int, ...]:
    """So many of a seat's face-up cards of a type, those of the highest curses (DG 5.13)."""
    return face_up(state, seat, kind)[-number:]


def count_of(state: Position, seat: Seat, kind: int) -> int:
    """How many face-up cards of a type a seat has."""
    first = FACES * seat + CURSES * kind
    return sum(state.up[first : first + CURSES])


def curses_of(state: Position, seat: Seat, kind: int) -> int:
    """Sum of a seat's face-up curses of one type."""
    first = FACES * seat + CURSES * kind
    one, two, three, four = state.up[first : first + CURSES]
    return LOWEST[kind] * (one + two + three + four) + two + 2 * three + 3 * four


def _clock(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    kind = face // CURSES
    if state.clock_used or curses_of(state, seat, kind) < CLOCK_SUM:
        return GOES_ON
    state.clock_used = True
    return state.dispel_some(seat, kind, 2, emit)


def _doll(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    first = FACES * seat + (face & -CURSES)
    sets = _DOLLS[CURSE[face], bytes(state.up[first : first + CURSES])]
    return state.dispel_dolls(seat, face, sets, emit) if sets else GOES_ON


def _holy_water(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    if count_of(state, seat, face // CURSES) % HOLY_WATER_SET == 0:
        gain(state, seat, -(state.ghosts[seat] // 2), "holy_water", emit)
    return GOES_ON


def _mask(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    """The rival on the right is the one who plays before this seat."""
    ghosts = state.ghosts
    passed = min(count_of(state, seat, face // CURSES), ghosts[seat])
    if passed:
        rival = (seat - 1) % len(ghosts)
        ghosts[seat] -= passed
        ghosts[rival] += passed
        if emit is not None:
            totals = {"total": ghosts[seat], "to_total": ghosts[rival]}
            emit(Event("pass", {"seat": seat, "to": rival, "ghosts": passed, **totals, "cause": "mask"}))
    return GOES_ON


def _mirror(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    gain(state, seat, 1, "mirror", emit)
    kind = face // CURSES
    if count_of(state, seat, kind) == MIRROR_SET:
        dispel(state, seat, face_up(state, seat, kind), "mirror", emit)
    return GOES_ON


def _ring(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    if count_of(state, seat, face // CURSES) == RING_SET:
        dispel(state, seat, face_up(state, seat, face // CURSES), "ring", emit)
    return GOES_ON


def _tome(state: HauntState, seat: Seat, face: int, _emit: EventSink | None) -> int:
    tomes = count_of(state, seat, face // CURSES)
    if tomes % TOME_SET == 0 and sum(state.up[FACES * seat : FACES * (seat + 1)]) > tomes:
        return NAME
    return GOES_ON


def _twin(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    if state.up[FACES * seat + face] == TWIN_SET:
        dispel(state, seat, [face] * TWIN_SET, "twin", emit)
    return GOES_ON


def _skull(state: HauntState, seat: Seat, face: int, emit: EventSink | None) -> int:
    kind = face // CURSES
    if curses_of(state, seat, kind) >= SKULL_SUM:
        dispel(state, seat, face_up(state, seat, kind), "skull", emit)
    return GOES_ON


_BY_KEY: Final[dict[str, Effect]] = {
    "clock": _clock,
    "doll": _doll,
    "holy_water": _holy_water,
    "mask": _mask,
    "mirror": _mirror,
    "ring": _ring,
    "skull": _skull,
    "tome": _tome,
    "twin": _twin,
}
ON_TAKE: Final = tuple(_BY_KEY.get(key) for key in TYPES)
"""By type; of the expansion's, what a table needs that is no more than the base game's."""
