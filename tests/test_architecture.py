"""The house's walls: who imports whom, how long things may get, that every setting is told."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "bots", "workers", "ladder")
FILE_LINES = 400
FUNCTION_LINES = 50

# Names that every program knows; they are not settings of ours.
COMMON = {"PATH", "HOME", "CI", "NO_COLOR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"}
COMMON |= {"DJANGO_SETTINGS_MODULE", "TMPDIR", "EDITOR"}


def tracked(pattern: str = "*") -> list[Path]:
    said = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", pattern],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return [path for name in said.split("\0") if name and (path := ROOT / name).is_file()]


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, relative ones made absolute."""
    package = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", sources("engine"), ids=name_of)
def test_the_engine_imports_the_standard_library_alone(path: Path) -> None:
    tops = {module.split(".")[0] for module in imported(path)}
    assert tops - set(sys.stdlib_module_names) - {"engine"} == set()


def test_one_game_never_imports_another() -> None:
    games = ROOT / "engine" / "games"
    names = {path.name for path in games.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert names, "there are no games"
    for path in sources("engine/games"):
        own = path.relative_to(games).parts[0]
        others = {module.split(".")[2] for module in imported(path) if module.startswith("engine.games.")}
        assert (others & names) - {own} == set(), name_of(path)


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("bots", {"django", "celery", "psycopg", "subprocess", "workers", "ladder"}),
        ("workers", {"django", "psycopg", "rest_framework", "ladder"}),
        ("ladder", {"workers"}),
    ],
)
def test_nobody_reaches_over_a_wall(folder: str, forbidden: set[str]) -> None:
    for path in sources(folder):
        tops = {module.split(".")[0] for module in imported(path)}
        assert tops & forbidden == set(), name_of(path)


def test_imports_point_one_way() -> None:
    """import-linter knows the transitive ones too."""
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{name_of(path)}:{node.lineno} {node.name}: {lines} lines"


def test_no_file_and_no_function_is_too_long() -> None:
    files = [path for path in sources(*PACKAGES, "tests") if "migrations" not in path.parts]
    long = [
        f"{name_of(path)}: {n} lines"
        for path in files
        if (n := len(path.read_text().splitlines())) > FILE_LINES
    ]
    for path in files:
        long += long_functions(path)
    assert long == []


@pytest.mark.parametrize("path", sources(*PACKAGES), ids=name_of)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    if "migrations" not in path.parts and path.read_text().strip():
        assert ast.get_docstring(ast.parse(path.read_text()))


SETTING = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


def settings_read(path: Path) -> Iterator[str]:
    """Names that a file takes from the environment: `env.text("X")`, `environ["X"]`, `_number(env, "X")`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            asked = ast.unparse(node.func) + " " + " ".join(ast.unparse(a) for a in node.args[:1])
            words: list[ast.expr] = node.args[:2]
        elif isinstance(node, ast.Subscript):
            asked, words = ast.unparse(node.value), [node.slice]
        else:
            continue
        if re.search(r"\benv(iron)?\b", asked):
            for word in words:
                if (
                    isinstance(word, ast.Constant)
                    and isinstance(word.value, str)
                    and SETTING.fullmatch(word.value)
                ):
                    yield word.value


def test_every_setting_is_told_in_the_docs_and_every_told_setting_exists() -> None:
    read = {name for path in sources(*PACKAGES) for name in settings_read(path)} - COMMON
    read = {name for name in read if len(name) > 2}
    told = set(
        re.findall(r"^\| `([A-Z][A-Z0-9_]*)` \|", (ROOT / "docs" / "deploy.md").read_text(), re.MULTILINE)
    )
    assert read - told == set(), "read from the environment, absent from docs/deploy.md"
    assert told - read == set(), "in docs/deploy.md, read by nothing"


def test_nothing_names_the_machine_it_was_written_on() -> None:
    # Written in pieces, so that this file does not name them either.
    forbidden = re.compile(
        "|".join(["/" + "work/", "/opt/" + "pypi", "sha" + "red/(rules|look|reference|design)"])
    )
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        assert forbidden.search(text) is None, name_of(path)


def test_no_lock_names_an_index_and_every_pin_has_a_hash() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.lock")):
        text = lock.read_text()
        assert "://" not in text, lock.name
        pins = re.findall(r"^[A-Za-z0-9._-]+(?:\[[^\]]*\])?==.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
        assert pins, lock.name
        assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == [], lock.name


def test_no_code_is_left_for_later() -> None:
    later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    for path in sources(*PACKAGES, "tests"):
        if path != Path(__file__).resolve():
            assert later.search(path.read_text()) is None, name_of(path)


@pytest.mark.parametrize("path", sources("ladder"), ids=name_of)
def test_row_locks_let_others_refer_to_the_row(path: Path) -> None:
    """Plain FOR UPDATE keeps foreign keys waiting at COMMIT: two who refer to each other's rows deadlock."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "select_for_update":
            assert any(one.arg == "no_key" for one in node.keywords), f"line {node.lineno}: no_key=True"
