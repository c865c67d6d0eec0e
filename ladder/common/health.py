"""Is this process alive, and can it serve: for supervisors, proxies and people who look after it."""

from __future__ import annotations

from django.core.cache import cache
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse
from redis import RedisError


def live(_request: HttpRequest) -> JsonResponse:
    """The process answers. Nothing behind it is asked."""
    return JsonResponse({"status": "ok"})


def services() -> dict[str, str]:
    """What stands behind the process: `ok` or `unreachable`, by name."""
    return {"database": _database(), "valkey": _valkey()}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def _valkey() -> str:
    try:
        cache.get("health")
    except (RedisError, OSError):
        return "unreachable"
    return "ok"
