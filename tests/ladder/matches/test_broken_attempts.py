"""A version in whose turn three attempts broke has the fault, and the others get their result."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bots.job import HostFigures, MatchJob, MatchReport
from bots.messages import sentence
from engine.record import digest_of
from ladder.matches.models import Attempt, Bundle, LadderVersion, Match, MatchRecord, Purpose
from ladder.matches.services.bundles import bundle_create, tournament_bundle_create
from ladder.matches.services.claims import NothingToClaimError, SupersededError
from ladder.matches.services.entries import preflight_start
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.reports import RefusedError, attempt_report
from ladder.programs.models import Version
from tests.ladder import house
from tests.ladder.matches.test_claims import lease_runs_out
from tests.ladder.matches.test_life import reap_now

pytestmark = pytest.mark.django_db

BUSY = HostFigures(late_us=9_000, longest_late_us=4_000, steal_us=70_000, pressure_us=None, core=1)


@pytest.fixture
def bundle() -> Bundle:
    ladder = house.ladder(2)
    versions = [house.version(name, owner=house.user(f"{name}s"), on=ladder) for name in ("one", "two")]
    return bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)


@pytest.fixture
def match(bundle: Bundle) -> Match:
    return bundle.matches.get(number=0)


def void(job: MatchJob, turn_of: int | None, **changes: Any) -> MatchReport:
    fields: dict[str, Any] = {"attempt_id": job.attempt_id, "fence": job.fence, "void_reason": "worker_died"}
    return MatchReport(outcome="void", turn_of=turn_of, **{**fields, **changes})


def breaks(match: Match, *turns: int | None) -> None:
    """An attempt for each, which breaks in that seat's turn."""
    for turn_of in turns:
        job = house.claim(house.worker(f"w{match.pk}/{job_number(match)}"), match)
        attempt_report(attempt=house.attempt_of(job), report=void(job, turn_of))
    match.refresh_from_db()


def job_number(match: Match) -> int:
    return Attempt.objects.filter(match=match).count()


def benched(match: Match) -> list[int]:
    return list(match.seats.filter(benched=True).values_list("number", flat=True))


def plays_without(match: Match, *seats: int) -> MatchJob:
    job = house.claim(house.worker(f"last {match.pk}"), match)
    assert [seat.seat for seat in job.seats if seat.benched] == list(seats)
    record = house.played(job, lost=dict.fromkeys(seats, "broken_attempts"))
    attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, record.to_json()))
    match.refresh_from_db()
    return job


def test_the_fourth_attempt_is_played_without_the_version_that_broke_three(match: Match) -> None:
    breaks(match, 1, 1, 1)
    assert (match.status, match.doorbell_at, benched(match)) == ("queued", None, [1])
    job = plays_without(match, 1)
    assert job.fence == 4
    winner, culprit = match.seats.all()
    assert match.status == Match.Status.FINISHED
    assert (winner.rank, winner.fault_code) == (1, "")
    assert (culprit.rank, culprit.fault_code, culprit.lost_by_fault) == (2, "broken_attempts", True)


@pytest.mark.parametrize(
    "turns", [(0, 1, 0), (None, None, None), (1, 1, None), (None, 1, 1), (2, 2, 2), (-1, -1, -1)]
)
def test_attempts_that_broke_otherwise_void_the_match_as_ever(match: Match, turns: Any) -> None:
    breaks(match, *turns)
    assert (match.status, match.void_code, benched(match)) == ("void", "out_of_attempts", [])
    with pytest.raises(NothingToClaimError):
        house.claim(house.worker("late"), match)


def test_there_is_no_fifth_attempt(match: Match) -> None:
    breaks(match, 0, 0, 0, 0)
    assert (match.status, match.void_code) == ("void", "out_of_attempts")
    with pytest.raises(NothingToClaimError):
        house.claim(house.worker("late"), match)


def test_the_fourth_attempt_s_lease_runs_out_like_any_other(match: Match) -> None:
    breaks(match, 0, 0, 0)
    house.claim(house.worker("w4"), match)
    assert reap_now(later_s=16) == 1
    match.refresh_from_db()
    assert (match.status, match.void_code) == ("void", "out_of_attempts")


def test_a_version_in_several_seats_is_benched_in_all_of_them() -> None:
    ladder = house.ladder(4)
    one, other = house.version("one", on=ladder), house.version("other", owner=house.user(), on=ladder)
    bundle = bundle_create(
        season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=[one, one, other, one]
    )
    match = bundle.matches.get(number=0)
    seats = list(match.seats.filter(version=one).values_list("number", flat=True))
    breaks(match, seats[0], seats[2], seats[1])
    assert benched(match) == seats
    plays_without(match, *seats)
    assert match.seats.get(version=other).rank == 1


def test_a_preflight_s_version_is_rejected_with_the_sentence() -> None:
    ladder = house.ladder(2)
    house.version("h1", on=ladder)
    version = house.version("new", owner=house.user())
    preflight_start(version=version, ladder=ladder)
    first, second = Bundle.objects.get(subject=version).matches.order_by("number")
    seat = first.seats.get(version=version).number
    breaks(first, seat, seat, seat)
    plays_without(first, seat)
    house.play(house.worker("w"), second)
    version.refresh_from_db()
    state = LadderVersion.objects.get(version=version, ladder=ladder)
    assert (state.state, version.state) == ("rejected", Version.State.REJECTED)
    assert version.reason_code == "broken_attempts"
    assert sentence("broken_attempts") in version.reason
    assert f"seat {seat + 1} of 2" in version.reason


def test_a_house_bot_that_breaks_a_preflight_does_not_stand_in_its_way() -> None:
    ladder = house.ladder(2)
    house_bot = house.version("h1", on=ladder)
    version = house.version("new", owner=house.user())
    preflight_start(version=version, ladder=ladder)
    first, second = Bundle.objects.get(subject=version).matches.order_by("number")
    seat = first.seats.get(version=house_bot).number
    breaks(first, seat, seat, seat)
    plays_without(first, seat)
    house.play(house.worker("w"), second)
    version.refresh_from_db()
    assert version.state == Version.State.ACTIVE


def test_a_tournament_s_table_gets_its_result() -> None:
    ladder = house.ladder(2)
    versions = [house.version(name, owner=house.user(f"{name}s"), on=ladder) for name in ("one", "two")]
    season = season_ensure(ladder=ladder)
    match = tournament_bundle_create(season=season, versions=versions, seed="5eed").matches.get(number=0)
    breaks(match, 0, 0, 0)
    plays_without(match, 0)
    assert [seat.rank for seat in match.seats.all()] == [2, 1]


# ---------------------------------------------------------------- what the ladder believes


def refused(match: Match, lost: dict[int, str]) -> None:
    job = house.claim(house.worker("w"), match)
    report = house.report_of(job, house.played(job, lost=lost).to_json())
    with pytest.raises(RefusedError, match="broken_attempts"):
        attempt_report(attempt=house.attempt_of(job), report=report)
    assert not MatchRecord.objects.filter(match=match).exists()


def test_nobody_is_benched_by_a_worker(match: Match) -> None:
    refused(match, {1: "broken_attempts"})


@pytest.mark.parametrize("lost", [{}, {0: "broken_attempts"}, {1: "crash"}])
def test_a_benched_seat_has_that_fault_and_no_other_seat_has(match: Match, lost: dict[int, str]) -> None:
    breaks(match, 1, 1, 1)
    job = house.claim(house.worker("w"), match)
    report = house.report_of(job, house.played(job, lost=lost).to_json())
    with pytest.raises(RefusedError, match="broken_attempts"):
        attempt_report(attempt=house.attempt_of(job), report=report)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID


def test_a_benched_seat_has_the_fault_from_the_start(match: Match) -> None:
    breaks(match, 1, 1, 1)
    job = house.claim(house.worker("w"), match)
    true = house.played(job, lost={1: "broken_attempts"})
    later = dataclasses.replace(true, faults=(dataclasses.replace(true.faults[0], hard=False),))
    later = dataclasses.replace(later, ranks=(1, 2), digest="")
    later = dataclasses.replace(later, digest=digest_of(later))
    with pytest.raises(RefusedError):
        attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, later.to_json()))


# ---------------------------------------------------------------- what an attempt keeps


def test_an_attempt_keeps_in_whose_turn_it_broke_and_how_busy_the_host_was(match: Match) -> None:
    job = house.claim(house.worker(), match)
    attempt_report(attempt=house.attempt_of(job), report=void(job, 1, host=BUSY))
    kept = house.attempt_of(job)
    assert (kept.status, kept.void_code, kept.turn_of) == ("void", "worker_died", 1)
    assert kept.host == {
        "late_us": 9_000, "longest_late_us": 4_000, "steal_us": 70_000, "pressure_us": None, "core": 1,
    }  # fmt: skip
    job = house.claim(house.worker("w2"), match)
    attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, host=BUSY))
    assert house.attempt_of(job).host == kept.host


def test_a_late_word_of_a_dead_worker_is_taken_while_nobody_has_its_match(match: Match) -> None:
    job = house.claim(house.worker(), match)
    assert reap_now(later_s=16) == 1
    attempt_report(attempt=house.attempt_of(job), report=void(job, 0))
    kept = house.attempt_of(job)
    assert (kept.status, kept.void_code, kept.turn_of) == ("void", "worker_died", 0)
    match.refresh_from_db()
    assert (match.status, match.fence) == ("queued", 1)


def test_of_a_superseded_attempt_the_turn_is_noted_and_nothing_else(match: Match) -> None:
    dead = house.claim(house.worker(), match)
    lease_runs_out(match)
    second = house.claim(house.worker("w2"), match)
    before = house.attempt_of(dead)
    for turn_of in (1, 0):  # the first word counts
        with pytest.raises(SupersededError):
            attempt_report(attempt=house.attempt_of(dead), report=void(dead, turn_of, host=BUSY))
    after = house.attempt_of(dead)
    assert after.turn_of == 1
    after.turn_of = None
    same = [field.attname for field in Attempt._meta.concrete_fields]
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
    match.refresh_from_db()
    assert (match.status, match.fence) == ("running", second.fence)


def test_a_note_with_another_fence_or_of_a_match_that_was_played_is_not_taken(match: Match) -> None:
    dead = house.claim(house.worker(), match)
    lease_runs_out(match)
    second = house.claim(house.worker("w2"), match)
    with pytest.raises(SupersededError):
        attempt_report(attempt=house.attempt_of(dead), report=void(dead, 1, fence=dead.fence + 1))
    assert house.attempt_of(dead).turn_of is None
    attempt_report(attempt=house.attempt_of(second), report=house.report_of(second))
    with pytest.raises(Exception, match="something else"):
        attempt_report(attempt=house.attempt_of(second), report=void(second, 1))
    assert house.attempt_of(second).turn_of is None


def test_turns_that_were_noted_late_count_for_the_three(match: Match) -> None:
    jobs = []
    for number in range(2):
        jobs.append(house.claim(house.worker(f"w{number}"), match))
        lease_runs_out(match)
    third = house.claim(house.worker("w3"), match)
    for job in jobs:
        with pytest.raises(SupersededError):
            attempt_report(attempt=house.attempt_of(job), report=void(job, 1))
    attempt_report(attempt=house.attempt_of(third), report=void(third, 1))
    match.refresh_from_db()
    assert (match.status, benched(match)) == ("queued", [1])
    plays_without(match, 1)
