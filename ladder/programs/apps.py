"""Registers the app with Django."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    name = "ladder.programs"
