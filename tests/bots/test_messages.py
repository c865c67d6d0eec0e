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
