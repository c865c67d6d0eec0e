"""Who may play a match: claims, leases and fences."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from ladder.common.errors import ForbiddenError
from ladder.matches.models import Attempt, Ladder, Match, Purpose
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.claims import (
    NothingToClaimError,
    SupersededError,
    UnfitError,
    job_claim,
    lease_renew,
)
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.workers import worker_report_refused
from tests.ladder import house

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    ladder = house.ladder(2)
    versions = [house.version("one", on=ladder), house.version("two", on=ladder)]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    first = bundle.matches.order_by("number").first()
    assert first is not None
    return first


def lease_runs_out(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(lease_until=Now() - timedelta(seconds=1))


def test_the_job_holds_what_a_worker_needs(match: Match) -> None:
    job = house.claim(house.worker(), match)
    match.refresh_from_db()
    assert (match.status, match.fence, job.fence) == ("running", 1, 1)
    assert job.seed == match.bundle.seed
    assert [seat.name for seat in job.seats] == [seat.name for seat in match.seats.all()]
    assert job.report_url == f"/internal/attempts/{job.attempt_id}/report"
    assert job.seats[0].private_seed != job.seats[1].private_seed != job.seed


def test_who_comes_second_gets_nothing(match: Match) -> None:
    house.claim(house.worker(), match)
    with pytest.raises(NothingToClaimError):
        house.claim(house.worker("w2"), match)


def test_a_rated_match_is_not_for_a_worker_below_the_ladder_s_least_level(match: Match) -> None:
    Ladder.objects.update(least_layers=["seccomp", "cgroup"])
    with pytest.raises(UnfitError, match="has no cgroup"):
        house.claim(house.worker(), match, layers=["bubblewrap", "seccomp"])
    match.refresh_from_db()
    assert match.status == "queued"
    assert house.claim(house.worker("better"), match, layers=["cgroup", "seccomp"]).fence == 1


def test_a_tournament_is_played_at_its_ladder_s_level(match: Match) -> None:
    Ladder.objects.update(least_layers=["seccomp", "cgroup"])
    match.bundle.purpose = Purpose.TOURNAMENT
    match.bundle.save()
    with pytest.raises(UnfitError, match=r"Rated matches and tournaments of .* has no cgroup"):
        house.claim(house.worker(), match, layers=["bubblewrap", "seccomp"])
    assert house.claim(house.worker("better"), match, layers=["cgroup", "seccomp"]).fence == 1


@pytest.mark.parametrize("purpose", [Purpose.FRIENDLY, Purpose.PREFLIGHT])
def test_a_match_that_counts_for_nobody_is_for_every_worker(match: Match, purpose: Purpose) -> None:
    match.bundle.purpose = purpose
    match.bundle.save()
    assert house.claim(house.worker(), match, layers=["bubblewrap"]).fence == 1


@pytest.mark.django_db(transaction=True)
def test_of_ten_at_once_one_wins(match: Match) -> None:
    workers = [house.worker(f"w{number}") for number in range(10)]

    def try_one(worker: object) -> bool:
        try:
            house.claim(worker, match)  # type: ignore[arg-type]
        except NothingToClaimError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(10) as pool:
        won = list(pool.map(try_one, workers))
    assert won.count(True) == 1
    assert Attempt.objects.filter(match=match).count() == 1


def test_a_lease_that_ran_out_is_claimed_by_another_and_the_first_is_superseded(match: Match) -> None:
    first = house.claim(house.worker(), match)
    lease_runs_out(match)
    second = house.claim(house.worker("w2"), match)
    assert second.fence == 2
    assert house.attempt_of(first).status == Attempt.Status.SUPERSEDED
    with pytest.raises(SupersededError):
        lease_renew(attempt=house.attempt_of(first), fence=first.fence)
    lease_renew(attempt=house.attempt_of(second), fence=second.fence)


def test_a_late_renewal_counts_while_nobody_has_superseded_it(match: Match) -> None:
    job = house.claim(house.worker(), match)
    lease_runs_out(match)
    lease_renew(attempt=house.attempt_of(job), fence=job.fence)
    match.refresh_from_db()
    assert match.lease_until is not None
    with pytest.raises(NothingToClaimError):
        house.claim(house.worker("w2"), match)


def test_a_renewal_with_another_fence_is_refused_and_changes_nothing(match: Match) -> None:
    job = house.claim(house.worker(), match)
    before = house.attempt_of(job).lease_until
    with pytest.raises(SupersededError):
        lease_renew(attempt=house.attempt_of(job), fence=job.fence + 1)
    assert house.attempt_of(job).lease_until == before


def test_after_three_attempts_there_is_no_fourth(match: Match) -> None:
    for number in range(3):
        house.claim(house.worker(f"w{number}"), match)
        lease_runs_out(match)
    with pytest.raises(NothingToClaimError):
        house.claim(house.worker("w3"), match)


@pytest.mark.parametrize(
    "lacks", [{"rules": {}}, {"rules": {"dont-go-in-there": 999}}, {"languages": {"javascript": "v20"}}]
)
def test_a_worker_that_lacks_something_leaves_the_match_queued(
    match: Match, lacks: dict[str, object]
) -> None:
    with pytest.raises(UnfitError):
        house.claim(house.worker(), match, **lacks)
    match.refresh_from_db()
    assert (match.status, match.fence) == ("queued", 0)


def test_a_worker_whose_reports_were_refused_three_times_may_claim_no_more(match: Match) -> None:
    worker = house.worker()
    for _ in range(3):
        worker_report_refused(worker=worker)
    worker.refresh_from_db()
    with pytest.raises(ForbiddenError):
        house.claim(worker, match)


@pytest.mark.parametrize("kind", ["match", "build"])
@pytest.mark.parametrize("public_id", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_a_doorbell_for_nothing_is_dropped(kind: str, public_id: str) -> None:
    with pytest.raises(NothingToClaimError):
        job_claim(worker=house.worker(), claim=house.claim_of(kind, public_id))


def test_a_ladder_from_before_an_option_came_is_played_on() -> None:
    ladder = house.ladder(2)
    Ladder.objects.filter(pk=ladder.pk).update(options={"types": "random", "dispel": "auto"})
    ladder.refresh_from_db()
    versions = [house.version(name, on=ladder) for name in ("one", "two")]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    for match in bundle.matches.all():
        house.play(house.worker(f"w{match.number}"), match)
    assert set(bundle.matches.values_list("status", flat=True)) == {Match.Status.FINISHED}
