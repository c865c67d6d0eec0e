"""The ladder's own Celery app: beat's ticks, rating fits, and the doorbells that it rings for workers."""

from __future__ import annotations

import os

from celery import Celery
from kombu import Queue

from bots.job import QUEUE_BUILD, QUEUE_MATCH

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings.base")

QUEUE_TICKS = "ticks"
QUEUE_LADDER = "ladder"

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_queues=[Queue(name) for name in (QUEUE_TICKS, QUEUE_LADDER, QUEUE_BUILD, QUEUE_MATCH)],
    task_default_queue=QUEUE_LADDER,
    task_create_missing_queues=False,
    task_routes={
        "ladder.matchmaking.tasks.dispatch": {"queue": QUEUE_TICKS},
        "ladder.matchmaking.tasks.refill": {"queue": QUEUE_TICKS},
        "ladder.matches.tasks.reap": {"queue": QUEUE_TICKS},
        "workers.tasks.build_version": {"queue": QUEUE_BUILD},
        "workers.tasks.play_match": {"queue": QUEUE_MATCH},
    },
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    broker_connection_retry_on_startup=True,
    # A doorbell may be lost and rung again by the dispatcher; a short timeout would ring it twice.
    broker_transport_options={
        "visibility_timeout": 6 * 3600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    },
    timezone="UTC",
    # Ticks expire before the next but one is due, so that a pause never leaves a heap of them.
    beat_schedule={
        "dispatch": {"task": "ladder.matchmaking.tasks.dispatch", "schedule": 1.0, "options": {"expires": 2}},
        "reap": {"task": "ladder.matches.tasks.reap", "schedule": 5.0, "options": {"expires": 10}},
        "tournaments": {"task": "ladder.tournaments.tasks.move", "schedule": 1.0, "options": {"expires": 2}},
        "prune": {"task": "ladder.matches.tasks.prune", "schedule": 3600.0, "options": {"expires": 600}},
        "rate": {"task": "ladder.ratings.tasks.rate_due", "schedule": 2.0, "options": {"expires": 4}},
    },
)
app.autodiscover_tasks()
