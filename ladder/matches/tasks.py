"""Beat's tasks for matches."""

from __future__ import annotations

from celery import shared_task

from ladder.common.locks import database_now
from ladder.matches.services.reaper import leases_reap
from ladder.matches.services.transcripts import transcripts_prune
from ladder.matches.services.waiting import builds_tell


@shared_task
def reap() -> None:
    """Each 5 s: queue again what a worker left behind; tell authors what waits for a worker."""
    now = database_now()
    leases_reap(now=now)
    builds_tell(now=now)


@shared_task
def prune() -> None:
    """Each hour: forget transcripts that are old and without a fault."""
    transcripts_prune()
