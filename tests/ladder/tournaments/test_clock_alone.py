"""What the clock does with a tournament that nobody looks after: it goes on, or says why not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.matches.models import Bundle, Ladder, Match, Season
from ladder.matches.services.reports import match_requeue
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Table, Tournament
from ladder.tournaments.services.clock import tournaments_tick
from ladder.tournaments.services.entries import entry_withdraw
from ladder.tournaments.services.organise import tournament_pause, tournament_resume
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


def test_a_score_attack_goes_on_past_an_entry_that_cannot_be_played() -> None:
    made = hall.tournament(hall.team_ladder(), Format.SCORE_ATTACK, entries=2, seats=4, rounds=1)
    by = house.worker()
    hall.tick(made)
    for _ in range(3):
        for match in Match.objects.filter(status=Match.Status.QUEUED):
            if match.seats.filter(version__bot__name="bot1").exists():
                Match.objects.filter(pk=match.pk).update(fence=3)
                match.refresh_from_db()
                match_requeue(match=match)
            else:
                house.play(by, match)
        hall.tick(made)
    assert made.state == State.FINISHED
    bad = made.entries.get(bot__name="bot1").seats.get()
    assert (bad.table.decision, bad.points, bad.is_forfeit) == (Table.Decision.VOIDS, 0.0, False)
    assert not Bundle.objects.filter(is_sealed=True).exists()


def test_a_tournament_that_was_paused_over_its_start_starts_when_it_is_resumed() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    tournament_pause(tournament=made, actor=made.owner)
    assert hall.tick(made).state == State.OPEN
    tournament_resume(tournament=made, actor=made.owner)
    assert hall.tick(made).state == State.RUNNING


def test_a_ladder_that_closes_holds_up_no_tournament() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    Ladder.objects.update(is_open=False)
    hall.play_out(made, house.worker())
