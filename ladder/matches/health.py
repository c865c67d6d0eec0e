"""Can this house serve, and who plays: what it needs, its migrations, and the workers heard of lately."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from ladder.common import health
from ladder.matches.selectors import workers_live


def ready(_request: HttpRequest) -> JsonResponse:
    """200 when database and Valkey answer and every migration is applied, else 503 with what is amiss.

    A house without workers serves all the same; nothing is played there.
    """
    state: dict[str, Any] = health.services()
    waiting: list[str] = []
    if state["database"] == "ok":
        waiting = migrations_waiting()
        state |= {"migrations_waiting": waiting, "workers": workers_heard()}
    good = state["database"] == state["valkey"] == "ok" and not waiting
    return JsonResponse({"status": "ok" if good else "unavailable", **state}, status=200 if good else 503)


def migrations_waiting() -> list[str]:
    """Names of migrations that this code has and the database has not seen."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def workers_heard() -> list[dict[str, Any]]:
    """Workers seen in the last 30 s: what they offer, and what their sandbox is made of."""
    return [
        dict(row) for row in workers_live().order_by("name").values("name", "slots", "languages", "layers")
    ]
