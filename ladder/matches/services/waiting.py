"""Builds that nobody can do now: their authors are told, and nothing is lost."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from ladder.matches.selectors import HEARD_LATELY, languages_offered
from ladder.programs.models import Build, Version
from ladder.programs.services import version_rests

NO_WORKER = "no_worker"


@transaction.atomic
def builds_tell(*, now: datetime) -> int:
    """Say of each version whose language no worker offers that it waits for one. How many changed.

    A worker that starts again is not missed before it could be heard. `now` is the database's.
    """
    offered = list(languages_offered())
    queued = Version.objects.filter(state=Version.State.CHECKED, build__status=Build.Status.QUEUED)
    waiting = queued.filter(reason_code="", build__created_at__lt=now - HEARD_LATELY)
    heard = queued.filter(reason_code=NO_WORKER, language__in=offered)
    told = list(waiting.exclude(language__in=offered).select_for_update(of=("self",), no_key=True))
    cleared = list(heard.select_for_update(of=("self",), no_key=True))
    for version in told:
        version_rests(version=version, code=NO_WORKER)
    for version in cleared:
        version_rests(version=version)
    return len(told) + len(cleared)
