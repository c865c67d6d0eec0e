"""Pictures that are computed: the beams of the standings, rating curves, the chart of a match, avatars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

_AXIS_LINES: Final = 5
_CURVE_WIDTH, _CURVE_HEIGHT = 640, 180


@dataclass(frozen=True, slots=True)
class Axis:
    """A common Elo axis for the rows of a table; positions are percent of its width."""

    low: float
    high: float

    def at(self, elo: float) -> float:
        return round(100 * (min(max(elo, self.low), self.high) - self.low) / (self.high - self.low), 2)

    @property
    def lines(self) -> list[dict[str, float]]:
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step) * step
        marks = [first + step * number for number in range(int((self.high - first) // step) + 1)]
        return [{"elo": mark, "x": self.at(mark)} for mark in marks if 4 < self.at(mark) < 96]


def axis_of(spans: Sequence[tuple[float, float]]) -> Axis:
    """The axis that shows all spans, with some air."""
    low = min((low for low, _ in spans), default=1400.0)
    high = max((high for _, high in spans), default=1600.0)
    air = max(20.0, (high - low) * 0.06)
    return Axis(low - air, high + air)


def _step(span: float) -> int:
    return next((step for step in (25, 50, 100, 200, 500) if span / step <= _AXIS_LINES), 1000)


def beam(axis: Axis, elo: float, half_width: float) -> dict[str, Any]:
    """Where the interval begins, how wide it is, where its middle is, in percent."""
    left, right = axis.at(elo - half_width), axis.at(elo + half_width)
    return {"x": left, "width": round(max(right - left, 0.8), 2), "mid": axis.at(elo)}


def spark(values: Sequence[float]) -> str:
    """Points of a polyline in a box of 72 x 22; empty for fewer than two values."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    span = max(high - low, 1.0)
    step = 70 / (len(values) - 1)
    return " ".join(f"{1 + at * step:.1f},{20 - 18 * (v - low) / span:.1f}" for at, v in enumerate(values))


def curve(points: Sequence[Any]) -> dict[str, Any] | None:
    """A rating curve with its 95 % band (points have `at`, `elo`, `half_width`); None for fewer than two."""
    if len(points) < 2:
        return None
    axis = axis_of([(point.elo - point.half_width, point.elo + point.half_width) for point in points])
    start, end = points[0].at, points[-1].at
    span = max((end - start).total_seconds(), 1.0)

    def x(point: Any) -> float:
        return float(round(_CURVE_WIDTH * (point.at - start).total_seconds() / span, 1))

    def y(elo: float) -> float:
        return round(_CURVE_HEIGHT * (1 - axis.at(elo) / 100), 1)

    above = [f"{x(point)},{y(point.elo + point.half_width)}" for point in points]
    below = [f"{x(point)},{y(point.elo - point.half_width)}" for point in reversed(points)]
    return {
        "width": _CURVE_WIDTH,
        "height": _CURVE_HEIGHT,
        "band": " ".join(above + below),
        "line": " ".join(f"{x(point)},{y(point.elo)}" for point in points),
        "marks": [{"elo": round(mark["elo"]), "y": y(mark["elo"])} for mark in axis.lines],
        "start": start,
        "end": end,
    }


def chart(series: Sequence[Sequence[float]], marks: Sequence[int]) -> dict[str, Any]:
    """Lines of the seats through the steps of a match (one unit a step), and marks at some steps."""
    steps = max((len(line) for line in series), default=1)
    top = max((value for line in series for value in line), default=0) * 1.05 or 1.0
    lines = [
        {
            "seat": seat + 1,
            "points": " ".join(f"{at},{60 - 56 * value / top:.1f}" for at, value in enumerate(line)),
        }
        for seat, line in enumerate(series)
    ]
    return {"width": max(steps - 1, 1), "lines": lines, "marks": list(marks)}


def windows(public_id: UUID) -> list[dict[str, Any]]:
    """The face of a bot: a house of 3 x 4 windows, lit by the last twelve bits of its id."""
    return [
        {"x": 7 + 7 * (bit % 3), "y": 11 + 5 * (bit // 3), "lit": bool(public_id.int >> bit & 1)}
        for bit in range(12)
    ]
