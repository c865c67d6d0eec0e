"""The dispatcher: rings the workers' bells, and lays new tables when there is room.

The database is the truth and a bell is only a bell: one that nobody answered is rung again, so a broker
that lost everything costs seconds.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from bots.job import TASK_BUILD, TASK_MATCH
from ladder.common.locks import try_advisory_lock
from ladder.common.queue import enqueue_on_commit
from ladder.matches.models import Bundle, Match, MatchSeat, Purpose, Season
from ladder.matches.selectors import languages_offered
from ladder.matches.services.bundles import bundle_create
from ladder.matchmaking import selectors
from ladder.matchmaking.pairing import next_table, rests
from ladder.programs.models import Build, Version

RING_AGAIN_AFTER: Final = timedelta(seconds=15)
"""A bell older than this was lost."""
RING_REFUSED_AFTER: Final = timedelta(seconds=1)
"""A bell answered by a worker whom the job does not fit is rung again so soon: most likely for another, for
who has just answered waits at the end of the line. Not sooner, for it may be the only one that is free."""
BELLS_A_SLOT: Final = 2
MATCHES_AHEAD_A_SLOT: Final = 8
"""Ladder matches made ahead of their bells: what a slot plays in the second between two ticks."""
RESTING_PAUSE: Final = timedelta(minutes=1)
_TABLES_A_TICK: Final = 32
_ORDER: Final = {Purpose.PREFLIGHT: 0, Purpose.TOURNAMENT: 1, Purpose.FRIENDLY: 2, Purpose.LADDER: 3}
_IN_LINE: Final = Coalesce("refused_at", "created_at")
"""The oldest first; who was refused goes to the end of the line."""


@transaction.atomic
def dispatch_tick(*, now: datetime) -> None:
    """One tick, by one dispatcher at a time. `now` is the database's."""
    if not try_advisory_lock("dispatcher"):
        return
    slots = selectors.live_slots(now=now)
    if slots == 0:
        return
    builds_ring(now=now, room=BELLS_A_SLOT * slots)
    tables_lay(now=now, room=MATCHES_AHEAD_A_SLOT * slots - selectors.unplayed_ladder_matches())
    matches_ring(now=now, room=BELLS_A_SLOT * slots)


@transaction.atomic
def bells_refill(*, now: datetime) -> None:
    """A bell was answered: ring the next at once, for a match may take less than the second of a tick."""
    if try_advisory_lock("dispatcher"):
        matches_ring(now=now, room=BELLS_A_SLOT * selectors.live_slots(now=now))


def builds_ring(*, now: datetime, room: int) -> None:
    """Ring for builds that wait, up to `room` bells in the broker."""
    offered = languages_offered()  # a bell that nobody can answer would take the place of others
    waiting = Build.objects.filter(status=Build.Status.QUEUED, version__language__in=list(offered))
    room -= waiting.filter(doorbell_at__gt=now - RING_AGAIN_AFTER).count()
    _ring(_unheard(waiting, now).order_by(_IN_LINE, "pk"), TASK_BUILD, now, room)


def matches_ring(*, now: datetime, room: int) -> None:
    """Ring for matches: pre-flights, tournaments, friendly ones, then the ladders'.

    One that was refused stands with the ladders', so that what only a busy worker can play never keeps the
    others idle.
    """
    unplayable = MatchSeat.objects.filter(match=OuterRef("pk"), benched=False).exclude(
        version__language__in=list(languages_offered())
    )
    waiting = Match.objects.filter(~Exists(unplayable), status=Match.Status.QUEUED)
    room -= waiting.filter(doorbell_at__gt=now - RING_AGAIN_AFTER).count()
    order = Case(
        When(refused_at__isnull=False, then=Value(_ORDER[Purpose.LADDER])),
        *(When(bundle__purpose=purpose, then=Value(place)) for purpose, place in _ORDER.items()),
        output_field=IntegerField(),
    )
    _ring(
        _unheard(waiting, now).annotate(order=order).order_by("order", _IN_LINE, "pk"), TASK_MATCH, now, room
    )


def _unheard(waiting: QuerySet[Build] | QuerySet[Match], now: datetime) -> QuerySet[Build] | QuerySet[Match]:
    rested = Q(refused_at=None) | Q(refused_at__lte=now - RING_REFUSED_AFTER)
    return waiting.filter((Q(doorbell_at=None) & rested) | Q(doorbell_at__lte=now - RING_AGAIN_AFTER))


def _ring(jobs: QuerySet[Build] | QuerySet[Match], task: str, now: datetime, room: int) -> None:
    if room <= 0:
        return
    chosen: Iterable[Build | Match] = list(
        jobs.select_for_update(of=("self",), no_key=True, skip_locked=True)[:room]
    )
    for job in chosen:
        type(job).objects.filter(pk=job.pk).update(doorbell_at=now)
        enqueue_on_commit(task, str(job.public_id))


def tables_lay(*, now: datetime, room: int) -> list[Bundle]:
    """New ladder bundles while there is room for matches, each ladder in its turn."""
    bundles: list[Bundle] = []
    seasons = selectors.seasons_by_turn()
    while seasons and room > 0 and len(bundles) < _TABLES_A_TICK:
        season = seasons.pop(0)
        bundle = _lay(season, now)
        if bundle is not None:
            bundles.append(bundle)
            room -= season.ladder.seats
            seasons.append(season)
    return bundles


def _lay(season: Season, now: datetime) -> Bundle | None:
    """One bundle of a ladder, unless it rests: then one a minute, so that the front page lives."""
    ladder = season.ladder
    able = selectors.candidates(season=season, now=now)
    last = selectors.last_ladder_bundle_at(season=season)
    resting = rests(able, aim=ladder.aim_elo, cap=settings.BUNDLES_PER_DAY)
    if resting and last is not None and now - last < RESTING_PAUSE:
        return None
    table = next_table(able, seats=ladder.seats, cap=settings.BUNDLES_PER_DAY, seed=secrets.token_hex(16))
    if table is None:
        return None
    versions = Version.objects.select_related("bot").in_bulk(table)
    return bundle_create(
        season=season, purpose=Purpose.LADDER, versions=[versions[version] for version in table]
    )
