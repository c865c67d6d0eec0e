"""What the dispatcher decides by."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Max, Sum

from ladder.matches.models import Bundle, LadderVersion, Match, MatchSeat, Purpose, Season, Worker
from ladder.matches.services.claims import LEASE
from ladder.matchmaking.pairing import Candidate
from ladder.programs.models import BotMember
from ladder.ratings.models import Rating

START_ELO = 1500.0
START_ERROR = 350.0
"""A version without a rating: the pool's start and the prior's width."""
_NEVER = timedelta(days=365)


def live_slots(*, now: datetime) -> int:
    """Matches that workers which were heard of within a lease can play at once."""
    alive = Worker.objects.filter(last_seen_at__gt=now - LEASE, distrusted_at=None)
    return alive.aggregate(slots=Sum("slots"))["slots"] or 0


def candidates(*, season: Season, now: datetime) -> list[Candidate]:
    """The active versions of a season's ladder, with what matchmaking knows of each."""
    states = LadderVersion.objects.filter(
        ladder=season.ladder, state=LadderVersion.State.ACTIVE
    ).select_related("version__bot")
    versions = [state.version for state in states]
    ratings = {rating.version_id: rating for rating in Rating.objects.filter(season=season)}
    seats = MatchSeat.objects.filter(
        version__in=versions, match__bundle__season=season, match__bundle__purpose=Purpose.LADDER
    )
    played = dict(seats.values_list("version_id").annotate(n=Count("match__bundle", distinct=True)))
    today = dict(
        seats.filter(match__bundle__created_at__gt=now - timedelta(days=1))
        .values_list("version_id")
        .annotate(n=Count("match__bundle", distinct=True))
    )
    last = dict(seats.values_list("version_id").annotate(at=Max("match__bundle__created_at")))
    owners: dict[int, set[int]] = {}
    for bot_id, user_id in BotMember.objects.filter(
        bot__in=[version.bot_id for version in versions]
    ).values_list("bot_id", "user_id"):
        owners.setdefault(bot_id, set()).add(user_id)
    return [
        Candidate(
            version_id=version.pk,
            owners=frozenset(owners.get(version.bot_id, ())),
            is_house=version.bot.is_house,
            elo=ratings[version.pk].elo if version.pk in ratings else START_ELO,
            standard_error=ratings[version.pk].standard_error if version.pk in ratings else START_ERROR,
            bundles=played.get(version.pk, 0),
            bundles_today=today.get(version.pk, 0),
            waited=(now - last[version.pk] if version.pk in last else _NEVER).total_seconds(),
        )
        for version in versions
    ]


def unplayed_ladder_matches() -> int:
    """Ladder matches that wait for a worker."""
    return Match.objects.filter(status=Match.Status.QUEUED, bundle__purpose=Purpose.LADDER).count()


def seasons_by_turn() -> list[Season]:
    """Open seasons of open ladders, the one whose last ladder bundle is oldest first."""
    seasons = list(
        Season.objects.filter(closed_at=None, ladder__is_open=True).select_related("ladder").order_by("pk")
    )
    last = dict(
        Bundle.objects.filter(season__in=seasons, purpose=Purpose.LADDER)
        .values_list("season_id")
        .annotate(newest=Max("pk"))
    )
    return sorted(seasons, key=lambda season: last.get(season.pk, 0))


def last_ladder_bundle_at(*, season: Season) -> datetime | None:
    """When the season's latest ladder bundle was made."""
    bundle = Bundle.objects.filter(season=season, purpose=Purpose.LADDER).order_by("-pk").first()
    return bundle.created_at if bundle else None
