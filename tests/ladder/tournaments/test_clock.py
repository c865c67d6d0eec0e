"""Tournaments move by themselves from registration to the last rank."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from ladder.matches.models import Bundle, Match
from ladder.matches.visibility import sight
from ladder.tournaments import facts
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Table, Tournament
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db

CASES = [
    (Format.ROUND_ROBIN, 4, 2, {}),
    (Format.ROUND_ROBIN, 6, 3, {"rounds": 2}),
    (Format.SWISS, 5, 2, {"rounds": 3}),
    (Format.SWISS, 7, 3, {"rounds": 2}),
    (Format.SINGLE_ELIMINATION, 5, 2, {}),
    (Format.SINGLE_ELIMINATION, 7, 3, {}),
    (Format.DOUBLE_ELIMINATION, 6, 2, {}),
    (Format.DOUBLE_ELIMINATION, 7, 3, {}),
    (Format.GROUPS, 6, 2, {"groups": 2, "qualify": 2, "min_entries": 6}),
    (Format.GAUNTLET, 4, 2, {}),
]


@pytest.mark.parametrize(("format_", "entries", "seats", "options"), CASES)
def test_every_format_runs_to_its_last_rank(
    format_: Format, entries: int, seats: int, options: dict[str, int]
) -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, format_, entries=entries, seats=seats, **options)
    hall.play_out(made, house.worker())
    assert sorted(made.entries.values_list("rank", flat=True)) == list(range(1, entries + 1))
    assert not made.tables.exclude(status=Table.Status.DECIDED).exists()
    assert all(facts.outcome_of(table).order for table in facts.tables_of(made))
    kinds = list(made.happenings.values_list("kind", flat=True))
    assert kinds[:2] == ["made", "opened"]
    assert kinds[-1] == "finished"
    assert "frozen" in kinds


def test_too_few_entries_cancel_it() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=1)
    hall.tick(made)
    assert made.state == Tournament.State.CANCELLED
    assert "1 entries" in made.reason


def test_a_score_attack_plays_the_same_seeds_and_opens_them_together() -> None:
    ladder = hall.team_ladder()
    made = hall.tournament(ladder, Format.SCORE_ATTACK, entries=3, seats=4, rounds=2)
    by = house.worker()
    hall.tick(made)
    first = Bundle.objects.filter(table_bundle__table__tournament=made)
    assert len({bundle.seed for bundle in first}) == 1
    assert {bundle.matches.count() for bundle in first} == {1}
    match = Match.objects.filter(bundle=first[0]).get()
    assert match.seats.values("version").distinct().count() == 1
    assert match.seats.count() == 4
    house.play(by, match)
    match.refresh_from_db()
    assert not sight(AnonymousUser(), match).record
    hall.play_out(made, by)
    match = Match.objects.select_related("bundle").get(pk=match.pk)
    assert sight(AnonymousUser(), match).record
    assert {"jewels"} <= set(match.figures or {})
    assert sorted(made.entries.values_list("rank", flat=True)) == [1, 2, 3]
