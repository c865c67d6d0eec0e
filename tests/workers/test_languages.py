"""Each language: found by its self-test, built in the sandbox, with a starter bot that plays matches."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import bots
from bots.intake import BUILT
from bots.job import FAST
from bots.kits import KITS, kit_path
from bots.languages import LANGUAGES
from bots.program import Program, from_tar, read_path
from engine.record import verify
from engine.registry import GAMES, make_game
from tests.workers.languages import built, need
from tests.workers.matches import house, open_folder
from tests.workers.sandboxes import left_behind, sandbox
from workers.build import BuildResult, build
from workers.cli import main, table
from workers.player import LIMITS
from workers.referee import SeatProgram, play_match
from workers.runtimes import RUNTIMES
from workers.runtimes.probing import offered, probe
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.oneshot import Finished, run_once

pytestmark = pytest.mark.sandbox

TABLES = {"dont-go-in-there": 2, "haunt-the-house": 3, "treasure-hunters": 2}


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


def kit(language: str) -> Program:
    """A kit as `haunt new` lays it down."""
    program = read_path(kit_path(language))
    if language != "python":
        return program
    sdk = Path(bots.__file__).with_name("sdk.py").read_bytes()
    return Program(language, program.entry, None, (), {**program.files, "sdk.py": sdk})


def laid_out(result: BuildResult) -> Path:
    assert result.ok, (result.code, result.log)
    folder = open_folder()
    write_tree(folder, from_tar(result.artefact))
    return folder


def ran(result: BuildResult, language: str, launcher: SandboxLauncher, entry: str | None = None) -> Finished:
    row = RUNTIMES[language]
    command = row.run_command(
        folder=laid_out(result), entry=entry or LANGUAGES[language].entries[0], limits=row.limits
    )
    return run_once(launcher, command, wall_s=30)


def test_every_language_has_a_row_and_a_kit() -> None:
    assert list(LANGUAGES) == list(RUNTIMES) == list(KITS)
    for language, row in RUNTIMES.items():
        assert row.compiled != bool(row.check), "either it is compiled, or it is checked"
        assert (kit_path(language) / "README.md").is_file()


def test_every_language_of_this_machine_is_offered(launcher: SandboxLauncher) -> None:
    found = offered(launcher)
    assert list(found) == [language for language, row in RUNTIMES.items() if row.program() is not None]
    for language, version in found.items():
        assert any(letter.isdigit() for letter in version), language
        assert len(version) <= 40
    assert left_behind(launcher) == []


def test_a_language_whose_self_test_fails_is_not_offered(launcher: SandboxLauncher) -> None:
    python = RUNTIMES["python"]
    assert probe(replace(python, self_test="print('something else')\n"), launcher) is None
    assert probe(replace(python, programs=("/usr/bin/no-such-python",)), launcher) is None


@pytest.mark.parametrize("language", KITS)
def test_a_starter_bot_plays_every_game_without_a_fault(language: str, launcher: SandboxLauncher) -> None:
    need(language)
    program = kit(language)
    assert (program.language, program.entry) == (language, LANGUAGES[language].entries[0])
    result = build(language=language, entry=program.entry, files=program.files, launcher=launcher)
    assert result.log.strip() == "", "a kit compiles without a warning"
    folder = laid_out(result)
    bot = SeatProgram(
        version=program.digest, name=language, language=language, entry=program.entry, folder=folder
    )
    games = [game for game in GAMES if not program.games or game in program.games]
    for game in games:
        seats = TABLES[game]
        outcome = play_match(
            game=make_game(game, seats),
            seats=[bot, *[house("random")] * (seats - 1)],
            seed=f"{language} at {game}",
            clock=FAST,
            private_seeds=[f"dice {seat}" for seat in range(seats)],
            launcher=launcher,
            limits=LIMITS,
        )
        log = "".join(chunk.text for chunk in outcome.seats[0].stderr)
        assert outcome.record is not None, outcome.void_reason
        assert outcome.record.faults == (), log
        assert outcome.seats[0].turns, "it was asked"
        verify(outcome.record)
    assert left_behind(launcher) == []


@pytest.mark.parametrize("language", KITS)
def test_haunt_new_lays_down_a_bot_that_plays(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    folder = tmp_path / "my.bot"
    assert main(["new", language, str(folder)]) == 0
    assert read_path(folder).language == language
    capsys.readouterr()
    assert main(["play", "dont-go-in-there", str(folder), "random", "--no-sandbox", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["faults"] == []


def test_haunt_says_which_package_a_language_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = replace(RUNTIMES["rust"], programs=("/usr/bin/no-such-rustc",))
    monkeypatch.setattr(table, "RUNTIMES", {**RUNTIMES, "rust": absent})
    assert main(["check", str(kit_path("rust")), "--no-sandbox"]) == 1
    assert "There is no Rust on this machine" in (said := capsys.readouterr().out)
    assert "apt-get install rustc" in said


TRICKY = r"""
{"type":"hello","protocol":1,"seed":"say \"legal\":[{\"id\":1}]","seats":2,"seat":0,"options":{"a":[{},[]]}}
{ "legal" : [ { "move" : {"id":5,"type":"]}"} , "id" : 42 } ] ,"clock":{"bank_ms":20},"events":[],~
"observation":{"said":"\\\" }] \"legal\":[{\"id\":7","legal":[{"id":8}],"turn":-3},"turn":12,"type":"move"}
{"type":"end","scores":[1.0,2.0],"ranks":[1,2],"events":[]}
""".lstrip().replace("~\n", "")
"""Lines as another referee might write them: in another order, with spaces, with words that mislead."""


@pytest.mark.parametrize("language", [kit for kit in KITS if kit != "python"])
def test_a_starter_bot_reads_json_as_json(language: str, launcher: SandboxLauncher) -> None:
    need(language)
    program, row = kit(language), RUNTIMES[language]
    result = build(language=language, entry=program.entry, files=program.files, launcher=launcher)
    child = launcher.start(row.run_command(folder=laid_out(result), entry=program.entry, limits=row.limits))
    try:
        os.write(child.stdin, TRICKY.encode())
        os.set_blocking(child.stdout, True)
        said = b""
        while part := os.read(child.stdout, 4096):
            said += part
    finally:
        child.close()
    assert [json.loads(line) for line in said.splitlines()] == [{"type": "ready"}, {"turn": 12, "id": 42}]


ERRORS = {
    "python": "def f(:\n",
    "javascript": "let x = ;\n",
    "c": "int main(void) { return x; }\n",
    "cpp": "int main() { return x; }\n",
    "rust": "fn main() { x(); }\n",
    "go": "package main\nfunc main() { x() }\n",
    "java": "public class Main { public static void main(String[] a) { x(); } }\n",
}


@pytest.mark.parametrize("language", ERRORS)
def test_a_compile_error_is_in_the_log_with_its_line(language: str, launcher: SandboxLauncher) -> None:
    need(language)
    entry = LANGUAGES[language].entries[0]
    failed = built(language, {entry: ERRORS[language]}, launcher)
    code = "build_failed" if RUNTIMES[language].compiled else "syntax_error"
    assert (failed.ok, failed.code, failed.artefact) == (False, code, b"")
    line = 2 if language == "go" else 1
    assert f"{entry}:{line}" in failed.log


MANY_FILES = {
    "c": {
        "main.c": '#include <stdio.h>\n#include "lib/deep.h"\nint main(void) { printf("%d\\n", deep()); }\n',
        "lib/deep.h": "int deep(void);\n",
        "lib/deep.c": '#include "lib/deep.h"\nint deep(void) { return 7; }\n',
    },
    "cpp": {
        "main.cpp": '#include <iostream>\n#include "lib/deep.hpp"\nint main() { std::cout << deep(); }\n',
        "lib/deep.hpp": "int deep();\n",
        "lib/deep.cc": '#include "deep.hpp"\nint deep() { return 7; }\n',
    },
    "rust": {
        "src/main.rs": 'mod deep;\nfn main() { println!("{}", deep::deep()); }\n',
        "src/deep.rs": "pub fn deep() -> i32 { 7 }\n",
    },
    "go": {
        "main.go": 'package main\n\nimport "vendored.example/deep"\n\nfunc main() { say(deep.Deep()) }\n',
        "print.go": 'package main\n\nimport "fmt"\n\nfunc say(n int) { fmt.Println(n) }\n',
        "go.mod": "module bot\n\ngo 1.19\n\nrequire vendored.example/deep v1.0.0\n",
        "vendor/modules.txt": "# vendored.example/deep v1.0.0\n## explicit\nvendored.example/deep\n",
        "vendor/vendored.example/deep/deep.go": "package deep\n\nfunc Deep() int { return 7 }\n",
    },
    "java": {
        "Main.java": "public class Main { public static void main(String[] a) "
        "{ System.out.println(lib.Deep.deep()); } }\n",
        "lib/Deep.java": "package lib;\npublic class Deep { public static int deep() { return 7; } }\n",
    },
    "javascript": {
        "main.js": 'console.log(require("./node_modules/deep")());\n',
        "node_modules/deep/index.js": "module.exports = () => 7;\n",
    },
    "python": {
        "main.py": "from lib.deep import deep\nprint(deep())\n",
        "lib/deep.py": "def deep(): return 7\n",
    },
}


@pytest.mark.parametrize("language", MANY_FILES)
def test_vendored_files_inside_the_bundle_are_found(language: str, launcher: SandboxLauncher) -> None:
    need(language)
    files = {**MANY_FILES[language], "book.txt": "openings\n"}
    entry = next(name for name in LANGUAGES[language].entries if name in files)
    result = built(language, files, launcher, entry=entry)
    finished = ran(result, language, launcher, entry)
    assert (finished.status, finished.stdout.strip()) == (0, b"7"), finished.stderr
    kept = from_tar(result.artefact)
    assert kept["book.txt"] == b"openings\n", "data of the bot's own comes along"
    if RUNTIMES[language].compiled:
        assert entry not in kept, "sources are not played"
        assert any(name.startswith(f"{BUILT}/") for name in kept)


def test_a_vendored_jar_is_found(launcher: SandboxLauncher) -> None:
    need("java")
    deep = "package deep;\npublic class Deep { public static int deep() { return 7; } }\n"
    classes = from_tar(built("java", {"deep/Deep.java": deep}, launcher, entry="deep/Deep.java").artefact)
    jar = io.BytesIO()
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("deep/Deep.class", classes[f"{BUILT}/deep/Deep.class"])
    main = b"class Main { public static void main(String[] a) { System.out.println(deep.Deep.deep()); } }\n"
    files = {"Main.java": main, "lib/deep.jar": jar.getvalue()}
    result = build(language="java", entry="Main.java", files=files, launcher=launcher)
    assert ran(result, "java", launcher).stdout == b"7\n"


def test_the_libraries_that_come_with_a_language_are_told(launcher: SandboxLauncher) -> None:
    if not Path("/usr/lib/python3/dist-packages/numpy").is_dir():
        pytest.skip("no numpy for the system's Python here: apt-get install python3-numpy")
    version = probe(RUNTIMES["python"], launcher)
    assert version is not None
    assert ", numpy " in version
    result = built("python", {"main.py": "import numpy\nprint(numpy.arange(5).sum())\n"}, launcher)
    assert ran(result, "python", launcher).stdout == b"10\n"


def test_a_build_of_the_author_s_own(launcher: SandboxLauncher) -> None:
    files = {"main.py": "import table\nprint(table.N)\n", "make.py": "open('table.py', 'w').write('N = 9')\n"}
    result = built("python", files, launcher, own=("python3", "make.py"))
    assert ran(result, "python", launcher).stdout == b"9\n"
    nothing = built("python", files, launcher, own=("rm", "main.py"))
    assert (nothing.code, nothing.artefact) == ("build_nothing", b"")
    assert "main.py" in nothing.log
    failed = built("python", files, launcher, own=("sh", "-c", "echo told; exit 3"))
    assert (failed.code, failed.log) == ("build_failed", "told\n")


def test_an_own_build_of_a_compiled_language_leaves_the_program(launcher: SandboxLauncher) -> None:
    need("c")
    files = {"main.c": '#include <stdio.h>\nint main(void) { puts("seven"); }\n'}
    own = ("sh", "-c", f"mkdir {BUILT} && gcc -Os -o {BUILT}/bot main.c")
    assert ran(built("c", files, launcher, own=own), "c", launcher).stdout == b"seven\n"
    assert built("c", files, launcher, own=("gcc", "main.c")).code == "build_nothing"


def test_a_build_without_a_program_has_failed(launcher: SandboxLauncher) -> None:
    need("java")
    packaged = "package deep;\npublic class Main { public static void main(String[] a) { } }\n"
    nothing = built("java", {"Main.java": packaged}, launcher)
    assert (nothing.code, nothing.artefact) == ("build_nothing", b"")
    assert f"{BUILT}/Main.class" in nothing.log
    assert built("java", {"deep/Main.java": packaged}, launcher, entry="deep/Main.java").ok


def test_a_name_is_never_taken_for_options(launcher: SandboxLauncher) -> None:
    need("c")
    files = {"main.c": "int main(void) { return 0; }\n", "@x.c": "int x;\n", "a b;$(touch y).c": "int y;\n"}
    assert ran(built("c", files, launcher), "c", launcher).status == 0
