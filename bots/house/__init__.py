"""The house's own bots. Each folder here is exactly what an author would upload."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bots.program import Program, read_path

HOUSE: Final = ("random", "greedy", "steady")
"""From the weakest; their mean rating anchors every ladder's scale, and new versions meet them first.

So they take no thought: a match with them costs next to no time, and their play, and with it the scale, is
the same on every machine.
"""
GUESTS: Final = ("search", "planner")
"""Bots that no ladder seeds, to play with at home or to upload.

They think while there is time: they would make every pre-flight some seconds longer, and be stronger anchors
on a faster machine.
"""
BOTS: Final = (*HOUSE, *GUESTS)


def house_path(name: str) -> Path:
    """The folder of a house bot. Raises KeyError for a name that is none."""
    if name not in BOTS:
        raise KeyError(name)
    return Path(__file__).parent / name


def house_program(name: str) -> Program:
    """A house bot, read as an upload is. Raises KeyError for a name that is none."""
    return read_path(house_path(name))
