"""What an attempt reported: checked, then stored once.

The ladder does not believe the worker. It plays the record with its own engine: chance outcomes must be
those of the seed, moves legal, scores and ranks what follows from them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter

import msgspec
from django.db import transaction
from django.db.models.functions import Now

from bots.faults import BROKEN_ATTEMPTS, CODES
from bots.job import BuildReport, MatchReport, SeatReport
from bots.messages import MESSAGES
from engine.core import Json, State
from engine.errors import EngineError, RecordError
from engine.record import Record, lost_at, verify
from engine.registry import make_game
from engine.replay import expand
from ladder.common.errors import ConflictError, LadderError
from ladder.matches.models import Attempt, Match, MatchRecord, MatchSeat, Purpose, Transcript
from ladder.matches.services.bundles import bundle_settle
from ladder.matches.services.claims import ALIVE, ATTEMPTS, SupersededError
from ladder.matches.services.entries import preflight_judge, preflights_start
from ladder.matches.services.workers import worker_report_refused
from ladder.programs.models import Build, Version
from ladder.programs.services import version_built, version_rejected


class RefusedError(LadderError):
    """The report does not prove its match; the attempt is void."""

    code = "false_record"
    status = 422


def attempt_report(*, attempt: Attempt, report: MatchReport | BuildReport) -> None:
    """Store a report. The same report again is a no-op.

    Raises SupersededError or ConflictError (409), RefusedError (422, after the attempt was voided).
    """
    digest = hashlib.sha256(msgspec.json.encode(report)).hexdigest()
    if isinstance(report, MatchReport):
        try:
            refusal = _report_match(attempt, report, digest)
        except SupersededError:
            _note_turn(attempt, report)
            raise
        if refusal is not None:
            worker_report_refused(worker=attempt.worker)
            raise RefusedError(f"The record does not prove this match: {refusal}")
    else:
        _report_build(attempt, report, digest)


def _note_turn(attempt: Attempt, report: MatchReport) -> None:
    """Keep in whose turn an attempt broke whose report came too late for anything else.

    What a dead worker left behind may be found long after the reaper gave its match to another.
    """
    lapsed = (Attempt.Status.EXPIRED, Attempt.Status.SUPERSEDED)
    if report.outcome == "void" and report.fence == attempt.fence and attempt.match is not None:
        Attempt.objects.filter(pk=attempt.pk, status__in=lapsed, turn_of=None).update(
            turn_of=_turn_of(attempt.match, report)
        )


def _is_repeated(attempt: Attempt, work: Match | Build, fence: int, digest: str) -> bool:
    """True for a report that is in already. Raises when this attempt may not report (any more)."""
    if attempt.report_sha256 == digest:
        return True
    if attempt.report_sha256:
        raise ConflictError("This attempt has reported something else before.", code="already_reported")
    over = work.status not in ("queued", "running")
    if attempt.status not in ALIVE or over or not attempt.fence == work.fence == fence:
        raise SupersededError("Another attempt has taken this over, or it has ended.")
    return False


def _end(
    attempt: Attempt,
    status: Attempt.Status,
    digest: str,
    code: str = "",
    reason: str = "",
    **facts: object,
) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(
        status=status,
        report_sha256=digest,
        ended_at=Now(),
        void_code=_text(code)[:40],
        void_reason=_text(reason)[:2000],
        **facts,
    )


def _turn_of(match: Match, report: MatchReport) -> int | None:
    """In whose turn the attempt broke, if that is a seat of its match."""
    turn_of = report.turn_of
    return turn_of if turn_of is not None and 0 <= turn_of < match.seats.count() else None


# ---------------------------------------------------------------- matches


@transaction.atomic
def _report_match(attempt: Attempt, report: MatchReport, digest: str) -> str | None:
    """Store the report; the reason why where it was refused."""
    match = Match.objects.select_for_update(of=("self",), no_key=True).get(attempts=attempt)
    attempt.refresh_from_db()
    if _is_repeated(attempt, match, report.fence, digest):
        return None
    host = msgspec.to_builtins(report.host)
    if report.outcome == "void":
        reason = report.void_reason or "platform_stall"
        turn_of = _turn_of(match, report)
        _end(attempt, Attempt.Status.VOID, digest, reason, reason, host=host, turn_of=turn_of)
        match_requeue(match=match)
        return None
    try:
        record, final = _proved_record(match, report)
    except EngineError as error:
        _end(attempt, Attempt.Status.VOID, digest, "false_record", str(error), host=host)
        match_requeue(match=match)
        return str(error)
    _end(attempt, Attempt.Status.REPORTED, digest, host=host)
    _store_result(match, record, final.figures(), report.seats)
    match_settled(match=match)
    return None


def _proved_record(match: Match, report: MatchReport) -> tuple[Record, State]:
    """The record, if it is of this very match and proves it, and where it ends. Raises RecordError."""
    record = Record.from_json(report.record or "")
    season = match.bundle.season
    ladder = season.ladder
    seats = list(match.seats.select_related("version"))
    # A ladder may be older than an option of its game; the record says them all.
    options = make_game(ladder.game, len(seats), ladder.mode, ladder.options).options
    claims = {
        "game": (record.game, ladder.game),
        "rules_version": (record.rules_version, season.rules_version),
        "mode": (record.mode, ladder.mode),
        "options": (dict(record.options), dict(options)),
        "seed": (record.seed, match.bundle.seed),
        "clock": (
            dict(record.clock),
            {"bank_ms": ladder.clock_bank_ms, "increment_ms": ladder.clock_increment_ms},
        ),
        "seats": (
            [(seat.version, seat.name) for seat in record.seats],
            [(seat.version.digest, seat.name) for seat in seats],
        ),
    }
    for what, (said, true) in claims.items():
        if said != true:
            raise RecordError("malformed", f"{what} is not that of this match")
    if sorted(seat.seat for seat in report.seats) != list(range(len(seats))):
        raise RecordError("malformed", "the report does not tell of each seat once")
    _check_faults(record, seats)
    return record, verify(record)


def _check_faults(record: Record, seats: list[MatchSeat]) -> None:
    """Faults are such as pages have sentences for. Those whom the ladder benched have that fault from the
    start, and nobody else has it."""
    for fault in record.faults:
        if fault.code not in CODES:
            raise RecordError("faults", f"there is no fault {fault.code!r}")
    at_fault = {
        (fault.seat, fault.ply, fault.hard) for fault in record.faults if fault.code == BROKEN_ATTEMPTS
    }
    if at_fault != {(seat.number, 0, True) for seat in seats if seat.benched}:
        raise RecordError("faults", f"{BROKEN_ATTEMPTS!r} is not the fault of those who were benched")


def _store_result(match: Match, record: Record, figures: dict[str, Json], reports: list[SeatReport]) -> None:
    seats = list(match.seats.all())
    strikes = Counter(fault.seat for fault in record.faults if not fault.hard)
    for seat in seats:
        own = sorted((fault.ply, fault.code) for fault in record.faults if fault.seat == seat.number)
        seat.rank = record.ranks[seat.number]
        seat.score = record.scores[seat.number]
        seat.fault_code = own[-1][1] if own else ""
        seat.lost_by_fault = lost_at(record.faults, seat.number) is not None
        seat.strikes = strikes[seat.number]
    MatchSeat.objects.bulk_update(seats, ["rank", "score", "fault_code", "lost_by_fault", "strikes"])
    MatchRecord.objects.create(
        match=match,
        digest=record.digest,
        record=zlib.compress(record.to_json().encode()),
        events=zlib.compress(_events(record)),
    )
    by_number = {seat.number: seat for seat in seats}
    Transcript.objects.bulk_create(
        Transcript(seat=by_number[report.seat], data=zlib.compress(msgspec.json.encode(report)))
        for report in reports
    )
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED,
        has_fault=bool(record.faults),
        figures=figures,
        finished_at=Now(),
        lease_until=None,
    )


def _events(record: Record) -> bytes:
    """JSON list of steps: kind, what is public, what each seat saw beside it, the board after its ply."""
    steps = [
        {
            "ply": step.ply,
            "kind": step.event.kind,
            "public": dict(step.event.public),
            "private": {str(seat): dict(seen) for seat, seen in step.event.private.items()},
            "board": step.board,
        }
        for step in expand(record)
    ]
    return json.dumps(steps, separators=(",", ":")).encode()


def match_requeue(*, match: Match) -> None:
    """The attempt broke: queue the match again, or void it after the third. The caller holds its row.

    Where all three broke in one version's turn, the match is queued once more without that version.
    """
    if match.fence < ATTEMPTS or (match.fence == ATTEMPTS and _bench(match)):
        Match.objects.filter(pk=match.pk).update(
            status=Match.Status.QUEUED, lease_until=None, doorbell_at=None
        )
        return
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.VOID, void_code="out_of_attempts", lease_until=None, finished_at=Now()
    )
    match_settled(match=match)


def _bench(match: Match) -> bool:
    """Bench the version in whose turn every attempt broke; False where there is none."""
    turns = list(match.attempts.values_list("turn_of", flat=True))
    versions = dict(match.seats.values_list("number", "version_id"))
    broke_it = {versions[turn_of] for turn_of in turns if turn_of in versions}
    if len(turns) < ATTEMPTS or None in turns or len(broke_it) != 1:
        return False
    return bool(match.seats.filter(version_id__in=broke_it).update(benched=True))


def match_settled(*, match: Match) -> None:
    """A match has ended: settle its bundle, and judge the pre-flight that it may have been."""
    if bundle_settle(bundle=match.bundle) and match.bundle.purpose == Purpose.PREFLIGHT:
        preflight_judge(bundle=match.bundle)


# ---------------------------------------------------------------- builds


@transaction.atomic
def _report_build(attempt: Attempt, report: BuildReport, digest: str) -> None:
    build = Build.objects.select_for_update(of=("self",), no_key=True).get(attempts=attempt)
    attempt.refresh_from_db()
    if _is_repeated(attempt, build, report.fence, digest):
        return
    if report.outcome == "void":
        reason = report.code or "sandbox_failed"
        _end(attempt, Attempt.Status.VOID, digest, reason, report.log[:2000])
        build_requeue(build=build)
        return
    version = Version.objects.select_for_update(of=("self",), no_key=True).get(pk=build.version_id)
    if report.outcome == "failed":
        version_rejected(version=version, code=_build_code(report), log=_text(report.log))
    else:
        if report.artefact_sha256 is None or report.artefact_sha256 != attempt.artefact_sha256:
            raise ConflictError("Put the artefact first, then report it.", code="artefact_missing")
        version_built(
            version=version,
            artefact_sha256=report.artefact_sha256,
            toolchain=_text(report.toolchain or "")[:80],
            log=_text(report.log),
        )
        preflights_start(version=version)
    _end(attempt, Attempt.Status.REPORTED, digest)
    Build.objects.filter(pk=build.pk).update(
        status=Build.Status.FINISHED, finished_at=Now(), lease_until=None
    )


def _build_code(report: BuildReport) -> str:
    """The report's code where the catalogue has a sentence for it that needs no facts."""
    row = MESSAGES.get(report.code or "")
    return report.code if report.code and row is not None and not row.facts else "build_failed"


def _text(log: str) -> str:
    """A text as PostgreSQL can keep it: no NUL, and no more than 256 kB."""
    return log.replace("\x00", "\ufffd")[: 256 * 1024]


def build_requeue(*, build: Build) -> None:
    """The attempt broke: queue the build again, or give up after the third. The caller holds its row."""
    if build.fence < ATTEMPTS:
        Build.objects.filter(pk=build.pk).update(
            status=Build.Status.QUEUED, lease_until=None, doorbell_at=None
        )
        return
    Build.objects.filter(pk=build.pk).update(status=Build.Status.VOID, lease_until=None, finished_at=Now())
    version_rejected(version=build.version, code="build_void")
