"""Ladders, workers and matches in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ladder.matches.attempts import versions_with_voids
from ladder.matches.models import Attempt, Bundle, Entry, Ladder, LadderVersion, Match, Season, Worker
from ladder.programs.admin import VersionAdmin
from ladder.programs.models import Version


@admin.register(Ladder)
class LadderAdmin(admin.ModelAdmin[Ladder]):
    list_display = ["slug", "title", "game", "seats", "aim_elo", "is_open"]


@admin.register(Season)
class SeasonAdmin(admin.ModelAdmin[Season]):
    list_display = ["ladder", "number", "rules_version", "opened_at", "closed_at"]


@admin.register(Entry)
class EntryAdmin(admin.ModelAdmin[Entry]):
    list_display = ["bot", "ladder", "entered_at", "withdrawn_at"]


@admin.register(LadderVersion)
class LadderVersionAdmin(admin.ModelAdmin[LadderVersion]):
    list_display = ["version", "ladder", "state", "reason_code", "since"]
    list_filter = ["state", "ladder"]


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin[Worker]):
    list_display = ["name", "slots", "last_seen_at", "refused_reports", "distrusted_at"]
    readonly_fields = ["token_sha256"]


@admin.register(Bundle)
class BundleAdmin(admin.ModelAdmin[Bundle]):
    list_display = ["public_id", "season", "purpose", "created_at", "finished_at"]
    list_filter = ["purpose", "season"]


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin[Match]):
    list_display = ["public_id", "bundle", "number", "status", "fence", "has_fault", "finished_at"]
    list_filter = ["status", "has_fault"]
    raw_id_fields = ["bundle"]


@admin.register(Attempt)
class AttemptAdmin(admin.ModelAdmin[Attempt]):
    list_display = [
        "public_id",
        "match",
        "build",
        "fence",
        "worker",
        "status",
        "void_code",
        "turn_of",
        "leased_at",
    ]
    list_filter = ["status", "void_code", "worker"]
    raw_id_fields = ["match", "build"]


admin.site.unregister(Version)


@admin.register(Version)
class PlayedVersionAdmin(VersionAdmin):
    """Versions, with how many attempts at their matches did not count."""

    list_display = [*VersionAdmin.list_display, "void_attempts", "in_its_turn"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        return versions_with_voids(super().get_queryset(request))

    @admin.display(ordering="void_attempts")
    def void_attempts(self, version: Any) -> int:
        return int(version.void_attempts)

    @admin.display(ordering="broken_attempts", description="of them in its turn")
    def in_its_turn(self, version: Any) -> int:
        return int(version.broken_attempts)
