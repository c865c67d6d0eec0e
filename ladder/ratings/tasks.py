"""The tick of the ratings."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from ladder.ratings.services import season_rate, seasons_due


@shared_task(name="ladder.ratings.tasks.rate_due")
def rate_due() -> None:
    """Fit each season that has new results and has rested long enough."""
    for season in seasons_due(now=timezone.now()):
        season_rate(season=season, now=timezone.now())
