"""Series, tournaments, entries, invitations; tables, their seats and bundles; what happened."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from ladder.accounts.models import User
from ladder.matches.models import Bundle, Ladder, Season
from ladder.programs.models import Bot, Version
from ladder.tournaments.formats.terms import Format, TieBreak


class EntryRule(models.TextChoices):
    """Who may enter."""

    OWNERS = "owners", "anybody with an active version"
    INVITED = "invited", "invited users"
    RATED = "rated", "all whose rating is above a line; they are entered at the freeze"


class Seeding(models.TextChoices):
    """What the seeding follows."""

    RATING = "rating", "the ladder's rating"
    LOT = "lot", "the lot"


class Plan(models.Model):
    """What an organiser decides: the same for one tournament and for a series of them."""

    title = models.CharField(max_length=80)
    description = models.TextField(blank=True, max_length=2000)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    is_listed = models.BooleanField(default=False)
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="+")
    """Game, options and clock; only its active versions may enter."""
    format = models.CharField(max_length=20, choices=[(one.value, one.value) for one in Format])
    seats = models.PositiveSmallIntegerField(default=2)
    advance = models.PositiveSmallIntegerField(default=1)
    rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    bundles = models.PositiveSmallIntegerField(default=1)
    groups = models.PositiveSmallIntegerField(default=1)
    qualify = models.PositiveSmallIntegerField(default=2)
    tie_breaks = ArrayField(
        models.CharField(max_length=20, choices=[(one.value, one.value) for one in TieBreak])
    )
    seeding = models.CharField(max_length=10, choices=Seeding.choices, default=Seeding.RATING)
    entry_rule = models.CharField(max_length=10, choices=EntryRule.choices, default=EntryRule.OWNERS)
    least_rating = models.IntegerField(null=True, blank=True)
    entries_per_user = models.PositiveSmallIntegerField(default=1)
    min_entries = models.PositiveIntegerField(default=2)
    max_entries = models.PositiveIntegerField(default=128)
    house_fills = models.BooleanField(default=False)
    """House bots fill up to the least number of entries, and to the next full table."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Series(Plan):
    """A plan that makes a tournament at each instant of a cron line in a named time zone."""

    slug = models.SlugField(max_length=60, unique=True)
    cron = models.CharField(max_length=80)
    time_zone = models.CharField(max_length=60, default="UTC")
    registration_s = models.PositiveIntegerField(default=3600)
    """Registration opens so many seconds before the start, and ends with it."""
    hidden_s = models.PositiveIntegerField(default=0)
    """Results are shown so many seconds after the start; 0: at once."""
    is_active = models.BooleanField(default=True)
    made_until = models.DateTimeField()
    """Instants up to this one are made, or missed for good."""

    class Meta:
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.title


class Tournament(Plan):
    """One tournament, moved by the clock from state to state."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open for registration"
        FROZEN = "frozen", "frozen: versions and seeding are fixed"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    slug = models.SlugField(max_length=80, unique=True)
    series = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    instant = models.DateTimeField(null=True, blank=True)
    """The instant of the series that it was made for; its start may be moved, this is not."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT, db_index=True)
    registration_ends_at = models.DateTimeField()
    starts_at = models.DateTimeField()
    hidden_until = models.DateTimeField(null=True, blank=True)
    is_paused = models.BooleanField(default=False)
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    """Pinned at the freeze, with the version of the rules."""
    seed = models.CharField(max_length=64, blank=True)
    commitment = models.CharField(max_length=64, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    """Why it was cancelled."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "instant"], name="one_tournament_an_instant"),
            models.CheckConstraint(
                condition=Q(registration_ends_at__lte=models.F("starts_at")), name="registration_before_start"
            ),
        ]
        ordering = ["-starts_at"]

    def __str__(self) -> str:
        return self.title


class Invited(models.Model):
    """A user who may enter a tournament for invited ones."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invited")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "invited"
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.user} to {self.tournament}"


class Entry(models.Model):
    """A bot in a tournament; its version is fixed at the freeze."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="tournament_entries")
    entered_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    wish = models.ForeignKey(Version, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """The version that its owner chose; None: the newest active one at the freeze."""
    version = models.ForeignKey(
        Version, null=True, blank=True, on_delete=models.PROTECT, related_name="tournament_entries"
    )
    seeding = models.PositiveIntegerField(null=True, blank=True)
    rating = models.FloatField(null=True, blank=True)
    """At the freeze, as the seeding saw it."""
    from_round = models.PositiveIntegerField(default=1)
    until_round = models.PositiveIntegerField(null=True, blank=True)
    """The last round laid before it withdrew; None while it is in."""
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="one_entry_a_bot_a_tournament"),
            models.UniqueConstraint(fields=["tournament", "seeding"], name="one_entry_a_seeding"),
        ]
        ordering = ["seeding", "pk"]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"


class Table(models.Model):
    """Who plays whom in a round, and how it ended. `key` names it in its tournament, as brackets do."""

    class Status(models.TextChoices):
        PLAYING = "playing", "playing"
        DECIDED = "decided", "decided"

    class Decision(models.TextChoices):
        POINTS = "points", "by points"
        PLAY_OFF = "play_off", "by a play-off"
        WRITTEN = "written", "by the written order"
        WALKOVER = "walkover", "a walkover"
        VOIDS = "voids", "by the written order, after three void bundles"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    key = models.CharField(max_length=24)
    round = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    cut = models.PositiveSmallIntegerField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PLAYING)
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    laid_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="one_table_a_key")]
        ordering = ["round", "number", "key"]

    def __str__(self) -> str:
        return f"{self.key} of {self.tournament}"


class TableSeat(models.Model):
    """One entry at a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    """The order in which they were laid, from 0."""
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(null=True, blank=True)
    is_forfeit = models.BooleanField(default=False)
    figures = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "entry"], name="one_seat_an_entry"),
            models.UniqueConstraint(fields=["table", "number"], name="one_table_seat_a_number"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.entry} at {self.table}"


class TableBundle(models.Model):
    """One bundle of a table: one of those agreed, or a play-off among the tied."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="bundles")
    bundle = models.OneToOneField(Bundle, on_delete=models.PROTECT, related_name="table_bundle")
    number = models.PositiveSmallIntegerField()
    """From 1; with the table's key it gives the seed."""
    is_play_off = models.BooleanField(default=False)
    is_void = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_table_bundle_a_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"bundle {self.number} of {self.table}"


class Happening(models.Model):
    """What happened to a tournament, and who did it: its history for everybody, and its audit log."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="happenings")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """None: the clock."""
    kind = models.CharField(max_length=30)
    facts = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"
