"""Named advisory locks of PostgreSQL, held to the end of the transaction."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import connection


def try_advisory_lock(name: str) -> bool:
    """True when this transaction now holds the lock of that name; never waits."""
    key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
        return bool(cursor.fetchone()[0])


def database_now() -> datetime:
    """The database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        now: datetime = cursor.fetchone()[0]
        return now
