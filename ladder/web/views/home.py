"""The front page, and the part of it that is asked for again every three seconds."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import condition

from ladder.matches import selectors
from ladder.matches.models import Match
from ladder.web import replays, summaries
from ladder.web.boards import DRAWINGS


def home(request: HttpRequest) -> HttpResponse:
    """What this is, what is being played, and who leads; with a board of a game that is drawn."""
    newest = summaries.newest_proved(request.user, games=DRAWINGS)
    context = {
        **_now(request),
        "tops": summaries.tops(),
        "shown": newest,
        "replay": replays.replay(request.user, newest, step=None, seat=None) if newest else None,
    }
    return render(request, "web/home.html", context)


def _now(request: HttpRequest) -> dict[str, Any]:
    return {
        "running": summaries.running(request.user),
        "latest": summaries.latest(request.user),
    }


def _etag(request: HttpRequest) -> str:
    """Moves when a match starts or ends, and with the minute, for the page says how long ago."""
    visible = selectors.matches(request.user)
    running = visible.filter(status=Match.Status.RUNNING).values_list("pk", flat=True)[:50]
    last = visible.filter(status=Match.Status.FINISHED).values_list("pk", "finished_at")[:8]
    facts = (request.user.pk, list(running), list(last), timezone.now().strftime("%H:%M"))
    return f'"{hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}"'


@condition(etag_func=_etag)
def now(request: HttpRequest) -> HttpResponse:
    """The running and the latest matches alone."""
    response = render(request, "web/parts/now.html", _now(request))
    response["Cache-Control"] = "private, no-cache"
    return response
