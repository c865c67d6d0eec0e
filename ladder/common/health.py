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


def ready(_request: HttpRequest) -> JsonResponse:
    """200 when database and Valkey answer, else 503 with what does not."""
    state = {"database": _database(), "valkey": _valkey()}
    good = all(word == "ok" for word in state.values())
    return JsonResponse({"status": "ok" if good else "unavailable", **state}, status=200 if good else 503)


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
