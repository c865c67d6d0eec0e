"""Registers the app with Django."""

from importlib import import_module

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "ladder.common"

    def ready(self) -> None:
        """The schema's extensions register themselves when they are imported."""
        import_module("ladder.common.schema")
