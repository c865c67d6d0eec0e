"""Languages, one row each: how to build a program, how to run it, how to see that this works here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workers.runtimes.compiled import CPP, GO, JAVA, RUST, C
from workers.runtimes.interpreted import JAVASCRIPT, PYTHON
from workers.runtimes.row import Runtime

__all__ = ["RUNTIMES", "Runtime"]

RUNTIMES: Final[Mapping[str, Runtime]] = {
    row.language: row for row in (PYTHON, JAVASCRIPT, C, CPP, RUST, GO, JAVA)
}
