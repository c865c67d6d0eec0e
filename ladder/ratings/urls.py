"""Addresses of this app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from ladder.ratings import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("ladders/<slug:slug>/standings", api.StandingsView.as_view(), name="standings"),
    path(
        "ladders/<slug:slug>/seasons/<int:number>/standings",
        api.SeasonStandingsView.as_view(),
        name="season-standings",
    ),
    path("bots/<uuid:bot_id>/ratings", api.BotRatingsView.as_view(), name="bot-ratings"),
]
