"""Ringing a task by name, and only once the transaction that asked for it has committed."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from ladder.celery import app


def enqueue_on_commit(task: str, *args: str | int) -> None:
    """Send `task` (a dotted name) with ids alone after the running transaction commits."""
    transaction.on_commit(partial(app.send_task, task, args=list(args)))
