"""Addresses of this app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from ladder.common import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("live", health.live, name="health-live"),
    path("ready", health.ready, name="health-ready"),
]
