"""Every door of the ladder: pages, the API, the workers' door, admin."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from ladder.common.health import live
from ladder.matches.health import ready

api: list[URLPattern | URLResolver] = [
    path("", include("ladder.accounts.urls")),
    path("", include("ladder.programs.urls")),
    path("", include("ladder.matches.urls")),
    path("", include("ladder.ratings.urls")),
    path("", include("ladder.tournaments.urls")),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", SpectacularSwaggerView.as_view(url_name="api:schema"), name="docs"),
]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include((api, "api"))),
    path("internal/", include("ladder.matches.worker_urls")),
    path("health/live", live, name="health-live"),
    path("health/ready", ready, name="health-ready"),
    path("", include("ladder.web.urls")),
]

handler400 = "ladder.common.errors.bad_request"
handler403 = "ladder.common.errors.forbidden"
handler404 = "ladder.common.errors.not_found"
handler500 = "ladder.common.errors.server_error"
