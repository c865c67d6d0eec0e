"""pytest plugin: a PostgreSQL and a Valkey of this run's own, started when the first test needs them.

It is loaded by `-p tests.servers` (pyproject.toml), before Django reads its settings: the addresses of the
servers are decided at once and put into the environment, the servers start with the first test that asks
(tests/conftest.py). Runs side by side do not meet: each has a folder, sockets and databases of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ladder.common.embedded import Postgres, Valkey
from ladder.common.embedded.folders import OwnedFolder, sweep

PURPOSE = "test"


class Servers:
    """The servers of this run. Owns their folder from the start of the run to its end."""

    def __init__(self) -> None:
        sweep(PURPOSE)
        self.folder = OwnedFolder(PURPOSE)
        path = self.folder.path
        sockets = path / "s"
        self.postgres = Postgres(path / "pg", sockets, throwaway=True, log=path / "postgres.log")
        self.valkey = Valkey(path / "valkey", sockets, password="test", log=path / "valkey.log")
        os.environ["DATABASE_URL"] = self.postgres.url("postgres")
        os.environ["REDIS_URL"] = self.valkey.url()
        os.environ["STORAGE_URL"] = f"file://{path}/storage"
        os.environ.setdefault("SECRET_KEY", "only-for-tests-never-served")

    def start(self) -> None:
        self.postgres.start()
        self.valkey.start()

    def stop(self) -> None:
        self.valkey.stop()
        self.postgres.stop()

    def pytest_unconfigure(self) -> None:
        """The hook at the very end of a run, however it went."""
        self.stop()
        self.folder.remove()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Before pytest-django loads the settings."""
    early_config.pluginmanager.register(Servers(), "embedded-servers")
    return (yield)
