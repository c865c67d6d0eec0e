"""Beat's tasks for matches."""

from __future__ import annotations

from celery import shared_task

from ladder.common.locks import database_now
from ladder.matches.services.reaper import leases_reap
from ladder.matches.services.transcripts import transcripts_prune


@shared_task
def reap() -> None:
    """Each 5 s: queue again what a worker left behind."""
    leases_reap(now=database_now())


@shared_task
def prune() -> None:
    """Each hour: forget transcripts that are old and without a fault."""
    transcripts_prune()
