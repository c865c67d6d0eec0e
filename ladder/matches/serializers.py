"""JSON of games, ladders, matches."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ladder.matches.models import Attempt, Entry, Ladder, LadderVersion, Match, MatchSeat
from ladder.matches.selectors import waits_for


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


class MatchAloneSerializer(MatchSerializer):
    """One match, with what it waits for."""

    waits_for = serializers.SerializerMethodField()

    class Meta(MatchSerializer.Meta):
        fields = [*MatchSerializer.Meta.fields, "waits_for"]

    def get_waits_for(self, match: Match) -> str:
        return waits_for(match)


class HostSerializer(serializers.Serializer[Any]):
    """How busy the host was, in microseconds; null where its kernel does not tell."""

    late_us = serializers.IntegerField(help_text="by how much a sleeper of 10 ms overslept, summed")
    longest_late_us = serializers.IntegerField()
    steal_us = serializers.IntegerField(allow_null=True, help_text="CPU time that went to other guests")
    pressure_us = serializers.IntegerField(
        allow_null=True, help_text="time in which somebody waited for a core"
    )
    core = serializers.IntegerField(allow_null=True, help_text="the core that the match had to itself")


class AttemptSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="attempt.public_id")
    number = serializers.IntegerField(source="attempt.fence")
    worker = serializers.CharField(source="attempt.worker.name")
    status = serializers.ChoiceField(Attempt.Status.choices, source="attempt.status")
    void_code = serializers.CharField(source="code", help_text="why it does not count; empty where it does")
    why = serializers.CharField(help_text="the same as a sentence")
    turn_of = serializers.IntegerField(
        source="turn_of.number",
        default=None,
        allow_null=True,
        help_text="the seat in whose turn it broke, where there is one and you may know it",
    )
    host = HostSerializer(allow_null=True)
    leased_at = serializers.DateTimeField(source="attempt.leased_at")
    ended_at = serializers.DateTimeField(source="attempt.ended_at", allow_null=True)


class VoidsSerializer(serializers.Serializer[Any]):
    """How many attempts at a version's matches did not count."""

    attempts = serializers.IntegerField()
    in_its_turn = serializers.IntegerField(help_text="those of them that broke in its turn")


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
