"""The box as numbers: component tables read from `components.toml`, and what follows from them.

A *place* is a number: the rooms A to L are 0 to 11, outside is 12, hallway squares H1 to H23 are 13 to 35. A
set of places is a bit mask. A move to a place has the place's number.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import product
from math import gcd
from pathlib import Path
from typing import Any, Final

from engine.actions import ActionSpace

_BOX: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("components.toml").read_text(encoding="utf-8")
)

TURN_CAP: Final[int] = _BOX["turn_cap"]["turns"]
TOO_HAUNTED: Final[int] = _BOX["hauntings"]["lost_at"]

# --- hunters: TH 1.2 ---

COLOURS: Final[tuple[str, ...]] = tuple(row["key"] for row in _BOX["hunters"]["rows"])
HUNTERS: Final = {2: 4, 3: 3, 4: 4}
"""Hunters by number of seats; hunter h is moved by seat h % seats, so that two seats alternate (TH 2.2)."""

# --- the board: TH 1.1, TH 1.3, TH 1.4 ---

ROOM_ROWS: Final[list[dict[str, Any]]] = _BOX["rooms"]["rows"]
SQUARE_ROWS: Final[list[dict[str, Any]]] = _BOX["squares"]["rows"]
PASSAGES: Final[list[dict[str, Any]]] = _BOX["passages"]["rows"]
ROOMS: Final = len(ROOM_ROWS)
PLACES: Final[tuple[str, ...]] = tuple(row["key"] for row in (*ROOM_ROWS, *SQUARE_ROWS))
OUT: Final = PLACES.index("out")
NUMBER_OF: Final = {key: place for place, key in enumerate(PLACES)}

HALLWAY: Final = tuple(int(place > OUT) << place for place in range(len(PLACES)))
"""The bit of a place where one hunter alone may stand (TH 4.3), else 0."""
JEWEL_ROOMS: Final = tuple(room for room, row in enumerate(ROOM_ROWS) if row["jewel"])
START_JEWELS: Final = sum(1 << room for room in JEWEL_ROOMS)
START_GHOSTS: Final = sum(1 << 2 * room for room, row in enumerate(ROOM_ROWS) if row["ghost"])
"""Two bits a room: how many ghosts are in it (0 to 2; the third makes a haunting)."""
JEWELS: Final = len(JEWEL_ROOMS)
AFTER: Final = (*range(1, ROOMS), 0)
"""The room whose letter comes next; A after L (TH 3.5)."""

LOCKS: Final = (None, "blue", "green")
"""Colour of the locked doors by the number of the lock."""
UNLOCKED, BLUE, GREEN = range(len(LOCKS))


def _neighbours(locked: str | None) -> tuple[int, ...]:
    """Mask of the places beside each place while doors of one colour are locked (TH 8.4)."""
    beside = [0] * len(PLACES)
    for row in PASSAGES:
        if row["door"] != locked:
            one, other = (NUMBER_OF[key] for key in row["between"])
            beside[one] |= 1 << other
            beside[other] |= 1 << one
    return tuple(beside)


NEIGHBOURS: Final = tuple(_neighbours(colour) for colour in LOCKS)

# --- the dice: TH 1.5, TH 1.6 ---

DIE_FACES: Final[int] = _BOX["movement_die"]["faces"]
WITH_CARD: Final[int] = _BOX["movement_die"]["with_card"]
"""Faces up to this one bring a card."""

_BATTLE_FACES: Final = tuple(
    face for face in ("ghost", "haunting", "blank") for _ in range(_BOX["battle_die"][face])
)


def _removals(dice: int, icon: str, most: int) -> tuple[int, ...]:
    """Weights of removing 0, 1, … `most` figures with so many dice, each `icon` removing one."""
    ways = Counter(min(most, roll.count(icon)) for roll in product(_BATTLE_FACES, repeat=dice))
    least = gcd(*ways.values())
    return tuple(ways[removed] // least for removed in range(most + 1))


FIGHTS: Final = (
    ((1, "ghost"), _removals(1, "ghost", 1)),
    ((2, "ghost"), _removals(2, "ghost", 1)),
    ((2, "ghost"), _removals(2, "ghost", 2)),
    ((2, "haunting"), _removals(2, "haunting", 1)),
)
"""Dice rolled, icon wanted, and weights of the figures removed (TH 6.2, TH 6.3)."""
ALONE, TWO_DICE_ONE_GHOST, TWO_DICE_TWO_GHOSTS, UNHAUNT = range(len(FIGHTS))
FIGHT_DRAWS: Final = tuple(
    tuple(removed for removed, weight in enumerate(weights) for _ in range(weight)) for _, weights in FIGHTS
)

# --- the cards: TH 1.7 ---

_CARD_ROWS: Final[list[dict[str, Any]]] = _BOX["cards"]["rows"]
CARDS: Final[tuple[str, ...]] = tuple(row["key"] for row in _CARD_ROWS)
"""Ghost cards come first: the card of a room has the room's number."""
SHUFFLE, DRAW_2, DRAW_3, BLUE_LOCKED, GREEN_LOCKED = range(ROOMS, len(CARDS))
EXTRAS: Final = {DRAW_2: 2, DRAW_3: 3}
LOCK_OF: Final = {BLUE_LOCKED: BLUE, GREEN_LOCKED: GREEN}
CARD_OF_LOCK: Final = {lock: card for card, lock in LOCK_OF.items()}
CARD_BYTE: Final = tuple(bytes([card]) for card in range(len(CARDS)))


def deck(*, draw_cards: bool, door_cards: bool) -> bytes:
    """All cards of a match, ascending, a byte a card."""
    used = {None: True, "draw_cards": draw_cards, "door_cards": door_cards}
    return b"".join(
        CARD_BYTE[card] * row["copies"] for card, row in enumerate(_CARD_ROWS) if used[row.get("with")]
    )


# --- words, moves, phases ---

NAMES: Final[dict[str, dict[str, str]]] = {
    row["key"]: {"en": row["en"], "ja": row["ja"]}
    for row in (*_BOX["hunters"]["rows"], *ROOM_ROWS, *SQUARE_ROWS, *_CARD_ROWS, *_BOX["words"]["rows"])
}

ACTIONS: Final = ActionSpace(
    {
        "go": {"to": PLACES},
        "through": {"room": [PLACES[room] for room in JEWEL_ROOMS]},
        "take": {},
        "leave": {},
    }
)
THROUGH: Final = ACTIONS.starts["through"]
TAKE: Final = ACTIONS.starts["take"]
LEAVE: Final = ACTIONS.starts["leave"]

PHASES: Final = ("roll", "card", "move", "number", "take", "fight", "over")
"""What is being decided, by the names that observations use."""
ROLL, CARD, MOVE, NUMBER, PICK_UP, FIGHT, ENDED = range(len(PHASES))
STREAMS: Final = {ROLL: "movement", CARD: "deck", NUMBER: "jewels", FIGHT: "battle"}

ENDINGS: Final = (None, "won", "haunted", "trapped", "cap")
PLAYING, WON, HAUNTED, TRAPPED, CAP = range(len(ENDINGS))

PLAIN: Final = JEWELS + 1
"""What a hunter carries where numbers do not matter; elsewhere the number itself, 0 for nothing."""
