"""What a worker does with a doorbell: claim the job, do it under its lease, and report."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from bots import job as wire
from bots.program import ProgramError, from_tar
from engine.errors import OptionError
from engine.registry import GAMES, make_game
from workers.build import build
from workers.cache import ArtefactCache
from workers.errors import ArtefactError, LadderError, SupersededError, WorkerError
from workers.journal import Entry, journal
from workers.lease import Lease
from workers.player import OnTurn
from workers.referee import MatchOutcome, SeatProgram, play_match
from workers.report import LadderClient
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.scratch import scratch

log = logging.getLogger(__name__)

RULES = {name: game.rules_version for name, game in GAMES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One process that plays: what it has, and what it may say of itself."""

    name: str
    ladder: LadderClient
    ladder_url: str
    cache: ArtefactCache
    journals: Path
    launcher: Launcher
    languages: dict[str, str]
    layers: list[str]

    def claim(self, kind: Literal["match", "build"], job_id: str) -> wire.MatchJob | wire.BuildJob | None:
        """The job of a doorbell, or None: somebody else has it, or the ladder cannot be heard."""
        request = wire.ClaimRequest(
            kind=kind, id=job_id, worker=self.name, languages=self.languages, rules=RULES, layers=self.layers
        )
        try:
            return self.ladder.claim(request)
        except LadderError as error:
            log.warning("%s %s not claimed: %s", kind, job_id, error)
            return None

    def lease(self, job: wire.MatchJob | wire.BuildJob) -> Lease:
        return Lease(partial(self.ladder.renew, job.renew_url, job.fence), lease_ms=job.lease_ms)

    def journal(self, job: wire.MatchJob) -> AbstractContextManager[OnTurn]:
        """What another process reports of this attempt, should this one be killed."""
        entry = Entry(
            ladder_url=self.ladder_url,
            report_url=job.report_url,
            attempt_id=job.attempt_id,
            fence=job.fence,
        )
        return journal(self.journals, entry)

    def report(
        self, job: wire.MatchJob | wire.BuildJob, report: wire.MatchReport | wire.BuildReport, lease: Lease
    ) -> None:
        """Deliver a report within the lease; what cannot be delivered is played again by somebody."""
        try:
            self.ladder.report(job.report_url, report, until=lease.until)
        except WorkerError as error:
            log.warning("report of attempt %s not taken: %s", job.attempt_id, error)


def match_job(worker: Worker, match_id: str) -> None:
    """Play the match of a doorbell, if it is to be played."""
    job = worker.claim("match", match_id)
    if not isinstance(job, wire.MatchJob):
        return
    with worker.lease(job) as lease, worker.journal(job) as on_turn:
        try:
            outcome = _played(worker, job, lease, on_turn)
        except (ArtefactError, ProgramError) as error:
            log.warning("match %s: %s", match_id, error)
            outcome = MatchOutcome(record=None, void_reason=ArtefactError.code, seats=[])
        except OptionError as error:
            log.warning("match %s: %s", match_id, error)
            outcome = MatchOutcome(record=None, void_reason="rules_version", seats=[])
        except Exception:
            log.exception("match %s broke", match_id)
            outcome = MatchOutcome(record=None, void_reason=WorkerError.code, seats=[])
        if not lease.is_lost():
            worker.report(job, _match_report(job, outcome), lease)


def _played(worker: Worker, job: wire.MatchJob, lease: Lease, on_turn: OnTurn) -> MatchOutcome:
    game = make_game(job.game, len(job.seats), job.mode, job.options)
    seats = sorted(job.seats, key=lambda seat: seat.seat)
    with scratch("match") as made:
        return play_match(
            game=game,
            seats=_laid_out(worker, seats, made, lease),
            seed=job.seed,
            clock=job.clock,
            private_seeds=[seat.private_seed for seat in seats],
            launcher=worker.launcher,
            cancelled=lease.is_lost,
            on_turn=on_turn,
        )


def _laid_out(worker: Worker, seats: Iterable[wire.SeatJob], folder: Path, lease: Lease) -> list[SeatProgram]:
    """The programs of all seats as folders, each artefact once. Raises ArtefactError and ProgramError.

    A benched seat's program is not started, so it need not be had.
    """
    programs = []
    for seat in seats:
        target = folder / seat.artefact_sha256
        if not seat.benched and not target.exists():
            fetch = partial(worker.ladder.fetch, seat.artefact_url, until=lease.until())
            write_tree(target, from_tar(worker.cache.get(seat.artefact_sha256, fetch)))
        programs.append(
            SeatProgram(
                version=seat.version,
                name=seat.name,
                language=seat.language,
                entry=seat.entry,
                folder=target,
                party=seat.party,
                benched=seat.benched,
            )
        )
    return programs


def _match_report(job: wire.MatchJob, outcome: MatchOutcome) -> wire.MatchReport:
    return wire.MatchReport(
        attempt_id=job.attempt_id,
        fence=job.fence,
        outcome="finished" if outcome.record else "void",
        record=outcome.record.to_json() if outcome.record else None,
        void_reason=outcome.void_reason,
        turn_of=outcome.turn_of,
        host=outcome.host,
        seats=outcome.seats,
    )


def build_job(worker: Worker, build_id: str) -> None:
    """Build the version of a doorbell, if it is to be built."""
    job = worker.claim("build", build_id)
    if not isinstance(job, wire.BuildJob):
        return
    with worker.lease(job) as lease:
        try:
            report = _built(worker, job, lease)
        except SupersededError:
            return
        except (WorkerError, ProgramError) as error:
            log.warning("build %s: %s", build_id, error)
            report = _build_report(job, "void", log=str(error), code=error.code)
        except Exception:
            log.exception("build %s broke", build_id)
            report = _build_report(job, "void", log="", code=WorkerError.code)
        if not lease.is_lost():
            worker.report(job, report, lease)


def _built(worker: Worker, job: wire.BuildJob, lease: Lease) -> wire.BuildReport:
    """Fetch the source, build it, hand the artefact over. Raises WorkerError and ProgramError."""
    source = worker.ladder.fetch(job.source_url, until=lease.until())
    if hashlib.sha256(source).hexdigest() != job.source_sha256:
        raise ArtefactError(f"what came for source {job.source_sha256} is not it")
    result = build(
        language=job.language,
        entry=job.entry,
        files=from_tar(source),
        launcher=worker.launcher,
        own=job.build,
        toolchain=worker.languages.get(job.language),
    )
    if not result.ok:
        return _build_report(job, "failed", log=result.log, code=result.code, toolchain=result.toolchain)
    worker.ladder.put(job.artefact_url, result.artefact, until=lease.until)
    return _build_report(
        job,
        "built",
        log=result.log,
        artefact_sha256=hashlib.sha256(result.artefact).hexdigest(),
        toolchain=result.toolchain,
    )


def _build_report(
    job: wire.BuildJob, outcome: Literal["built", "failed", "void"], **fields: str | None
) -> wire.BuildReport:
    facts = {"attempt_id": job.attempt_id, "fence": job.fence, "outcome": outcome, **fields}
    return msgspec.convert(facts, wire.BuildReport)
