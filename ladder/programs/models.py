"""Bots, their members, versions and builds."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Lower

from ladder.accounts.models import User


class Bot(models.Model):
    """A named line of versions. House bots belong to nobody and are exempt from the sharing rule."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=40)
    description = models.CharField(max_length=300, blank=True)
    is_house = models.BooleanField(default=False)
    members = models.ManyToManyField(User, through="BotMember", related_name="bots")
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(Lower("name"), name="bot_name_unless_case")]

    def __str__(self) -> str:
        return self.name


class BotMember(models.Model):
    """Who may upload to a bot and see its transcripts."""

    class Role(models.TextChoices):
        OWNER = "owner", "owner"
        AUTHOR = "author", "co-author"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.OWNER)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "user"], name="one_membership_a_user")]

    def __str__(self) -> str:
        return f"{self.user} of {self.bot}"


class Version(models.Model):
    """One immutable upload of a bot; only its state and what the build found ever change."""

    class State(models.TextChoices):
        CHECKED = "checked", "checked: waits for its build"
        BUILT = "built", "built: plays its pre-flight"
        ACTIVE = "active", "active on at least one ladder"
        REJECTED = "rejected", "rejected"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.CHECKED)
    reason_code = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    language = models.CharField(max_length=20)
    entry = models.CharField(max_length=200)
    build_command = models.JSONField(null=True, blank=True)
    games = models.JSONField(default=list)
    digest = models.CharField(max_length=64, db_index=True)
    source_size = models.PositiveIntegerField()
    artefact_sha256 = models.CharField(max_length=64, blank=True)
    toolchain = models.CharField(max_length=80, blank=True)
    build_log = models.TextField(blank=True)
    note = models.CharField(max_length=300, blank=True)
    uploaded_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="uploads")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "number"], name="one_version_a_number")]
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.number}"


class Build(models.Model):
    """The work of building one version: claimed, leased and fenced just as a match is."""

    class Status(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        VOID = "void", "void: three attempts broke"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="build")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED, db_index=True)
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    doorbell_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)
    """When its bell was last answered by a worker without its language."""
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"build of {self.version}"
