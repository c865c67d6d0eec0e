"""Languages, one row each: how to run a program, how to check it, how to see that this works here.

A language is offered only when its self-test ran inside the sandbox.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import Launcher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import GIB, MIB, START_CPU_S, Command, Limits
from workers.sandbox.scratch import scratch


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """One language. In argument lists `{entry}` stands for the program's entry file."""

    language: str
    programs: tuple[str, ...]
    """Where its interpreter may be, best first."""
    run: tuple[str, ...]
    check: tuple[str, ...]
    """Looks at the program's files without running them; its output is the build log."""
    limits: Limits
    environment: Mapping[str, str] = field(default_factory=dict)
    proc: bool = False
    start_cpu_s: int = START_CPU_S
    memory_signs: tuple[bytes, ...]
    """What its last words look like when there was no more memory to be had."""
    version: tuple[str, ...]
    """Prints the version on one line."""
    self_test: tuple[str, str]
    """Name and text of a program that says `{"type":"ready"}` and nothing else."""

    def program(self) -> str | None:
        """The interpreter on this machine, if there is one."""
        return next((path for path in self.programs if os.access(path, os.X_OK)), None)

    def command(self, words: tuple[str, ...], *, folder: Path, entry: str, limits: Limits) -> Command:
        """Run `words` of this row over a program. Raises SandboxError where the language is missing."""
        program = self.program()
        if program is None:
            raise SandboxError(f"there is no {self.language} on this machine")
        return Command(
            argv=(program, *(word.replace("{entry}", entry) for word in words)),
            folder=folder,
            limits=limits,
            environment=self.environment,
            proc=self.proc,
        )


_CHECK_PYTHON: Final = """\
import os, sys
bad = 0
for folder, folders, names in os.walk("."):
    folders.sort()
    for name in sorted(names):
        if not name.endswith(".py"):
            continue
        path = os.path.join(folder, name)[2:]
        try:
            with open(path, "rb") as file:
                compile(file.read(), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            bad = 1
            print(f"{path}:{getattr(error, 'lineno', None) or 1}: {getattr(error, 'msg', None) or error}")
            if getattr(error, "text", None):
                print("    " + error.text.strip()[:200])
sys.exit(bad)
"""

RUNTIMES: Final[Mapping[str, Runtime]] = {
    row.language: row
    for row in (
        Runtime(
            language="python",
            programs=("/usr/bin/python3", "/usr/local/bin/python3"),
            run=("-s", "-S", "{bot}/{entry}"),
            check=("-s", "-S", "-c", _CHECK_PYTHON),
            limits=Limits(address_space=512 * MIB),
            environment={
                "PYTHONPATH": "{bot}:{haunt}",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONUNBUFFERED": "1",
                "PYTHONHASHSEED": "0",
            },
            memory_signs=(b"MemoryError", b"Cannot allocate memory"),
            version=("-c", "import sys; print('Python', sys.version.split()[0])"),
            self_test=("main.py", 'import engine.registry, sdk\nprint(\'{"type":"ready"}\')\n'),
        ),
        Runtime(
            language="javascript",
            programs=("/usr/bin/node", "/usr/local/bin/node"),
            run=("--max-old-space-size=256", "{bot}/{entry}"),
            check=("--check", "{bot}/{entry}"),
            limits=Limits(address_space=4 * GIB, processes=48),
            memory_signs=(b"heap out of memory", b"Allocation failed", b"out of memory"),
            version=("-p", "'Node.js ' + process.versions.node"),
            self_test=("main.js", 'console.log(\'{"type":"ready"}\');\n'),
        ),
    )
}

_PROBE_S: Final = 30.0


def offered(launcher: Launcher) -> dict[str, str]:
    """Languages whose self-test ran here -> their version: what a worker says it can play."""
    return {
        language: version
        for language, row in RUNTIMES.items()
        if (version := probe(row, launcher)) is not None
    }


def probe(row: Runtime, launcher: Launcher) -> str | None:
    """Version of a language whose self-test passed in this launcher's sandbox, else None."""
    if row.program() is None:
        return None
    name, text = row.self_test
    with scratch("probe") as folder:
        folder.joinpath(name).write_text(text, encoding="ascii")
        limits = row.limits
        tested = run_once(
            launcher, row.command(row.run, folder=folder, entry=name, limits=limits), wall_s=_PROBE_S
        )
        if tested.status != 0 or tested.stdout.strip() != b'{"type":"ready"}':
            return None
        said = run_once(
            launcher, row.command(row.version, folder=folder, entry=name, limits=limits), wall_s=_PROBE_S
        )
    return said.stdout.decode("utf-8", "replace").strip()[:60] if said.status == 0 else None
