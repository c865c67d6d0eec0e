"""Ringing a task by name, and only once the transaction that asked for it has committed."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from ladder.celery import app


def enqueue_on_commit(task: str, *args: str | int, expires_s: float | None = None) -> None:
    """Send `task` (a dotted name) with ids alone after the running transaction commits.

    With `expires_s` it is forgotten when nobody has taken it up by then.
    """
    transaction.on_commit(partial(app.send_task, task, args=list(args), expires=expires_s))
