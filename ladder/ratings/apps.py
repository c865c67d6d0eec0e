"""Registers the app with Django."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ladder.ratings"
