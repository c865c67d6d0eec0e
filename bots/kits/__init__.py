"""Starter bots: each folder here, with the SDK of its language, is what `haunt new` lays down."""

from __future__ import annotations

from pathlib import Path
from typing import Final

KITS: Final = ("python",)


def kit_path(language: str) -> Path:
    """The folder of a kit. Raises KeyError for a language that has none."""
    if language not in KITS:
        raise KeyError(language)
    return Path(__file__).parent / language
