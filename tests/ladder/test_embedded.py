"""The embedded servers: found, started quickly, stopped, and cleared after a killed parent."""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from ladder.common.embedded import EmbeddedError, Postgres
from ladder.common.embedded.binaries import postgres_bin, valkey_server
from tests.servers import Servers


@pytest.mark.django_db
def test_database_is_the_embedded_one(servers: Servers) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW unix_socket_directories")
        assert cursor.fetchone() == (str(servers.postgres.sockets),)
