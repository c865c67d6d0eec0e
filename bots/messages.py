"""The one catalogue of messages, keyed by code: what happened, and one thing to do next.

Pages, the API's `detail`, `haunt`, the protocol's fault lines and build logs all take their sentences
from here, so that an author reads the same words everywhere. The rows stand in messages.toml.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Message:
    """One row. The three texts are `str.format` templates over the facts of the case."""

    topic: str
    title: str
    """What happened, in one line."""
    what: str
    """Why that matters, or what it means; may be empty."""
    next_step: str
    """One thing to do next; may be empty."""

    @property
    def facts(self) -> frozenset[str]:
        """Names of the facts that the templates need."""
        text = self.title + self.what + self.next_step
        return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)

    def formatted(self, **facts: object) -> Message:
        """The same row with its facts filled in. Raises KeyError for a fact that is missing."""
        texts = (text.format(**facts) for text in (self.title, self.what, self.next_step))
        return Message(self.topic, *texts)

    def __str__(self) -> str:
        return " ".join(text for text in (self.title, self.what, self.next_step) if text)


def _read() -> Mapping[str, Message]:
    """The catalogue, one flat mapping: a code means one thing, whatever its topic."""
    rows: dict[str, Message] = {}
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="ascii"))
    for topic, codes in tables.items():
        for code, texts in codes.items():
            if code in rows:
                raise ValueError(f"messages.toml has two rows for {code!r}")
            rows[code] = Message(topic, texts["title"], texts.get("what", ""), texts.get("next", ""))
    return MappingProxyType(rows)


MESSAGES: Final = _read()


def sentence(code: str, **facts: object) -> str:
    """The message of a code as one text. Raises KeyError for an unknown code or a missing fact.

    Facts that the templates do not use are ignored.
    """
    return str(MESSAGES[code].formatted(**facts))
