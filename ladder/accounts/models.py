"""Users, invitations and API tokens. Secrets are kept as SHA-256 alone."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower


class User(AbstractUser):
    """A person. `public_id` is what URLs and the API show."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="username_unless_case")]


class Invitation(models.Model):
    """A link that lets its bearer sign up, once. With `makes_admin` it is the first admin's."""

    token_sha256 = models.CharField(max_length=64, unique=True)
    makes_admin = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="invitations"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_by = models.OneToOneField(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="invitation"
    )

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class ApiToken(models.Model):
    """A key for scripts: `hl_<prefix>_<secret>`; the secret is shown once and kept as a digest."""

    class Scope(models.TextChoices):
        READ = "read", "read what you may see"
        UPLOAD = "upload", "make bots and upload versions"
        ENTER = "enter", "enter bots into ladders and ask for matches"
        ADMIN = "admin", "what an admin may do"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=12, unique=True)
    secret_sha256 = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
