"""Registers the app with Django."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "ladder.common"
