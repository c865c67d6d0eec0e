"""What tournaments are asked with: unknown fields and wrong types are refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from ladder.matches.models import Ladder
from ladder.tournaments.formats.terms import Format, TieBreak
from ladder.tournaments.models import EntryRule, Seeding
from ladder.tournaments.plans import PlanData

_MOST: Final = 2_000
_YEAR_S: Final = 366 * 24 * 3600

BODY: Final[dict[str, Any]] = {
    "title": "Friday night",
    "ladder": "dont-go-in-there-2",
    "format": "double_elimination",
    "seats": 2,
    "bundles": 2,
    "starts_at": "2030-01-04T20:00:00Z",
    "registration_ends_at": "2030-01-04T19:45:00Z",
}
EXAMPLE: Final = OpenApiExample("a double elimination", value=BODY, request_only=True)
PODS: Final = OpenApiExample(
    "pods of four, the best two go on",
    value={**BODY, "format": "single_elimination", "ladder": "dont-go-in-there-4", "seats": 4, "advance": 2},
    request_only=True,
)

WEEKLY: Final = OpenApiExample(
    "a Swiss each Friday evening in Berlin",
    value={
        "title": "Friday Swiss",
        "ladder": "dont-go-in-there-2",
        "format": "swiss",
        "house_fills": True,
        "cron": "0 20 * * fri",
        "time_zone": "Europe/Berlin",
        "registration_s": 86_400,
    },
    request_only=True,
)


class Strict(serializers.Serializer[Any]):
    """A body of known fields and no others."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError(
                {name[:80]: ["There is no such field."] for name in unknown[:10]}
            )
        return super().to_internal_value(data)


class PlanRequest(Strict):
    """A plan; what is left out is as the defaults say."""

    title = serializers.CharField(max_length=80)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    ladder = serializers.SlugField(help_text="gives game, options and clock; its active versions may enter")
    format = serializers.ChoiceField(choices=[one.value for one in Format])
    seats = serializers.IntegerField(required=False, help_text="at a table")
    advance = serializers.IntegerField(required=False, min_value=1, max_value=100)
    rounds = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=_MOST)
    bundles = serializers.IntegerField(required=False, help_text="played at each table")
    groups = serializers.IntegerField(required=False, min_value=1, max_value=_MOST)
    qualify = serializers.IntegerField(required=False, min_value=1, max_value=_MOST)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[one.value for one in TieBreak]),
        required=False,
        help_text="in their written order, the lot last; left out: the usual order of the format",
    )
    seeding = serializers.ChoiceField(choices=Seeding.choices, required=False)
    entry_rule = serializers.ChoiceField(choices=EntryRule.choices, required=False)
    least_rating = serializers.IntegerField(
        required=False, allow_null=True, min_value=-10_000, max_value=10_000
    )
    entries_per_user = serializers.IntegerField(required=False, min_value=1, max_value=_MOST)
    min_entries = serializers.IntegerField(required=False, min_value=2, max_value=_MOST)
    max_entries = serializers.IntegerField(required=False, min_value=2, max_value=_MOST)
    house_fills = serializers.BooleanField(required=False)
    is_listed = serializers.BooleanField(required=False, help_text="admins alone may")

    _PLAIN: Final = (
        "title",
        "description",
        "seats",
        "advance",
        "rounds",
        "bundles",
        "groups",
        "qualify",
        "least_rating",
        "entries_per_user",
        "min_entries",
        "max_entries",
        "house_fills",
        "is_listed",
    )

    def validate_ladder(self, slug: str) -> Ladder:
        ladder = Ladder.objects.filter(slug=slug).first()
        if ladder is None:
            raise serializers.ValidationError(f"There is no ladder {slug}.")
        return ladder

    def plan(self) -> PlanData:
        """What was asked for, each by its own type. `plan_check` looks at it as a whole."""
        given = self.validated_data
        values = {name: given[name] for name in self._PLAIN if name in given}
        kinds = {"seeding": Seeding, "entry_rule": EntryRule}
        values |= {name: kind(given[name]) for name, kind in kinds.items() if name in given}
        return PlanData(
            ladder=given["ladder"],
            format=Format(given["format"]),
            tie_breaks=[TieBreak(rule) for rule in given.get("tie_breaks", ())],
            **values,
        )


class TournamentRequest(PlanRequest):
    """A plan with its times. Registration ends with the start, unless told otherwise."""

    starts_at = serializers.DateTimeField()
    registration_ends_at = serializers.DateTimeField(required=False)
    hidden_until = serializers.DateTimeField(
        required=False, allow_null=True, help_text="tables and results are shown from then on"
    )
    is_open = serializers.BooleanField(default=True, help_text="false: a draft, to be opened later")

    def times(self) -> dict[str, Any]:
        """The three times."""
        given = self.validated_data
        starts_at = given["starts_at"]
        return {
            "starts_at": starts_at,
            "registration_ends_at": given.get("registration_ends_at", starts_at),
            "hidden_until": given.get("hidden_until"),
        }


class EstimateRequest(TournamentRequest):
    """The same plan; its times may be left out."""

    starts_at = serializers.DateTimeField(required=False)
    entries = serializers.IntegerField(
        required=False, min_value=2, max_value=_MOST, help_text="left out: `min_entries`"
    )


class SeriesRequest(PlanRequest):
    """A plan that comes back."""

    cron = serializers.CharField(max_length=80, help_text="minute hour day month weekday")
    time_zone = serializers.CharField(max_length=60, required=False, help_text="such as Europe/Berlin")
    registration_s = serializers.IntegerField(
        required=False, min_value=0, max_value=_YEAR_S, help_text="it opens so long before the start"
    )
    hidden_s = serializers.IntegerField(
        required=False, min_value=0, max_value=_YEAR_S, help_text="results are shown so long after the start"
    )

    def timing(self) -> dict[str, Any]:
        """When it comes back."""
        names = ("cron", "time_zone", "registration_s", "hidden_s")
        return {name: self.validated_data[name] for name in names if name in self.validated_data}


class TournamentEntryRequest(Strict):
    """A bot of yours; with `version` the one that is frozen, else the newest active one at the freeze."""

    bot = serializers.UUIDField()
    version = serializers.UUIDField(required=False, allow_null=True)


class VersionChoiceRequest(Strict):
    version = serializers.UUIDField(allow_null=True, help_text="null: the newest active one at the freeze")


class LateEntryRequest(Strict):
    bot = serializers.UUIDField()


class InviteRequest(Strict):
    username = serializers.CharField(max_length=150)


class MoveRequest(Strict):
    """The end of registration moves with the start, unless it is given."""

    starts_at = serializers.DateTimeField()
    registration_ends_at = serializers.DateTimeField(required=False)


class CloneRequest(Strict):
    starts_at = serializers.DateTimeField()


class CancelRequest(Strict):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
