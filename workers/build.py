"""Source -> artefact, inside the sandbox.

Languages that are only checked keep their source as it is: nothing that a program's check wrote ever
leaves the sandbox, but its log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bots.program import Program
from workers.runtimes import RUNTIMES, Runtime
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.oneshot import Finished, run_once
from workers.sandbox.policy import MIB, Command
from workers.sandbox.scratch import scratch
from workers.stderr import clean_text

BUILD_S: Final = 60.0
BUILD_CPU_S: Final = 30
LOG_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """What came of a build. `code` is a key of the catalogue of messages where it failed."""

    ok: bool
    artefact: bytes
    """Canonical tar of what is to be played; empty where the build failed."""
    log: str
    code: str | None
    toolchain: str | None


def build(
    *,
    language: str,
    entry: str,
    files: Mapping[str, bytes],
    launcher: Launcher,
    toolchain: str | None = None,
    wall_s: float = BUILD_S,
) -> BuildResult:
    """Check a program in the sandbox. Raises SandboxError when that could not be done here.

    `toolchain` is the language's version where the caller has probed it already.
    """
    row = RUNTIMES[language]
    with scratch("build") as folder:
        write_tree(folder, files)
        finished = run_once(launcher, _command(row, folder, entry), wall_s=wall_s, keep=LOG_BYTES)
    log = clean_text((finished.stdout + finished.stderr)[:LOG_BYTES])
    code = _code(row, finished)
    artefact = b"" if code else _artefact(language, entry, files)
    return BuildResult(ok=code is None, artefact=artefact, log=log, code=code, toolchain=toolchain)


def _command(row: Runtime, folder: Path, entry: str) -> Command:
    """The row's check, with more memory and CPU time than a seat has."""
    memory = max(row.limits.address_space, 1024 * MIB)
    limits = replace(row.limits, memory=1024 * MIB, address_space=memory, cpu_s=BUILD_CPU_S)
    return row.command(row.check, folder=folder, entry=entry, limits=limits)


def _code(row: Runtime, finished: Finished) -> str | None:
    if finished.status == 0:
        return None
    if finished.out_of_memory or any(sign in finished.stderr[-32_000:] for sign in row.memory_signs):
        return "build_memory"
    if finished.status is None:
        return "build_timeout"
    return "syntax_error"


def _artefact(language: str, entry: str, files: Mapping[str, bytes]) -> bytes:
    return Program(language=language, entry=entry, build=None, games=(), files=dict(files)).to_tar()
