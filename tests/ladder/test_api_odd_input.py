"""Odd input is refused by name, and lists cost the same however long they are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ladder.accounts.models import User
from ladder.common.errors import PROBLEM
from ladder.matches.models import Purpose
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import season_ensure
from tests.ladder import house

NUL = "\x00"


@pytest.fixture
def client(db: None) -> Client:
    client = Client(raise_request_exception=False)
    house.ladder(2)
    client.force_login(house.user())
    return client


def invalid(response: object) -> None:
    body = response.json()  # type: ignore[attr-defined]
    assert (body["status"], body["code"]) == (400, "invalid")
    assert response.headers["Content-Type"] == PROBLEM  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [NUL, "\ud800", [], None, {}, "a" * 100_000])
def test_odd_names(client: Client, name: object) -> None:
    invalid(client.post("/api/v1/bots", {"name": name}, "application/json"))


@pytest.mark.parametrize("cursor", ["x", "cD14", "cD0lMDA=", "%C2%B2", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk="])
def test_odd_cursors(client: Client, cursor: str) -> None:
    invalid(client.get(f"/api/v1/bots?cursor={cursor}"))


@pytest.mark.parametrize("value", ["%00", "%C2%B2", "-1", "9" * 30, "x"])
def test_odd_parameters(client: Client, value: str) -> None:
    invalid(client.get(f"/api/v1/ladders/dont-go-in-there-2/records?after={value}"))
    for name in ("bot", "opponent", "version", "status", "purpose", "result"):
        invalid(client.get(f"/api/v1/matches?{name}={value}"))
    seasons = "/api/v1/ladders/dont-go-in-there-2/seasons"
    assert client.get(f"{seasons}/{'9' * 30}/standings").status_code == 404


@pytest.mark.parametrize("path", ["matches", "bots"])
def test_lists_cost_the_same_however_long(client: Client, path: str) -> None:
    counts = []
    for number in range(1, 4):
        _fill(number)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/api/v1/{path}").json()["results"]
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 8


def _fill(number: int) -> None:
    ladder = house.ladder(2)
    owner = User.objects.create_user(f"u{number}")
    versions = [house.version(f"b{number}{seat}", owner=owner, on=ladder) for seat in range(2)]
    bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
