"""Standings and curves over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import path
from django.utils import timezone
from drf_spectacular.drainage import GENERATOR_STATS, reset_generator_stats
from drf_spectacular.generators import SchemaGenerator

from ladder.matches.models import Season
from ladder.programs.models import Version
from ladder.ratings.api import BotRatingsView, SeasonStandingsView, StandingsView
from ladder.ratings.services import season_rate
from tests.ladder.ratings.making import bundle_played, in_seat_order, season_open, version_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return season_open(2)


@pytest.fixture
def versions(season: Season) -> list[Version]:
    pair = [
        version_on(season.ladder, "greedy", house=True),
        version_on(season.ladder, "moth", owner="oduya"),
    ]
    for _ in range(6):
        bundle_played(season, pair, in_seat_order)
    season_rate(season=season, now=timezone.now())
    return pair


def test_standings_say_all_of_a_row(client: Client, season: Season, versions: list[Version]) -> None:
    body = client.get(f"/api/v1/ladders/{season.ladder.slug}/standings").json()
    assert body["ladder"] == season.ladder.slug
    assert (body["season"], body["bundles"], body["matches"]) == (1, 6, 12)
    assert body["summary"].startswith("Two bots share the top.")
    moth = next(row for row in body["rows"] if row["bot"] == "moth")
    assert moth["rating"] == pytest.approx(1500)
    assert moth["high"] - moth["low"] == pytest.approx(2 * moth["half_width"])
    assert moth["trend"] == [{"at": body["fitted_at"], "rating": moth["rating"]}]
    for own in ("rating", "half_width", "low", "high", "trend"):
        del moth[own]
    assert moth == {
        "rank": "1-2", "rank_from": 1, "rank_to": 2, "band": 1,
        "bot": "moth", "bot_id": str(versions[1].bot.public_id),
        "version": 1, "version_id": str(versions[1].public_id),
        "authors": ["oduya"], "language": "python",
        "bundles": 6, "matches": 12, "fault_share": 0.0,
        "is_house": False, "provisional": False, "active": True,
    }  # fmt: skip


def test_an_etag_holds_until_a_number_moves(client: Client, season: Season, versions: list[Version]) -> None:
    address = f"/api/v1/ladders/{season.ladder.slug}/standings"
    etag = client.get(address).headers["ETag"]
    unchanged = client.get(address, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    bundle_played(season, versions, in_seat_order)
    season_rate(season=season, now=timezone.now())
    moved = client.get(address, headers={"If-None-Match": etag})
    assert moved.status_code == 200
    assert moved.headers["ETag"] != etag


def test_a_season_has_an_address_of_its_own(client: Client, season: Season, versions: list[Version]) -> None:
    slug = season.ladder.slug
    newest = client.get(f"/api/v1/ladders/{slug}/standings").json()
    assert client.get(f"/api/v1/ladders/{slug}/seasons/1/standings").json() == newest


def test_versions_that_play_no_more_are_shown_when_asked_for(
    client: Client, season: Season, versions: list[Version]
) -> None:
    version_on(season.ladder, "moth")
    address = f"/api/v1/ladders/{season.ladder.slug}/standings"
    assert len(client.get(address).json()["rows"]) == 2
    rows = client.get(address, {"all": "true"}).json()["rows"]
    assert [(row["bot"], row["version"], row["active"]) for row in rows][-1] == ("moth", 1, False)


@pytest.mark.parametrize(
    "address",
    [
        "ladders/nowhere/standings",
        "ladders/dont-go-in-there-2/seasons/9/standings",
        "bots/00000000-0000-0000-0000-000000000000/ratings",
    ],
)
def test_what_is_not_there_is_a_problem_with_a_code(client: Client, season: Season, address: str) -> None:
    answer = client.get(f"/api/v1/{address}")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


def test_a_bots_curves(client: Client, season: Season, versions: list[Version]) -> None:
    (curve,) = client.get(f"/api/v1/bots/{versions[1].bot.public_id}/ratings").json()
    assert (curve["ladder"], curve["season"], curve["version"]) == (season.ladder.slug, 1, 1)
    assert [sorted(point) for point in curve["points"]] == [["at", "half_width", "rating"]]


def test_the_schema_tells_these_addresses_without_a_warning() -> None:
    patterns: list[Any] = [
        path("api/v1/ladders/<slug:slug>/standings", StandingsView.as_view()),
        path("api/v1/ladders/<slug:slug>/seasons/<int:number>/standings", SeasonStandingsView.as_view()),
        path("api/v1/bots/<uuid:bot_id>/ratings", BotRatingsView.as_view()),
    ]
    reset_generator_stats()
    schema = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    said = [*GENERATOR_STATS._error_cache, *GENERATOR_STATS._warn_cache]
    # How callers are known is the accounts' to tell.
    assert [line for line in said if "authenticator" not in line] == []
    assert len(schema["paths"]) == 3
    assert {"Standings", "Standing", "Curve"} <= schema["components"]["schemas"].keys()
