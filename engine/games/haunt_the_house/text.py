"""A position as one line: numbers with commas, then lists; read back only if all of it fits together.

The phase, then NUMBERS, then LISTS, `;` between them; position.py says what they hold. Lists of lists have
`.` inside. What follows from the rest is not written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.haunt_the_house.check import check
from engine.games.haunt_the_house.tables import ENDED, PHASES

if TYPE_CHECKING:
    from engine.games.haunt_the_house import HauntTheHouse
    from engine.games.haunt_the_house.position import Position
    from engine.games.haunt_the_house.state import HouseState

NUMBERS: Final = (
    *("acting", "turn", "turns", "starter", "trigger", "actions", "fresh", "phantom_free", "echo", "boo"),
    *("due", "effect", "picks", "place", "card", "target", "drawer", "owed", "after"),
)
LISTS: Final = (
    *("rooms", "hunters", "rooms_left", "rooms_out", "hunters_left", "visible", "hidden", "hand", "deck"),
    *(
        "discard",
        "made",
        "known",
        "tokens",
        "claimed",
        "trophies",
        "held",
        "played",
        "drawn",
        "top",
        "bottom",
    ),
)
_TUPLES: Final = frozenset({"rooms_left", "rooms_out", "hunters_left", "drawn", "top", "bottom"})
_NESTED: Final = frozenset({"hidden", "trophies", "held", "played"})
_FLAGS: Final = frozenset({"fresh", "phantom_free"})


def write(state: Position) -> str:
    """Inverse of `read`."""
    numbers = [str(int(getattr(state, name))) for name in NUMBERS]
    return ";".join([PHASES[state.phase], ",".join(numbers), *(_written(state, name) for name in LISTS)])


def _written(state: Position, name: str) -> str:
    values = getattr(state, name)
    if name in _NESTED:
        return ",".join(".".join(map(str, inner)) for inner in values)
    return ",".join(map(str, values))


def read(game: HauntTheHouse, line: str) -> HouseState:
    """The position that `write` wrote. Raises ValueError for anything else."""
    fields = line.split(";")
    if len(fields) != 2 + len(LISTS) or fields[0] not in PHASES:
        raise ValueError(f"not a position of {game.name}: {line!r:.80}")
    state = game.initial_state()
    state.phase = PHASES.index(fields[0])
    numbers = _numbers(fields[1], ",")
    if len(numbers) != len(NUMBERS):
        raise ValueError(f"a position has {len(NUMBERS)} numbers, not {len(numbers)}")
    for name, number in zip(NUMBERS, numbers, strict=True):
        setattr(state, name, number == 1 if name in _FLAGS else number)
    for name, field in zip(LISTS, fields[2:], strict=True):
        setattr(state, name, _read(name, field))
    check(state)
    state.derive()
    if state.phase != ENDED and not state.legal_actions():
        raise ValueError("nothing can be done in this position")
    if write(state) != line:
        raise ValueError(f"not a position of {game.name} as it is written: {line!r:.80}")
    return state


def _read(name: str, field: str) -> list[int] | tuple[int, ...] | list[tuple[int, ...]]:
    if name in _NESTED:
        return [tuple(_numbers(inner, ".")) for inner in field.split(",")]
    values = _numbers(field, ",")
    return tuple(values) if name in _TUPLES else values


def _numbers(field: str, separator: str) -> list[int]:
    return [int(number) for number in field.split(separator)] if field else []
