"""What the ladder believes of a report, and what it does with one that is false."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.record import Record, digest_of
from ladder.common.errors import ConflictError
from ladder.matches.models import Attempt, Bundle, Match, MatchRecord, Purpose, Transcript
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.claims import SupersededError
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.reports import RefusedError, attempt_report
from tests.ladder import house
from tests.ladder.matches.test_claims import lease_runs_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def bundle() -> Bundle:
    ladder = house.ladder(2)
    versions = [house.version("one", on=ladder), house.version("two", on=ladder)]
    return bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)


@pytest.fixture
def match(bundle: Bundle) -> Match:
    return bundle.matches.get(number=0)


def test_a_true_report_is_stored_whole(match: Match) -> None:
    job = house.claim(house.worker(), match)
    record = house.played(job)
    attempt_report(attempt=house.attempt_of(job), report=house.report_of(job))
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert [seat.rank for seat in match.seats.all()] == list(record.ranks)
    assert [seat.score for seat in match.seats.all()] == list(record.scores)
    assert MatchRecord.objects.get(match=match).digest == record.digest
    assert Transcript.objects.filter(seat__match=match).count() == 2
    assert house.attempt_of(job).status == Attempt.Status.REPORTED


def test_the_same_report_again_is_a_no_op_and_another_a_conflict(match: Match) -> None:
    job = house.claim(house.worker(), match)
    report = house.report_of(job)
    attempt_report(attempt=house.attempt_of(job), report=report)
    attempt_report(attempt=house.attempt_of(job), report=report)
    assert MatchRecord.objects.filter(match=match).count() == 1
    other = house.report_of(job, void_reason="platform_stall")
    with pytest.raises(ConflictError) as caught:
        attempt_report(attempt=house.attempt_of(job), report=other)
    assert caught.value.code == "already_reported"


def test_a_superseded_report_is_thrown_away(match: Match) -> None:
    first = house.claim(house.worker(), match)
    lease_runs_out(match)
    house.claim(house.worker("w2"), match)
    with pytest.raises(SupersededError):
        attempt_report(attempt=house.attempt_of(first), report=house.report_of(first))
    assert not MatchRecord.objects.filter(match=match).exists()


def test_a_late_report_counts_while_nobody_has_superseded_it(match: Match) -> None:
    job = house.claim(house.worker(), match)
    lease_runs_out(match)
    attempt_report(attempt=house.attempt_of(job), report=house.report_of(job))
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED


def swap_ranks(document: dict[str, Any]) -> None:
    document["ranks"] = document["ranks"][::-1] if len(set(document["ranks"])) > 1 else [1, 2]


def better_score(document: dict[str, Any]) -> None:
    document["scores"][0] -= 1


def other_dice(document: dict[str, Any]) -> None:
    document["actions"][0] = 1 - document["actions"][0] if document["actions"][0] in (0, 1) else 0


def illegal_move(document: dict[str, Any]) -> None:
    document["actions"][-1] = 9_999


def cut_short(document: dict[str, Any]) -> None:
    document["actions"].pop()


def other_seed(document: dict[str, Any]) -> None:
    document["seed"] = "0" * 32


def other_player(document: dict[str, Any]) -> None:
    document["seats"][0]["version"] = "0" * 64


def other_name(document: dict[str, Any]) -> None:
    document["seats"][0]["name"] = "somebody else"


def more_time(document: dict[str, Any]) -> None:
    document["clock"]["bank_ms"] += 1


def invented_fault(document: dict[str, Any]) -> None:
    document["faults"] = [{"seat": 1, "ply": 0, "code": "crash", "hard": True}]


@pytest.mark.parametrize(
    "tamper",
    [
        swap_ranks,
        better_score,
        other_dice,
        illegal_move,
        cut_short,
        other_seed,
        other_player,
        other_name,
        more_time,
        invented_fault,
    ],
)
def test_a_false_record_is_refused_the_attempt_void_and_the_worker_marked(match: Match, tamper: Any) -> None:
    worker = house.worker()
    job = house.claim(worker, match)
    document = json.loads(house.played(job).to_json())
    tamper(document)
    document["digest"] = "0" * 64
    document["digest"] = digest_of(Record.from_json(json.dumps(document)))
    with pytest.raises(RefusedError):
        attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, json.dumps(document)))
    match.refresh_from_db()
    worker.refresh_from_db()
    assert match.status == Match.Status.QUEUED
    assert (house.attempt_of(job).status, house.attempt_of(job).void_code) == ("void", "false_record")
    assert worker.refused_reports == 1
    assert not MatchRecord.objects.filter(match=match).exists()


def test_a_fault_that_nobody_has_a_sentence_for_is_refused(match: Match) -> None:
    job = house.claim(house.worker(), match)
    record = house.played(job, lost={0: "a_word_that_fills_no_column_of_the_table"})
    with pytest.raises(RefusedError, match="there is no fault"):
        attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, record.to_json()))
    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", "not json"])
def test_no_record_is_a_false_record(match: Match, text: str) -> None:
    job = house.claim(house.worker(), match)
    with pytest.raises(RefusedError):
        attempt_report(attempt=house.attempt_of(job), report=house.report_of(job, text))


def test_the_record_of_the_bundles_other_match_is_refused(bundle: Bundle) -> None:
    worker = house.worker()
    first = house.claim(worker, bundle.matches.get(number=0))
    second = house.claim(worker, bundle.matches.get(number=1))
    swapped = house.report_of(first, house.played(second).to_json())
    with pytest.raises(RefusedError):
        attempt_report(attempt=house.attempt_of(first), report=swapped)


def void(job: Any) -> Any:
    return house.report_of(job, void_reason="platform_stall").__class__(
        attempt_id=job.attempt_id, fence=job.fence, outcome="void", void_reason="platform_stall"
    )


def test_a_void_attempt_is_played_again_and_after_three_the_match_is_void(match: Match) -> None:
    for number in range(3):
        match.refresh_from_db()
        assert match.status == Match.Status.QUEUED
        job = house.claim(house.worker(f"w{number}"), match)
        attempt_report(attempt=house.attempt_of(job), report=void(job))
    match.refresh_from_db()
    assert (match.status, match.void_code) == ("void", "out_of_attempts")
    assert match.bundle.finished_at is None


def test_the_bundle_is_finished_with_its_last_match(bundle: Bundle) -> None:
    worker = house.worker()
    house.play(worker, bundle.matches.get(number=0))
    bundle.refresh_from_db()
    assert bundle.finished_at is None
    house.play(worker, bundle.matches.get(number=1))
    bundle.refresh_from_db()
    assert bundle.finished_at is not None


def test_a_lost_seat_ranks_below_and_its_fault_is_kept(match: Match) -> None:
    house.play(house.worker(), match, lost={0: "crash"})
    match.refresh_from_db()
    lost, other = match.seats.all()
    assert (lost.rank, lost.fault_code, lost.lost_by_fault) == (2, "crash", True)
    assert (other.rank, other.fault_code, other.lost_by_fault) == (1, "", False)
    assert match.has_fault
