"""Workers: their tokens, and their signs of life."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from bots.job import Heartbeat
from ladder.common.digests import secret_digest
from ladder.matches.models import Worker

REFUSALS_BEFORE_DISTRUST = 3


def worker_create(*, name: str) -> tuple[Worker, str]:
    """A worker that may claim, and its token, which is not shown again."""
    token = secrets.token_urlsafe(32)
    return Worker.objects.create(name=name, token_sha256=secret_digest(token)), token


def worker_ensure(*, name: str, token: str) -> Worker:
    """The worker of this name, known by `token` from now on."""
    return Worker.objects.update_or_create(name=name, defaults={"token_sha256": secret_digest(token)})[0]


def worker_seen(*, worker: Worker, beat: Heartbeat) -> None:
    """Note that the worker lives and what it offers."""
    fields: dict[str, Any] = {
        "slots": max(0, min(beat.slots, 1024)),
        "languages": beat.languages,
        "rules": beat.rules,
        "layers": beat.layers,
    }
    Worker.objects.filter(pk=worker.pk).update(last_seen_at=Now(), **fields)


@transaction.atomic
def worker_report_refused(*, worker: Worker) -> None:
    """Mark a worker whose report did not prove its match; after three it may claim no more."""
    Worker.objects.filter(pk=worker.pk).update(refused_reports=F("refused_reports") + 1)
    Worker.objects.filter(
        pk=worker.pk, refused_reports__gte=REFUSALS_BEFORE_DISTRUST, distrusted_at=None
    ).update(distrusted_at=Now())
