"""The file that Python bots import, driven by the real referee."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from bots import sdk
from tests.workers.matches import house, open_folder, play, program
from workers.sandbox.bare import BareLauncher

BOT = """
from sdk import run

def choose(observation, legal, context):
    print("turn", context.turn, context.bank_ms > 0, len(context.events) > 0)
    context.note = "n" * 600 if context.turn == 2 else None
    if context.turn == 3:
        return {"type": "fly"}
    return legal[0]["move"] if context.turn == 1 else context.random.choice(legal)["id"]

run(
    choose,
    start=lambda context: print("start", context.game, context.seat, context.seats),
    end=lambda message, context: print("end", message["ranks"], context.turn > 3),
)
"""


def test_a_bot_on_the_sdk_plays_notes_and_logs(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(BOT)
    outcome = play([program(tmp_path), house("random")], BareLauncher(run_dir=open_folder()))
    assert outcome.record is not None
    assert [(fault.seat, fault.code) for fault in outcome.record.faults] == [(0, "illegal_move")]
    report = outcome.seats[0]
    assert [(note.turn, note.text) for note in report.notes] == [(2, "n" * 500)]
    log: dict[int, str] = {}
    for chunk in report.stderr:
        log[chunk.turn] = log.get(chunk.turn, "") + chunk.text
    assert log[0] == "start dont-go-in-there 0 2\n"
    assert log[1] == "turn 1 True True\n"
    # It reads the notice after its answer: what it writes of it may be read with the next question.
    notice = "fault at turn 3: illegal_move: The bot chose a move that was not legal."
    assert notice in log[3] + log.get(4, "")
    assert f"end {list(outcome.record.ranks)} True" in report.stderr[-1].text


def test_the_sdk_is_one_file_without_dependencies() -> None:
    tree = ast.parse(Path(sdk.__file__).read_text(encoding="ascii"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("name", ["random", "greedy", "steady"])
def test_the_house_plays_without_a_fault(name: str) -> None:
    outcome = play([house(name), house("random")], BareLauncher(run_dir=open_folder()))
    assert outcome.record is not None
    assert outcome.record.faults == ()
