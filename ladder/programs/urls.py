"""Addresses below /api/v1/ for bots and versions."""

from __future__ import annotations

from django.urls import path

from ladder.programs import api

urlpatterns = [
    path("bots", api.BotsView.as_view(), name="bots"),
    path("bots/<uuid:bot_id>", api.BotView.as_view(), name="bot"),
    path("bots/<uuid:bot_id>/members", api.MembersView.as_view(), name="bot-members"),
    path("bots/<uuid:bot_id>/versions", api.VersionsView.as_view(), name="versions"),
    path("versions/<uuid:version_id>", api.VersionView.as_view(), name="version"),
    path("versions/<uuid:version_id>/source", api.SourceView.as_view(), name="version-source"),
]
