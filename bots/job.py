"""What ladder and workers say to each other: claims, jobs, renewals, reports, signs of life.

All of it is JSON over HTTP at the workers' door (`/internal/…`), read strictly: unknown fields and
wrong types are refused. Times are integers of milliseconds unless a name says otherwise; digests are
SHA-256 in lower-case hex. Addresses in a job are paths below the worker's own LADDER_URL, for
workers may reach the ladder by another name than people do. The schemas that `schemas()` yields
stand in `docs/schemas/`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

QUEUE_BUILD: Final = "build"
QUEUE_MATCH: Final = "match"
TASK_BUILD: Final = "workers.tasks.build_version"
TASK_MATCH: Final = "workers.tasks.play_match"
"""Names by which the ladder rings a worker; the only argument is an id."""

LEASE_MS: Final = 15_000
RENEW_EVERY_MS: Final = 5_000

HOUSE_PARTY: Final = 0
"""The party of seats that stand for no owner: those of the house. Where it is asked whether bots of several
owners failed at their start, it does not count, or one owner who fails on purpose would find the second one
in the house."""

WORKER_HEADER: Final = "Authorization"
"""`Authorization: Worker <token>` on every request at the workers' door."""


class Wire(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Base of everything on the wire."""


class Clock(Wire, frozen=True, kw_only=True):
    """CPU time of one seat: a bank, and an increment granted for each question (milliseconds)."""

    bank_ms: int
    increment_ms: int


FAST: Final = Clock(bank_ms=2_000, increment_ms=20)
SLOW: Final = Clock(bank_ms=10_000, increment_ms=100)


class ClaimRequest(Wire, frozen=True, kw_only=True):
    """POST /internal/claims. `id` is a match's or a build's, as it came with the doorbell."""

    kind: Literal["match", "build"]
    id: str
    worker: str
    """Name of the worker, for people: host and process."""
    languages: dict[str, str]
    """Languages whose self-test ran inside this worker's sandbox -> their version."""
    rules: dict[str, int]
    """Games that this worker's engine knows -> rules_version."""
    layers: list[str]
    """Active layers of the sandbox, such as "bubblewrap", "slot_uid"."""


Word = Annotated[str, msgspec.Meta(max_length=40, pattern=r"^[^\x00]*$")]
"""A name that the ladder keeps."""


class Heartbeat(Wire, frozen=True, kw_only=True):
    """POST /internal/heartbeat, each 5 s: what a worker is ready for, whoever claims."""

    worker: str
    slots: int
    """Matches played at once; 0 where it takes no more."""
    languages: dict[Word, Word]
    rules: dict[Word, int]
    layers: list[Word]


class SeatJob(Wire, frozen=True, kw_only=True):
    """One program to put on a seat."""

    seat: int
    version: str
    """Digest of the program as uploaded; stands in the record."""
    name: str
    language: str
    entry: str
    artefact_sha256: str
    artefact_url: str
    private_seed: str
    """Seed for the bot's own dice; equal for one version in all matches of a bundle."""
    party: int = HOUSE_PARTY
    """Seats of one number have an owner in common."""
    benched: bool = False
    """Three attempts broke in its turn: it is not started, and has the fault."""


class MatchJob(Wire, frozen=True, kw_only=True, tag_field="kind", tag="match"):
    """One match to play. Everything that a worker needs and nothing else."""

    match_id: str
    attempt_id: str
    fence: int
    lease_ms: int
    renew_url: str
    report_url: str
    game: str
    rules_version: int
    mode: str | None
    options: dict[str, Any]
    seed: str
    clock: Clock
    seats: list[SeatJob]


class BuildJob(Wire, frozen=True, kw_only=True, tag_field="kind", tag="build"):
    """One version to build: its checked source as the canonical tar of bots/program.py."""

    build_id: str
    attempt_id: str
    fence: int
    lease_ms: int
    renew_url: str
    report_url: str
    artefact_url: str
    """PUT the artefact here, before the report."""
    language: str
    entry: str
    build: list[str] | None
    source_sha256: str
    source_url: str


Job = MatchJob | BuildJob


class Renewal(Wire, frozen=True, kw_only=True):
    """POST renew_url. Answer 204, or 409 when the attempt is superseded: kill the bots, drop it."""

    fence: int


class TurnUsage(Wire, frozen=True, kw_only=True):
    """What one question cost the seat."""

    turn: int
    cpu_us: int
    wall_us: int


class BadAnswer(Wire, frozen=True, kw_only=True):
    """An answer that was a fault: its first 4 kB, undecodable bytes replaced."""

    turn: int
    code: str
    text: str


class Note(Wire, frozen=True, kw_only=True):
    """What a bot wrote beside its answer, for its author; up to 500 characters."""

    turn: int
    text: str


class StderrChunk(Wire, frozen=True, kw_only=True):
    """What a bot wrote to stderr while `turn` was its latest question (0 = start-up)."""

    turn: int
    text: str


class SeatReport(Wire, frozen=True, kw_only=True):
    """The private part of one seat: for its author's eyes, never part of the record."""

    seat: int
    startup_cpu_us: int
    startup_wall_us: int
    turns: list[TurnUsage]
    bad_answers: list[BadAnswer]
    notes: list[Note]
    stderr: list[StderrChunk]
    stderr_dropped: int
    """Bytes between head and tail that were thrown away (64 kB a match are kept)."""
    lines_sha256: str
    """Digest of the exact bytes that went down the pipe; the ladder derives the same lines again."""
    exit: str = ""
    """How its process ended by itself, such as "exit status 1"; empty if we ended it."""


class HostFigures(Wire, frozen=True, kw_only=True):
    """How busy the host was during an attempt. Microseconds; None: this kernel does not tell."""

    late_us: int
    """By how much a sleeper of 10 ms overslept, summed."""
    longest_late_us: int
    steal_us: int | None
    """CPU time that the hypervisor gave to others (/proc/stat)."""
    pressure_us: int | None
    """Time in which somebody waited for a core (/proc/pressure/cpu)."""
    core: int | None
    """The core that the match had to itself, if it was pinned."""


class MatchReport(Wire, frozen=True, kw_only=True):
    """POST report_url of a match. `record` is the record's canonical JSON text."""

    attempt_id: str
    fence: int
    outcome: Literal["finished", "void"]
    record: str | None = None
    void_reason: str | None = None
    turn_of: int | None = None
    """The seat in whose turn a void attempt broke; None when all were frozen, when several ran at once as at
    their start, or when nobody knows."""
    host: HostFigures | None = None
    seats: list[SeatReport] = []


class BuildReport(Wire, frozen=True, kw_only=True):
    """POST report_url of a build. With `outcome` built, the artefact was PUT before."""

    attempt_id: str
    fence: int
    outcome: Literal["built", "failed", "void"]
    log: str
    """Diagnostics for the author, at most 256 kB."""
    code: str | None = None
    """Why it failed, a code of the catalogue of messages."""
    artefact_sha256: str | None = None
    toolchain: str | None = None
    """The language's version on the worker, such as "Python 3.11.2"."""


_T = TypeVar("_T")


def read(text: bytes | str, kind: type[_T]) -> _T:
    """Strictly read one message. Raises msgspec.ValidationError or msgspec.DecodeError."""
    return msgspec.json.decode(text, type=kind)


def write(message: Wire) -> bytes:
    """One message as JSON."""
    return msgspec.json.encode(message)


def schemas() -> dict[str, dict[str, Any]]:
    """JSON Schema (2020-12) of each message of the workers' door, by the name of its file."""
    kinds: dict[str, type[Wire]] = {
        "claim": ClaimRequest,
        "heartbeat": Heartbeat,
        "match-job": MatchJob,
        "build-job": BuildJob,
        "renewal": Renewal,
        "match-report": MatchReport,
        "build-report": BuildReport,
    }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {f"worker-{name}": head | msgspec.json.schema(kind) for name, kind in kinds.items()}
