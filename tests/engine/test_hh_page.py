"""The rules page of Haunt the House tells what the engine does: moves, events, observations, tables."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine.games.haunt_the_house import HauntTheHouse
from engine.games.haunt_the_house.tables import (
    ACTIONS,
    PHANTOM_ATTACKS,
    PHANTOM_COPIES,
    PHANTOM_SKULLS,
    PHANTOMS,
    ROOM_ATTACKS,
    ROOMS,
)

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "games" / "haunt-the-house.md").read_text()
BOX = tomllib.loads((ROOT / "engine" / "games" / "haunt_the_house" / "components.toml").read_text())


def part(title: str) -> str:
    return PAGE.split(f"\n### {title}\n")[1].split("\n## ")[0].split("\n### ")[0]


def test_moves_are_told_with_their_ids():
    told = {}
    for line in part("Moves").splitlines():
        numbers = re.findall(r"\d+", line.split("|")[2]) if line.startswith("| `{") else []
        for kind, number in zip(re.findall(r'"type":"(\w+)"', line), numbers, strict=False):
            told[kind] = int(number)
    assert told == ACTIONS.starts
    assert f"| {len(ACTIONS) - 1} |" in part("Moves")


@pytest.mark.parametrize("seats", [2, 5])
def test_events_are_told_with_their_fields(seats):
    rows = [line.split("|") for line in part("Events").splitlines() if line.startswith("| `")]
    told = {kind: fields for _, kinds, fields, *_ in rows for kind in re.findall(r"`(\w+)`", kinds)}
    shapes = {
        shape["properties"]["kind"]["const"]: shape for shape in HauntTheHouse(seats).event_schema()["oneOf"]
    }
    assert set(told) == set(shapes)
    for kind, shape in shapes.items():
        missing = [name for name in shape["properties"] if name != "kind" and f"`{name}`" not in told[kind]]
        assert missing == [], kind


def test_observations_are_told_with_their_fields():
    text = part("Observation")
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    first = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    schema = HauntTheHouse(3).observation_schema()
    assert first == set(schema["properties"])

    def names(shape):
        for name, inner in shape.get("properties", {}).items():
            yield name
            yield from names(inner)
        for inner in [*shape.get("oneOf", ()), *([shape["items"]] if "items" in shape else [])]:
            yield from names(inner)

    assert {name for name in names(schema) if f"`{name}`" not in text} == set()


def test_phases_are_told():
    row = next(line for line in part("Observation").splitlines() if line.startswith("| `phase`"))
    phases = HauntTheHouse(3).observation_schema()["properties"]["phase"]["enum"]
    assert [phase for phase in phases if not re.search(rf"\b{phase}\b", row)] == []


def test_every_phantom_is_told_as_it_is_in_the_box():
    for kind, key in enumerate(PHANTOMS):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"  | {key.capitalize()} |"))
        _, _, copies, skulls, attack, *_ = (cell.strip() for cell in row.split("|"))
        assert (int(copies), int(skulls.replace("\N{MINUS SIGN}", "-"))) == (
            PHANTOM_COPIES[kind],
            PHANTOM_SKULLS[kind],
        )
        assert (attack == "yes") == PHANTOM_ATTACKS[kind]


def test_every_room_has_its_rule():
    for room, key in enumerate(ROOMS):
        rule = re.search(rf"\*\*6\.{room + 1} {key.capitalize()}\*\*( \(Attack\))?:", PAGE)
        assert rule, key
        assert bool(rule.group(1)) == ROOM_ATTACKS[room]


def test_every_row_of_the_box_says_how_sure_it_is():
    rows = [row for part in BOX.values() if isinstance(part, list) for row in part]
    assert len(rows) == 4 + 4 + 8 + 24 + 9 + 14
    assert {row["status"] for row in rows} == {"known", "reconstructed"}
    assert all("known" not in row for row in rows if row["status"] == "known")
    assert [row["key"] for row in BOX["hunters"] if row["status"] == "known"] == ["gh10"]


def test_every_ruling_cites_a_rule_that_there_is():
    rules = set(re.findall(r"\*\*(\d+\.\d+)", PAGE))
    table = PAGE.split("\n## 11. Rulings\n")[1].split("\n## ")[0]
    tags = re.findall(r"^\| (F\d+a?) \|", table, re.MULTILINE)
    assert {int(tag.strip("Fa")) for tag in tags} == set(range(1, 31))
    assert {tag for tag in tags if tag.endswith("a")} == {
        f"F{number}a" for number in (3, 7, 11, 17, 19, 27, 29)
    }
    for line in table.splitlines():
        for cited in re.findall(r"\b\d+\.\d+\b", line.split("|")[-2]) if line.startswith("| ") else ():
            assert cited in rules, line
