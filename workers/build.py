"""Source -> artefact, inside the sandbox.

What a build makes leaves the sandbox as a tar on its stdout, under a cap, and is read as strictly as an
upload: no process of ours ever opens a path that a build could have written. Languages that are only
checked keep their source as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from bots.intake import BUILT, MAX_FILES, MAX_UNPACKED, ProgramError
from bots.languages import LANGUAGES
from bots.program import Program, from_tar
from workers.runtimes import RUNTIMES, Runtime
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.oneshot import Finished, run_once
from workers.sandbox.scratch import scratch
from workers.stderr import clean_text

BUILD_S: Final = 60.0
LOG_BYTES: Final = 256 * 1024
_MAX_TAR: Final = MAX_UNPACKED + MAX_FILES * 4 * 512
"""Contents, and for each file a header, a long name and padding."""
_TIME_SIGNS: Final = (b"CPU time limit exceeded", b"cpu limit exceeded")
_TIME_STATUS: Final = (128 + 24, 128 + 9)
"""SIGXCPU, and SIGKILL of the hard limit behind it."""
_LAST_WORDS: Final = 32_000


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
    own: Sequence[str] | None = None,
    toolchain: str | None = None,
    wall_s: float = BUILD_S,
) -> BuildResult:
    """Build a program in the sandbox. Raises SandboxError when that could not be done here.

    `own` is the author's own build command. `toolchain` is the language's version where the caller has
    probed it already.
    """
    row = RUNTIMES[language]
    with scratch("build") as folder:
        write_tree(folder, files)
        command = row.build_command(folder=folder, entry=entry, files=sorted(files), own=own)
        finished = run_once(launcher, command, wall_s=wall_s, keep=LOG_BYTES, keep_stdout=_MAX_TAR)
    makes = bool(own) or row.compiled
    log = finished.stderr if makes else finished.stdout + finished.stderr
    text, code, played = clean_text(log[:LOG_BYTES]), _code(row, finished, makes=makes), dict(files)
    if code is None and makes:
        played, code, more = _made(row, entry, files, finished, own=bool(own))
        text += more
    artefact = b"" if code else _artefact(language, entry, played)
    return BuildResult(ok=code is None, artefact=artefact, log=text, code=code, toolchain=toolchain)


def _code(row: Runtime, finished: Finished, *, makes: bool) -> str | None:
    """Why a build failed, by how it ended and by its last words."""
    if finished.status == 0:
        return None
    if finished.out_of_memory:
        return "build_memory"
    if finished.status is None and not finished.late:
        return "build_output" if makes and len(finished.stdout) == _MAX_TAR else "build_flood"
    last = finished.stderr[-_LAST_WORDS:]
    if finished.status in (None, *_TIME_STATUS) or any(sign in last for sign in _TIME_SIGNS):
        return "build_timeout"
    if any(sign in last for sign in row.memory_signs):
        return "build_memory"
    return "build_failed" if makes else "syntax_error"


def _made(
    row: Runtime, entry: str, files: Mapping[str, bytes], finished: Finished, *, own: bool
) -> tuple[dict[str, bytes], str | None, str]:
    """What is to be played, or the code and a sentence that say why there is nothing."""
    try:
        made = from_tar(finished.stdout)
    except ProgramError as error:
        return {}, "build_output", f"\n{error.message}\n"
    if not own:
        suffixes = LANGUAGES[row.language].suffixes
        kept = {
            name: data for name, data in files.items() if PurePosixPath(name).suffix.lower() not in suffixes
        }
        made = kept | {f"{BUILT}/{name}": data for name, data in made.items()}
    if row.played(entry) not in made:
        return {}, "build_nothing", f"\nThe build left no {row.played(entry)}.\n"
    return made, None, ""


def _artefact(language: str, entry: str, files: Mapping[str, bytes]) -> bytes:
    return Program(language=language, entry=entry, build=None, games=(), files=dict(files)).to_tar()
