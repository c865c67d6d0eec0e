"""Starter bots, one folder for each language: with the SDK where there is one, what `haunt new` lays down."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bots.languages import LANGUAGES

KITS: Final = tuple(LANGUAGES)


def kit_path(language: str) -> Path:
    """The folder of a kit. Raises KeyError for a language that has none."""
    if language not in KITS:
        raise KeyError(language)
    return Path(__file__).parent / language
