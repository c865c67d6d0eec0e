"""`haunt` at home: documents, exit status, and the words that people read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.kits import kit_path
from bots.program import read_path
from engine.record import Record, verify
from engine.registry import GAMES
from ladder.matches.services.ladders import DEFAULT_LADDERS
from workers.cli import main
from workers.cli.check import LADDERS
from workers.stderr import printable

GAME = "dont-go-in-there"
ROOT = Path(__file__).resolve().parents[2]
Haunt = Callable[..., tuple[int, str, str]]


@pytest.fixture
def haunt(capsys: pytest.CaptureFixture[str]) -> Haunt:
    """Run one command in this process: its exit status, stdout and stderr."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as stop:
            status = int(stop.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def document(said: tuple[int, str, str]) -> Any:
    """The one JSON document of a command that gave nothing else on stdout."""
    assert said[1].count("\n") == 1
    return json.loads(said[1])


def write_bot(path: Path, body: str) -> Path:
    path.write_text(
        f"from sdk import run\n\ndef choose(observation, legal, context):\n    {body}\n\nrun(choose)\n"
    )
    return path


def test_games(haunt: Haunt) -> None:
    rows = document(haunt("games", "--json"))["games"]
    assert [row["name"] for row in rows] == list(GAMES)
    for row, game in zip(rows, GAMES.values(), strict=True):
        seats = {"min": game.min_seats, "max": game.max_seats}
        assert row == {
            "name": game.name,
            "rules_version": game.rules_version,
            "seats": seats,
            "modes": [{"name": mode, "seats": seats} for mode in game.modes],
        }
    status, out, _ = haunt("games")
    assert status == 0
    assert all(word in out for game in GAMES.values() for word in (game.name, *game.modes))


def test_module_is_the_command() -> None:
    words = [sys.executable, "-m", "workers.cli", "games", "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout)["games"]


def test_the_command_runs_from_any_folder(tmp_path: Path) -> None:
    command = [Path(sys.executable).parent / "haunt", "games", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["games"]


def test_play_gives_the_same_record_again_with_and_without_sandbox(haunt: Haunt) -> None:
    words = ("play", GAME, "greedy", "random", "--seed", "1", "--json")
    first, second, bare = haunt(*words), haunt(*words), haunt(*words, "--no-sandbox")
    assert first[0] == 0
    assert first[1] == second[1] == bare[1]
    record = Record.from_json(first[1].strip())
    verify(record)
    assert (record.seed, record.mode) == ("1", "base")
    assert [seat.name for seat in record.seats] == ["greedy", "random"]
    assert not record.faults


def test_verify_says_good_and_bad(haunt: Haunt, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    haunt("play", GAME, "random", "random", "--seed", "v", "--no-sandbox", "--out", good)
    match = json.loads(good.read_text())
    match["actions"][-1] += 1
    bad.write_text(json.dumps(match))
    said = haunt("verify", good, "--json")
    assert said[0] == 0
    assert document(said) == {"files": [{"file": str(good), "ok": True, "error": None}]}
    said = haunt("verify", good, bad, tmp_path / "absent.json", "--json")
    assert said[0] == 1
    assert [row["ok"] for row in document(said)["files"]] == [True, False, False]
    assert "digest" in document(said)["files"][1]["error"]
    assert haunt("verify", bad)[0] == 1


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"matches":[]}', '{"matches":[1]}', "[" * 5000, "\xff"])
def test_verify_of_what_is_no_record(haunt: Haunt, tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="latin-1")
    said = haunt("verify", path, "--json")
    assert said[0] == 1
    assert document(said)["files"][0]["ok"] is False


def test_bundles_seat_everybody_everywhere(haunt: Haunt, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    words = ("play", GAME, "greedy", "random", "steady", "--bundle", "-n", "2", "--seed", "b", "--no-sandbox")
    said = haunt(*words, "--json", "--out", out)
    matches = document(said)["matches"]
    assert out.read_text() == said[1]
    assert [match["seed"] for match in matches] == ["b/1"] * 3 + ["b/2"] * 3
    for seat in range(3):
        assert {match["seats"][seat]["name"] for match in matches[:3]} == {"greedy", "random", "steady"}
    rows = document(said)["summary"]["bots"]
    assert [row["name"] for row in rows] == ["greedy", "random", "steady"]
    assert all(row["wins"] + row["ties"] + row["losses"] == 6 for row in rows)
    assert rows[0]["mean_rank"] < rows[1]["mean_rank"]
    assert haunt("verify", out)[0] == 0


def test_jobs_play_the_same_matches(haunt: Haunt) -> None:
    words = ("play", GAME, "random", "greedy", "-n", "4", "--seed", "j", "--json", "--no-sandbox")
    assert haunt(*words)[1] == haunt(*words, "-j", "2")[1]


def test_one_bundle_is_a_list_too(haunt: Haunt) -> None:
    said = document(
        haunt("play", GAME, "random", "greedy", "--bundle", "--seed", "s", "--json", "--no-sandbox")
    )
    assert [match["seed"] for match in said["matches"]] == ["s", "s"]


def test_options_and_clock_reach_the_record(haunt: Haunt) -> None:
    types = "cat,ring,twin,doll,mask"
    words = (
        "play",
        GAME,
        "random",
        "random",
        "--option",
        f"types={types}",
        "--clock",
        "0.5+0.005",
        "--no-sandbox",
    )
    record = document(haunt(*words, "--json"))
    assert record["clock"] == {"bank_ms": 500, "increment_ms": 5}
    assert set(record["options"]["types"]) == set(types.split(","))
    assert record["mode"] is None
    assert len(record["seed"]) == 32


@pytest.mark.parametrize(
    "words",
    [
        ("play", GAME, "random"),
        ("play", GAME, *["random"] * 6),
        ("play", "chess", "random", "random"),
        ("play", GAME, "random", "random", "--seats", "3"),
        ("play", GAME, "random", "random", "--mode", "blitz"),
        ("play", GAME, "random", "random", "--option", "types"),
        ("play", GAME, "random", "random", "--option", "types=cat"),
        ("play", GAME, "random", "random", "--clock", "fast+"),
        ("play", GAME, "random", "random", "--clock", "2000+20"),
        ("play", GAME, "random", "random", "--clock", "0+1"),
        ("play", GAME, "random", "random", "-n", "0"),
        ("play", GAME, "random", "--seats", "2"),
        ("play", GAME, "random", "human", "-n", "2", "-j", "2"),
        ("play", GAME, "random", "nobody"),
        ("play", GAME, "random", "./absent.py"),
        ("play", GAME, "random", "random", "--html", "x.html"),
        ("check", "./absent.py"),
        ("new", "cobol", "x"),
        ("login", "ladder.example"),
        ("nonsense",),
        (),
    ],
)
def test_wrong_use_is_two_with_a_sentence(haunt: Haunt, words: tuple[str, ...]) -> None:
    status, out, err = haunt(*words)
    assert (status, out) == (2, "")
    assert len(err) > 10
    assert "Traceback" not in err


def test_wrong_use_as_a_document(haunt: Haunt) -> None:
    said = haunt("play", GAME, "random", "nobody", "--json")
    assert said[0] == 2
    assert document(said)["error"]["code"] == "no_bot"
    assert said[2] == ""


def test_a_bot_of_other_games_is_wrong_use(haunt: Haunt) -> None:
    said = haunt("play", GAME, "random", "planner", "--json")
    assert said[0] == 2
    error = document(said)["error"]
    assert error["code"] == "not_its_game"
    assert "treasure-hunters" in error["message"]


def test_bot_that_cannot_start_is_bad_news(haunt: Haunt, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit(3)\n")
    said = haunt("play", GAME, tmp_path / "broken.py", "random", "--json", "--no-sandbox")
    assert said[0] == 1
    assert document(said)["error"]["code"] == "cannot_start"


def test_bot_that_cannot_be_built_is_bad_news(haunt: Haunt, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = (\n")
    status, _, err = haunt("play", GAME, tmp_path / "broken.py", "random", "--no-sandbox")
    assert status == 1
    assert "broken.py:1" in err


def test_show_tells_what_a_seat_saw(haunt: Haunt, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    haunt("play", GAME, "greedy", "random", "--seed", "show", "--no-sandbox", "--out", path)
    public, seat = (
        document(haunt("show", path, "--json")),
        document(haunt("show", path, "--seat", "1", "--json")),
    )
    assert len(public["steps"]) == len(seat["steps"]) > 100
    assert public["seats"] == ["greedy", "random"]
    peeks = [step["event"] for step in public["steps"] if step["event"]["kind"] == "peek"]
    assert not any("card" in event for event in peeks)
    own = [step["event"] for step in seat["steps"] if step["event"]["kind"] == "peek"]
    assert all(("card" in event) == (event["seat"] == 1) for event in own)
    status, out, _ = haunt("show", path)
    assert status == 0
    assert "greedy steps into the" in out
    assert haunt("show", path, "--seat", "2")[0] == 2
    path.write_text("{}")
    assert haunt("show", path)[0] == 1


def test_strangers_words_do_not_steer_the_terminal(haunt: Haunt, tmp_path: Path) -> None:
    assert printable("a\x1b[31m\u202eb\nc") == "a\\u{1b}[31m\\u{202e}b\nc"
    bot = write_bot(tmp_path / "loud.py", 'raise ValueError("\\x1b[2J[bold]gone[/bold]")')
    status, out, _ = haunt("check", bot, "--no-sandbox")
    assert status == 1
    assert "\\u{1b}[2J[bold]gone[/bold]" in out


def test_check_walks_all_steps(haunt: Haunt, tmp_path: Path) -> None:
    said = haunt("check", write_bot(tmp_path / "good.py", 'return legal[0]["id"]'), "--json", "--no-sandbox")
    assert said[0] == 0
    steps = document(said)["steps"]
    flights = sum(seats for tables in LADDERS.values() for seats in tables)
    assert [step["step"].split(" ")[0] for step in steps] == ["intake", "build", *["pre-flight"] * flights]
    assert all(step["ok"] for step in steps)


@pytest.mark.parametrize(
    ("body", "step", "code"),
    [
        ("return (", "build", "syntax_error"),
        ('raise ValueError("lost the map")', "pre-flight dont-go-in-there, seat 1 of 2", "crash"),
        ("return 9999", "pre-flight dont-go-in-there, seat 1 of 2", "illegal_move"),
    ],
)
def test_check_stops_at_the_first_failure(
    haunt: Haunt, tmp_path: Path, body: str, step: str, code: str
) -> None:
    said = haunt("check", write_bot(tmp_path / "bad.py", body), "--json", "--no-sandbox")
    assert said[0] == 1
    last = document(said)["steps"][-1]
    assert (last["step"], last["ok"], last["code"]) == (step, False, code)
    assert body.partition('"')[2].partition('"')[0] in last["message"]


def test_check_says_where_no_ladder_plays(haunt: Haunt, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'language = "python"\nentry = "main.py"\ngames = ["treasure-hunters"]\n'
    )
    write_bot(tmp_path / "main.py", 'return legal[0]["id"]')
    said = haunt("check", tmp_path, "--json", "--no-sandbox")
    assert said[0] == 0
    last = document(said)["steps"][-1]
    assert (last["step"], last["ok"], last["code"]) == ("pre-flight", True, "no_ladder")
    assert "treasure-hunters" in last["message"]


def test_check_flies_on_the_ladders_of_a_new_house() -> None:
    assert {(game, seats) for game, tables in LADDERS.items() for seats in tables} == {
        (ladder.game, ladder.seats) for ladder in DEFAULT_LADDERS
    }


def test_check_refuses_as_the_server_does(haunt: Haunt, tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(b"MZ" + bytes(100))
    said = haunt("check", tmp_path / "bot.zip", "--json", "--no-sandbox")
    assert said[0] == 1
    assert [step["code"] for step in document(said)["steps"]] == ["not_an_archive"]


def test_new_lays_down_a_bot_that_plays(haunt: Haunt, tmp_path: Path) -> None:
    target = tmp_path / "candlewick"
    said = haunt("new", "python", target, "--json")
    assert set(document(said)["files"]) == {"README.md", "bot.toml", "main.py", "sdk.py"}
    record = document(haunt("play", GAME, target, "random", "--json"))
    assert record["seats"][0]["name"] == "candlewick"
    assert record["seats"][0]["version"] == read_path(target).digest
    assert record["faults"] == []
    assert haunt("new", "python", target)[0] == 1


def test_kit_and_house_bots_hold_their_own_files_alone() -> None:
    assert set(read_path(kit_path("python")).files) == {"README.md", "bot.toml", "main.py"}
