"""Every pair of colours that the pages use, by WCAG 2's relative luminance, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).parents[3] / "ladder" / "web" / "static" / "web" / "tokens.css"

ON_ALL = ("bg", "surface", "raised", "glow")
PAIRS: list[tuple[str, str, float]] = [
    *(("text", ground, 7.0) for ground in (*ON_ALL, "board")),
    *(("muted", ground, 4.5) for ground in (*ON_ALL, "board", "space", "beam-0", "beam-3")),
    *(("link", ground, 4.5) for ground in ON_ALL),
    *(("lamp", ground, 4.5) for ground in ON_ALL),
    *(("good", ground, 4.5) for ground in ("bg", "surface", "beam-2", "beam-3")),
    *(("bad", ground, 4.5) for ground in ("bg", "surface", "raised", "beam-0", "beam-1", "beam-2")),
    *(("info", ground, 4.5) for ground in ("bg", "surface")),
    *(("edge", ground, 3.0) for ground in ("bg", "surface", "raised", "board", "space")),
    *(("edge", f"beam-{step}", 3.0) for step in range(4)),
    *(("focus", ground, 3.0) for ground in ("bg", "surface", "raised")),
    *(
        (f"seat-{seat}", ground, 4.5)
        for seat in range(1, 6)
        for ground in ("surface", "bg", "board", "space")
    ),
    *(("on-seat", f"seat-{seat}", 4.5) for seat in range(1, 6)),
    *(("flame", ground, 3.0) for ground in ("beam-1", "beam-2", "beam-3", "surface", "bg", "board")),
    ("on-lamp", "lamp", 4.5),
    ("card-ink", "card", 7.0),
    ("card-dim", "card", 4.5),
    ("curse", "card", 4.5),
]


def tokens() -> dict[str, tuple[str, str]]:
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", TOKENS.read_text(encoding="utf-8"))
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_pairs_can_be_read(ink: str, ground: str, least: float) -> None:
    known = tokens()
    for scheme in (0, 1):
        assert contrast(known[ink][scheme], known[ground][scheme]) >= least, ("light", "dark")[scheme]
