"""Repairs what broke: leases that ran out, matches tried three times. One tick each 5 s."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet

from ladder.common.locks import try_advisory_lock
from ladder.matches.models import Attempt, Match, ReaperWatch, Worker
from ladder.matches.services.claims import LEASE
from ladder.matches.services.reports import build_requeue, match_requeue
from ladder.programs.models import Build

_BATCH: Final = 100


@transaction.atomic
def leases_reap(*, now: datetime) -> int:
    """Expire what was not renewed and queue it again; the number of attempts expired.

    `now` is the database's. Nothing is reaped for one lease after the reaper's own start, nor after a
    silence of all workers: then it was we who could not be reached.
    """
    if not try_advisory_lock("reaper") or not _may_reap(now):
        return 0
    expired = 0
    matches = Match.objects.filter(status=Match.Status.RUNNING, lease_until__lt=now)
    for match in matches.select_for_update(of=("self",), no_key=True, skip_locked=True)[:_BATCH]:
        expired += _expire(match.attempts.filter(status=Attempt.Status.LEASED))
        match_requeue(match=match)
    builds = Build.objects.filter(status=Build.Status.RUNNING, lease_until__lt=now)
    for build in builds.select_for_update(of=("self",), no_key=True, skip_locked=True)[:_BATCH]:
        expired += _expire(Attempt.objects.filter(build=build, status=Attempt.Status.LEASED))
        build_requeue(build=build)
    return expired


def _expire(attempts: QuerySet[Attempt]) -> int:
    return attempts.update(status=Attempt.Status.EXPIRED, void_code="worker_lost")


def _may_reap(now: datetime) -> bool:
    """Follow the reaper's own ticks and the workers' heartbeats; False while it must hold still."""
    watch, _ = ReaperWatch.objects.select_for_update(no_key=True).get_or_create(pk=1)
    newest: datetime | None = Worker.objects.aggregate(newest=Max("last_seen_at"))["newest"]
    started = watch.ticked_at is None or now - watch.ticked_at > LEASE
    gone = newest is None or now - newest > LEASE
    if started or (watch.workers_were_gone and not gone):
        watch.quiet_until = now + LEASE
    watch.ticked_at, watch.workers_were_gone = now, gone
    watch.save()
    return not gone and (watch.quiet_until is None or now >= watch.quiet_until)
