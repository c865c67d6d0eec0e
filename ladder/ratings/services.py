"""Fits a season and writes down what it found; one process at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from django.db import connection, transaction
from django.db.models import Count, Max

from ladder.matches.models import Bundle, LadderVersion, Purpose, Season
from ladder.ratings.choices import Floats
from ladder.ratings.fit import START, Strengths, fit
from ladder.ratings.models import Fit, Rating, RatingPoint
from ladder.ratings.results import Results, finished_bundles, pool_of, results_read

SOONEST: Final = timedelta(seconds=2)
"""Least time from one fit of a season to the next."""
BREATH: Final = 10
"""A fit that took t is followed by at least this many t without one."""
POINT_EVERY: Final = timedelta(hours=1)
TOLERANCE: Final = 1e-5
"""Elo by which a fit from nothing may differ from what is stored."""
_CLOSED_FOR: Final = timedelta(days=1)
_LOCKS: Final = 0x52415445
"""This app's space of PostgreSQL's advisory locks ("RATE")."""
_FIELDS: Final = ("elo", "standard_error", "bundles", "matches", "faulted")


@transaction.atomic
def season_rate(*, season: Season, now: datetime) -> Fit | None:
    """Fit all results of a season. None when another process is at it."""
    if not _lock(season, wait=False):
        return None
    return _rate(season, now)


@transaction.atomic
def season_verify(*, season: Season, now: datetime) -> list[str]:
    """Fit a season from nothing; each stored number that differs, in words.

    A season with results that no fit has read yet is rated first.
    """
    _lock(season, wait=True)
    stored = Fit.objects.filter(season=season).first()
    if stored is None or stored.bundles != finished_bundles(season).count():
        stored = _rate(season, now)
    results = results_read(season, afresh=True)
    strengths = fit(results.tables(), pool_of(results.versions))
    expected = {rating.version_id: rating for rating in _ratings(season, results, strengths)}
    found = {rating.version_id: rating for rating in Rating.objects.filter(season=season)}
    return [
        *_unequal(stored, results, strengths),
        *(f"version {pk}: has a rating and no results" for pk in sorted(found.keys() - expected.keys())),
        *(f"version {pk}: has results and no rating" for pk in sorted(expected.keys() - found.keys())),
        *(
            f"version {pk}: {field} is {getattr(found[pk], field)}, should be {getattr(expected[pk], field)}"
            for pk in sorted(expected.keys() & found.keys())
            for field in _FIELDS
            if not abs(getattr(found[pk], field) - getattr(expected[pk], field)) <= TOLERANCE
        ),
    ]


def _unequal(stored: Fit, results: Results, strengths: Strengths) -> Iterator[str]:
    if stored.matches != results.matches:
        yield f"{stored.matches} matches counted, there are {results.matches}"
    if not np.isin(stored.versions, results.versions).all():
        yield "the covariance names a version without results"
        return
    rows = np.searchsorted(results.versions, np.array(stored.versions, dtype=np.int64))
    covariance = covariance_read(stored)
    if not np.allclose(covariance, strengths.covariance[np.ix_(rows, rows)], rtol=1e-6, atol=TOLERANCE):
        yield "the covariance differs"


def seasons_due(*, now: datetime) -> list[Season]:
    """Seasons with finished bundles that their fit has not read, and whose next fit may be made by now."""
    seasons = Season.objects.exclude(closed_at__lt=now - _CLOSED_FOR).select_related("fit")
    finished = dict(
        Bundle.objects.filter(season__in=seasons, purpose=Purpose.LADDER, finished_at__isnull=False)
        .values_list("season_id")
        .annotate(n=Count("pk"))
    )
    due = []
    for season in seasons.filter(pk__in=finished).order_by("pk"):
        last: Fit | None = getattr(season, "fit", None)
        if last is None:
            due.append(season)
        elif last.bundles != finished[season.pk]:
            pause = max(SOONEST, BREATH * timedelta(seconds=last.seconds))
            if now >= last.fitted_at + pause:
                due.append(season)
    return due


def covariance_read(stored: Fit) -> Floats:
    """The covariance of `stored.versions`."""
    n = len(stored.versions)
    return np.frombuffer(bytes(stored.covariance), dtype=np.float64).reshape(n, n)


def _lock(season: Season, *, wait: bool) -> bool:
    """Held to the end of the transaction."""
    with connection.cursor() as cursor:
        call = "pg_advisory_xact_lock(%s, %s) IS NOT NULL" if wait else "pg_try_advisory_xact_lock(%s, %s)"
        cursor.execute(f"SELECT {call}", [_LOCKS, season.pk % 2**31])
        return bool(cursor.fetchone()[0])


def _rate(season: Season, now: datetime) -> Fit:
    began = time.perf_counter()
    results = results_read(season)
    strengths = fit(results.tables(), pool_of(results.versions), start=_last_elo(season, results))
    ratings = _ratings(season, results, strengths)
    Rating.objects.filter(season=season).exclude(version__in=results.versions.tolist()).delete()
    Rating.objects.bulk_create(
        ratings, update_conflicts=True, unique_fields=["season", "version"], update_fields=_FIELDS
    )
    active = set(
        LadderVersion.objects.filter(
            ladder=season.ladder_id, state=LadderVersion.State.ACTIVE
        ).values_list("version_id", flat=True)
    )  # fmt: skip
    _add_points(season, [rating for rating in ratings if rating.version_id in active], now)
    rows = [row for row, rating in enumerate(ratings) if rating.version_id in active]
    stored, _ = Fit.objects.update_or_create(
        season=season,
        defaults={
            "bundles": len(results.bundles),
            "matches": results.matches,
            "fitted_at": now,
            "versions": [ratings[row].version_id for row in rows],
            "covariance": strengths.covariance[np.ix_(rows, rows)].tobytes(),
            "seconds": time.perf_counter() - began,
        },
    )
    return stored


def _last_elo(season: Season, results: Results) -> Floats:
    known = dict(Rating.objects.filter(season=season).values_list("version_id", "elo"))
    return np.array([known.get(version, START) for version in results.versions.tolist()], dtype=np.float64)


def _ratings(season: Season, results: Results, strengths: Strengths) -> list[Rating]:
    """In the order of the results' versions."""
    columns = (strengths.elo, strengths.standard_error, strengths.bundles, strengths.matches)
    return [
        Rating(season=season, version_id=version, **dict(zip(_FIELDS, values, strict=True)))
        for version, *values in zip(
            results.versions.tolist(),
            *(column.tolist() for column in (*columns, results.faulted())),
            strict=True,
        )
    ]


def _add_points(season: Season, ratings: list[Rating], now: datetime) -> None:
    recent = set(
        RatingPoint.objects.filter(season=season)
        .values_list("version_id")
        .annotate(newest=Max("at"))
        .filter(newest__gt=now - POINT_EVERY)
        .values_list("version_id", flat=True)
    )
    RatingPoint.objects.bulk_create(
        RatingPoint(
            season=season,
            version_id=rating.version_id,
            at=now,
            elo=rating.elo,
            standard_error=rating.standard_error,
        )
        for rating in ratings
        if rating.version_id not in recent
    )
