"""Ladders, workers and matches in the admin."""

from __future__ import annotations

from django.contrib import admin

from ladder.matches.models import Attempt, Bundle, Entry, Ladder, LadderVersion, Match, Season, Worker


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
    list_display = ["public_id", "match", "build", "fence", "worker", "status", "void_code", "leased_at"]
    list_filter = ["status", "worker"]
    raw_id_fields = ["match", "build"]
