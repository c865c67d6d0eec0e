"""Registers the app with Django."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "ladder.matches"
