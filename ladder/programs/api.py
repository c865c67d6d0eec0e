"""The API's doors for bots and versions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.intake import MAX_PACKED
from bots.messages import sentence
from ladder.accounts.api import checked, signed_in
from ladder.accounts.models import User
from ladder.common.blobs import blob_get
from ladder.common.errors import ForbiddenError, LadderError, NotFoundError
from ladder.programs import selectors
from ladder.programs import serializers as json
from ladder.programs.models import Bot, Version
from ladder.programs.services import (
    bot_create,
    bot_member_add,
    bot_member_remove,
    bot_update,
    version_upload,
)

_FORM_SLACK = 64 * 1024
"""Bytes that a multipart form adds to the file in it."""


class BotsView(ListAPIView[Bot]):
    """All bots, newest first; with `mine=true` those that I am a member of."""

    serializer_class = json.BotSerializer

    def get_queryset(self) -> Any:
        mine = self.request.query_params.get("mine") in ("1", "true")
        return selectors.bots(member=self.request.user if mine else None)

    @extend_schema(parameters=[OpenApiParameter("mine", OpenApiTypes.BOOL)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(request=json.BotRequestSerializer, responses={201: json.BotSerializer})
    def post(self, request: Request) -> Response:
        form = json.BotRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        bot = bot_create(user=signed_in(request), **form.validated_data)
        return Response(json.BotSerializer(bot).data, status=status.HTTP_201_CREATED)


class BotView(GenericAPIView[Bot]):
    """One bot."""

    serializer_class = json.BotSerializer

    @extend_schema(operation_id="bot")
    def get(self, _request: Request, bot_id: UUID) -> Response:
        return Response(self.get_serializer(bot_by_id(bot_id)).data)

    @extend_schema(request=json.BotRequestSerializer, operation_id="bot_change")
    def patch(self, request: Request, bot_id: UUID) -> Response:
        bot = bot_by_id(bot_id)
        if not selectors.is_owner(request.user, bot):
            raise ForbiddenError("Only the bot's owner may change it.")
        form = json.BotRequestSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        fields = {name: value for name, value in form.validated_data.items() if name in request.data}
        return Response(self.get_serializer(bot_update(bot=bot, **fields)).data)


class MembersView(GenericAPIView[Bot]):
    """A bot's members: its owner adds co-authors, who may upload to it and read its transcripts."""

    serializer_class = json.MemberSerializer

    @extend_schema(responses={200: json.BotSerializer}, operation_id="bot_member_add")
    def post(self, request: Request, bot_id: UUID) -> Response:
        bot, user = self._bot_and_user(request, bot_id)
        bot_member_add(bot=bot, user=user)
        return Response(json.BotSerializer(bot_by_id(bot_id)).data)

    @extend_schema(responses={200: json.BotSerializer}, operation_id="bot_member_remove")
    def delete(self, request: Request, bot_id: UUID) -> Response:
        bot, user = self._bot_and_user(request, bot_id)
        bot_member_remove(bot=bot, user=user)
        return Response(json.BotSerializer(bot_by_id(bot_id)).data)

    def _bot_and_user(self, request: Request, bot_id: UUID) -> tuple[Bot, User]:
        bot = bot_by_id(bot_id)
        if not selectors.is_owner(request.user, bot):
            raise ForbiddenError("Only the bot's owner may choose its members.")
        name = checked(self, request)["username"]
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise NotFoundError(f"There is no user called {name}.")
        return bot, user


class VersionsView(ListAPIView[Version]):
    """The versions of a bot, newest first; an upload makes the next one."""

    serializer_class = json.VersionSerializer
    parser_classes = [MultiPartParser]

    def get_queryset(self) -> Any:
        if "bot_id" not in self.kwargs:  # the schema is drawn by nobody
            return Version.objects.none()
        return selectors.versions_of(bot_by_id(self.kwargs["bot_id"]))

    @extend_schema(
        request={"multipart/form-data": json.UploadSerializer}, responses={201: json.OwnVersionSerializer}
    )
    def post(self, request: Request, bot_id: UUID) -> Response:
        bot = bot_by_id(bot_id)
        if not selectors.is_member(request.user, bot):
            raise ForbiddenError("Only the bot's members may upload to it.")
        check_upload_size(request.headers.get("Content-Length"))
        form = json.UploadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        fields = form.validated_data
        version = version_upload(
            bot=bot,
            user=signed_in(request),
            data=fields["file"],
            filename=fields["file"].name,
            language=fields["language"] or None,
            note=fields["note"],
        )
        return Response(json.OwnVersionSerializer(version).data, status=status.HTTP_201_CREATED)


class VersionView(GenericAPIView[Version]):
    """One version: its state and, for members, its build log."""

    serializer_class = json.OwnVersionSerializer

    @extend_schema(operation_id="version")
    def get(self, request: Request, version_id: UUID) -> Response:
        version = version_by_id(version_id)
        is_member = selectors.is_member(request.user, version.bot)
        serializer = json.OwnVersionSerializer if is_member else json.VersionSerializer
        return Response(serializer(version).data)


class SourceView(APIView):
    """The files of a version as a tar, for its members and admins."""

    @extend_schema(operation_id="version_source", responses={(200, "application/x-tar"): OpenApiTypes.BINARY})
    def get(self, request: Request, version_id: UUID) -> HttpResponse:
        version = version_by_id(version_id)
        if not selectors.is_member(request.user, version.bot):
            raise ForbiddenError("Only the bot's members may read its source.")
        headers = {
            "Content-Disposition": f'attachment; filename="v{version.number}.tar"',
            "X-Content-Type-Options": "nosniff",
        }
        return HttpResponse(blob_get(version.digest), content_type="application/x-tar", headers=headers)


def check_upload_size(content_length: str | None) -> None:
    """Refuse a body that is too large before a byte of it is read. Raises LadderError too_big."""
    if content_length is None or not (content_length.isascii() and content_length.isdecimal()):
        raise LadderError("Send the upload with a Content-Length.", code="no_length")
    if int(content_length) > MAX_PACKED + _FORM_SLACK:
        raise LadderError(sentence("too_big", limit=MAX_PACKED >> 20), code="too_big")


def bot_by_id(bot_id: UUID) -> Bot:
    """A bot by its public id. Raises NotFoundError."""
    bot = Bot.objects.prefetch_related("memberships__user").filter(public_id=bot_id).first()
    if bot is None:
        raise NotFoundError("There is no such bot.")
    return bot


def version_by_id(version_id: UUID) -> Version:
    """A version by its public id. Raises NotFoundError."""
    version = Version.objects.select_related("bot").filter(public_id=version_id).first()
    if version is None:
        raise NotFoundError("There is no such version.")
    return version
