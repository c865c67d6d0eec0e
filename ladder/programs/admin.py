"""Bots and versions in the admin. A version is immutable, so nothing of it can be edited there."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from ladder.programs.models import Bot, BotMember, Version


class MemberInline(admin.TabularInline[BotMember, Bot]):
    model = BotMember
    extra = 0


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin[Bot]):
    list_display = ["name", "is_house", "created_at", "retired_at"]
    search_fields = ["name"]
    inlines = [MemberInline]


@admin.register(Version)
class VersionAdmin(admin.ModelAdmin[Version]):
    list_display = ["bot", "number", "state", "reason_code", "language", "uploaded_by", "uploaded_at"]
    list_filter = ["state", "language"]
    search_fields = ["bot__name", "digest"]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Version | None = None) -> bool:  # noqa: ARG002
        return False
