"""A worker claims the job that a doorbell was for, and keeps it by renewing its lease.

A match and a build are claimed alike: one conditional UPDATE raises the fence. Whoever comes second
changes no row and gets 409. Times are the database's.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now
from django.urls import reverse

from bots.job import LEASE_MS, BuildJob, ClaimRequest, Clock, MatchJob, SeatJob
from engine.chance import derive
from ladder.common.errors import ConflictError, ForbiddenError, LadderError
from ladder.common.queue import enqueue_on_commit
from ladder.matches.fitness import lacks, needs_of
from ladder.matches.models import Attempt, Match, MatchSeat, Worker
from ladder.matches.parties import parties_of
from ladder.programs.models import Build

LEASE: Final = timedelta(milliseconds=LEASE_MS)
ATTEMPTS: Final = 3
"""Of a match or a build. A match whose attempts all broke in one version's turn gets one more, without it."""
ALIVE: Final = (Attempt.Status.LEASED, Attempt.Status.EXPIRED)
"""An attempt whose lease ran out may still renew or report while nobody has superseded it."""


class NothingToClaimError(ConflictError):
    code = "nothing_to_claim"


class UnfitError(LadderError):
    """The worker lacks what the job needs; the job stays queued, and is soon rung for again."""

    code = "unfit_worker"
    status = 426


class SupersededError(ConflictError):
    code = "superseded"


def job_claim(*, worker: Worker, claim: ClaimRequest) -> MatchJob | BuildJob:
    """The job, leased to `worker`. Raises NothingToClaimError, UnfitError or ForbiddenError."""
    try:
        public_id = UUID(claim.id)
    except ValueError:
        raise NothingToClaimError("There is no such job.") from None
    claim_it, work = (_claim_match, Match) if claim.kind == "match" else (_claim_build, Build)
    try:
        _check_trust(worker)
        return claim_it(worker, claim, public_id)
    except (UnfitError, ForbiddenError):
        # The bell is answered; the dispatcher rings again, and the next to hear it may be another worker.
        work.objects.filter(public_id=public_id, status="queued").update(doorbell_at=None, refused_at=Now())
        raise


def _check_trust(worker: Worker) -> None:
    if worker.distrusted_at is not None:
        raise ForbiddenError(
            "This worker sent records that did not prove their matches; it may claim no more.",
            code="distrusted",
        )


@transaction.atomic
def _claim_match(worker: Worker, claim: ClaimRequest, public_id: UUID) -> MatchJob:
    match = Match.objects.select_related("bundle__season__ladder").filter(public_id=public_id).first()
    if match is None:
        raise NothingToClaimError("There is no such match.")
    seats = list(match.seats.select_related("version"))
    if lack := lacks(needs_of(match, seats), claim):
        raise UnfitError(lack)
    attempts = ATTEMPTS + any(seat.benched for seat in seats)
    claimed = Match.objects.filter(_free(attempts), pk=match.pk).update(
        status=Match.Status.RUNNING,
        fence=F("fence") + 1,
        lease_until=Now() + LEASE,
        started_at=Coalesce("started_at", Now()),
    )
    if not claimed:
        raise NothingToClaimError("This match is taken or over.")
    match.refresh_from_db(fields=["fence"])
    match.attempts.filter(status__in=ALIVE).update(status=Attempt.Status.SUPERSEDED, ended_at=Now())
    attempt = Attempt.objects.create(
        match=match, fence=match.fence, worker=worker, leased_at=Now(), lease_until=Now() + LEASE
    )
    enqueue_on_commit("ladder.matchmaking.tasks.refill", expires_s=1)
    return _match_job(match, seats, attempt)


@transaction.atomic
def _claim_build(worker: Worker, claim: ClaimRequest, public_id: UUID) -> BuildJob:
    build = Build.objects.select_related("version").filter(public_id=public_id).first()
    if build is None:
        raise NothingToClaimError("There is no such build.")
    if build.version.language not in claim.languages:
        raise UnfitError(f"This worker does not build {build.version.language}.")
    claimed = Build.objects.filter(_free(ATTEMPTS), pk=build.pk).update(
        status=Build.Status.RUNNING, fence=F("fence") + 1, lease_until=Now() + LEASE
    )
    if not claimed:
        raise NothingToClaimError("This build is taken or over.")
    build.refresh_from_db(fields=["fence"])
    Attempt.objects.filter(build=build, status__in=ALIVE).update(
        status=Attempt.Status.SUPERSEDED, ended_at=Now()
    )
    attempt = Attempt.objects.create(
        build=build, fence=build.fence, worker=worker, leased_at=Now(), lease_until=Now() + LEASE
    )
    return _build_job(build, attempt)


def _free(attempts: int) -> Q:
    """Queued, or running with a lease that ran out; and not yet tried as often as that."""
    return Q(fence__lt=attempts) & (Q(status="queued") | Q(status="running", lease_until__lt=Now()))


def _match_job(match: Match, seats: list[MatchSeat], attempt: Attempt) -> MatchJob:
    bundle = match.bundle
    ladder = bundle.season.ladder
    return MatchJob(
        match_id=str(match.public_id),
        attempt_id=str(attempt.public_id),
        fence=attempt.fence,
        lease_ms=LEASE_MS,
        renew_url=_url("renew", attempt),
        report_url=_url("report", attempt),
        game=ladder.game,
        rules_version=bundle.season.rules_version,
        mode=ladder.mode,
        options=ladder.options,
        seed=bundle.seed,
        clock=Clock(bank_ms=ladder.clock_bank_ms, increment_ms=ladder.clock_increment_ms),
        seats=[
            SeatJob(
                seat=seat.number,
                version=seat.version.digest,
                name=seat.name,
                language=seat.version.language,
                entry=seat.version.entry,
                artefact_sha256=seat.version.artefact_sha256,
                artefact_url=reverse(
                    "internal:artefact", args=[attempt.public_id, seat.version.artefact_sha256]
                ),
                private_seed=private_seed(bundle.seed, seat.version.digest),
                party=party,
                benched=seat.benched,
            )
            for seat, party in zip(seats, parties_of(seats), strict=True)
        ],
    )


def _build_job(build: Build, attempt: Attempt) -> BuildJob:
    version = build.version
    return BuildJob(
        build_id=str(build.public_id),
        attempt_id=str(attempt.public_id),
        fence=attempt.fence,
        lease_ms=LEASE_MS,
        renew_url=_url("renew", attempt),
        report_url=_url("report", attempt),
        artefact_url=_url("artefact-put", attempt),
        language=version.language,
        entry=version.entry,
        build=version.build_command,
        source_sha256=version.digest,
        source_url=_url("source", attempt),
    )


def private_seed(bundle_seed: str, digest: str) -> str:
    """The seed of a bot's own dice: one for all matches of a bundle, and no way back to the bundle's."""
    return derive(bundle_seed, f"bot/{digest}")


def _url(door: str, attempt: Attempt) -> str:
    return reverse(f"internal:{door}", args=[attempt.public_id])


@transaction.atomic
def lease_renew(*, attempt: Attempt, fence: int) -> None:
    """Another 15 s for an attempt that nobody has superseded. Raises SupersededError."""
    work, model = (attempt.match, Match) if attempt.match_id else (attempt.build, Build)
    alive = attempt.fence == fence and Attempt.objects.filter(pk=attempt.pk, status__in=ALIVE).update(
        status=Attempt.Status.LEASED, lease_until=Now() + LEASE
    )
    held = (
        alive
        and work is not None
        and model.objects.filter(pk=work.pk, fence=fence, status__in=("queued", "running")).update(
            status="running", lease_until=Now() + LEASE
        )
    )
    if not held:
        raise SupersededError("Another attempt has taken this over, or it has ended. Stop.")
