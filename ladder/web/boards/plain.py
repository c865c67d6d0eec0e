"""A game that nobody draws yet: its events and its board as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ladder.web.boards.parts import Part, line


def draw(steps: Sequence[Mapping[str, Any]], index: int, _seat: int | None) -> dict[str, Any]:
    return {"text": json.dumps(steps[index]["board"], indent=1)}


def tell(event: Mapping[str, Any]) -> tuple[Part, ...]:
    facts = ", ".join(f"{key} {value}" for key, value in event.items() if key not in ("kind", "seat"))
    kind = str(event["kind"]).replace("_", " ")
    words = f"{kind}: {facts}" if facts else kind
    return line(int(event["seat"]), f" {words}") if "seat" in event else line(words)


def seat_view(_board: Mapping[str, Any], _seat: int) -> dict[str, Any]:
    return {}


def measure(_board: Mapping[str, Any], _seat: int) -> float:
    return 0.0
