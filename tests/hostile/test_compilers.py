"""Sources that would wear a compiler out, or have it look around, and builds that misbehave."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from bots.languages import LANGUAGES
from tests.workers.languages import built, need
from tests.workers.sandboxes import UID_BASE, left_behind, sandbox
from workers.build import LOG_BYTES
from workers.runtimes import RUNTIMES
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.policy import MIB

pytestmark = pytest.mark.sandbox

_WALL_S = 6.0
"""For what may end by this alone; an own build without an end needs no time to grow."""
_OWN_WALL_S = 2.0
_PATIENT_S = 60.0
"""For what ends by itself, and how long an end may take on a busy machine."""
_SLACK = 256 * MIB
"""Memory beside the one process that an address space bounds: the driver, the shell, what they share."""


@dataclass(frozen=True)
class Bomb:
    language: str
    source: str
    codes: tuple[str, ...]
    """What may come of it."""
    own: tuple[str, ...] | None = None
    log: str = ""


def _macros(levels: int) -> str:
    lines = ["#define A0(x) " + "+".join("x" * 10)]
    lines += [f"#define A{n}(x) A{n - 1}(A{n - 1}(x))" for n in range(1, levels)]
    return "\n".join([*lines, f"int main(void) {{ return A{levels - 1}(1); }}", ""])


_OUT_OF = ("build_memory", "build_timeout")
BOMBS = {
    "c: macros to the power of macros": Bomb("c", _macros(8), _OUT_OF),
    "c: a file that includes itself twice": Bomb(
        "c", '#include "main.c"\n#include "main.c"\n', (*_OUT_OF, "build_failed")
    ),
    "c: includes /dev/zero": Bomb("c", "#include </dev/zero>\n", _OUT_OF),
    "c: two gigabytes of data": Bomb(
        "c", "int x[1 << 29] = {1};\nint main(void) { return x[5]; }\n", ("build_failed", "build_memory")
    ),
    "c: an assembler that repeats": Bomb(
        "c",
        '__asm__(".rept 1000000000\\n.quad 1\\n.endr");\nint main(void) {}\n',
        (*_OUT_OF, "build_failed"),
    ),
    "c: 20,000 errors": Bomb("c", "int main(void) { return x + ; }\n" * 20_000, ("build_failed",)),
    "c: takes /etc/shadow along": Bomb(
        "c",
        '__asm__(".incbin \\"/etc/shadow\\"");\nint main(void) {}\n',
        ("build_failed",),
        log="file not found: /etc/shadow",
    ),
    "c: takes the environment along": Bomb(
        "c",
        '__asm__(".incbin \\"/proc/1/environ\\"");\nint main(void) {}\n',
        ("build_failed",),
        log="file not found",
    ),
    "cpp: templates to the power of two": Bomb(
        "cpp",
        "template <int N, int M> struct S {\n"
        "  static const long v = S<N - 1, M * 2>::v + S<N - 1, M * 2 + 1>::v;\n};\n"
        "template <int M> struct S<0, M> { static const long v = M; };\n"
        "int main() { return S<40, 0>::v; }\n",
        _OUT_OF,
    ),
    "cpp: computes while it compiles": Bomb(
        "cpp",
        "constexpr int f() { int s = 0; for (int i = 0; i < 1000000000; i++) s += i % 7; return s; }\n"
        "constexpr int a = f();\nint main() { return a; }\n",
        ("build_failed", "build_timeout"),
    ),
    "rust: a macro that doubles": Bomb(
        "rust",
        "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) } }\nfn main() { m!(1); }\n",
        (*_OUT_OF, "build_failed"),
    ),
    "rust: a constant without an end": Bomb(
        "rust",
        "const fn f() -> u64 { let mut i = 0; while i < 100_000_000_000 { i += 1; } i }\n"
        'const X: u64 = f();\nfn main() { println!("{}", X); }\n',
        ("build_failed", "build_timeout"),
    ),
    "rust: takes /etc/shadow along": Bomb(
        "rust",
        'fn main() { println!("{}", include_str!("/etc/shadow")); }\n',
        ("build_failed",),
        log="couldn't read /etc/shadow",
    ),
    "go: 64 gigabytes of data": Bomb(
        "go",
        "package main\n\nvar x = [1 << 33]int{1 << 32: 1}\n\nfunc main() { println(x[5]) }\n",
        (*_OUT_OF, "build_failed"),
    ),
    "java: strings that grow": Bomb(
        "java",
        "public class Main {\n"
        f' static final String A0 = "{"x" * 60_000}";\n'
        + "".join(f" static final String A{n} = A{n - 1} + A{n - 1} + A{n - 1};\n" for n in range(1, 18))
        + " public static void main(String[] a) { System.out.println(A17.length()); }\n}\n",
        (*_OUT_OF, "build_failed"),
    ),
    "own: never ends": Bomb(
        "python", "", ("build_timeout",), own=("sh", "-c", "echo on; while :; do :; done")
    ),
    "own: sleeps": Bomb("python", "", ("build_timeout",), own=("sleep", "1000")),
    "own: forks": Bomb(
        "python",
        "import os\nwhile True:\n try:\n  os.fork()\n except OSError:\n  pass\n",
        ("build_timeout",),
        own=("python3", "main.py"),
    ),
    "own: leaves a daemon": Bomb(
        "python", "", ("build_timeout", "build_nothing"), own=("sh", "-c", "sleep 500 & rm main.py")
    ),
    "own: fills the disk": Bomb(
        "python",
        "",
        ("build_output", "build_failed"),
        own=("sh", "-c", "for n in 1 2 3 4 5 6 7 8; do cat /dev/zero > big$n & done; wait"),
        log="No space left on device",
    ),
    "own: writes without an end": Bomb("python", "", ("build_flood",), own=("yes",)),
    "own: leaves a link": Bomb(
        "python", "", ("build_output",), own=("ln", "-s", "/etc/passwd", "x"), log="link"
    ),
    "own: leaves a pipe": Bomb("python", "", ("build_failed", "build_output"), own=("mkfifo", "x")),
    "own: leaves 3,000 files": Bomb(
        "python", "", ("build_output",), own=("sh", "-c", "for n in $(seq 3000); do : > f$n; done")
    ),
    "own: looks for a network": Bomb(
        "python",
        "import socket\nsocket.create_connection(('127.0.0.1', 22), 2)\n",
        ("build_failed",),
        own=("python3", "main.py"),
        log="Error",
    ),
    "own: changes the bot's folder": Bomb(
        "python", "", ("build_failed",), own=("touch", "/bot/main.py"), log="cannot touch"
    ),
}


class Watch:
    """The most memory that the slots' processes had at once, by a look each 50 ms (by uid: as root)."""

    def __init__(self) -> None:
        self.peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._over.wait(0.05):
            self.peak = max(self.peak, sum(map(_resident, Path("/proc").iterdir())))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def _resident(process: Path) -> int:
    try:
        if not process.name.isdigit() or not UID_BASE <= process.stat().st_uid < UID_BASE + 10:
            return 0
        return int((process / "statm").read_text().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


def _wall_s(bomb: Bomb) -> float:
    if "build_timeout" not in bomb.codes:
        return _PATIENT_S
    return _WALL_S if bomb.own is None else _OWN_WALL_S


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


@pytest.mark.parametrize("name", BOMBS)
def test_a_build_is_contained(name: str, launcher: SandboxLauncher) -> None:
    bomb = BOMBS[name]
    need(bomb.language)
    entry = LANGUAGES[bomb.language].entries[0]
    source = bomb.source or "print(1)\n"
    wall_s = _wall_s(bomb)
    with Watch() as watch, _at_most(wall_s + _PATIENT_S):
        result = built(bomb.language, {entry: source}, launcher, own=bomb.own, wall_s=wall_s)
    assert result.code in bomb.codes, result.log[-2000:]
    assert result.artefact == b""
    assert len(result.log.encode()) <= 3 * LOG_BYTES
    assert bomb.log in result.log
    assert watch.peak < RUNTIMES[bomb.language].build_limits.address_space + _SLACK
    assert left_behind(launcher) == []


def test_a_build_that_was_stopped_tells_how_far_it_came(launcher: SandboxLauncher) -> None:
    own = ("sh", "-c", "echo first step; sleep 60")
    result = built("python", {"main.py": "print(1)\n"}, launcher, own=own, wall_s=3)
    assert (result.code, result.log) == ("build_timeout", "first step\n")
