"""The rules page of Haunt the House has the tables of the box, and rulings that cite its rules."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from engine.games.haunt_the_house.tables import (
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
