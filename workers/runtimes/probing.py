"""Which languages are there on this machine. One is offered only when its self-test was built and ran
inside the sandbox."""

from __future__ import annotations

from typing import Final

from bots.languages import LANGUAGES
from bots.program import from_tar
from workers.build import build
from workers.runtimes import RUNTIMES, Runtime
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import Command
from workers.sandbox.scratch import scratch

_PROBE_S: Final = 30.0
_READY: Final = b'{"type":"ready"}'
_WORD: Final = 40
"""Characters of a version that the ladder keeps."""


def offered(launcher: Launcher) -> dict[str, str]:
    """Languages whose self-test ran here -> their version: what a worker says it can play."""
    return {
        language: version
        for language, row in RUNTIMES.items()
        if (version := probe(row, launcher)) is not None
    }


def probe(row: Runtime, launcher: Launcher) -> str | None:
    """Version of a language whose self-test passed in this launcher's sandbox, else None.

    Libraries that come with it follow after commas.
    """
    if row.program() is None:
        return None
    entry = LANGUAGES[row.language].entries[0]
    built = build(
        language=row.language,
        entry=entry,
        files={entry: row.self_test.encode("ascii")},
        launcher=launcher,
        wall_s=_PROBE_S,
    )
    if not built.ok:
        return None
    with scratch("probe") as folder:
        write_tree(folder, from_tar(built.artefact))
        if _said(launcher, row.run_command(folder=folder, entry=entry, limits=row.limits)) != _READY:
            return None
        version = _said(launcher, row.version_command(folder))
        extras = [_said(launcher, command) for command in row.extra_commands(folder)]
    if not version:
        return None
    return ", ".join(said.decode("utf-8", "replace") for said in (version, *extras) if said)[:_WORD]


def _said(launcher: Launcher, command: Command) -> bytes:
    """What a program printed, or nothing where it failed."""
    finished = run_once(launcher, command, wall_s=_PROBE_S)
    return finished.stdout.strip() if finished.status == 0 else b""
