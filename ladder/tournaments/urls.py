"""Addresses below /api/v1/ for tournaments and series."""

from __future__ import annotations

from django.urls import path

from ladder.tournaments import actions, api

_ONE = "tournaments/<slug:slug>"

urlpatterns = [
    path("tournaments", api.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/estimate", api.EstimateView.as_view(), name="tournament-estimate"),
    path(_ONE, api.TournamentView.as_view(), name="tournament"),
    path(f"{_ONE}/entries", api.TournamentEntriesView.as_view(), name="tournament-entries"),
    path(f"{_ONE}/entries/<uuid:bot_id>", api.TournamentEntryView.as_view(), name="tournament-entry"),
    path(f"{_ONE}/bracket", api.BracketView.as_view(), name="tournament-bracket"),
    path(f"{_ONE}/rounds", api.RoundsView.as_view(), name="tournament-rounds"),
    path(f"{_ONE}/standings", api.TournamentStandingsView.as_view(), name="tournament-standings"),
    path(f"{_ONE}/matches", api.TournamentMatchesView.as_view(), name="tournament-matches"),
    path(f"{_ONE}/events", api.EventsView.as_view(), name="tournament-events"),
    path(f"{_ONE}/export", api.ExportView.as_view(), name="tournament-export"),
    path(f"{_ONE}/open", actions.OpenView.as_view(), name="tournament-open"),
    path(f"{_ONE}/pause", actions.PauseView.as_view(), name="tournament-pause"),
    path(f"{_ONE}/resume", actions.ResumeView.as_view(), name="tournament-resume"),
    path(f"{_ONE}/move", actions.MoveView.as_view(), name="tournament-move"),
    path(f"{_ONE}/cancel", actions.CancelView.as_view(), name="tournament-cancel"),
    path(f"{_ONE}/clone", actions.CloneView.as_view(), name="tournament-clone"),
    path(f"{_ONE}/invite", actions.InviteView.as_view(), name="tournament-invite"),
    path(f"{_ONE}/late-entry", actions.LateEntryView.as_view(), name="tournament-late-entry"),
    path("series", api.AllSeriesView.as_view(), name="all-series"),
    path("series/<slug:slug>", api.SeriesView.as_view(), name="series"),
    path("series/<slug:slug>/stop", actions.SeriesStopView.as_view(), name="series-stop"),
    path("series/<slug:slug>/resume", actions.SeriesResumeView.as_view(), name="series-resume"),
]
