"""What the clock does with a tournament that nobody looks after: it goes on, or says why not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

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


def test_two_that_fault_in_every_match_both_forfeit_and_nobody_goes_on() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=4)
    hall.tick(made)
    by = house.worker()
    bad = made.tables.get(key="W1.1")
    for match in Match.objects.filter(status=Match.Status.QUEUED):
        is_bad = match.bundle.table_bundle.table_id == bad.pk
        house.play(by, match, lost={0: "crash", 1: "crash"} if is_bad else None)
    hall.play_out(made, by)
    assert [(seat.is_forfeit, seat.points) for seat in bad.seats.all()] == [(True, 0.0)] * 2
    final = made.tables.get(key="W2.1")
    assert (final.decision, final.seats.count()) == (Table.Decision.WALKOVER, 1)
    assert final.seats.get().entry.rank == 1


def test_a_table_plays_as_many_bundles_as_were_agreed_each_on_its_own_seed() -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=2, bundles=3)
    hall.play_out(made, house.worker())
    bundles = [one.bundle for one in made.tables.get().bundles.all()]
    assert len({bundle.seed for bundle in bundles}) == 3
    assert [bundle.matches.count() for bundle in bundles] == [2, 2, 2]
    points = [seat.points or 0.0 for seat in made.tables.get().seats.all()]
    assert abs(sum(points) - 1.0) < 1e-8
    assert all(abs(6 * own - round(6 * own * 2) / 2) < 1e-6 for own in points), "a mean over six matches"


@pytest.mark.django_db(transaction=True)
def test_ticks_at_the_same_time_do_each_thing_once() -> None:
    """Beat, a refill, a worker that came back: one holds the tournament, the others leave it alone."""
    made = hall.tournament(house.ladder(2), Format.DOUBLE_ELIMINATION, entries=4)
    by, start = house.worker(), Barrier(3)

    def tick(_: int) -> None:
        try:
            start.wait(timeout=30)
            tournaments_tick(now=hall.later())
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        for _ in range(20):
            list(pool.map(tick, range(3)))
            hall.play_round(by)
            made.refresh_from_db()
            if made.state == State.FINISHED:
                break
    assert sorted(made.entries.values_list("rank", flat=True)) == [1, 2, 3, 4]
    kinds = list(made.happenings.values_list("kind", flat=True))
    assert [kinds.count(kind) for kind in ("frozen", "started", "finished")] == [1, 1, 1]
    assert kinds.count("table_decided") == made.tables.count()
    assert all(table.bundles.exists() for table in made.tables.all())
