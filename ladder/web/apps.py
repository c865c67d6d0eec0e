"""Registers the app with Django."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "ladder.web"
