"""The boxes as numbers: component tables read from `components.toml`, and what follows from them.

A card is a *face*, four to a type by rising curse: `4 * type + curse - lowest curse of the type`. The two
copies of a face are never told apart. A room is its position in the table, and `room // 2` is its board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, Final

from engine.core import Json

_BOX: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("components.toml").read_text(encoding="utf-8")
)

CURSES: Final = 4
"""Different curses of each type."""
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
"""Those of the base game, then those of the expansion."""
TYPE_ROWS: Final[dict[str, dict[str, Any]]] = {row["key"]: row for row in _BOX["types"]}
BASE_TYPES: Final = sum("expansion" not in row for row in _BOX["types"])
"""How many types the base game has."""
LOWEST: Final[tuple[int, ...]] = tuple(row.get("lowest", 1) for row in _BOX["types"])
"""The lowest curse of each type; the other three follow it."""
FACES: Final = CURSES * len(TYPES)
COPIES: Final[int] = _BOX["cards"]["copies"]
CURSE: Final = tuple(LOWEST[face // CURSES] + face % CURSES for face in range(FACES))
MOST_CURSES: Final = max(CURSE)


def _icons(face: int) -> int:
    table = "cards" if face // CURSES < BASE_TYPES else "expansion_cards"
    icons: int = _BOX[table]["icons"][CURSE[face] - 1]
    return icons


ICONS: Final = tuple(_icons(face) for face in range(FACES))

_ROOM_ROWS: Final[list[dict[str, Any]]] = _BOX["rooms"]
ROOMS: Final[tuple[str, ...]] = tuple(row["key"] for row in _ROOM_ROWS)
BOARD_NAMES: Final[tuple[str, ...]] = tuple(row["board"] for row in _ROOM_ROWS[::2])
FLASHLIGHTS: Final = tuple(tuple(row["flashlights"]) for row in _ROOM_ROWS)
SPACE_GHOSTS: Final = tuple(change for row in _ROOM_ROWS for change in row.get("space_ghosts", (0,) * SPACES))
"""By `4 * room + space`, which is also the id of the move that places there."""
SLOT_GHOSTS: Final = tuple(change for row in _ROOM_ROWS for change in row.get("slot_ghosts", (0,) * SLOTS))
"""By `3 * room + slot`."""
ASCENDING: Final = tuple(bool(row.get("ascending")) for row in _ROOM_ROWS)
FACE_DOWN: Final = tuple(row.get("face_down", 0) - 1 for row in _ROOM_ROWS)
"""Slot (from 0) whose card lies face-down, or -1."""
AFTER_ROLL: Final = tuple(row.get("after_roll") for row in _ROOM_ROWS)

NAMES: Final = {
    row["key"]: {"en": row["en"], "ja": row["ja"]} for row in (*_BOX["words"], *_BOX["types"], *_ROOM_ROWS)
}
"""Display names of types, rooms and words by key and language."""

AMULET: Final = TYPES.index("amulet")
CANDLE: Final = TYPES.index("candle")
CAT: Final = TYPES.index("cat")
CLOCK: Final = TYPES.index("clock")
DOLL: Final = TYPES.index("doll")
JACK_O_LANTERN: Final = TYPES.index("jack_o_lantern")
MUSIC_BOX: Final = TYPES.index("music_box")
PORTRAIT: Final = TYPES.index("portrait")
RAVEN: Final = TYPES.index("raven")
TOME: Final = TYPES.index("tome")
WITCHS_BREWS: Final = TYPES.index("witchs_brews")

NO_CARDS: Final = bytes(CURSES)
"""Counts of a type of which there are none."""
CLOSED: Final = -1
"""In place of a room: the board is not laid out yet, or is gone for good."""
FULL: Final = tuple(taken.bit_count() >= SLOTS for taken in range(16))
TOP: Final = (-1, *((taken & -taken).bit_length() - 1 for taken in range(1, 16)))
"""The topmost taken space of a mask."""
BINOMIAL: Final = tuple([comb(dice, ghosts) for ghosts in range(dice + 1)] for dice in range(7))
"""DG 4.3: each die shows a ghost or a blank alike, so `dice` show `ghosts` in so many ways."""

PHASES: Final = (
    *("types", "sides", "deal", "place", "roll", "reroll", "flip", "pick", "tome"),
    *("brew", "raven", "give", "dispel", "removed"),
    "over",
)
"""What is being decided, by the names that observations use; those of asking and expansion come second."""
DRAW_TYPES, DRAW_SIDES, DEAL, PLACE, ROLL, REROLL_OR_KEEP, FLIP_OR_KEEP, TAKE, NAME = range(9)
BREW, LOOK, GIVE, DISPEL, DRAW_REMOVED, ENDED = range(9, len(PHASES))
STREAMS: Final = {
    DRAW_TYPES: "types",
    DRAW_SIDES: "rooms",
    DRAW_REMOVED: "removed",
    DEAL: "deck",
    ROLL: "dice",
}

CARDS: Final[list[dict[str, Json]]] = [
    {"type": TYPES[face // CURSES], "curse": CURSE[face], "dice": ICONS[face]} for face in range(FACES)
]


_CARDS_OF: Final = [
    [face for face in range(CURSES * kind, CURSES * (kind + 1)) for _ in range(COPIES)]
    for kind in range(len(TYPES))
]


def cards_of(types: Iterable[int]) -> list[int]:
    """Every card of some types, one entry a card (DG 1.1); ascending if they are."""
    cards: list[int] = []
    for kind in types:
        cards += _CARDS_OF[kind]
    return cards


def card_json(face: int) -> dict[str, Json]:
    """A card as observations and events show it."""
    return CARDS[face].copy()


def face_of(card: dict[str, Json]) -> int:
    """The face of a card as `card_json` wrote it."""
    kind = TYPES.index(card["type"])
    return kind * CURSES + int(card["curse"]) - LOWEST[kind]
