"""Fixtures for the whole suite. The servers themselves are in tests/servers.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import Servers


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[Servers]:
    """A real PostgreSQL and Valkey; tests with database access have them without asking."""
    own = request.config.pluginmanager.get_plugin("embedded-servers")
    own.start()
    yield own
    own.stop()


@pytest.fixture(scope="session")
def django_db_setup(servers: Servers, django_db_setup: None) -> None:
    """pytest-django's own, once the servers of this run are up."""
