"""The workers' Celery app: two queues, JSON only, and messages that are doorbells.

The broker user of a worker may touch the keys of these two queues and of `workers.unacked` alone, so the
book of unacknowledged messages is our own and not the ladder's.
"""

from __future__ import annotations

import os
from typing import Final

from celery import Celery
from kombu import Queue

from bots.job import QUEUE_BUILD, QUEUE_MATCH

RESTORE: Final = {
    # A doorbell that a dead worker took comes again by the ladder's dispatcher; the broker's own
    # repair is late on purpose, for a short timeout would ring twice for each long match.
    "visibility_timeout": 6 * 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "unacked_key": "workers.unacked",
    "unacked_index_key": "workers.unacked_index",
    "unacked_mutex_key": "workers.unacked_mutex",
}

app = Celery("workers", broker=os.environ.get("BROKER_URL"), include=["workers.tasks"])
app.conf.update(
    task_serializer="json",
    accept_content=["json"],
    result_backend=None,
    task_ignore_result=True,
    task_queues=[Queue(QUEUE_BUILD), Queue(QUEUE_MATCH)],
    task_default_queue=QUEUE_MATCH,
    task_create_missing_queues=False,
    task_acks_late=True,
    task_reject_on_worker_lost=False,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_concurrency=os.environ.get("WORKER_SLOTS") or max(1, (os.cpu_count() or 2) - 1),
    broker_connection_retry_on_startup=True,
    broker_transport_options=RESTORE,
    timezone="UTC",
)
