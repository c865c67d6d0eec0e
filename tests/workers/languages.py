"""What tests of the languages share: which are here, and builds of a few files."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.languages import LANGUAGES
from workers.build import BuildResult, build
from workers.runtimes import RUNTIMES
from workers.sandbox.launcher import Launcher


def need(language: str) -> None:
    """Skip the test, by name and with the line to type, where the language is not on this machine."""
    row = RUNTIMES[language]
    if row.program() is None:
        pytest.skip(f"no {LANGUAGES[language].name} here: apt-get install {row.package}")


def built(
    language: str,
    files: dict[str, str],
    launcher: Launcher,
    *,
    entry: str | None = None,
    own: Sequence[str] | None = None,
    wall_s: float = 60,
) -> BuildResult:
    return build(
        language=language,
        entry=entry or LANGUAGES[language].entries[0],
        files={name: text.encode() for name, text in files.items()},
        launcher=launcher,
        own=own,
        wall_s=wall_s,
    )
