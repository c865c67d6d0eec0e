"""Tournaments in the admin: all of it to look at; changed through the services, which keep the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from ladder.accounts.models import User
from ladder.common.errors import LadderError
from ladder.tournaments.models import (
    Entry,
    Happening,
    Invited,
    Series,
    Table,
    TableBundle,
    TableSeat,
    Tournament,
)
from ladder.tournaments.services.organise import (
    tournament_cancel,
    tournament_open,
    tournament_pause,
    tournament_resume,
)
from ladder.tournaments.services.series import series_resume, series_stop
from ladder.tournaments.words import sentence

Row = TypeVar("Row", bound=Model)


class ToLookAt(admin.ModelAdmin[Row]):
    """Nothing is added, changed or deleted by hand: pairing and history would no longer agree."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:  # noqa: ARG002
        return False

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:  # noqa: ARG002
        return bool(request.user.is_staff)


class SeatInline(admin.TabularInline[TableSeat, Table]):
    model = TableSeat
    extra = 0
    can_delete = False


class BundleInline(admin.TabularInline[TableBundle, Table]):
    model = TableBundle
    extra = 0
    can_delete = False


def _each(
    request: HttpRequest, rows: QuerySet[Any], do: Callable[[Any], None], done: str, model_admin: Any
) -> None:
    """Do it to each row; those that refuse are told in their own words, the others are done."""
    for row in rows:
        try:
            do(row)
        except LadderError as error:
            model_admin.message_user(request, f"{row}: {error.message}", messages.ERROR)
        else:
            model_admin.message_user(request, f"{row}: {done}.", messages.SUCCESS)


@admin.register(Tournament)
class TournamentAdmin(ToLookAt[Tournament]):
    list_display = [
        "title",
        "format",
        "ladder",
        "state",
        "is_paused",
        "is_listed",
        "owner",
        "registration_ends_at",
        "starts_at",
        "finished_at",
    ]
    list_filter = ["state", "is_paused", "is_listed", "format", "ladder"]
    list_select_related = ["ladder", "owner"]
    search_fields = ["title", "slug", "owner__username"]
    date_hierarchy = "starts_at"
    actions = ["open", "pause", "resume", "cancel"]

    def get_exclude(self, request: HttpRequest, obj: Tournament | None = None) -> list[str]:  # noqa: ARG002
        """The seed is nobody's to know before the end."""
        return [] if obj is not None and obj.state == Tournament.State.FINISHED else ["seed"]

    @admin.action(description="Open drafts for registration")
    def open(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        _each(request, rows, lambda one: tournament_open(tournament=one, actor=_who(request)), "opened", self)

    @admin.action(description="Pause: lay nothing new")
    def pause(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        _each(
            request, rows, lambda one: tournament_pause(tournament=one, actor=_who(request)), "paused", self
        )

    @admin.action(description="Resume")
    def resume(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        _each(
            request, rows, lambda one: tournament_resume(tournament=one, actor=_who(request)), "resumed", self
        )

    @admin.action(description="Cancel: end without ranks")
    def cancel(self, request: HttpRequest, rows: QuerySet[Tournament]) -> None:
        reason = "An admin cancelled it."
        _each(
            request,
            rows,
            lambda one: tournament_cancel(tournament=one, actor=_who(request), reason=reason),
            "cancelled",
            self,
        )


def _who(request: HttpRequest) -> User:
    """The admin, whom the history names."""
    if not isinstance(request.user, User):
        raise TypeError("the admin lets nobody in who has not signed in")
    return request.user


@admin.register(Series)
class SeriesAdmin(ToLookAt[Series]):
    list_display = ["title", "cron", "time_zone", "ladder", "owner", "is_listed", "is_active", "made_until"]
    list_filter = ["is_active", "is_listed", "ladder"]
    list_select_related = ["ladder", "owner"]
    search_fields = ["title", "slug", "owner__username"]
    actions = ["stop", "resume"]

    @admin.action(description="Stop: make no more of it")
    def stop(self, request: HttpRequest, rows: QuerySet[Series]) -> None:
        _each(request, rows, lambda one: series_stop(series=one, actor=_who(request)), "stopped", self)

    @admin.action(description="Resume from now on")
    def resume(self, request: HttpRequest, rows: QuerySet[Series]) -> None:
        _each(request, rows, lambda one: series_resume(series=one, actor=_who(request)), "resumed", self)


@admin.register(Invited)
class InvitedAdmin(ToLookAt[Invited]):
    list_display = ["tournament", "user"]
    list_select_related = ["tournament", "user"]
    search_fields = ["tournament__title", "user__username"]


@admin.register(Entry)
class EntryAdmin(ToLookAt[Entry]):
    list_display = ["bot", "tournament", "seeding", "version", "rank", "entered_by", "withdrawn_at"]
    list_filter = ["tournament__state"]
    list_select_related = ["bot", "tournament", "version__bot", "entered_by"]
    search_fields = ["bot__name", "tournament__title", "tournament__slug"]


@admin.register(Table)
class TableAdmin(ToLookAt[Table]):
    list_display = ["key", "tournament", "round", "status", "decision", "laid_at", "decided_at"]
    list_filter = ["status", "decision"]
    list_select_related = ["tournament"]
    search_fields = ["tournament__title", "tournament__slug", "key"]
    inlines = [SeatInline, BundleInline]


@admin.register(TableSeat)
class TableSeatAdmin(ToLookAt[TableSeat]):
    list_display = ["table", "number", "entry", "place", "points", "is_forfeit"]
    list_filter = ["is_forfeit"]
    list_select_related = ["table__tournament", "entry__bot", "entry__tournament"]
    search_fields = ["entry__bot__name", "table__tournament__slug"]


@admin.register(TableBundle)
class TableBundleAdmin(ToLookAt[TableBundle]):
    list_display = ["table", "number", "bundle", "is_play_off", "is_void"]
    list_filter = ["is_play_off", "is_void"]
    list_select_related = ["table__tournament", "bundle"]
    search_fields = ["table__tournament__slug", "bundle__public_id"]


@admin.register(Happening)
class HappeningAdmin(ToLookAt[Happening]):
    list_display = ["at", "tournament", "kind", "actor", "text"]
    list_filter = ["kind"]
    list_select_related = ["tournament", "actor"]
    search_fields = ["tournament__title", "tournament__slug", "actor__username"]

    @admin.display(description="what happened")
    def text(self, happening: Happening) -> str:
        return sentence(happening)
