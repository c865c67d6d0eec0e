"""Fits against the real database: what is read, when, by whom, and that it can be shown again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO

import numpy as np
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from ladder.matches.models import Bundle, Match, Purpose, Season
from ladder.programs.models import Version
from ladder.ratings import results
from ladder.ratings.models import Fit, Rating, RatingPoint
from ladder.ratings.services import POINT_EVERY, covariance_read, season_rate, season_verify, seasons_due
from ladder.ratings.tasks import rate_due
from tests.ladder.ratings.making import (
    bundle_played,
    by_strength,
    in_seat_order,
    season_open,
    version_on,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return season_open(2)


@pytest.fixture
def versions(season: Season) -> list[Version]:
    """A house bot, 1500 by definition, and two others."""
    house = version_on(season.ladder, "greedy", house=True)
    return [house, *(version_on(season.ladder, name, owner=f"{name}-owner") for name in ("moth", "wick"))]


def play(season: Season, versions: list[Version], bundles: int, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    strengths = {version.pk: 250.0 * at for at, version in enumerate(versions)}
    ranking = by_strength(strengths, rng)
    for _ in range(bundles):
        pair = rng.permutation(len(versions))[:2]
        bundle_played(season, [versions[at] for at in pair], ranking)


def test_a_fit_writes_ratings_its_covariance_and_points(season: Season, versions: list[Version]) -> None:
    play(season, versions, 60)
    now = timezone.now()
    fit = season_rate(season=season, now=now)
    assert fit is not None
    assert (fit.bundles, fit.matches, fit.fitted_at) == (60, 120, now)
    assert fit.seconds > 0
    ratings = {rating.version_id: rating for rating in Rating.objects.filter(season=season)}
    assert ratings.keys() == {version.pk for version in versions}
    house, moth, wick = (ratings[version.pk] for version in versions)
    assert house.elo == pytest.approx(1500)
    assert house.standard_error == 0
    assert house.elo < moth.elo < wick.elo
    assert sum(rating.bundles for rating in ratings.values()) == 120
    assert sum(rating.matches for rating in ratings.values()) == 240
    errors = np.sqrt(np.diag(covariance_read(fit)))
    assert errors == pytest.approx([ratings[pk].standard_error for pk in fit.versions])
    assert RatingPoint.objects.filter(season=season, at=now).count() == 3


def test_only_finished_ladder_bundles_count_and_of_them_only_finished_matches(
    season: Season, versions: list[Version]
) -> None:
    pair = versions[:2]
    bundle_played(season, pair, in_seat_order, purpose=Purpose.FRIENDLY)
    bundle_played(season, pair, in_seat_order, purpose=Purpose.PREFLIGHT)
    unfinished = bundle_played(season, pair, in_seat_order)
    Bundle.objects.filter(pk=unfinished.pk).update(finished_at=None)
    bundle_played(season, pair, in_seat_order, void=[0, 1])
    bundle_played(season, pair, in_seat_order, void=[1])
    fit = season_rate(season=season, now=timezone.now())
    assert fit is not None
    assert (fit.bundles, fit.matches) == (2, 1)
    assert set(Rating.objects.values_list("bundles", "matches")) == {(1, 1)}


def test_bundles_that_end_out_of_order_are_never_missed(season: Season, versions: list[Version]) -> None:
    """An old id, with a time of ending that lies before the last fit, seen only after it."""
    early = bundle_played(season, versions[:2], in_seat_order)
    ended = early.finished_at
    Bundle.objects.filter(pk=early.pk).update(finished_at=None)
    bundle_played(season, versions[1:], in_seat_order)
    season_rate(season=season, now=timezone.now())
    Bundle.objects.filter(pk=early.pk).update(finished_at=ended)
    assert seasons_due(now=timezone.now() + timedelta(minutes=1)) == [season]
    fit = season_rate(season=season, now=timezone.now())
    assert fit is not None
    assert (fit.bundles, fit.matches) == (2, 4)
    assert season_verify(season=season, now=timezone.now()) == []


def test_only_new_bundles_are_read(
    season: Season, versions: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    rows = results._rows

    def watched(bundles: list[int]) -> results.Ints:
        read.extend(bundles)
        return rows(bundles)

    monkeypatch.setattr(results, "_rows", watched)
    first = bundle_played(season, versions[:2], in_seat_order)
    season_rate(season=season, now=timezone.now())
    second = bundle_played(season, versions[:2], in_seat_order)
    season_rate(season=season, now=timezone.now())
    assert read == [first.pk, second.pk]
    Bundle.objects.filter(pk=first.pk).delete()
    fit = season_rate(season=season, now=timezone.now())
    assert read == [first.pk, second.pk, second.pk]
    assert fit is not None
    assert (fit.bundles, fit.matches) == (1, 2)


def test_a_rating_whose_results_are_gone_goes(season: Season, versions: list[Version]) -> None:
    bundle_played(season, versions[:2], in_seat_order)
    other = bundle_played(season, versions[1:], in_seat_order)
    season_rate(season=season, now=timezone.now())
    other.delete()
    season_rate(season=season, now=timezone.now())
    assert not Rating.objects.filter(version=versions[2]).exists()


def test_a_fault_counts_as_the_ranks_say_and_is_counted(season: Season, versions: list[Version]) -> None:
    house, moth, _ = versions
    for _ in range(10):
        bundle_played(
            season,
            [house, moth],
            lambda seats: [2 if seat.version_id == moth.pk else 1 for seat in seats],
            faulted=moth,
        )
    season_rate(season=season, now=timezone.now())
    rating = Rating.objects.get(version=moth)
    assert rating.elo < 1300
    assert (rating.matches, rating.faulted) == (20, 20)
    assert Rating.objects.get(version=house).faulted == 0


def test_one_version_may_sit_in_several_seats() -> None:
    season = season_open(4)
    greedy = version_on(season.ladder, "greedy", house=True)
    moth = version_on(season.ladder, "moth")
    for _ in range(8):
        bundle_played(season, [greedy, greedy, greedy, moth], in_seat_order)
    season_rate(season=season, now=timezone.now())
    counts = Rating.objects.values_list("bundles", "matches")
    assert list(counts) == [(8, 32), (8, 32)]
    assert Rating.objects.get(version=moth).elo == pytest.approx(1500, abs=40)


def test_a_new_version_starts_where_the_one_before_it_with_results_is(
    season: Season, versions: list[Version]
) -> None:
    play(season, versions, 60)
    version_on(season.ladder, "wick")
    third = version_on(season.ladder, "wick")
    draw = bundle_played(season, [versions[0], third], lambda seats: [1] * len(seats))
    season_rate(season=season, now=timezone.now())
    before, after = (Rating.objects.get(version=version) for version in (versions[2], third))
    assert abs(after.elo - before.elo) < before.elo - 1500
    assert after.elo > 1500
    assert Fit.objects.get(season=season).versions == [versions[0].pk, versions[1].pk, third.pk]
    assert draw.season_id == season.pk


def test_points_are_kept_once_an_hour_and_for_active_versions_alone(
    season: Season, versions: list[Version]
) -> None:
    now = timezone.now()
    play(season, versions, 10)
    season_rate(season=season, now=now)
    season_rate(season=season, now=now + POINT_EVERY / 2)
    assert RatingPoint.objects.count() == 3
    version_on(season.ladder, "wick")
    season_rate(season=season, now=now + POINT_EVERY)
    assert RatingPoint.objects.count() == 5
    assert RatingPoint.objects.filter(version=versions[2]).count() == 1


def test_a_season_is_due_when_it_has_new_bundles_and_has_rested(
    season: Season, versions: list[Version]
) -> None:
    now = timezone.now()
    assert seasons_due(now=now) == []
    bundle_played(season, versions[:2], in_seat_order)
    assert seasons_due(now=now) == [season]
    season_rate(season=season, now=now)
    assert seasons_due(now=now + timedelta(hours=1)) == []
    bundle_played(season, versions[:2], in_seat_order)
    Fit.objects.update(seconds=0.01)
    assert seasons_due(now=now + timedelta(seconds=1.9)) == []
    assert seasons_due(now=now + timedelta(seconds=2)) == [season]
    Fit.objects.update(seconds=3)
    assert seasons_due(now=now + timedelta(seconds=29)) == []
    assert seasons_due(now=now + timedelta(seconds=30)) == [season]


def test_the_last_bundles_of_a_season_that_has_closed_are_rated(
    season: Season, versions: list[Version]
) -> None:
    now = timezone.now()
    bundle_played(season, versions[:2], in_seat_order)
    Season.objects.filter(pk=season.pk).update(closed_at=now - timedelta(minutes=1))
    assert seasons_due(now=now) == [season]


def test_the_task_rates_what_is_due(season: Season, versions: list[Version]) -> None:
    bundle_played(season, versions[:2], in_seat_order)
    rate_due()
    assert Fit.objects.get(season=season).bundles == 1


@contextmanager
def somebody_rates(season: Season) -> Iterator[None]:
    """Another connection holds the season's lock."""
    settings = connection.get_connection_params()
    address = {
        key: settings[key] for key in ("host", "port", "user", "password", "dbname") if key in settings
    }
    with psycopg.connect(**address) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, %s)", [0x52415445, season.pk])
        yield


def test_two_processes_never_rate_one_season_at_once(season: Season, versions: list[Version]) -> None:
    bundle_played(season, versions[:2], in_seat_order)
    with somebody_rates(season):
        assert season_rate(season=season, now=timezone.now()) is None
        assert not Rating.objects.exists()
    assert season_rate(season=season, now=timezone.now()) is not None


def test_verify_finds_the_same_from_nothing(season: Season, versions: list[Version]) -> None:
    for seed in range(3):
        play(season, versions, 15, seed)
        season_rate(season=season, now=timezone.now())
    out = StringIO()
    call_command("rate", "--verify", stdout=out)
    assert "Don't Go In There, 2 seats, season 1: good" in out.getvalue()


@pytest.mark.parametrize("field", ["elo", "standard_error", "bundles", "matches", "faulted"])
def test_verify_finds_each_number_that_was_changed(
    season: Season, versions: list[Version], field: str
) -> None:
    play(season, versions, 15)
    call_command("rate", stdout=StringIO())
    rating = Rating.objects.get(version=versions[1])
    Rating.objects.filter(pk=rating.pk).update(**{field: getattr(rating, field) + 1})
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("rate", "--verify", stdout=out)
    assert refused.value.returncode == 1
    assert f"version {versions[1].pk}: {field} is" in out.getvalue()
    call_command("rate", stdout=StringIO())
    call_command("rate", "--verify", stdout=StringIO())


def test_verify_finds_a_result_that_was_changed(season: Season, versions: list[Version]) -> None:
    play(season, versions, 15)
    season_rate(season=season, now=timezone.now())
    match = Match.objects.filter(status=Match.Status.FINISHED).first()
    assert match is not None
    for seat in match.seats.all():
        seat.rank = 3 - (seat.rank or 0)
        seat.save()
    assert season_verify(season=season, now=timezone.now())


def test_verify_finds_ratings_too_many_and_too_few(season: Season, versions: list[Version]) -> None:
    bundle_played(season, versions[:2], in_seat_order)
    fit = season_rate(season=season, now=timezone.now())
    Rating.objects.create(season=season, version=versions[2], elo=1500, standard_error=1)
    Rating.objects.filter(version=versions[0]).delete()
    Fit.objects.filter(pk=fit.pk if fit else 0).update(covariance=np.eye(2).tobytes())
    assert season_verify(season=season, now=timezone.now()) == [
        "the covariance differs",
        f"version {versions[2].pk}: has a rating and no results",
        f"version {versions[0].pk}: has results and no rating",
    ]
