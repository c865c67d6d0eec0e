"""The box as numbers: component tables read from `components.toml`, and what follows from them.

Scares, gear, hunters, rooms and Phantoms are positions in their tables. A heap of Scares (a hand, a deck, a
discard pile, what lies visibly in a room) is one number of four octal digits, how many there are of each:
`UNIT[scare]` is one more of a Scare. An invisible Scare is one number too, see `OWNER`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from engine.actions import ActionSpace

_BOX: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("components.toml").read_text(encoding="utf-8")
)


def _keys(rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(row["key"] for row in rows)


@dataclass(frozen=True, slots=True)
class Setup:
    """HH 1.8: what a number of seats asks for."""

    rooms: int
    trophies: int
    hunters: int


SETUP: Final = {row["seats"]: Setup(row["rooms"], row["trophies"], row["hunters"]) for row in _BOX["setup"]}
MOST_SEATS: Final = max(SETUP)
MOST_ROOMS: Final = max(setup.rooms for setup in SETUP.values())

_LIMITS: Final[dict[str, int]] = _BOX["limits"]
HAND: Final = _LIMITS["hand"]
DRAW_AT_MOST: Final = _LIMITS["draw_at_most"]
ACTIONS_A_TURN: Final = _LIMITS["actions"]
OFFERED: Final = _LIMITS["offered"]
MOST_TURNS: Final = _LIMITS["turns"]

SCARES: Final = _keys(_BOX["scares"])
LETTERS: Final[str] = "".join(row["letter"] for row in _BOX["scares"])
KINDS: Final = len(SCARES)
COPIES: Final[int] = _BOX["cards"]["copies"]
DECK: Final = KINDS * COPIES

GEAR: Final = _keys(_BOX["gear"])
REDS: Final = tuple(gear for gear, row in enumerate(_BOX["gear"]) if row["set"] == "red")
BLUES: Final = tuple(gear for gear, row in enumerate(_BOX["gear"]) if row["set"] == "blue")

# --- heaps of Scares ---

UNIT: Final = tuple(1 << 3 * kind for kind in range(KINDS))
WHOLE: Final = COPIES * sum(UNIT)
"""A full deck; no heap of one owner's Scares is larger."""
_HEAPS: Final = {
    sum(map(int.__mul__, counts, UNIT)): counts for counts in product(range(COPIES + 1), repeat=KINDS)
}
COUNTS: Final = tuple(_HEAPS.get(heap, ()) for heap in range(WHOLE + 1))
"""Of a heap, how many there are of each Scare."""
SIZE: Final = tuple(map(sum, COUNTS))
CARDS: Final = tuple(
    tuple(kind for kind, count in enumerate(counts) for _ in range(count)) for counts in COUNTS
)
"""Of a heap, its Scares, ascending, one entry a card."""
HELD: Final = tuple(tuple(kind for kind, count in enumerate(counts) if count) for counts in COUNTS)
"""Of a heap, which Scares are in it."""
MASK: Final = tuple(sum(1 << kind for kind in held) for held in HELD)


def heap(counts: Sequence[int]) -> int:
    """The heap with so many of each Scare."""
    bumps, chills, creaks, moans = counts
    return bumps | chills << 3 | creaks << 6 | moans << 9


# --- invisible Scares: kind | owner | who knows it, a bit a seat | whether the owner has shuffled since ---

OWNER: Final = 2
OWNER_MASK: Final = 7
KNOWERS: Final = 5
KNOWERS_MASK: Final = 31
SHUFFLED: Final = 1 << 10
"""Its owner's deck was shuffled after it was laid: so it was not in the discard pile that became the deck."""
KNOWN_TO: Final = tuple(1 << KNOWERS + seat for seat in range(MOST_SEATS))

# --- hunters, rooms, Phantoms ---

_HUNTER_ROWS: Final[list[dict[str, Any]]] = _BOX["hunters"]
HUNTERS: Final = _keys(_HUNTER_ROWS)
NEED: Final = tuple(sum(UNIT[LETTERS.index(letter)] for letter in row["scares"]) for row in _HUNTER_ROWS)
"""Of a hunter, the heap that frightens it out."""
HUNTER_GEAR: Final = tuple(tuple(GEAR.index(key) for key in row["gear"]) for row in _HUNTER_ROWS)
HUNTER_SKULLS: Final[tuple[int, ...]] = tuple(row["skulls"] for row in _HUNTER_ROWS)

_ROOM_ROWS: Final[list[dict[str, Any]]] = _BOX["rooms"]
ROOMS: Final = _keys(_ROOM_ROWS)
CRYPT, LABORATORY, KITCHEN, LIBRARY, ATTIC, BALLROOM, CELLAR, DUNGEON, GALLERY = map(
    ROOMS.index,
    ("crypt", "laboratory", "kitchen", "library", "attic", "ballroom", "cellar", "dungeon", "gallery"),
)
ROOM_ATTACKS: Final[tuple[bool, ...]] = tuple(row["attack"] for row in _ROOM_ROWS)

_PHANTOM_ROWS: Final[list[dict[str, Any]]] = _BOX["phantoms"]
PHANTOMS: Final = _keys(_PHANTOM_ROWS)
VANISHING, HASTY, SLUMBERING, GATHERING, PEERING, RETURNING, DRIFTING = map(
    PHANTOMS.index,
    ("vanishing", "hasty", "slumbering", "gathering", "peering", "returning", "drifting"),
)
ECHOING, RALLYING, HAGGLING, THIEVING, STARTLING, MEDDLING, TRADING = map(
    PHANTOMS.index,
    ("echoing", "rallying", "haggling", "thieving", "startling", "meddling", "trading"),
)
PHANTOM_COPIES: Final[tuple[int, ...]] = tuple(row["copies"] for row in _PHANTOM_ROWS)
PHANTOM_SKULLS: Final[tuple[int, ...]] = tuple(row["skulls"] for row in _PHANTOM_ROWS)
PHANTOM_ATTACKS: Final[tuple[bool, ...]] = tuple(row["attack"] for row in _PHANTOM_ROWS)
TIMES: Final[tuple[str, ...]] = tuple(row["time"] for row in _PHANTOM_ROWS)

EFFECTS: Final = (*ROOMS, *PHANTOMS)
"""What is being carried out: the power of a room, or a Phantom, `PHANTOM + kind`."""
PHANTOM: Final = len(ROOMS)

NAMES: Final = {
    row["key"]: {"en": row["en"], "ja": row["ja"]}
    for part in ("scares", "gear", "hunters", "rooms", "phantoms")
    for row in _BOX[part]
} | _BOX["words"]
"""Display names by key and language."""

# --- moves ---

_PLACES: Final = range(1, MOST_ROOMS + 1)
ACTIONS: Final = ActionSpace(
    {
        "invisible": {"room": _PLACES, "scare": SCARES},
        "visible": {"room": _PLACES, "scare": SCARES},
        "draw": {},
        "boo": {"room": _PLACES},
        "play": {"phantom": PHANTOMS},
        "use_power": {},
        "discard": {"scare": SCARES},
        "retrieve": {"scare": SCARES},
        "choose_invisible": {"room": _PLACES, "card": range(1, MOST_SEATS * DECK + 1)},
        "choose_visible": {"room": _PLACES, "seat": range(MOST_SEATS), "scare": SCARES},
        "choose_room": {"room": _PLACES},
        "choose_seat": {"seat": range(MOST_SEATS)},
        "choose_hunter": {"hunter": HUNTERS},
        "take_skull": {},
        "draw_phantoms": {},
        "keep": {"phantom": PHANTOMS},
        "pass": {},
    }
)
_STARTS: Final = ACTIONS.starts
VISIBLE: Final = _STARTS["visible"]
DRAW: Final = _STARTS["draw"]
BOO: Final = _STARTS["boo"]
PLAY: Final = _STARTS["play"]
USE: Final = _STARTS["use_power"]
DISCARD: Final = _STARTS["discard"]
RETRIEVE: Final = _STARTS["retrieve"]
CARD: Final = _STARTS["choose_invisible"]
SHOWN: Final = _STARTS["choose_visible"]
TO: Final = _STARTS["choose_room"]
SEAT: Final = _STARTS["choose_seat"]
HUNTER: Final = _STARTS["choose_hunter"]
SKULL: Final = _STARTS["take_skull"]
DRAW_PHANTOMS: Final = _STARTS["draw_phantoms"]
KEEP: Final = _STARTS["keep"]
PASS: Final = _STARTS["pass"]
CARDS_A_ROOM: Final = MOST_SEATS * DECK
"""Moves that choose an invisible Scare are numbered `CARD + CARDS_A_ROOM * room + card`."""

_MASKS: Final = range(1 << KINDS)


def _of(first: int, place: int, mask: int) -> list[int]:
    return [first + KINDS * place + kind for kind in range(KINDS) if mask >> kind & 1]


INVISIBLES: Final = {
    rooms: tuple([move for place in range(rooms) for move in _of(0, place, mask)] for mask in _MASKS)
    for rooms in {setup.rooms for setup in SETUP.values()}
}
"""By rooms in play and mask of the hand: moves that lay a Scare invisibly."""
BOOS: Final = {rooms: [BOO + place for place in range(rooms)] for rooms in INVISIBLES}
SPREAD: Final = tuple(sum(mask << KINDS * place for place in range(MOST_ROOMS)) for mask in MASK)
"""The mask of a hand once for each room."""
NEAR_ROOMS: Final = 3
NEAR_BITS: Final = KINDS * NEAR_ROOMS
NEAR_MASK: Final = (1 << NEAR_BITS) - 1


def _visibles(first: int, rooms: int) -> tuple[list[int], ...]:
    return tuple(
        [VISIBLE + KINDS * first + bit for bit in range(KINDS * rooms) if gaps >> bit & 1]
        for gaps in range(1 << KINDS * rooms)
    )


NEAR: Final = _visibles(0, NEAR_ROOMS)
"""By gaps that the hand can fill in the first three rooms, four bits a room: what may be laid visibly."""
FAR: Final = _visibles(NEAR_ROOMS, MOST_ROOMS - NEAR_ROOMS)
"""The same for the other rooms."""
DISCARDS: Final = tuple(_of(DISCARD, 0, mask) for mask in _MASKS)
DISCARDS_OR_PASS: Final = tuple([*moves, PASS] for moves in DISCARDS)
RETRIEVES: Final = tuple(_of(RETRIEVE, 0, mask) for mask in _MASKS)

# --- phases: what is being decided, by the names that observations use ---

PHASES: Final = (
    *("rooms", "hunters", "trophies", "start", "scares", "phantoms", "dungeon"),
    *("act", "use", "retrieve", "look", "lay", "move", "move_to", "fetch", "name", "answer", "banish"),
    *("peer", "drift", "drift_to", "haggle", "startled", "give", "get"),
    *("rally", "reward", "keep", "discard", "last_chance", "over"),
)
ROOM_DRAW, HUNTER_DRAW, TROPHY_DRAW, START_DRAW, SCARE_DRAW, PHANTOM_DRAW, RANDOM_DISCARD = range(7)
ACT, USE_OR_NOT, RETRIEVING, LOOK, LAY, MOVE, MOVE_TO, FETCH, NAME, ANSWER, BANISH = range(7, 18)
PEER, DRIFT, DRIFT_TO, HAGGLE, STARTLED, GIVE, GET = range(18, 25)
RALLY, REWARD, KEEPING, DISCARDING, LAST_CHANCE, ENDED = range(25, 31)

AFTERS: Final = ("deal", "action", "turn", "boo")
"""What comes after Scares are drawn: the next hand, more of the turn, the next turn, more of the BOO."""
DEAL_ON, GO_ON, NEXT_TURN, CLOSE_BOO = range(len(AFTERS))

BOO_WORDS: Final = (None, "open", "bad", "good")
"""How the BOO of this turn stands."""
NO_BOO, OPEN_BOO, BAD_BOO, GOOD_BOO = range(len(BOO_WORDS))
