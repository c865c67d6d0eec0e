"""What a row of the table of languages holds, and the commands that come of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from bots.intake import BUILT
from bots.languages import LANGUAGES
from workers.sandbox.errors import SandboxError
from workers.sandbox.policy import GIB, MIB, START_CPU_S, Command, Limits

BUILD_LIMITS: Final = Limits(
    memory=1 * GIB,
    address_space=1 * GIB,
    processes=64,
    open_files=256,
    file_size=64 * MIB,
    cpu_s=30,
    tmp=256 * MIB,
)
"""What a build has: more of everything than a seat, for a minute at most (workers/build.py)."""

_SCRIPT: Final = """\
ulimit -S -t {cpu}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
compiler=$1 entry=$2
shift 2
{{
{steps}
}} >&2
tar -C "$out" -cf - .
"""
"""Every build: its steps fill the empty folder `$out`, which then leaves the sandbox as a tar on stdout.

All that they print is log. The soft limit of CPU time comes before the hard one, so that a compiler that is
stopped by it can say so.
"""

_OWN_STEPS: Final = 'cp -R . "$out"\ncd "$out"\n"$@"'
"""An author's own `build`: his command, run in a copy of his files that it may change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """One language.

    In argument lists `{program}` stands for the language's program on this machine, `{home}` for the folder
    that it is installed in, `{entry}` for the bot's entry file, `{class}` for the class of that file.
    """

    language: str
    programs: tuple[str, ...]
    """Where its compiler or interpreter may be, best first."""
    package: str
    """What Debian calls the package that brings it."""
    check: tuple[str, ...] = ()
    """Where nothing is compiled: looks at the files without running them; what it prints is the build log."""
    steps: str = ""
    """Where something is compiled: lines of sh that make what is played. They find the compiler in
    `$compiler`, the entry in `$entry`, all source files of the language in `$@`, and fill `$out`."""
    makes: str = ""
    """The file that the steps leave in `$out`; `{stem}` is the entry's name without its ending."""
    run: tuple[str, ...]
    limits: Limits
    build_limits: Limits = BUILD_LIMITS
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    """Files outside /usr that it needs to see, as patterns."""
    build_links: Mapping[str, str] = field(default_factory=dict)
    """Links that its compiler needs to see, path -> target."""
    start_cpu_s: int = START_CPU_S
    memory_signs: tuple[bytes, ...]
    """What its last words look like when there was no more memory to be had."""
    version: tuple[str, ...]
    """Prints the version on one line."""
    extras: tuple[tuple[str, ...], ...] = ()
    """Libraries beside the standard one: each prints name and version where it is there."""
    self_test: str
    """A program that says `{"type":"ready"}` and nothing else, under the language's first entry name."""

    @property
    def compiled(self) -> bool:
        return bool(self.steps)

    def played(self, entry: str) -> str:
        """The file that has to be there after a build."""
        stem = str(PurePosixPath(entry).with_suffix(""))
        return f"{BUILT}/{self.makes.replace('{stem}', stem)}" if self.compiled else entry

    def program(self) -> str | None:
        """The compiler or interpreter on this machine, if there is one."""
        return next((path for path in self.programs if os.access(path, os.X_OK)), None)

    def run_command(self, *, folder: Path, entry: str, limits: Limits) -> Command:
        """Play the program that lies built in `folder`. Raises SandboxError where the language is missing."""
        return self._command(self.run, folder, entry, limits)

    def version_command(self, folder: Path) -> Command:
        return self._command(self.version, folder)

    def extra_commands(self, folder: Path) -> list[Command]:
        return [self._command(words, folder, limits=self.limits) for words in self.extras]

    def build_command(
        self, *, folder: Path, entry: str, files: Sequence[str], own: Sequence[str] | None
    ) -> Command:
        """Build the sources in `folder`, by the row's steps or by the author's `own` command.

        Languages that are not compiled, without a command of the author's: check them.
        """
        if not own and not self.compiled:
            return self._command(self.check, folder, entry)
        suffixes = LANGUAGES[self.language].suffixes
        # With ./ before it, no file's name is taken for an option or a list of options.
        sources = [f"./{name}" for name in files if PurePosixPath(name).suffix.lower() in suffixes]
        script = _SCRIPT.format(
            steps=_OWN_STEPS if own else self.steps, cpu=max(1, self.build_limits.cpu_s - 1)
        )
        words = ("/bin/sh", "-euc", script, "build", "{program}", f"./{entry}", *(own or sources))
        return self._command(words, folder, entry)

    def _command(
        self, words: Sequence[str], folder: Path, entry: str = "", limits: Limits | None = None
    ) -> Command:
        """Words of the row as a command; without `limits` it is a build, with all that builds may."""
        program = self.program()
        if program is None:
            raise SandboxError(f"there is no {self.language} on this machine")
        filled = {
            "{program}": program,
            "{home}": str(Path(program).resolve().parents[1]),
            "{entry}": entry,
            "{class}": str(PurePosixPath(entry).with_suffix("")).replace("/", ".") if entry else "",
        }
        return Command(
            argv=tuple(_filled(word, filled) for word in words),
            folder=folder,
            limits=limits or self.build_limits,
            environment={name: _filled(value, filled) for name, value in self.environment.items()},
            files=tuple(str(path) for pattern in self.files for path in sorted(Path("/").glob(pattern[1:]))),
            links={} if limits else {path: _filled(to, filled) for path, to in self.build_links.items()},
            file_locks=limits is None,
        )


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
