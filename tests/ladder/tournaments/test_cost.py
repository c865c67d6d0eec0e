"""What it costs to look at tournaments: as many queries for many entries as for few, no endless picture."""

from __future__ import annotations

import struct

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ladder.tournaments.formats.terms import Format
from ladder.tournaments.picture import png
from ladder.tournaments.services.entries import entry_create
from tests.ladder import house
from tests.ladder.tournaments import hall

API = ("", "/entries", "/bracket", "/rounds", "/standings", "/matches", "/events", "/export")


@pytest.mark.django_db
@pytest.mark.parametrize("format_", [Format.DOUBLE_ELIMINATION, Format.ROUND_ROBIN])
def test_every_door_asks_as_often_for_many_as_for_few(format_: Format) -> None:
    ladder, by, client = house.ladder(2), house.worker(), Client()
    organiser = house.user("organiser")
    asked: list[dict[str, int]] = []
    bots = [
        house.version(f"bot{number}", owner=house.user(f"user{number}"), on=ladder).bot for number in range(6)
    ]
    for count in (3, 6):
        made = hall.tournament(ladder, format_, entries=0, organiser=organiser)
        for bot in bots[:count]:
            entry_create(tournament=made, user=bot.members.get(), bot=bot)
        hall.play_out(made, by)
        addresses = [f"/api/v1/tournaments/{made.slug}{door}" for door in API]
        addresses.append(f"/tournaments/{made.slug}/")
        found = {}
        for address in addresses:
            client.get(address)  # what is cached is cached for both
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200, address
            found[address.removesuffix("/").replace(made.slug, "*")] = len(queries)
        asked.append(found)
    few, many = asked
    assert few == many
    assert max(many.values()) <= 30, many


def test_a_picture_has_a_largest_size() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7000" height="60000"/>'
    width, height = struct.unpack(">II", png(svg)[16:24])
    assert 15_000_000 < width * height < 17_000_000
    small = svg.replace("7000", "300").replace("60000", "200")
    assert struct.unpack(">II", png(small)[16:24]) == (600, 400)
