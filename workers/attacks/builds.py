"""Sources that would wear a compiler out, or have it look around, and builds that misbehave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.languages import LANGUAGES
from workers.attacks.attack import Attack, Bench, Finding, Verdict
from workers.build import LOG_BYTES, BuildResult, build
from workers.runtimes import RUNTIMES

_WALL_S: Final = 6.0
_PATIENT_S: Final = 45.0
"""For builds that end by themselves, on a machine that is busy with others."""
_LESS_S: Final = 3.0
_SOON_S: Final = 1.5
"""For builds that come to no end by themselves, and cost no CPU time to speak of until then."""


@dataclass(frozen=True)
class Bomb:
    """One build: sources, or an author's own command."""

    language: str
    source: str
    codes: tuple[str, ...]
    """What may come of it."""
    own: tuple[str, ...] | None = None
    log: str = ""
    """What its author must be told."""
    wall_s: float = _WALL_S


def _macros(levels: int) -> str:
    lines = ["#define A0(x) " + "+".join("x" * 10)]
    lines += [f"#define A{n}(x) A{n - 1}(A{n - 1}(x))" for n in range(1, levels)]
    return "\n".join([*lines, f"int main(void) {{ return A{levels - 1}(1); }}", ""])


_OUT_OF = ("build_memory", "build_timeout")
BOMBS: Final = {
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
        wall_s=_LESS_S,
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
        wall_s=_LESS_S,
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
        "python",
        "",
        ("build_timeout",),
        own=("sh", "-c", "echo on; while :; do :; done"),
        wall_s=_SOON_S,
    ),
    "own: sleeps": Bomb("python", "", ("build_timeout",), own=("sleep", "1000"), wall_s=_SOON_S),
    "own: forks": Bomb(
        "python",
        "import os\nwhile True:\n try:\n  os.fork()\n except OSError:\n  pass\n",
        ("build_timeout",),
        own=("python3", "main.py"),
        wall_s=_SOON_S,
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
    "own: leaves a folder of its entry's name": Bomb(
        "python", "", ("build_nothing", "build_output"), own=("sh", "-c", "rm main.py; mkdir main.py")
    ),
    "own: leaves one file under two names": Bomb(
        "python", "", ("build_output",), own=("ln", "main.py", "x"), log="link"
    ),
    "own: leaves a file that is too big": Bomb(
        "python",
        "",
        ("build_output", "build_failed"),
        own=("sh", "-c", "for n in 1 2 3; do head -c 40000000 /dev/zero > big$n; done"),
    ),
    "own: leaves a name that steers": Bomb(
        "python", "", ("build_output",), own=("sh", "-c", "touch \"$(printf '\\033[31mx')\"")
    ),
    "cpp: a template without an end": Bomb(
        "cpp",
        "template <int N> struct S { static const int v = S<N + 1>::v; };\nint main() { return S<0>::v; }\n",
        ("build_failed",),
        log="depth",
    ),
    "c: includes /etc/shadow": Bomb(
        "c", '#include "/etc/shadow"\nint main(void) {}\n', ("build_failed",), log="No such file"
    ),
    "go: takes orders to other compilers along": Bomb(
        "go",
        'package main\n\n// #cgo CFLAGS: -fplugin=/bot/x.so\n// int x;\nimport "C"\n\nfunc main() {}\n',
        ("build_failed",),
    ),
}


@dataclass(frozen=True, kw_only=True)
class BuildAttack(Attack):
    """A build that must fail with its verdict, leave no artefact, and keep to its time, memory and log."""

    bomb: Bomb

    def run(self, bench: Bench) -> Finding:
        bomb = self.bomb
        entry = LANGUAGES[bomb.language].entries[0]
        result = build(
            language=bomb.language,
            entry=entry,
            files={entry: (bomb.source or "print(1)\n").encode()},
            launcher=bench.launcher,
            own=bomb.own,
            wall_s=bomb.wall_s if "build_timeout" in bomb.codes else _PATIENT_S,
        )
        if result.ok or result.artefact:
            return Finding(Verdict.ESCAPED, "an artefact came of it")
        wrong = _wrong(bomb, result)
        return Finding(Verdict.WRONG if wrong else Verdict.CONTAINED, wrong)


def _wrong(bomb: Bomb, result: BuildResult) -> str:
    if result.code not in bomb.codes:
        return f"the verdict was {result.code}, not {' or '.join(bomb.codes)}: {result.log[-500:]}"
    if len(result.log.encode()) > 3 * LOG_BYTES:
        return f"its log has {len(result.log)} characters"
    return "" if bomb.log in result.log else f"its log does not say {bomb.log!r}: {result.log[-500:]}"


def attacks() -> list[BuildAttack]:
    return [
        BuildAttack(
            group="compilers",
            name=name,
            what=f"A build, {name}.",
            needs=(bomb.language,),
            memory=RUNTIMES[bomb.language].build_limits.memory,
            bomb=bomb,
        )
        for name, bomb in BOMBS.items()
    ]
