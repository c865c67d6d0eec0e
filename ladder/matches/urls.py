"""Addresses below /api/v1/ for games, ladders, entries and matches."""

from __future__ import annotations

from django.urls import path

from ladder.matches import api

urlpatterns = [
    path("games", api.GamesView.as_view(), name="games"),
    path("languages", api.LanguagesView.as_view(), name="languages"),
    path("ladders", api.LaddersView.as_view(), name="ladders"),
    path("ladders/<slug:slug>", api.LadderView.as_view(), name="ladder"),
    path("ladders/<slug:slug>/records", api.RecordsView.as_view(), name="ladder-records"),
    path("bots/<uuid:bot_id>/entries", api.EntriesView.as_view(), name="entries"),
    path("versions/<uuid:version_id>/ladders", api.VersionLaddersView.as_view(), name="version-ladders"),
    path("versions/<uuid:version_id>/voids", api.VersionVoidsView.as_view(), name="version-voids"),
    path("matches", api.MatchesView.as_view(), name="matches"),
    path("matches/<uuid:match_id>", api.MatchView.as_view(), name="match"),
    path("matches/<uuid:match_id>/attempts", api.AttemptsView.as_view(), name="match-attempts"),
    path("matches/<uuid:match_id>/record", api.RecordView.as_view(), name="match-record"),
    path("matches/<uuid:match_id>/replay", api.ReplayView.as_view(), name="match-replay"),
    path("matches/<uuid:match_id>/transcript", api.TranscriptView.as_view(), name="match-transcript"),
]
