"""Beat's task for matchmaking."""

from __future__ import annotations

from celery import shared_task

from ladder.common.locks import database_now
from ladder.matchmaking.services import bells_refill, dispatch_tick


@shared_task
def dispatch() -> None:
    """Each second: ring, and lay tables."""
    dispatch_tick(now=database_now())


@shared_task
def refill() -> None:
    """Whenever a match was claimed: ring the next."""
    bells_refill(now=database_now())
