"""Tournaments that come back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.common.errors import ForbiddenError, InvalidError, QuotaError
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Series, Tournament
from ladder.tournaments.plans import least_gap, next_instant
from ladder.tournaments.services.series import series_create, series_fire, series_resume, series_stop
from ladder.tournaments.tasks import move
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def hourly(**changes: Any) -> Series:
    owner = changes.pop("owner", None) or house.user("organiser")
    plan = hall.plan(house.ladder(2), Format.SWISS)
    return series_create(
        **{"owner": owner, "plan": plan, "cron": "0 * * * *", "registration_s": 600, **changes}
    )


def instants(series: Series) -> list[datetime]:
    return list(series.tournaments.order_by("instant").values_list("instant", flat=True))


def test_a_tournament_is_made_when_its_registration_opens_and_once() -> None:
    series = hourly()
    first = next_instant(series.cron, "UTC", series.made_until)
    assert series_fire(now=first - timedelta(seconds=601)) == 0
    assert series_fire(now=first - timedelta(seconds=599)) == 1
    assert series_fire(now=first) == 0
    assert series_fire(now=first + HOUR - timedelta(seconds=1)) == 1
    assert instants(series) == [first, first + HOUR]
    made = series.tournaments.first()
    assert made is not None
    assert (made.state, made.owner, made.format) == (Tournament.State.OPEN, series.owner, "swiss")
    assert {one.starts_at for one in series.tournaments.all()} == {first, first + HOUR}


def test_after_a_long_night_only_the_latest_missed_one_is_made_and_can_be_entered() -> None:
    series = hourly()
    first = next_instant(series.cron, "UTC", series.made_until)
    now = first + 5 * HOUR + timedelta(minutes=20)
    assert series_fire(now=now) == 1
    assert instants(series) == [first + 5 * HOUR]
    made = series.tournaments.get()
    assert made.starts_at == now + timedelta(seconds=600)
    assert made.happenings.get(kind="made").facts["missed"] == 5


def test_one_instant_has_one_tournament_whoever_makes_it() -> None:
    series = hourly()
    first = next_instant(series.cron, "UTC", series.made_until)
    series_fire(now=first)
    Series.objects.filter(pk=series.pk).update(made_until=first - HOUR)
    series_fire(now=first)
    assert instants(series) == [first]
    made = series.tournaments.get()
    made.pk, made.slug = None, "another"
    with pytest.raises(IntegrityError), transaction.atomic():
        made.save(force_insert=True)


def test_a_series_keeps_to_its_wall_clock_over_summer_time() -> None:
    zone = ZoneInfo("Europe/Berlin")
    winter = next_instant("0 20 * * *", "Europe/Berlin", datetime(2027, 3, 27, 12, tzinfo=zone))
    summer = next_instant("0 20 * * *", "Europe/Berlin", winter)
    assert (winter.astimezone(zone).hour, summer.astimezone(zone).hour) == (20, 20)
    assert summer - winter == timedelta(hours=23)


@pytest.mark.parametrize(
    ("cron", "minutes"),
    [
        ("0,1 0 * * *", 1),
        ("50 0-5 * * *", 60),
        ("5,55 * 1 1 *", 10),
        ("0 20 * * 1,2", 24 * 60),
        ("0 0 29 2 *", 1461 * 1440),
    ],
)
def test_how_often_a_series_comes_back_does_not_hang_on_when_it_is_asked(cron: str, minutes: int) -> None:
    moments = [
        datetime(2027, 1, 1, hour, minute, 30, tzinfo=UTC) for hour in (0, 23) for minute in (0, 5, 59)
    ]
    assert {least_gap(cron, "UTC", moment) for moment in moments} == {timedelta(minutes=minutes)}


def test_a_series_that_was_stopped_makes_nothing_and_misses_nothing() -> None:
    series = hourly()
    stranger = house.user("stranger")
    with pytest.raises(ForbiddenError):
        series_stop(series=series, actor=stranger)
    series_stop(series=series, actor=series.owner)
    assert series_fire(now=timezone.now() + 9 * HOUR) == 0
    series_resume(series=series, actor=series.owner)
    series.refresh_from_db()
    first = next_instant(series.cron, "UTC", series.made_until)
    assert series_fire(now=first - timedelta(seconds=601)) == 0
    assert series_fire(now=first) == 1
    assert instants(series) == [first]


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("cron", {"cron": "0 0 31 2 *"}),
        ("cron", {"cron": "* * * * * *"}),
        ("cron", {"cron": "0,30 0 20 * * 5"}),  # seconds: two in one minute, once a week
        ("cron", {"cron": "*/5 * * * *"}),
        ("time_zone", {"time_zone": "Atlantis"}),
    ],
)
def test_what_can_never_come_back_is_refused(field: str, changes: dict[str, str]) -> None:
    with pytest.raises(InvalidError) as caught:
        hourly(**changes)
    assert list(caught.value.data["fields"]) == [field]
    assert not Series.objects.exists()


def test_a_series_that_fails_holds_up_neither_the_others_nor_the_tournaments() -> None:
    bad = hourly()
    good = hourly(owner=bad.owner, registration_s=0)
    ago = timezone.now() - HOUR
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2, organiser=bad.owner)
    Tournament.objects.filter(pk=made.pk).update(registration_ends_at=ago, starts_at=ago)
    Series.objects.filter(pk=bad.pk).update(cron="no line at all")
    Series.objects.filter(pk=good.pk).update(made_until=ago - HOUR)  # an hour has struck since
    with pytest.raises(InvalidError):
        move()
    assert good.tournaments.count() == 1
    made.refresh_from_db()
    assert made.state == Tournament.State.RUNNING


def test_one_user_has_five_series_at_a_time() -> None:
    first = hourly()
    for _ in range(4):
        hourly(owner=first.owner)
    with pytest.raises(QuotaError):
        hourly(owner=first.owner)
    series_stop(series=first, actor=first.owner)
    hourly(owner=first.owner)
    first.refresh_from_db()
    with pytest.raises(QuotaError):
        series_resume(series=first, actor=first.owner)


def test_a_recurring_tournament_is_played_each_time() -> None:
    ladder = house.ladder(2)
    for number in range(3):
        house.version(f"bot{number}", owner=house.user(f"owner{number}"), on=ladder)
    plan = hall.plan(ladder, Format.ROUND_ROBIN, entry_rule="rated", least_rating=0)
    series = series_create(owner=house.user("organiser"), plan=plan, cron="*/10 * * * *", registration_s=60)
    by = house.worker()
    at = series.made_until
    for _ in range(2):
        at = next_instant(series.cron, "UTC", at)
        series_fire(now=at)
    for made in series.tournaments.all():
        hall.play_out(made, by)
        assert made.entries.filter(rank__isnull=False).count() == 3
    assert series.tournaments.count() == 2
