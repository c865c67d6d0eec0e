"""Registers the app with Django."""

from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    name = "ladder.matchmaking"
