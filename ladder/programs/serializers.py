"""JSON of bots and versions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ladder.programs.models import Bot, Version


class BotSerializer(serializers.ModelSerializer[Bot]):
    id = serializers.UUIDField(source="public_id", read_only=True)
    members = serializers.SerializerMethodField()

    class Meta:
        model = Bot
        fields = ["id", "name", "description", "is_house", "members", "created_at"]
        read_only_fields = ["is_house", "created_at"]

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_members(self, bot: Bot) -> list[dict[str, str]]:
        return [{"username": member.user.username, "role": member.role} for member in bot.memberships.all()]


class BotRequestSerializer(serializers.Serializer[Any]):
    name = serializers.RegexField(
        r"^[\w][\w .'\-]{1,38}[\w.'!?)]$",
        max_length=40,
        error_messages={
            "invalid": "A name has 3 to 40 letters, digits, spaces and . ' -, the first a letter or digit."
        },
    )
    description = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class VersionSerializer(serializers.ModelSerializer[Version]):
    id = serializers.UUIDField(source="public_id", read_only=True)
    bot = serializers.UUIDField(source="bot.public_id", read_only=True)

    class Meta:
        model = Version
        fields = [
            "id",
            "bot",
            "number",
            "state",
            "reason_code",
            "reason",
            "language",
            "entry",
            "games",
            "digest",
            "toolchain",
            "note",
            "uploaded_at",
        ]


class OwnVersionSerializer(VersionSerializer):
    """What members and admins see beside it."""

    class Meta(VersionSerializer.Meta):
        fields = [*VersionSerializer.Meta.fields, "build_log", "source_size", "artefact_sha256"]


class UploadSerializer(serializers.Serializer[Any]):
    """multipart/form-data."""

    file = serializers.FileField(allow_empty_file=True)
    language = serializers.CharField(required=False, allow_blank=True, default="", max_length=20)
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)


class MemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
