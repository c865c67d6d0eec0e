"""Seats of one owner, told to the worker as numbers."""

from __future__ import annotations

import pytest

from ladder.matches.models import Purpose
from ladder.matches.parties import parties
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import BotMember
from tests.ladder import house


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ([{1}, {2}], [1, 2]),
        ([{1}, {1}], [1, 1]),
        ([{1}, {1, 2}, {2}], [1, 1, 1]),
        ([{1}, {2}, {1, 2}], [1, 1, 1]),
        ([{1}, {2}, {3}, {2, 4}, {4}], [1, 2, 3, 2, 2]),
        ([set(), {1}, set()], [0, 1, 0]),
        ([set(), set()], [0, 0]),
    ],
)
def test_seats_with_a_member_in_common_are_one_party(members: list[set[int]], wanted: list[int]) -> None:
    assert parties([frozenset(own) for own in members]) == wanted


@pytest.mark.django_db
def test_the_job_says_the_party_of_each_seat_and_the_house_is_nobody_s() -> None:
    ladder = house.ladder(4)
    ada, grace = house.user("ada"), house.user("grace")
    ours = [house.version(name, owner=owner, on=ladder) for name, owner in (("a", ada), ("g", grace))]
    both = house.version("both", owner=grace, on=ladder)
    BotMember.objects.create(bot=both.bot, user=ada, role=BotMember.Role.AUTHOR)
    of_house = house.version("h1", on=ladder)
    BotMember.objects.create(bot=of_house.bot, user=ada)  # who looks after it gains no party by that
    versions = [*ours, both, of_house]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.FRIENDLY, versions=versions)
    job = house.claim(house.worker(), bundle.matches.get(number=0))
    found = {seat.name: seat.party for seat in job.seats}
    assert found == {"a v1": 1, "g v1": 1, "both v1": 1, "h1 v1": 0}
    assert not any(seat.benched for seat in job.seats)
