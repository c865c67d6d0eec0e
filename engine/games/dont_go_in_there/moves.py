"""All moves, numbered: what is chosen by a person at the table. New ones are appended, so that ids stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from engine.actions import ActionSpace, Scalar
from engine.games.dont_go_in_there.tables import (
    BASE_TYPES,
    CAT,
    CLOCK,
    CURSES,
    DOLL,
    JACK_O_LANTERN,
    LOWEST,
    MUSIC_BOX,
    PORTRAIT,
    RAVEN,
    ROOMS,
    SLOTS,
    SPACES,
    TOME,
    TYPES,
    face_of,
)

_Blocks: TypeAlias = dict[str, Mapping[str, Sequence[Scalar]]]

ASKED: Final = (CLOCK, DOLL, MUSIC_BOX, PORTRAIT, JACK_O_LANTERN)
"""Types of which cards "of your choice" are dispelled; of cats one stays (DG 5.13)."""


def _card_moves(move: str, types: Iterable[int]) -> _Blocks:
    """One block a type, for skulls have other curses; each is a move of the same name."""
    return {
        f"{move} {TYPES[kind]}": {
            "type": [move],
            "curse_type": [TYPES[kind]],
            "curse": range(LOWEST[kind], LOWEST[kind] + CURSES),
        }
        for kind in types
    }


_NOT_TOME: Final = [key for kind, key in enumerate(TYPES[:BASE_TYPES]) if kind != TOME]

ACTIONS: Final = ActionSpace(
    {
        "place": {"room": ROOMS, "space": range(1, SPACES + 1)},
        "pick": {"slot": range(1, SLOTS + 1)},
        "keep": {},
        "reroll": {},
        "flip": {"to": ("ghost", "blank")},
        "tome": {"curse_type": _NOT_TOME},
        "tome of the expansion": {"type": ["tome"], "curse_type": TYPES[BASE_TYPES:]},
        "brew": {"choice": ("dispel", "keep")},
        **_card_moves("dispel", ASKED),
        **_card_moves("stay", [CAT]),
        "leave": {},
        **_card_moves("bring", range(len(TYPES))),
        **_card_moves("give", [kind for kind in range(len(TYPES)) if kind != RAVEN]),
    }
)

PICK: Final = ACTIONS.starts["pick"]
KEEP: Final = ACTIONS.starts["keep"]
REROLL: Final = ACTIONS.starts["reroll"]
FLIP_TO_GHOST: Final = ACTIONS.starts["flip"]
FLIP_TO_BLANK: Final = FLIP_TO_GHOST + 1
BREW_DISPEL: Final = ACTIONS.starts["brew"]
BREW_KEEP: Final = BREW_DISPEL + 1
LEAVE: Final = ACTIONS.starts["leave"]


def _by_face(move: str) -> dict[int, int]:
    """Ids of the moves of a name by the face that they speak of, ascending."""
    moves = [(action, ACTIONS.decode(action)) for action in range(len(ACTIONS))]
    return {
        face_of({"type": fields["curse_type"], "curse": fields["curse"]}): action
        for action, fields in moves
        if fields["type"] == move
    }


DISPEL_MOVES: Final = _by_face("dispel")
STAY_MOVES: Final = _by_face("stay")
BRING_MOVES: Final = _by_face("bring")
GIVE_MOVES: Final = _by_face("give")
FACE_OF_MOVE: Final = {
    action: face
    for moves in (DISPEL_MOVES, STAY_MOVES, BRING_MOVES, GIVE_MOVES)
    for face, action in moves.items()
}
TOME_MOVES: Final = {
    kind: ACTIONS.encode({"type": "tome", "curse_type": key})
    for kind, key in enumerate(TYPES)
    if kind != TOME
}
"""By type; ascending."""
TYPE_OF_TOME_MOVE: Final = {action: kind for kind, action in TOME_MOVES.items()}

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
PICKS: Final = tuple([PICK + slot for slot in range(SLOTS) if left >> slot & 1] for left in range(8))
