"""Standings and rating curves, read by anyone."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.common.errors import NotFoundError
from ladder.programs.models import Bot
from ladder.ratings.selectors import rating_history, season_get, season_standings
from ladder.ratings.serializers import CurveSerializer, StandingsSerializer

_EVERYONE = OpenApiParameter("all", bool, description="versions that are no longer active, too")
_UNCHANGED = OpenApiResponse(description="The ETag of `If-None-Match` still holds.")


class StandingsView(APIView):
    """Standings of a ladder's newest season."""

    @extend_schema(
        operation_id="ladder_standings",
        parameters=[_EVERYONE],
        responses={200: StandingsSerializer, 304: _UNCHANGED},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        return _standings(request, slug, None)


class SeasonStandingsView(APIView):
    """Standings of one season; they stay at this address when the next one opens."""

    @extend_schema(
        operation_id="season_standings",
        parameters=[_EVERYONE],
        responses={200: StandingsSerializer, 304: _UNCHANGED},
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return _standings(request, slug, number)


class BotRatingsView(APIView):
    """A bot's ratings through time: a curve for each version in each season."""

    @extend_schema(operation_id="bot_ratings", responses={200: CurveSerializer(many=True), 304: _UNCHANGED})
    def get(self, request: Request, bot_id: UUID) -> HttpResponseBase:
        bot = Bot.objects.filter(public_id=bot_id).first()
        if bot is None:
            raise NotFoundError(f"There is no bot {bot_id}.")
        return _tagged(request, CurveSerializer(rating_history(bot), many=True).data)


def _standings(request: Request, slug: str, number: int | None) -> HttpResponseBase:
    season = season_get(slug=slug, number=number)
    everyone = request.query_params.get("all", "").lower() in ("1", "true")
    found = season_standings(season, everyone=everyone)
    body = {
        "ladder": slug,
        "season": season.number,
        "summary": found.lede,
        "fitted_at": found.fitted_at,
        "bundles": found.bundles,
        "matches": found.matches,
        "rows": found.rows,
    }
    return _tagged(request, StandingsSerializer(body).data)


def _tagged(request: Request, data: Any) -> HttpResponseBase:
    """The answer under its ETag, or 304 where the caller has it already."""
    text = json.dumps(data, cls=DjangoJSONEncoder, sort_keys=True)
    etag = f'W/"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
    response = Response(data, headers={"ETag": etag})
    unchanged = get_conditional_response(request, etag=etag, response=response)
    return response if unchanged is None else unchanged
