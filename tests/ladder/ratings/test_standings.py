"""Standings: who gets a row, a rank, a band, and what the sentence above them says."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.utils import timezone

from ladder.common.errors import NotFoundError
from ladder.matches.models import LadderVersion, Season
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import Version
from ladder.ratings.choices import Floats
from ladder.ratings.models import Fit, RatingPoint
from ladder.ratings.selectors import rating_for, rating_history, season_get, season_standings, standings
from ladder.ratings.services import POINT_EVERY, season_rate
from ladder.ratings.standings import StandingRow, rank_rows
from tests.ladder.ratings.making import bundle_played, by_strength, season_open, version_on

TOO_CLOSE = "The first two are too close to be parted by any number of bundles worth playing."


def row(name: str, elo: float, error: float = 10.0, **changed: Any) -> StandingRow:
    fields: dict[str, Any] = {
        "rank_from": None, "rank_to": None, "band": None,
        "version_pk": changed.pop("pk", 1), "version_id": uuid4(), "version": 1, "bot_id": uuid4(),
        "name": name, "owners": (), "language": "python", "elo": elo, "standard_error": error,
        "bundles": 100, "matches": 200, "faults": 0.0, "is_house": False, "active": True, "trend": (),
    }  # fmt: skip
    return StandingRow(**(fields | changed))


def independent(rows: list[StandingRow]) -> Floats:
    return np.diag([row.standard_error**2 for row in rows])


def test_rows_come_ranked_then_provisional_then_inactive() -> None:
    rows = [
        row("gone", 1900, active=False),
        row("low", 1400),
        row("new", 1800, bundles=4),
        row("top", 1600),
        row("near", 1590),
    ]
    placed, lede = rank_rows(rows, independent(rows))
    assert [(r.name, r.rank, r.band) for r in placed] == [
        ("top", "1-2", 1),
        ("near", "1-2", 1),
        ("low", "3", 2),
        ("new", None, None),
        ("gone", None, None),
    ]
    assert lede == "Two bots share the top. About 670 more bundles would part the first two."


@pytest.mark.parametrize(
    ("rows", "lede"),
    [
        ([], "No bots yet."),
        ([row("gone", 1500, active=False)], "No bots yet."),
        ([row("greedy", 1500, is_house=True)], "No bots yet but the house's."),
        ([row("moth", 1500, bundles=4)], "Nobody is ranked yet: a rank takes 5 bundles."),
        ([row("moth", 1700), row("wick", 1500)], "moth stands alone at the top."),
        ([row("moth", 1700), row("greedy", 1500, is_house=True)], "moth stands alone at the top."),
        (
            [row("moth", 1500, pk=1), row("wick", 1500, pk=2)],
            f"Two bots share the top. {TOO_CLOSE}",
        ),
    ],
)
def test_the_sentence_above_says_what_the_rows_do(rows: list[StandingRow], lede: str) -> None:
    assert rank_rows(rows, independent(rows))[1] == lede


@pytest.fixture
def season(db: None) -> Season:
    return season_open(2)


@pytest.fixture
def versions(season: Season) -> list[Version]:
    ladder = season.ladder
    return [
        version_on(ladder, "greedy", house=True),
        version_on(ladder, "moth", owner="oduya"),
        version_on(ladder, "wick", owner="bram"),
    ]


def play(season: Season, versions: list[Version], bundles: int = 40) -> None:
    rng = np.random.default_rng(5)
    ranking = by_strength({version.pk: 400.0 * at for at, version in enumerate(versions)}, rng)
    for at in range(bundles):
        bundle_played(season, [versions[at % 3], versions[(at + 1) % 3]], ranking)


def test_active_versions_have_rows_with_all_that_a_page_shows(
    season: Season, versions: list[Version]
) -> None:
    play(season, versions)
    now = timezone.now()
    season_rate(season=season, now=now)
    found = season_standings(season)
    assert (found.fitted_at, found.bundles, found.matches) == (now, 40, 80)
    first, second, last = found.rows
    assert (first.name, first.version, first.owners, first.language) == ("wick", 1, ("bram",), "python")
    assert (first.rank, second.rank, last.rank) == ("1", "2", "3")
    assert (last.elo, last.is_house, last.half_width) == (pytest.approx(1500), True, 0)
    assert first.low < first.elo < first.high
    assert first.trend == ((now, first.elo),)
    assert found.lede == "wick stands alone at the top."


def test_the_number_of_queries_does_not_grow_with_the_rows(
    season: Season, versions: list[Version], django_assert_max_num_queries: Any
) -> None:
    play(season, versions)
    season_rate(season=season, now=timezone.now())
    for at in range(6):
        version_on(season.ladder, f"moth-{at}", owner="oduya")
    with django_assert_max_num_queries(6):
        assert len(standings(season)) == 9


def test_replaced_versions_have_rows_only_when_asked_for(season: Season, versions: list[Version]) -> None:
    play(season, versions)
    version_on(season.ladder, "wick")
    season_rate(season=season, now=timezone.now())
    assert [(row.name, row.version) for row in standings(season)] == [
        ("moth", 1),
        ("greedy", 1),
        ("wick", 2),
    ]
    old = standings(season, everyone=True)[-1]
    assert (old.name, old.version, old.active, old.rank) == ("wick", 1, False, None)


def test_a_version_without_results_stands_where_its_predecessor_does(
    season: Season, versions: list[Version]
) -> None:
    play(season, versions)
    season_rate(season=season, now=timezone.now())
    after, fresh = version_on(season.ladder, "wick"), version_on(season.ladder, "candle")
    known = rating_for([versions[2], after, fresh], season)
    assert known.elo[1] == known.elo[0] > 1600
    assert known.elo[2] == 1500
    assert known.standard_error[1] == pytest.approx(np.hypot(known.standard_error[0], 350))
    assert known.standard_error[2] == 350
    assert known.bundles.tolist() == [26, 0, 0]
    rows = {(row.name, row.version): row for row in standings(season)}
    assert rows["wick", 2].provisional
    assert rows["wick", 2].rank is None
    assert rows["wick", 2].elo == known.elo[1]


def test_a_version_that_the_last_fit_did_not_hold_active_is_ranked_by_its_own_error(
    season: Season, versions: list[Version]
) -> None:
    play(season, versions)
    states = LadderVersion.objects.filter(version=versions[2])
    states.update(state=LadderVersion.State.WITHDRAWN)
    season_rate(season=season, now=timezone.now())
    states.update(state=LadderVersion.State.ACTIVE)
    assert Fit.objects.get(season=season).versions == [versions[0].pk, versions[1].pk]
    first = standings(season)[0]
    assert (first.name, first.rank) == ("wick", "1-2")


def test_a_closed_season_keeps_its_standings(season: Season, versions: list[Version]) -> None:
    play(season, versions)
    season_rate(season=season, now=timezone.now())
    before = [(row.name, row.rank) for row in standings(season)]
    Season.objects.filter(pk=season.pk).update(rules_version=season.rules_version + 1)
    new = season_ensure(ladder=season.ladder)
    assert new.number == 2
    version_on(season.ladder, "wick")
    slug = season.ladder.slug
    assert [(row.name, row.rank) for row in standings(season_get(slug=slug, number=1))] == before
    assert {row.bundles for row in standings(season_get(slug=slug))} == {0}
    assert season_get(slug=slug) == new


def test_an_unknown_ladder_or_season_is_not_found(season: Season) -> None:
    with pytest.raises(NotFoundError):
        season_get(slug="nowhere")
    with pytest.raises(NotFoundError):
        season_get(slug=season.ladder.slug, number=7)


def test_curves_end_at_the_present_rating(season: Season, versions: list[Version]) -> None:
    now = timezone.now()
    for hours in (0, 0.5, 1):
        play(season, versions, 6)
        season_rate(season=season, now=now + hours * POINT_EVERY)
    play(season, versions, 6)
    season_rate(season=season, now=now + timedelta(minutes=70))
    (curve,) = rating_history(versions[1].bot)
    assert (curve.ladder, curve.season, curve.version) == (season.ladder.slug, 1, 1)
    assert [point.at - now for point in curve.points] == [
        timedelta(0),
        timedelta(hours=1),
        timedelta(minutes=70),
    ]
    assert curve.points[-1].elo == versions[1].ratings.get().elo


def test_the_trend_is_thinned_and_forgets_after_a_month(season: Season, versions: list[Version]) -> None:
    now = timezone.now()
    RatingPoint.objects.bulk_create(
        RatingPoint(
            season=season,
            version=versions[0],
            at=now - timedelta(hours=hours),
            elo=1500 + hours,
            standard_error=20,
        )
        for hours in range(40 * 24)
    )
    (trend,) = (row.trend for row in season_standings(season, now=now).rows if row.name == "greedy")
    assert 30 <= len(trend) <= 60
    assert now - timedelta(days=30) <= trend[0].at < now - timedelta(days=29)
    assert trend[-1] == (now, 1500)
    assert sorted(trend) == list(trend)
