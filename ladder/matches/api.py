"""The API's doors for games, ladders, entries and matches."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.languages import LANGUAGES
from engine.registry import GAMES
from ladder.accounts.api import signed_in
from ladder.common.errors import ForbiddenError, InvalidError
from ladder.matches import selectors
from ladder.matches import serializers as json
from ladder.matches.attempts import attempts_told, version_voids
from ladder.matches.filters import MatchFilter
from ladder.matches.models import Attempt, Entry, Ladder, LadderVersion, Match, MatchRecord, Purpose
from ladder.matches.services.entries import bot_enter, bot_withdraw
from ladder.matches.services.friendly import friendly_create
from ladder.programs.api import bot_by_id, version_by_id
from ladder.programs.selectors import is_member

SEAT = OpenApiParameter("seat", OpenApiTypes.INT, description="0-based")
RECORDS_A_PAGE = 1_000


class GamesView(APIView):
    """The games that are played here."""

    @extend_schema(operation_id="games", responses=json.GameSerializer(many=True))
    def get(self, _request: Request) -> Response:
        rows = [
            {
                "name": game.name,
                "title": game.title,
                "rules_version": game.rules_version,
                "min_seats": game.min_seats,
                "max_seats": game.max_seats,
                "modes": [{"name": name, "options": options} for name, options in game.modes.items()],
            }
            for game in GAMES.values()
        ]
        return Response(json.GameSerializer(rows, many=True).data)


class LanguagesView(APIView):
    """The languages that bots may be written in, and their versions on the workers that are there now."""

    @extend_schema(operation_id="languages", responses=json.LanguageSerializer(many=True))
    def get(self, _request: Request) -> Response:
        offered = selectors.languages_offered()
        rows = [
            {
                "language": row.key,
                "name": row.name,
                "suffixes": row.suffixes,
                "entries": row.entries,
                "versions": offered.get(row.key, []),
            }
            for row in LANGUAGES.values()
        ]
        return Response(json.LanguageSerializer(rows, many=True).data)


class LaddersView(ListAPIView[Ladder]):
    """All ladders."""

    serializer_class = json.LadderSerializer

    def get_queryset(self) -> Any:
        return selectors.ladders()


class LadderView(GenericAPIView[Ladder]):
    """One ladder."""

    serializer_class = json.LadderSerializer

    @extend_schema(operation_id="ladder")
    def get(self, _request: Request, slug: str) -> Response:
        return Response(self.get_serializer(selectors.ladder_by_slug(slug)).data)


class RecordsView(APIView):
    """Records of a ladder's rated matches, in order, as JSON Lines: 1,000 at most; go on with `after`."""

    @extend_schema(
        operation_id="ladder_records",
        parameters=[OpenApiParameter("after", OpenApiTypes.INT, description="the X-Last of the page before")],
        responses={(200, "application/x-ndjson"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdecimal() and len(after) <= 18):
            raise InvalidError("`after` is the X-Last of the page before.")
        records = MatchRecord.objects.filter(
            match__bundle__season__ladder=selectors.ladder_by_slug(slug),
            match__bundle__purpose=Purpose.LADDER,
            match__bundle__finished_at__isnull=False,
            pk__gt=int(after),
        ).order_by("pk")[:RECORDS_A_PAGE]
        rows = list(records.values_list("pk", "record"))
        headers = {"X-Last": str(rows[-1][0] if rows else after)}
        return StreamingHttpResponse(_lines(rows), content_type="application/x-ndjson", headers=headers)


def _lines(rows: list[tuple[int, bytes | memoryview[int]]]) -> Iterator[bytes]:
    for _, data in rows:
        yield zlib.decompress(data) + b"\n"


class EntriesView(ListAPIView[Any]):
    """The ladders that a bot is entered into."""

    serializer_class = json.EntrySerializer
    write_scope = "enter"

    def get_queryset(self) -> Any:
        if "bot_id" not in self.kwargs:  # the schema is drawn by nobody
            return Entry.objects.none()
        return bot_by_id(self.kwargs["bot_id"]).entries.select_related("ladder")

    @extend_schema(request=json.EntryRequestSerializer, responses={201: json.EntrySerializer})
    def post(self, request: Request, bot_id: UUID) -> Response:
        bot, ladder = self._own(request, bot_id)
        return Response(json.EntrySerializer(bot_enter(bot=bot, ladder=ladder)).data, status=201)

    @extend_schema(request=json.EntryRequestSerializer, responses={204: None}, operation_id="bot_withdraw")
    def delete(self, request: Request, bot_id: UUID) -> Response:
        bot, ladder = self._own(request, bot_id)
        bot_withdraw(bot=bot, ladder=ladder)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _own(self, request: Request, bot_id: UUID) -> tuple[Any, Ladder]:
        bot = bot_by_id(bot_id)
        if not is_member(request.user, bot):
            raise ForbiddenError("Only the bot's members may enter or withdraw it.")
        form = json.EntryRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return bot, selectors.ladder_by_slug(form.validated_data["ladder"])


class VersionLaddersView(GenericAPIView[LadderVersion]):
    """On which ladders a version plays, and why not on others."""

    queryset = LadderVersion.objects.none()
    serializer_class = json.LadderVersionSerializer
    pagination_class = None

    @extend_schema(operation_id="version_ladders", responses=json.LadderVersionSerializer(many=True))
    def get(self, _request: Request, version_id: UUID) -> Response:
        states = selectors.ladder_states(version_by_id(version_id))
        return Response(self.get_serializer(states, many=True).data)


class VersionVoidsView(APIView):
    """How many attempts at a version's matches did not count, and how many of them broke in its turn."""

    @extend_schema(operation_id="version_voids", responses=json.VoidsSerializer)
    def get(self, request: Request, version_id: UUID) -> Response:
        voids = version_voids(request.user, version_by_id(version_id))
        return Response(json.VoidsSerializer(voids).data)


class MatchesView(ListAPIView[Match]):
    """The matches, newest first. POST asks for a bundle of friendly ones."""

    serializer_class = json.MatchSerializer
    filterset_class = MatchFilter
    write_scope = "enter"

    def get_queryset(self) -> Any:
        return selectors.matches(self.request.user)

    @extend_schema(request=json.FriendlySerializer, responses={201: json.MatchSerializer(many=True)})
    def post(self, request: Request) -> Response:
        form = json.FriendlySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        bundle = friendly_create(
            user=signed_in(request),
            ladder=selectors.ladder_by_slug(form.validated_data["ladder"]),
            bots=[bot_by_id(bot_id) for bot_id in form.validated_data["bots"]],
        )
        matches = selectors.matches(request.user).filter(bundle=bundle)
        return Response(json.MatchSerializer(matches, many=True).data, status=status.HTTP_201_CREATED)


class MatchView(GenericAPIView[Match]):
    """One match."""

    serializer_class = json.MatchAloneSerializer

    @extend_schema(operation_id="match")
    def get(self, request: Request, match_id: UUID) -> Response:
        return Response(self.get_serializer(selectors.match_by_id(request.user, match_id)).data)


class AttemptsView(GenericAPIView[Attempt]):
    """What happened to each try to play the match, and why one does not count."""

    queryset = Attempt.objects.none()
    serializer_class = json.AttemptSerializer
    pagination_class = None

    @extend_schema(operation_id="match_attempts", responses=json.AttemptSerializer(many=True))
    def get(self, request: Request, match_id: UUID) -> Response:
        told = attempts_told(request.user, selectors.match_by_id(request.user, match_id))
        return Response(json.AttemptSerializer(told, many=True).data)


class RecordView(APIView):
    """The record that proves the match, byte for byte."""

    @extend_schema(operation_id="match_record", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        match = selectors.match_by_id(request.user, match_id)
        return HttpResponse(selectors.record_of(request.user, match), content_type="application/json")


class ReplayView(GenericAPIView[Match]):
    """The match step by step, as an onlooker or as one seat saw it."""

    serializer_class = json.ReplaySerializer

    @extend_schema(operation_id="match_replay", parameters=[SEAT])
    def get(self, request: Request, match_id: UUID) -> Response:
        match = selectors.match_by_id(request.user, match_id)
        seat = _seat(request)
        steps = selectors.steps_of(request.user, match, seat)
        return Response({"match": match.public_id, "seat": seat, "steps": steps})


class TranscriptView(GenericAPIView[Match]):
    """What one seat was sent and answered, for the members of its bot."""

    serializer_class = json.TranscriptSerializer

    @extend_schema(operation_id="match_transcript", parameters=[SEAT])
    def get(self, request: Request, match_id: UUID) -> Response:
        match = selectors.match_by_id(request.user, match_id)
        seat = _seat(request)
        if seat is None:
            raise InvalidError("Say which seat: `?seat=0`.")
        report = selectors.transcript_of(request.user, match, seat)
        lines = selectors.lines_of(request.user, match, seat)
        return Response(
            {
                "match": match.public_id,
                "report": msgspec.to_builtins(report),
                "lines": [
                    {"kind": line.kind, "turn": line.turn, "line": line.data.decode()} for line in lines
                ],
            }
        )


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise InvalidError("A seat is a number from 0.")
    return int(text)
