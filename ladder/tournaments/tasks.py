"""Beat's task for tournaments."""

from __future__ import annotations

from celery import shared_task

from ladder.common.locks import database_now
from ladder.tournaments.services.clock import tournaments_tick
from ladder.tournaments.services.series import series_fire


@shared_task
def move() -> None:
    """Each second: make what is due of the series, and move every tournament on."""
    now = database_now()
    try:
        series_fire(now=now)
    finally:  # a series that fails holds up no tournament
        tournaments_tick(now=now)
