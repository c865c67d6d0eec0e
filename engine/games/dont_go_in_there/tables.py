"""The box as numbers: component tables read from `components.toml`, and what follows from them.

A card is a *face*, `4 * type + curse - 1`: the two copies of a face are never told apart. A room is its
position in the table, and `room // 2` is its board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, Final

from engine.actions import ActionSpace
from engine.core import Json

_BOX: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("components.toml").read_text(encoding="utf-8")
)

CURSES: Final = 4
SLOTS: Final = 3
SPACES: Final = 4
BOARDS: Final = 3
TURNS: Final = 12
"""Placements of each seat in a match (DG 3.1), which is also how many cards it takes."""


@dataclass(frozen=True, slots=True)
class Setup:
    """DG 2.2: what a number of seats asks for."""

    types: int
    deck: int


SETUP: Final = {row["seats"]: Setup(row["types"], row["deck"]) for row in _BOX["setup"]}

TYPES: Final[tuple[str, ...]] = tuple(row["key"] for row in _BOX["types"])
TYPE_ROWS: Final[dict[str, dict[str, Any]]] = {row["key"]: row for row in _BOX["types"]}
FACES: Final = CURSES * len(TYPES)
COPIES: Final[int] = _BOX["cards"]["copies"]
CURSE: Final = tuple(face % CURSES + 1 for face in range(FACES))
ICONS: Final[tuple[int, ...]] = tuple(_BOX["cards"]["icons"][face % CURSES] for face in range(FACES))

_ROOM_ROWS: Final[list[dict[str, Any]]] = _BOX["rooms"]
ROOMS: Final[tuple[str, ...]] = tuple(row["key"] for row in _ROOM_ROWS)
BOARD_NAMES: Final[tuple[str, ...]] = tuple(row["board"] for row in _ROOM_ROWS[::2])
FLASHLIGHTS: Final = tuple(tuple(row["flashlights"]) for row in _ROOM_ROWS)
SPACE_GHOSTS: Final = tuple(change for row in _ROOM_ROWS for change in row.get("space_ghosts", (0,) * SPACES))
"""By `4 * room + space`, which is also the id of the move that places there."""
SLOT_GHOSTS: Final = tuple(tuple(row.get("slot_ghosts", ())) for row in _ROOM_ROWS)
ASCENDING: Final = tuple(bool(row.get("ascending")) for row in _ROOM_ROWS)
FACE_DOWN: Final = tuple(row.get("face_down", 0) - 1 for row in _ROOM_ROWS)
"""Slot (from 0) whose card lies face-down, or -1."""
AFTER_ROLL: Final = tuple(row.get("after_roll") for row in _ROOM_ROWS)

NAMES: Final = {row["key"]: {"en": row["en"], "ja": row["ja"]} for row in (*_BOX["types"], *_ROOM_ROWS)}
"""Display names of types and rooms by key and language."""

TOME: Final = TYPES.index("tome")
TOME_CHOICES: Final = tuple(kind for kind in range(len(TYPES)) if kind != TOME)

ACTIONS: Final = ActionSpace(
    {
        "place": {"room": ROOMS, "space": range(1, SPACES + 1)},
        "pick": {"slot": range(1, SLOTS + 1)},
        "keep": {},
        "reroll": {},
        "flip": {"to": ("ghost", "blank")},
        "tome": {"curse_type": [TYPES[kind] for kind in TOME_CHOICES]},
    }
)
PICK: Final = ACTIONS.starts["pick"]
KEEP: Final = ACTIONS.starts["keep"]
REROLL: Final = ACTIONS.starts["reroll"]
FLIP_TO_GHOST: Final = ACTIONS.starts["flip"]
FLIP_TO_BLANK: Final = FLIP_TO_GHOST + 1
NAME_TYPE: Final = ACTIONS.starts["tome"]

CLOSED: Final = -1
"""In place of a room: the board is not laid out yet, or is gone for good."""
PLACES: Final = (
    *(
        tuple(
            [SPACES * room + space for space in range(SPACES) if not taken >> space & 1]
            for taken in range(16)
        )
        for room in range(len(ROOMS))
    ),
    ((),) * 16,
)
"""Moves into a room by the bit mask of its taken spaces; PLACES[CLOSED] has none."""
FULL: Final = tuple(taken.bit_count() >= SLOTS for taken in range(16))
TOP: Final = (-1, *((taken & -taken).bit_length() - 1 for taken in range(1, 16)))
"""The topmost taken space of a mask."""
PICKS: Final = tuple([PICK + slot for slot in range(SLOTS) if left >> slot & 1] for left in range(8))
BINOMIAL: Final = tuple([comb(dice, ghosts) for ghosts in range(dice + 1)] for dice in range(7))
"""DG 4.3: each die shows a ghost or a blank alike, so `dice` show `ghosts` in so many ways."""

PHASES: Final = ("types", "sides", "deal", "place", "roll", "reroll", "flip", "pick", "tome", "over")
"""What is being decided, by the names that observations use."""
DRAW_TYPES, DRAW_SIDES, DEAL, PLACE, ROLL, REROLL_OR_KEEP, FLIP_OR_KEEP, TAKE, NAME, ENDED = range(
    len(PHASES)
)
STREAMS: Final = {DRAW_TYPES: "types", DRAW_SIDES: "rooms", DEAL: "deck", ROLL: "dice"}

CARDS: Final[list[dict[str, Json]]] = [
    {"type": TYPES[face // CURSES], "curse": CURSE[face], "dice": ICONS[face]} for face in range(FACES)
]


def cards_of(types: Iterable[int]) -> list[int]:
    """Every card of some types, one entry a card (DG 1.1); ascending if they are."""
    return [
        face for kind in types for face in range(CURSES * kind, CURSES * (kind + 1)) for _ in range(COPIES)
    ]


def card_json(face: int) -> dict[str, Json]:
    """A card as observations and events show it."""
    return CARDS[face].copy()


def face_of(card: dict[str, Json]) -> int:
    """The face of a card as `card_json` wrote it."""
    return TYPES.index(card["type"]) * CURSES + int(card["curse"]) - 1
