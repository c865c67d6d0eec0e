"""The docs are true: what they name exists, and what exists is named."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.codes_page import PAGE, page
from workers.cli.parser import build_parser

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text() if (ROOT / "README.md").exists() else ""
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Language and text of each fenced block."""
    yield from re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def command_lines(text: str) -> list[str]:
    """What a reader would type: lines of shell blocks and of indented blocks, and code in the text."""
    lines = [
        line
        for language, block in blocks(text)
        if language in {"", "sh", "bash", "console"}
        for line in block.splitlines()
    ]
    lines += re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    lines += re.findall(r"`([^`\n]+)`", text)
    cleaned = [line.split("  #")[0].removeprefix("$ ").strip() for line in lines]
    return [
        line
        for line in cleaned
        if line.split(" ")[0] in {"make", "haunt"} or re.match(r"[A-Z]+=\S+ make ", line)
    ]


def test_readme_is_there() -> None:
    assert README, "README.md is missing"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_its_rules_on_a_page(name: str) -> None:
    text = (DOCS / "games" / f"{name}.md").read_text()
    assert re.search(r"\b1\.1\b", text), "rules are numbered"


def test_every_code_of_the_catalogue_is_on_the_page() -> None:
    assert PAGE.read_text() == page(), "run `make golden`"


def codes_raised(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Error"):
            for keyword in node.keywords:
                if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                    yield str(keyword.value.value)


def test_every_code_that_the_api_answers_with_is_told() -> None:
    told = PAGE.read_text() + "".join(path.read_text() for path in DOCS.glob("api.md"))
    raised = {code for path in (ROOT / "ladder").rglob("*.py") for code in codes_raised(path)} - {""}
    assert raised
    assert {code for code in raised if f"`{code}`" not in told} == set()


@pytest.mark.parametrize("line", sorted({*command_lines(README), *command_lines(CONTRIBUTING)}))
def test_every_command_that_is_told_exists(line: str) -> None:
    words = [word for word in shlex.split(line) if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    if words[0] == "make":
        for target in words[1:]:
            assert re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), target
    elif len(words) > 1:
        known = " ".join(build_parser().format_help().split())
        assert re.search(rf"\b{re.escape(words[1])}\b", known), words[1]


def test_the_bot_in_the_readme_plays(tmp_path: Path) -> None:
    programs = [block for language, block in blocks(README) if language == "python"]
    assert programs, "README.md shows no bot"
    bot = tmp_path / "first.py"
    bot.write_text(programs[0])
    assert len([line for line in programs[0].splitlines() if line.strip()]) <= 15
    game = sorted(GAMES)[0]
    words = ["play", game, str(bot), "random", "--seed", "1", "--json", "--no-sandbox"]
    command = [sys.executable, "-m", "workers.cli", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["faults"] == []


@pytest.mark.parametrize(
    "path", [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))], ids=lambda path: path.name
)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        if "://" not in target and not target.startswith("mailto:"):
            assert (path.parent / target).exists(), target
