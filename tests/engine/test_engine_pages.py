"""Each game's rules page tells programs what the engine does: moves, events, observations, modes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.registry import GAMES, make_game

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "games"
SEATS = [(name, seats) for name, kind in GAMES.items() for seats in (kind.min_seats, kind.max_seats)]


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text()


def part(name: str, title: str) -> str:
    return page(name).split(f"\n### {title}\n")[1].split("\n## ")[0].split("\n### ")[0]


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_told_with_their_ids(name: str) -> None:
    actions = make_game(name, GAMES[name].min_seats).actions
    told = {}
    for line in part(name, "Moves").splitlines():
        numbers = re.findall(r"\d+", line.split("|")[2]) if line.startswith("| `{") else []
        kinds = re.findall(r'"type":"(\w+)"', line)
        told.update({kind: int(number) for kind, number in zip(kinds, numbers, strict=False)})
    firsts: dict[str, int] = {}
    for block, first in actions.starts.items():
        firsts.setdefault(block.split()[0], first)  # a type of moves may have a block for each kind of card
    assert told == firsts
    assert re.search(rf"\b{len(actions) - 1}\b", part(name, "Moves"))


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_events_are_told_with_their_fields(name: str, seats: int) -> None:
    rows = [line.split("|") for line in part(name, "Events").splitlines() if line.startswith("| `")]
    told = {kind: fields for _, kinds, fields, *_ in rows for kind in re.findall(r"`(\w+)`", kinds)}
    shapes = {
        shape["properties"]["kind"]["const"]: shape
        for shape in make_game(name, seats).event_schema()["oneOf"]
    }
    assert set(told) == set(shapes)
    for kind, shape in shapes.items():
        fields = set(shape["properties"]) - {"kind"}
        assert {field for field in fields if f"`{field}`" not in told[kind]} == set(), kind


def fields_of(shape: dict[str, Any]) -> Iterator[str]:
    for name, inner in shape.get("properties", {}).items():
        yield name
        yield from fields_of(inner)
    for inner in [*shape.get("oneOf", ()), *([shape["items"]] if "items" in shape else [])]:
        yield from fields_of(inner)


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_observations_are_told_with_their_fields(name: str, seats: int) -> None:
    text = part(name, "Observation")
    schema = make_game(name, seats).observation_schema()
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {field for cell in cells for field in re.findall(r"`(\w+)`", cell)} == set(schema["properties"])
    shown = part(name, "Events") + text  # what a card is stands with the events
    assert {field for field in fields_of(schema) if not re.search(rf'[`"]{field}[`"]', shown)} == set()


@pytest.mark.parametrize("name", GAMES)
def test_phases_are_told(name: str) -> None:
    row = next(line for line in part(name, "Observation").splitlines() if line.startswith("| `phase`"))
    schema = make_game(name, GAMES[name].min_seats).observation_schema()
    phases = schema["properties"]["phase"]["enum"]
    assert [phase for phase in phases if not re.search(rf"\b{phase}\b", row)] == []


@pytest.mark.parametrize("name", GAMES)
def test_modes_and_options_are_told(name: str) -> None:
    text = page(name)
    for mode, options in GAMES[name].modes.items():
        assert f"| `{mode}` |" in text
        assert [option for option in options if not re.search(rf"\b{option}\b", text)] == []
