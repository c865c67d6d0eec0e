"""What the clock does with a tournament that nobody looks after: it goes on, or says why not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.matches.models import Match, Season
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.services.clock import tournaments_tick
from ladder.tournaments.services.entries import entry_withdraw
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db
State = Tournament.State


@pytest.mark.parametrize("left", [1, 0])
@pytest.mark.parametrize("format_", [Format.SWISS, Format.SCORE_ATTACK])
def test_it_ends_where_nobody_is_left_to_play(format_: Format, left: int) -> None:
    is_team = format_ == Format.SCORE_ATTACK
    ladder = hall.team_ladder() if is_team else house.ladder(2)
    made = hall.tournament(ladder, format_, entries=3, seats=4 if is_team else 2, rounds=2)
    hall.tick(made)
    for entry in made.entries.order_by("pk")[left:]:
        assert entry.entered_by is not None
        entry_withdraw(entry=entry, user=entry.entered_by)
    hall.play_out(made, house.worker())
    assert sorted(made.entries.values_list("rank", flat=True)) == [1, 2, 3]


@pytest.mark.parametrize("is_running", [False, True])
def test_rules_that_move_after_the_freeze_cancel_it_and_say_so(is_running: bool) -> None:
    """Nobody could claim its matches: it would wait for ever."""
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=3)
    if not is_running:
        Tournament.objects.filter(pk=made.pk).update(starts_at=hall.later() + timedelta(hours=1))
    hall.tick(made)
    assert made.state == (State.RUNNING if is_running else State.FROZEN)
    Season.objects.filter(pk=made.season_id).update(rules_version=99, closed_at=timezone.now())
    hall.tick(made)
    assert made.state == State.CANCELLED
    assert "from version 99 to 1" in made.reason
    assert made.happenings.get(kind="cancelled").actor is None
    assert not Match.objects.filter(status=Match.Status.QUEUED).exists()


def test_a_tick_without_news_asks_little_however_many_play() -> None:
    """It comes each second, and a round robin of a hundred has thousands of tables."""
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=8)
    hall.tick(made)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert tournaments_tick(now=hall.later()) == 0
    assert len(asked) <= 6, [one["sql"] for one in asked]
