"""The languages that bots are written in: what they are called, and how their files are known.

How each is built and run stands in workers/runtimes; which of them are played depends on what workers find
on their hosts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """One row."""

    key: str
    """As bot.toml and the API say it."""
    name: str
    """As people write it."""
    suffixes: tuple[str, ...]
    """Endings of its source files, in small letters."""
    entries: tuple[str, ...]
    """Files that start a bot where bot.toml names none, best first."""


LANGUAGES: Final[Mapping[str, Language]] = {
    row.key: row
    for row in (
        Language("python", "Python", (".py",), ("main.py",)),
        Language("javascript", "JavaScript", (".js", ".mjs"), ("main.js", "main.mjs")),
        Language("c", "C", (".c",), ("main.c",)),
        Language("cpp", "C++", (".cpp", ".cc"), ("main.cpp", "main.cc")),
        Language("rust", "Rust", (".rs",), ("main.rs", "src/main.rs")),
        Language("go", "Go", (".go",), ("main.go",)),
        Language("java", "Java", (".java",), ("Main.java",)),
    )
}

SUFFIXES: Final[Mapping[str, str]] = {
    suffix: row.key for row in LANGUAGES.values() for suffix in row.suffixes
}
"""Ending of a source file -> its language."""

ENTRIES: Final = tuple(entry for row in LANGUAGES.values() for entry in row.entries)
