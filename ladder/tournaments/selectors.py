"""Reads of tournaments, and who may see what of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Avg, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, NotFoundError
from ladder.matches import selectors as matches
from ladder.matches.models import Ladder, Match
from ladder.matches.visibility import Viewer
from ladder.matchmaking.selectors import live_slots
from ladder.tournaments import facts
from ladder.tournaments.formats.estimate import matches_by_round, most_match_s, seconds
from ladder.tournaments.models import Entry, Happening, Plan, Series, Tournament
from ladder.tournaments.plans import next_instant
from ladder.tournaments.services.organise import may_organise

State = Tournament.State
COMING: Final = (State.OPEN, State.FROZEN)
OVER: Final = (State.FINISHED, State.CANCELLED)
DECISIONS: Final = 60
"""Of one seat in a match of which nothing has been measured yet."""
_MEASURED: Final = 200
"""Latest matches of a ladder from which the time of one is taken."""


def tournaments(viewer: Viewer) -> QuerySet[Tournament]:
    """Those that are listed, and the viewer's own, the latest start first."""
    found = Tournament.objects.select_related("ladder", "owner", "series").order_by("-starts_at", "-pk")
    if viewer.is_staff:
        return found
    listed = Q(is_listed=True) & ~Q(state=State.DRAFT)
    if not viewer.is_authenticated:
        return found.filter(listed)
    own = Q(owner=viewer.pk) | Q(entries__bot__memberships__user=viewer.pk) & ~Q(state=State.DRAFT)
    return found.filter(listed | own).distinct()


def tournament_by_slug(viewer: Viewer, slug: str) -> Tournament:
    """A tournament by its address, which is all that an unlisted one asks for; drafts are their organiser's.

    Raises NotFoundError.
    """
    found = Tournament.objects.select_related("ladder", "owner", "season", "series").filter(slug=slug).first()
    if found is None or (found.state == State.DRAFT and not organises(viewer, found)):
        raise NotFoundError(f"There is no tournament {slug}.")
    return found


def with_entries(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The same, each with `playing`: how many are in."""
    own = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_at=None).order_by().values("tournament")
    counted = Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField())
    return found.annotate(playing=Coalesce(counted, 0))


def entries_of(tournament: Tournament) -> QuerySet[Entry]:
    """By seeding once it is fixed, before in the order in which they came."""
    found = tournament.entries.select_related("bot", "version", "wish", "entered_by")
    return found.prefetch_related("bot__memberships__user").order_by(F("seeding").asc(nulls_last=True), "pk")


def entry_by_bot(tournament: Tournament, bot_id: UUID) -> Entry:
    """The entry of a bot. Raises NotFoundError."""
    entry = entries_of(tournament).filter(bot__public_id=bot_id).first()
    if entry is None:
        raise NotFoundError("That bot is not in this tournament.")
    return entry


def matches_of(viewer: Viewer, tournament: Tournament) -> QuerySet[Match]:
    """Its matches that the viewer may see, newest first."""
    return matches.matches(viewer).filter(bundle__table_bundle__table__tournament=tournament)


RESULT_KINDS: Final = frozenset({"round", "table_decided", "late_entry", "finished"})
"""Happenings that tell of rounds and results."""
ORGANISERS_KINDS: Final = frozenset({"invited"})
"""Happenings that are the organiser's business alone."""


def happenings(viewer: Viewer, tournament: Tournament) -> QuerySet[Happening]:
    """What happened, as far as the viewer may know it, newest first."""
    found = tournament.happenings.select_related("actor").order_by("-pk")
    if not shows_results(viewer, tournament):
        found = found.exclude(kind__in=RESULT_KINDS)
    if not organises(viewer, tournament):
        found = found.exclude(kind__in=ORGANISERS_KINDS)
    return found


def all_series(viewer: Viewer) -> QuerySet[Series]:
    """Those that are listed, and the viewer's own; newest first."""
    found = Series.objects.select_related("ladder", "owner").order_by("-pk")
    if viewer.is_staff:
        return found
    return found.filter(Q(is_listed=True) | Q(owner=viewer.pk))


def series_by_slug(slug: str) -> Series:
    """A series by its address, which is all that an unlisted one asks for. Raises NotFoundError."""
    found = Series.objects.select_related("ladder", "owner").filter(slug=slug).first()
    if found is None:
        raise NotFoundError(f"There is no series {slug}.")
    return found


def next_start(series: Series) -> datetime | None:
    """The first start of a series for which no tournament is made yet; None while it is stopped."""
    if not series.is_active:
        return None
    return next_instant(series.cron, series.time_zone, max(series.made_until, timezone.now()))


def organises(viewer: Viewer, tournament: Tournament) -> bool:
    """Whether the viewer may pause it, move it, call it off."""
    return isinstance(viewer, User) and may_organise(viewer, tournament)


def shows_results(viewer: Viewer, tournament: Tournament) -> bool:
    """Whether tables, results and standings may be shown: before the hour of a hidden one to admins alone."""
    hidden_until = tournament.hidden_until
    return hidden_until is None or hidden_until <= timezone.now() or bool(viewer.is_staff)


def results_check(viewer: Viewer, tournament: Tournament) -> None:
    """Raises ForbiddenError where `shows_results` says no."""
    if not shows_results(viewer, tournament):
        hour = tournament.hidden_until
        raise ForbiddenError(
            f"Tables and results are shown at {hour:%Y-%m-%d %H:%M} UTC.",
            code="results_hidden",
            retry_at=hour,
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long a tournament takes, by what is known now."""

    entries: int
    matches: int
    """All of them, play-offs and void bundles not counted."""
    rounds: int
    played: int
    match_s: float
    """Of one match: as measured, or where every seat uses up its clock."""
    is_measured: bool
    slots: int
    """Matches that the workers here play at once."""
    remaining_s: float | None
    """None where no worker is there."""

    @property
    def ends_at(self) -> datetime | None:
        """When it would end if it went on now."""
        return None if self.remaining_s is None else timezone.now() + timedelta(seconds=self.remaining_s)


def estimate(plan: Plan, *, entries: int, now: datetime, played: int = 0) -> Estimate:
    """Matches by the time of one, by the slots of the workers, round after round."""
    rounds = matches_by_round(facts.terms_of(plan), max(2, entries))
    total = sum(rounds)
    measured = measured_match_s(plan.ladder)
    clock = plan.ladder
    match_s = measured or most_match_s(
        seats=plan.seats,
        bank_ms=clock.clock_bank_ms,
        increment_ms=clock.clock_increment_ms,
        decisions=DECISIONS,
    )
    slots = live_slots(now=now)
    whole = seconds(rounds, match_s=match_s, slots=slots) if slots else None
    left = max(0.0, 1 - played / total) if total else 0.0
    return Estimate(
        entries=max(2, entries),
        matches=total,
        rounds=len(rounds),
        played=played,
        match_s=match_s,
        is_measured=measured is not None,
        slots=slots,
        remaining_s=None if whole is None else whole * left,
    )


def estimate_of(tournament: Tournament, *, now: datetime) -> Estimate:
    """The estimate of one tournament: by those who are in, or by the least that it waits for."""
    playing = tournament.entries.filter(withdrawn_at=None).count()
    played = Match.objects.filter(
        bundle__table_bundle__table__tournament=tournament,
        status__in=(Match.Status.FINISHED, Match.Status.VOID),
    ).count()
    return estimate(tournament, entries=max(playing, tournament.min_entries), now=now, played=played)


def measured_match_s(ladder: Ladder) -> float | None:
    """Mean wall time of the ladder's latest matches; None where there were none."""
    latest = Match.objects.filter(bundle__season__ladder=ladder, status=Match.Status.FINISHED).order_by("-pk")
    found = Match.objects.filter(pk__in=list(latest.values_list("pk", flat=True)[:_MEASURED])).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return None if found is None else max(0.001, found.total_seconds())
