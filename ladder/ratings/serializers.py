"""How standings and curves look in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ladder.ratings.selectors import CurvePoint
from ladder.ratings.standings import StandingRow, TrendPoint


class TrendPointSerializer(serializers.Serializer[TrendPoint]):
    at = serializers.DateTimeField()
    rating = serializers.FloatField(source="elo", help_text="Elo")


class StandingSerializer(serializers.Serializer[StandingRow]):
    """One version."""

    rank = serializers.CharField(allow_null=True, help_text="`4`, or `1-3`; null where it has none yet")
    rank_from = serializers.IntegerField(allow_null=True)
    rank_to = serializers.IntegerField(allow_null=True)
    band = serializers.IntegerField(
        allow_null=True, help_text="rows of one band can't be separated from its first row at 95 %"
    )
    bot = serializers.CharField(source="name")
    bot_id = serializers.UUIDField()
    version = serializers.IntegerField(help_text="its number: the 3 of v3")
    version_id = serializers.UUIDField()
    authors = serializers.ListField(source="owners", child=serializers.CharField())
    language = serializers.CharField()
    rating = serializers.FloatField(source="elo", help_text="Elo; the house bots' mean is 1500")
    half_width = serializers.FloatField(help_text="of the 95 % interval, in Elo")
    low = serializers.FloatField(help_text="its lower end")
    high = serializers.FloatField(help_text="its upper end")
    bundles = serializers.IntegerField()
    matches = serializers.IntegerField()
    fault_share = serializers.FloatField(
        source="faults", help_text="share of matches with a fault of its own"
    )
    is_house = serializers.BooleanField()
    provisional = serializers.BooleanField(help_text="too few bundles for a rank")
    active = serializers.BooleanField()
    trend = TrendPointSerializer(many=True)


class StandingsSerializer(serializers.Serializer[Any]):
    """A season's standings."""

    ladder = serializers.SlugField()
    season = serializers.IntegerField()
    summary = serializers.CharField(help_text="what they say, in a sentence or two")
    fitted_at = serializers.DateTimeField(allow_null=True)
    bundles = serializers.IntegerField()
    matches = serializers.IntegerField()
    rows = StandingSerializer(many=True)


class CurvePointSerializer(serializers.Serializer[CurvePoint]):
    at = serializers.DateTimeField()
    rating = serializers.FloatField(source="elo", help_text="Elo")
    half_width = serializers.FloatField(help_text="of the 95 % interval, in Elo")


class CurveSerializer(serializers.Serializer[Any]):
    """A version's rating in one season through time."""

    ladder = serializers.SlugField()
    season = serializers.IntegerField()
    version = serializers.IntegerField()
    points = CurvePointSerializer(many=True)
