"""The house's own bots. Each folder here is exactly what an author would upload."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bots.program import Program, read_path

HOUSE: Final = ("random", "greedy", "steady", "search")
"""From the weakest; their mean rating is the anchor of every ladder's scale."""


def house_path(name: str) -> Path:
    """The folder of a house bot. Raises KeyError for a name that is none."""
    if name not in HOUSE:
        raise KeyError(name)
    return Path(__file__).parent / name


def house_program(name: str) -> Program:
    """A house bot, read as an upload is. Raises KeyError for a name that is none."""
    return read_path(house_path(name))
