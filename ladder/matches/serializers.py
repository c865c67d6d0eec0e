"""JSON of games, ladders, matches."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ladder.matches.models import Attempt, Entry, Ladder, LadderVersion, Match, MatchSeat


class GameModeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    options = serializers.DictField()


class GameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    rules_version = serializers.IntegerField()
    min_seats = serializers.IntegerField()
    max_seats = serializers.IntegerField()
    modes = GameModeSerializer(many=True)


class LanguageSerializer(serializers.Serializer[Any]):
    language = serializers.CharField()
    name = serializers.CharField()
    suffixes = serializers.ListField(child=serializers.CharField())
    entries = serializers.ListField(child=serializers.CharField())
    versions = serializers.ListField(child=serializers.CharField())


class LadderSerializer(serializers.ModelSerializer[Ladder]):
    clock = serializers.SerializerMethodField()

    class Meta:
        model = Ladder
        fields = ["slug", "title", "game", "mode", "options", "seats", "clock"]
        fields += ["aim_elo", "least_layers", "is_open"]

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_clock(self, ladder: Ladder) -> dict[str, int]:
        return {"bank_ms": ladder.clock_bank_ms, "increment_ms": ladder.clock_increment_ms}


class SeatSerializer(serializers.ModelSerializer[MatchSeat]):
    seat = serializers.IntegerField(source="number")
    bot = serializers.UUIDField(source="version.bot.public_id")
    version = serializers.UUIDField(source="version.public_id")

    class Meta:
        model = MatchSeat
        fields = ["seat", "name", "bot", "version", "rank", "score", "fault_code", "lost_by_fault", "strikes"]


class MatchSerializer(serializers.ModelSerializer[Match]):
    id = serializers.UUIDField(source="public_id")
    bundle = serializers.UUIDField(source="bundle.public_id")
    purpose = serializers.CharField(source="bundle.purpose")
    ladder = serializers.CharField(source="bundle.season.ladder.slug")
    season = serializers.IntegerField(source="bundle.season.number")
    commitment = serializers.CharField(source="bundle.commitment")
    seats = SeatSerializer(many=True)

    class Meta:
        model = Match
        fields = [
            "id",
            "bundle",
            "number",
            "purpose",
            "ladder",
            "season",
            "status",
            "void_code",
            "has_fault",
            "commitment",
            "seats",
            "created_at",
            "started_at",
            "finished_at",
        ]


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    id = serializers.UUIDField(source="public_id")
    number = serializers.IntegerField(source="fence")
    worker = serializers.CharField(source="worker.name")

    class Meta:
        model = Attempt
        fields = ["id", "number", "worker", "status", "void_code", "leased_at", "ended_at"]


class StepSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField()
    ply = serializers.IntegerField()
    event = serializers.DictField()
    board = serializers.DictField()


class ReplaySerializer(serializers.Serializer[Any]):
    match = serializers.UUIDField()
    seat = serializers.IntegerField(allow_null=True)
    steps = StepSerializer(many=True)


class LineSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    turn = serializers.IntegerField()
    line = serializers.CharField()


class TranscriptSerializer(serializers.Serializer[Any]):
    """The private part of one seat, and the exact lines that it was sent."""

    match = serializers.UUIDField()
    report = serializers.DictField()
    lines = LineSerializer(many=True)


class EntrySerializer(serializers.ModelSerializer[Entry]):
    ladder = serializers.CharField(source="ladder.slug")

    class Meta:
        model = Entry
        fields = ["ladder", "entered_at", "withdrawn_at"]


class EntryRequestSerializer(serializers.Serializer[Any]):
    ladder = serializers.SlugField()


class LadderVersionSerializer(serializers.ModelSerializer[LadderVersion]):
    ladder = serializers.CharField(source="ladder.slug")

    class Meta:
        model = LadderVersion
        fields = ["ladder", "state", "reason_code", "reason", "since"]


class FriendlySerializer(serializers.Serializer[Any]):
    """A bundle of friendly matches: one bot a seat, by id; it moves no rating."""

    ladder = serializers.SlugField()
    bots = serializers.ListField(child=serializers.UUIDField(), min_length=2, max_length=5)
