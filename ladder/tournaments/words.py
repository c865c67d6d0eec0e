"""What happened to a tournament, in a sentence each: for the API, pages and `haunt` alike."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ladder.tournaments.models import Happening

SENTENCES: Final[Mapping[str, str]] = {
    "made": "It was made.",
    "opened": "Registration was opened.",
    "paused": "It was paused.",
    "resumed": "It was resumed.",
    "moved": "It was moved: it starts at {starts} UTC.",
    "cancelled": "It was cancelled. {reason}",
    "invited": "{user} was invited.",
    "entered": "{bot} entered.",
    "withdrawn": "{bot} withdrew.",
    "late_entry": "{bot} was let in late, from round {round} on.",
    "no_active_version": "{bot} had no active version left, and was taken out.",
    "house_fills": "{bot}, of the house, filled a seat.",
    "frozen": "Versions, seeding and seed were fixed: {entries} entries. Commitment: {commitment}.",
    "started": "It started.",
    "round": "Round {number} was laid.",
    "table_decided": "Table {table} was decided {decision_words}.",
    "finished": "It ended. {winner} won.",
}
DECISIONS: Final[Mapping[str, str]] = {
    "points": "by points",
    "play_off": "by a play-off",
    "written": "by the written order, for its cut was tied to the end",
    "walkover": "without a match",
    "voids": "by the written order, after three void bundles",
}


class _Facts(dict[str, Any]):
    """A row of an older release may lack a fact; its sentence then has a gap, and is there."""

    def __missing__(self, key: str) -> str:
        return "…"


def sentence(happening: Happening) -> str:
    """What happened."""
    pattern = SENTENCES.get(happening.kind)
    if pattern is None:
        return happening.kind.replace("_", " ").capitalize() + "."
    words = DECISIONS.get(happening.facts.get("decision", ""), "")
    facts = _Facts(happening.facts, decision_words=words)
    if times := happening.facts.get("starts_at"):
        facts["starts"] = f"{datetime.fromisoformat(times[-1]).astimezone(UTC):%Y-%m-%d %H:%M}"
    return pattern.format_map(facts).strip()
