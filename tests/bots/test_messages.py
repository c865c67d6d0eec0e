"""The catalogue of messages: a row for every code, and every row formats."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bots
from bots.messages import MESSAGES, Message, sentence

BOTS = Path(bots.__file__).parent


def intake_codes() -> dict[str, set[str]]:
    """Code -> facts, of each `ProgramError("code", fact=...)` in the sources."""
    found: dict[str, set[str]] = {}
    for source in BOTS.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ProgramError":
                assert isinstance(node.args[0], ast.Constant)
                found.setdefault(node.args[0].value, set()).update(word.arg or "" for word in node.keywords)
    return found


def test_every_intake_code_has_a_row_and_its_facts() -> None:
    codes = intake_codes()
    assert len(codes) >= 16
    for code, facts in codes.items():
        assert MESSAGES[code].topic == "intake"
        assert MESSAGES[code].facts <= facts, code


@pytest.mark.parametrize("package", ["workers", "ladder"])
def test_every_code_of_the_other_packages_has_a_row(package: str) -> None:
    """`code="x"` in calls and `code = "x"` in classes of errors."""
    found = set()
    for source in (BOTS.parent / package).rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            is_named = isinstance(node, ast.keyword) and node.arg in ("code", "void_code")
            if is_named or (isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code"):
                found.add(getattr(getattr(node, "value", None), "value", None))
    codes = {code for code in found if isinstance(code, str) and code}
    assert codes
    assert codes - set(MESSAGES) == set()


@pytest.mark.parametrize("package", ["bots", "workers", "ladder"])
def test_every_sentence_asked_for_is_there_with_its_facts(package: str) -> None:
    """`sentence("x", fact=...)` and the like, wherever the code is written out."""
    for source in (BOTS.parent / package).rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in ("sentence", "bad_news"):
                continue
            if isinstance(node.args[0], ast.Constant) and not any(word.arg is None for word in node.keywords):
                row = MESSAGES[node.args[0].value]
                assert row.facts <= {word.arg for word in node.keywords}, (source, row.title)


def test_every_intake_row_is_used() -> None:
    rows = {code for code, row in MESSAGES.items() if row.topic == "intake"}
    assert rows <= set(intake_codes())


@pytest.mark.parametrize("code", MESSAGES)
def test_every_row_formats_and_keeps_the_voice(code: str) -> None:
    row = MESSAGES[code]
    text = sentence(code, **dict.fromkeys(row.facts, "thing"))
    assert text.isascii()
    assert "{" not in text.replace('{"turn"', "")
    assert "!" not in text
    assert "submission" not in text
    assert row.title
    assert text.endswith((".", ".`", "thing"))


def test_every_fault_has_its_row() -> None:
    for code in (
        "crash", "timeout", "no_answer", "illegal_move", "bad_message", "output_flood", "memory",
    ):  # fmt: skip
        assert MESSAGES[code].topic == "fault"
        assert sentence(code)


def test_facts_may_be_more_but_not_less() -> None:
    row = Message("intake", "{a} is `{b}`.", "", "Do {{this}}.")
    assert row.facts == {"a", "b"}
    assert str(row.formatted(a=1, b=2, c=3)) == "1 is `2`. Do {this}."
    with pytest.raises(KeyError):
        row.formatted(a=1)
