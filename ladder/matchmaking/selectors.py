"""What the dispatcher decides by."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Max, Sum

from engine.registry import GAMES
from ladder.matches.models import Bundle, LadderVersion, Match, MatchSeat, Purpose, Season, Worker
from ladder.matches.services.claims import LEASE
from ladder.matchmaking.pairing import Candidate
from ladder.programs.models import BotMember
from ladder.ratings.models import Rating

START_ELO = 1500.0
START_ERROR = 350.0
"""A version without a rating: the pool's start and the prior's width."""
_DAY = timedelta(days=1)


def live_slots(*, now: datetime) -> int:
    """Matches that workers which were heard of within a lease can play at once."""
    alive = Worker.objects.filter(last_seen_at__gt=now - LEASE, distrusted_at=None)
    return alive.aggregate(slots=Sum("slots"))["slots"] or 0


def candidates(*, season: Season, now: datetime) -> list[Candidate]:
    """The active versions of a season's ladder, with what matchmaking knows of each.

    Read each second, so bounded by a day's bundles: what was played before stands in the ratings, which
    lag behind by the bundles of a few seconds. Who sat at no table today has waited for a day.
    """
    states = LadderVersion.objects.filter(
        ladder=season.ladder, state=LadderVersion.State.ACTIVE
    ).select_related("version__bot")
    versions = [state.version for state in states]
    ratings = {rating.version_id: rating for rating in Rating.objects.filter(season=season)}
    today = _seated_since(season=season, since=now - _DAY)
    owners: dict[int, set[int]] = {}
    for bot_id, user_id in BotMember.objects.filter(
        bot__in=[version.bot_id for version in versions]
    ).values_list("bot_id", "user_id"):
        owners.setdefault(bot_id, set()).add(user_id)
    found = []
    for version in versions:
        rating = ratings.get(version.pk)
        bundles_today, last = today.get(version.pk, (0, now - _DAY))
        found.append(
            Candidate(
                version_id=version.pk,
                owners=frozenset(owners.get(version.bot_id, ())),
                is_house=version.bot.is_house,
                elo=rating.elo if rating else START_ELO,
                standard_error=rating.standard_error if rating else START_ERROR,
                bundles=max(rating.bundles if rating else 0, bundles_today),
                bundles_today=bundles_today,
                waited=(now - last).total_seconds(),
            )
        )
    return found


def _seated_since(*, season: Season, since: datetime) -> dict[int, tuple[int, datetime]]:
    """Version -> its ladder bundles since then, and when the last of them was laid.

    All matches of a bundle have the same guests, so its first match tells.
    """
    seats = MatchSeat.objects.filter(
        match__number=0,
        match__bundle__season=season,
        match__bundle__purpose=Purpose.LADDER,
        match__bundle__created_at__gt=since,
    )
    rows = seats.values_list("version_id").annotate(
        bundles=Count("match__bundle", distinct=True), last=Max("match__bundle__created_at")
    )
    return {version_id: (bundles, last) for version_id, bundles, last in rows}


def unplayed_ladder_matches() -> int:
    """Ladder matches that wait for a worker."""
    return Match.objects.filter(status=Match.Status.QUEUED, bundle__purpose=Purpose.LADDER).count()


def seasons_by_turn() -> list[Season]:
    """Open seasons of open ladders, the one whose last ladder bundle is oldest first.

    A ladder of a co-operative game has no rated tables: its versions meet in score attacks.
    """
    teams = [name for name, game in GAMES.items() if game.cooperative]
    seasons = Season.objects.filter(closed_at=None, ladder__is_open=True).select_related("ladder")
    seasons = seasons.exclude(ladder__game__in=teams)
    return sorted(
        seasons.order_by("pk"), key=lambda season: last_ladder_bundle_at(season=season) or season.opened_at
    )


def last_ladder_bundle_at(*, season: Season) -> datetime | None:
    """When the season's latest ladder bundle was made."""
    bundles = Bundle.objects.filter(season=season, purpose=Purpose.LADDER)
    return bundles.order_by("-created_at").values_list("created_at", flat=True).first()
