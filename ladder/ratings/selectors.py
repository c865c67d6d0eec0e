"""What pages, API and matchmaking read of ratings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from django.utils import timezone

from ladder.common.errors import NotFoundError
from ladder.matches.models import LadderVersion, Season
from ladder.programs.models import Bot, BotMember, Version
from ladder.ratings.choices import Floats, Ints
from ladder.ratings.fit import PRIOR_SD, START
from ladder.ratings.models import Fit, Rating, RatingPoint
from ladder.ratings.separation import Z95
from ladder.ratings.services import covariance_read
from ladder.ratings.standings import StandingRow, Standings, TrendPoint, rank_rows

_TREND: Final = timedelta(days=30)
_TREND_POINTS: Final = 60


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of some versions, in their order; Elo."""

    elo: Floats
    standard_error: Floats
    bundles: Ints


@dataclass(frozen=True, slots=True)
class CurvePoint:
    at: datetime
    elo: float
    standard_error: float

    @property
    def half_width(self) -> float:
        """Of the 95 % interval, in Elo."""
        return Z95 * self.standard_error


@dataclass(frozen=True, slots=True)
class Curve:
    """A version's rating in one season through time, the present one last."""

    ladder: str
    season: int
    version: int
    points: list[CurvePoint]


def season_get(*, slug: str, number: int | None = None) -> Season:
    """A ladder's season by number; its newest one without. Raises NotFoundError."""
    seasons = Season.objects.filter(ladder__slug=slug).select_related("ladder", "fit").order_by("-number")
    season = (seasons if number is None else seasons.filter(number=number)).first()
    if season is None:
        asked = f"ladder {slug}" if number is None else f"season {number} of ladder {slug}"
        raise NotFoundError(f"There is no {asked}.")
    return season


def rating_for(versions: Sequence[Version], season: Season) -> Known:
    """Ratings of versions; one without results is where the prior has it: at its bot's version before."""
    ratings = _ratings(season, versions)
    known = [ratings.get(version.pk) or _prior(version, season, ratings.values()) for version in versions]
    return Known(
        elo=np.array([rating.elo for rating in known]),
        standard_error=np.array([rating.standard_error for rating in known]),
        bundles=np.array([rating.bundles for rating in known], dtype=np.int64),
    )


def _ratings(season: Season, versions: Iterable[Version]) -> dict[int, Rating]:
    """Of all versions of the bots that `versions` are of."""
    bots = {version.bot_id for version in versions}
    found = Rating.objects.filter(season=season, version__bot__in=bots).select_related("version")
    return {rating.version_id: rating for rating in found}


def _prior(version: Version, season: Season, ratings: Iterable[Rating]) -> Rating:
    before = [
        rating
        for rating in ratings
        if rating.version.bot_id == version.bot_id and rating.version.number < version.number
    ]
    last = max(before, key=lambda rating: rating.version.number, default=None)
    elo, error = (last.elo, last.standard_error) if last else (START, 0.0)
    return Rating(season=season, version=version, elo=elo, standard_error=math.hypot(error, PRIOR_SD))


def standings(season: Season, *, everyone: bool = False) -> list[StandingRow]:
    """The rows of `season_standings`."""
    return season_standings(season, everyone=everyone).rows


def season_standings(
    season: Season, *, everyone: bool = False, now: datetime | None = None
) -> Standings:  # fmt: skip
    """Active versions of a season, or with `everyone` all that have a result in it.

    In a closed season those count as active that were so at its last fit.
    """
    last = Fit.objects.filter(season=season).first()
    active = _active(season, last)
    versions = Version.objects.filter(pk__in=active)
    if everyone:
        versions |= Version.objects.filter(pk__in=Rating.objects.filter(season=season).values("version"))
    seated = list(versions.select_related("bot").order_by("pk"))
    ratings = _ratings(season, seated)
    known = [ratings.get(version.pk) or _prior(version, season, ratings.values()) for version in seated]
    owners = _owners(version.bot_id for version in seated)
    trends = _trends(season, seated, since=(now or timezone.now()) - _TREND)
    for rating in known:
        trend = trends[rating.version_id]
        if last and rating.bundles and (not trend or trend[-1].at < last.fitted_at):
            trend.append(TrendPoint(last.fitted_at, rating.elo))
    rows = [
        _row(rating, version, owners[version.bot_id], trends[version.pk], active=version.pk in active)
        for version, rating in zip(seated, known, strict=True)
    ]
    rows, lede = rank_rows(rows, _covariance(rows, last))
    return Standings(
        rows=rows,
        lede=lede,
        fitted_at=last.fitted_at if last else None,
        bundles=last.bundles if last else 0,
        matches=last.matches if last else 0,
    )


def _active(season: Season, last: Fit | None) -> set[int]:
    if season.closed_at is not None:
        return set(last.versions) if last else set()
    states = LadderVersion.objects.filter(ladder=season.ladder_id, state=LadderVersion.State.ACTIVE)
    return set(states.values_list("version_id", flat=True))


def _owners(bots: Iterable[int]) -> dict[int, tuple[str, ...]]:
    names: dict[int, tuple[str, ...]] = defaultdict(tuple)
    members = BotMember.objects.filter(bot__in=set(bots)).order_by("since", "pk")
    for bot, name in members.values_list("bot_id", "user__username"):
        names[bot] += (name,)
    return names


def _trends(season: Season, versions: Iterable[Version], *, since: datetime) -> dict[int, list[TrendPoint]]:
    trends: dict[int, list[TrendPoint]] = defaultdict(list)
    points = RatingPoint.objects.filter(season=season, version__in=list(versions), at__gte=since)
    for version, at, elo in points.order_by("at").values_list("version_id", "at", "elo"):
        trends[version].append(TrendPoint(at, elo))
    return trends


def _row(
    rating: Rating,
    version: Version,
    owners: tuple[str, ...],
    trend: list[TrendPoint],
    *,
    active: bool,
) -> StandingRow:
    every = max(1, math.ceil(len(trend) / _TREND_POINTS))
    return StandingRow(
        rank_from=None,
        rank_to=None,
        band=None,
        version_pk=version.pk,
        version_id=version.public_id,
        version=version.number,
        bot_id=version.bot.public_id,
        name=version.bot.name,
        owners=owners,
        language=version.language,
        elo=rating.elo,
        standard_error=rating.standard_error,
        bundles=rating.bundles,
        matches=rating.matches,
        faults=rating.faulted / rating.matches if rating.matches else 0.0,
        is_house=version.bot.is_house,
        active=active,
        trend=tuple(trend[::-1][::every][::-1]),
    )


def _covariance(rows: Sequence[StandingRow], last: Fit | None) -> Floats:
    """Of the rows. Where the fit has none (a version became active since), errors count as independent."""
    covariance = np.diag([row.standard_error**2 for row in rows])
    place = {version: at for at, version in enumerate(last.versions)} if last else {}
    known = [at for at, row in enumerate(rows) if row.version_pk in place]
    if last and known:
        there = [place[rows[at].version_pk] for at in known]
        covariance[np.ix_(known, known)] = covariance_read(last)[np.ix_(there, there)]
    return covariance


def rating_history(bot: Bot) -> list[Curve]:
    """Curves of all versions of a bot, by ladder, season and version."""
    keys = ("season__ladder__slug", "season__number", "version__number")
    kept = RatingPoint.objects.filter(version__bot=bot).order_by("at")
    present = Rating.objects.filter(version__bot=bot, season__fit__isnull=False)
    curves: dict[tuple[str, int, int], list[CurvePoint]] = defaultdict(list)
    for slug, season, version, *point in [
        *kept.values_list(*keys, "at", "elo", "standard_error"),
        *present.values_list(*keys, "season__fit__fitted_at", "elo", "standard_error"),
    ]:
        curve = curves[slug, season, version]
        if not curve or curve[-1].at < point[0]:
            curve.append(CurvePoint(*point))
    return [
        Curve(ladder=slug, season=season, version=version, points=points)
        for (slug, season, version), points in sorted(curves.items())
    ]
