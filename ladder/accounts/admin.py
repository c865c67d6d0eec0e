"""People in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from ladder.accounts.models import ApiToken, Invitation, User

admin.site.register(User, UserAdmin)


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin[Invitation]):
    list_display = ["id", "created_by", "created_at", "expires_at", "used_by", "makes_admin"]
    readonly_fields = ["token_sha256", "used_by"]


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin[ApiToken]):
    list_display = ["name", "user", "prefix", "scopes", "expires_at", "last_used_at", "revoked_at"]
    readonly_fields = ["prefix", "secret_sha256"]
