"""Ladders, seasons, entries; bundles, matches, seats, attempts, records; workers."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from ladder.accounts.models import User
from ladder.programs.models import Bot, Build, Version


def least_layers() -> list[str]:
    """What every worker has that runs programs at all: as an ordinary user too."""
    return ["bubblewrap", "seccomp"]


class Ladder(models.Model):
    """A game with its options, a number of seats and a clock."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=80)
    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - a record says null too
    options = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField()
    clock_bank_ms = models.PositiveIntegerField(default=2_000)
    clock_increment_ms = models.PositiveIntegerField(default=20)
    aim_elo = models.PositiveIntegerField(default=20)
    least_layers = ArrayField(
        models.CharField(max_length=40), default=least_layers, db_default=models.Value([]), blank=True
    )
    """Layers of the sandbox that a worker must have for rated matches and tournaments; docs/security.md
    names them."""
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title


class Season(models.Model):
    """The time in which a ladder's rules, clock and options stay the same; ratings never mix two."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveIntegerField()
    rules_version = models.PositiveIntegerField()
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ladder", "number"], name="one_season_a_number"),
            models.UniqueConstraint(fields=["ladder"], condition=Q(closed_at=None), name="one_open_season"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder}, season {self.number}"


class Entry(models.Model):
    """A bot's place on a ladder; the newest active version of the bot plays."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="entries")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="entries")
    entered_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "ladder"], name="one_entry_a_bot")]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.bot} on {self.ladder}"


class LadderVersion(models.Model):
    """How far one version has come on one ladder: pre-flight, then active, until a newer one is."""

    class State(models.TextChoices):
        PREFLIGHT = "preflight", "in pre-flight"
        ACTIVE = "active", "active"
        REJECTED = "rejected", "rejected by its pre-flight"
        REPLACED = "replaced", "replaced by a newer version"
        WITHDRAWN = "withdrawn", "withdrawn"

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="ladder_states")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="version_states")
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREFLIGHT)
    reason_code = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "ladder"], name="one_state_a_ladder")]
        indexes = [models.Index(fields=["ladder", "state"])]

    def __str__(self) -> str:
        return f"{self.version} on {self.ladder}: {self.state}"


class Purpose(models.TextChoices):
    """Why a match is played; only ladder matches move ratings."""

    PREFLIGHT = "preflight", "pre-flight"
    TOURNAMENT = "tournament", "tournament"
    LADDER = "ladder", "ladder"
    FRIENDLY = "friendly", "friendly"


class Bundle(models.Model):
    """k matches of k seats on one seed: the k rotations of one cyclic order (a pre-flight: one a seat)."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="bundles")
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    subject = models.ForeignKey(
        Version, null=True, blank=True, on_delete=models.CASCADE, related_name="preflight_bundles"
    )
    """The version that a pre-flight is about."""
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True, db_index=True)
    requested_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="requests"
    )
    hidden_until = models.DateTimeField(null=True, blank=True)
    """Before this hour, nothing of it is shown to anybody."""
    is_sealed = models.BooleanField(default=False, db_default=False)
    """Its records stay closed though it has ended: others have yet to play on the same seed."""

    class Meta:
        # Matchmaking reads the bundles of a day, and the latest one, each second.
        indexes = [models.Index(fields=["season", "purpose", "created_at"])]

    def __str__(self) -> str:
        return f"bundle {self.public_id}"


class Match(models.Model):
    """Seats filled with versions, a seed, a result. A match is not an attempt."""

    class Status(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        VOID = "void", "void"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    bundle = models.ForeignKey(Bundle, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED, db_index=True)
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    doorbell_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)
    """When its bell was last answered by a worker that the match does not fit."""
    void_code = models.CharField(max_length=40, blank=True)
    has_fault = models.BooleanField(default=False)
    figures = models.JSONField(null=True, blank=True)
    """What people compare results by beside scores, as the game's State.figures() gives it."""
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [models.UniqueConstraint(fields=["bundle", "number"], name="one_match_a_number")]
        indexes = [models.Index(fields=["status", "doorbell_at"])]

    def __str__(self) -> str:
        return f"match {self.public_id}"


class MatchSeat(models.Model):
    """Who sat where, and how it ended. `rank` 1 is best; equal ranks are shared."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="seats")
    name = models.CharField(max_length=60)
    """As it stands in the record; a bot that is renamed later keeps its old name there."""
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    fault_code = models.CharField(max_length=20, blank=True)
    lost_by_fault = models.BooleanField(default=False)
    strikes = models.PositiveSmallIntegerField(default=0)
    benched = models.BooleanField(default=False, db_default=False)
    """Three attempts broke in its version's turn: in the fourth the house moves for it from the start."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_version_a_seat")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"seat {self.number}: {self.version}"


class Worker(models.Model):
    """A process host that may claim jobs, known by its token."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=60, unique=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    slots = models.PositiveSmallIntegerField(default=0)
    languages = models.JSONField(default=dict)
    rules = models.JSONField(default=dict)
    layers = ArrayField(models.CharField(max_length=40), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    refused_reports = models.PositiveIntegerField(default=0)
    distrusted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class ReaperWatch(models.Model):
    """What the reaper remembers from tick to tick; one row."""

    ticked_at = models.DateTimeField(null=True)
    quiet_until = models.DateTimeField(null=True)
    workers_were_gone = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"quiet until {self.quiet_until}"


class Attempt(models.Model):
    """One try to play a match, or to build a version, on one worker."""

    class Status(models.TextChoices):
        LEASED = "leased", "leased"
        REPORTED = "reported", "reported"
        EXPIRED = "expired", "expired"
        VOID = "void", "void: a fault of the platform"
        SUPERSEDED = "superseded", "superseded"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="attempts")
    build = models.ForeignKey(Build, null=True, blank=True, on_delete=models.CASCADE, related_name="attempts")
    fence = models.PositiveIntegerField()
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="attempts")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.LEASED, db_index=True)
    void_code = models.CharField(max_length=40, blank=True)
    void_reason = models.TextField(blank=True)
    turn_of = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat in whose turn it broke; None when no bot was at its turn, or nobody knows."""
    host = models.JSONField(null=True, blank=True)
    """How busy the worker's host was, as bots.job.HostFigures writes it."""
    report_sha256 = models.CharField(max_length=64, blank=True)
    artefact_sha256 = models.CharField(max_length=64, blank=True)
    """What a build attempt has put, before it reports it."""
    leased_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "fence"], name="one_attempt_a_match_fence"),
            models.UniqueConstraint(fields=["build", "fence"], name="one_attempt_a_build_fence"),
            models.CheckConstraint(
                condition=Q(match=None, build__isnull=False) | Q(build=None, match__isnull=False),
                name="attempt_at_a_match_or_a_build",
            ),
        ]
        ordering = [F("fence").asc()]

    def __str__(self) -> str:
        return f"attempt {self.fence} at {self.match or self.build}"


class MatchRecord(models.Model):
    """What proves a match, and the events that viewers read. Written once, in the result's transaction."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="record")
    digest = models.CharField(max_length=64)
    record = models.BinaryField()
    """Canonical JSON of the record, zlib."""
    events = models.BinaryField()
    """JSON list of the events as each kind of onlooker saw them, with boards, zlib."""

    def __str__(self) -> str:
        return f"record of {self.match}"


class Transcript(models.Model):
    """What one seat's program answered badly, noted, wrote to stderr, and used; its owner's alone."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, related_name="transcript")
    data = models.BinaryField()
    """JSON of bots.job.SeatReport, zlib."""

    def __str__(self) -> str:
        return f"transcript of {self.seat}"
