"""Series: tournaments that come back by a cron line in a named time zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, QuotaError
from ladder.tournaments.models import Series
from ladder.tournaments.plans import PlanData, invalid, least_gap, next_instant, plan_check
from ladder.tournaments.services.history import note
from ladder.tournaments.services.organise import new_slug, organiser_check, series_tournament
from ladder.tournaments.services.turns import in_turn

OPEN_AT_ONCE: Final = 10
"""Tournaments of a series that take entries at the same time."""
SERIES_A_USER: Final = 5


@transaction.atomic
def series_create(
    *,
    owner: User,
    plan: PlanData,
    cron: str,
    time_zone: str = "UTC",
    registration_s: int = 3600,
    hidden_s: int = 0,
) -> Series:
    """A series from now on.

    Raises what tournament_create raises, also for a cron line that never fires, QuotaError past five series.
    """
    if plan.is_listed and not owner.is_staff:
        raise ForbiddenError("Only an admin can list a series.")
    _check_quota(owner)
    plan_check(plan)
    now = timezone.now()
    gap = least_gap(cron, time_zone, now)
    minutes = 1 if owner.is_staff else settings.SERIES_MINUTES
    if gap < timedelta(minutes=minutes):
        raise invalid("cron", f"A series comes back once in {minutes} minutes at most.")
    if registration_s < 0:
        raise invalid("registration_s", "Registration opens before the start.")
    if timedelta(seconds=registration_s) > gap * OPEN_AT_ONCE:
        raise invalid(
            "registration_s",
            f"At most {OPEN_AT_ONCE} tournaments of a series are open at once: registration can open "
            f"{(gap * OPEN_AT_ONCE).total_seconds():.0f} seconds before the start at most.",
        )
    return Series.objects.create(
        **plan.fields(),
        owner=owner,
        slug=new_slug(plan.title, is_listed=plan.is_listed),
        cron=cron,
        time_zone=time_zone,
        registration_s=registration_s,
        hidden_s=hidden_s,
        made_until=now,
    )


def _check_quota(owner: User) -> None:
    """What comes back by itself, and goes before the ladder's matches, is looked after by somebody."""
    if not owner.is_staff and Series.objects.filter(owner=owner, is_active=True).count() >= SERIES_A_USER:
        raise QuotaError(
            f"{SERIES_A_USER} series of yours come back already; stop one first.", code="series_per_user"
        )


@transaction.atomic
def series_stop(*, series: Series, actor: User) -> None:
    """Make no more of it. Raises ForbiddenError."""
    organiser_check(actor, series)
    Series.objects.filter(pk=series.pk).update(is_active=False)


@transaction.atomic
def series_resume(*, series: Series, actor: User) -> None:
    """Make it again from now on; what was missed meanwhile stays missed. Raises ForbiddenError."""
    organiser_check(actor, series)
    if not series.is_active:
        _check_quota(series.owner)
    Series.objects.filter(pk=series.pk).update(is_active=True, made_until=timezone.now())


def series_fire(*, now: datetime) -> int:
    """Make the tournaments whose registration opens by now; how many were made.

    After a time in which nobody looked, only the latest of the instants that have passed is made. A series
    that fails does not stop the others; its error is raised when all have had their turn.
    """
    active = Series.objects.filter(is_active=True).order_by("pk").values_list("pk", flat=True)
    return in_turn(active, lambda series_id: _fire(series_id, now))


@transaction.atomic
def _fire(series_id: int, now: datetime) -> int:
    held = Series.objects.select_for_update(of=("self",), skip_locked=True, no_key=True)
    series = held.filter(pk=series_id, is_active=True).first()
    if series is None:
        return 0
    due: list[datetime] = []
    instant = next_instant(series.cron, series.time_zone, series.made_until)
    while instant - timedelta(seconds=series.registration_s) <= now:
        due.append(instant)
        instant = next_instant(series.cron, series.time_zone, instant)
    if not due:
        return 0
    missed = [one for one in due if one <= now]
    wanted = [*missed[-1:], *(one for one in due if one > now)]
    registration = timedelta(seconds=series.registration_s)
    for one in wanted:
        starts_at = one if one > now else now + registration  # who was kept out may still enter
        tournament = series_tournament(series=series, instant=one, starts_at=starts_at)
        note(tournament, "made", series=series.slug, missed=max(0, len(missed) - 1))
    series.made_until = due[-1]
    series.save(update_fields=["made_until"])
    return len(wanted)
