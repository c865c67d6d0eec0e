"""The workers' door. Worker token and lease only; nobody else has business here."""

from __future__ import annotations

from django.urls import path

from ladder.matches import worker_views as views

app_name = "internal"
urlpatterns = [
    path("claims", views.claims, name="claims"),
    path("heartbeat", views.heartbeat, name="heartbeat"),
    path("attempts/<uuid:attempt_id>/renew", views.renew, name="renew"),
    path("attempts/<uuid:attempt_id>/report", views.report, name="report"),
    path("attempts/<uuid:attempt_id>/source", views.source, name="source"),
    path("attempts/<uuid:attempt_id>/artefact", views.artefact_put, name="artefact-put"),
    path("attempts/<uuid:attempt_id>/artefacts/<str:digest>", views.artefact, name="artefact"),
]
