"""JSON that tournaments are told in. What is asked with stands in requests.py."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ladder.tournaments import selectors
from ladder.tournaments.models import Entry, Happening, Series, Tournament
from ladder.tournaments.words import sentence

_PLAN = [
    "title",
    "description",
    "organiser",
    "is_listed",
    "ladder",
    "game",
    "format",
    "seats",
    "advance",
    "rounds",
    "bundles",
    "groups",
    "qualify",
    "tie_breaks",
    "seeding",
    "entry_rule",
    "least_rating",
    "entries_per_user",
    "min_entries",
    "max_entries",
    "house_fills",
    "created_at",
]


class TournamentRowSerializer(serializers.ModelSerializer[Tournament]):
    """One tournament, as it stands in the list."""

    organiser = serializers.CharField(source="owner.username")
    ladder = serializers.CharField(source="ladder.slug")
    game = serializers.CharField(source="ladder.game")
    series = serializers.CharField(source="series.slug", allow_null=True, default=None)
    entries = serializers.IntegerField(source="playing", help_text="those that have not withdrawn")

    class Meta:
        model = Tournament
        fields = [
            "slug",
            *_PLAN,
            "series",
            "state",
            "is_paused",
            "entries",
            "registration_ends_at",
            "starts_at",
            "hidden_until",
            "frozen_at",
            "started_at",
            "finished_at",
            "reason",
        ]


class EstimateSerializer(serializers.Serializer[selectors.Estimate]):
    """What it takes, by what is known now. Play-offs and void bundles come on top."""

    entries = serializers.IntegerField(help_text="those who are in, or the least that are waited for")
    matches = serializers.IntegerField()
    rounds = serializers.IntegerField()
    played = serializers.IntegerField()
    match_s = serializers.SerializerMethodField(help_text="seconds that one match takes")
    is_measured = serializers.BooleanField(
        help_text="by the ladder's latest matches; false: as if each seat used up its clock"
    )
    slots = serializers.IntegerField(help_text="matches that the workers here play at once")
    remaining_s = serializers.SerializerMethodField(help_text="null where no worker is there")

    def get_match_s(self, estimate: selectors.Estimate) -> float:
        return round(estimate.match_s, 3)

    def get_remaining_s(self, estimate: selectors.Estimate) -> int | None:
        return None if estimate.remaining_s is None else round(estimate.remaining_s)


class TournamentSerializer(TournamentRowSerializer):
    """One tournament. `commitment` is there from the freeze, `seed` when it has finished."""

    season = serializers.IntegerField(source="season.number", allow_null=True, default=None)
    commitment = serializers.CharField(allow_blank=True)
    seed = serializers.SerializerMethodField()
    shows_results = serializers.BooleanField(
        help_text="whether you may see tables and results, which may be hidden until `hidden_until`"
    )
    may_organise = serializers.BooleanField(help_text="whether you may open, pause, move and cancel it")
    estimate = EstimateSerializer(allow_null=True, help_text="null when it is over")

    class Meta(TournamentRowSerializer.Meta):
        fields = [
            *TournamentRowSerializer.Meta.fields,
            "season",
            "commitment",
            "seed",
            "shows_results",
            "may_organise",
            "estimate",
        ]

    def get_seed(self, tournament: Any) -> str | None:
        is_over = tournament.state == Tournament.State.FINISHED
        return str(tournament.seed) if is_over and tournament.shows_results else None


class SeriesSerializer(serializers.ModelSerializer[Series]):
    """A plan that makes a tournament at each instant of its cron line."""

    organiser = serializers.CharField(source="owner.username")
    ladder = serializers.CharField(source="ladder.slug")
    game = serializers.CharField(source="ladder.game")
    next_at = serializers.SerializerMethodField(help_text="the next start; null when it is stopped")

    class Meta:
        model = Series
        fields = [
            "slug",
            *_PLAN,
            "cron",
            "time_zone",
            "registration_s",
            "hidden_s",
            "is_active",
            "made_until",
            "next_at",
        ]

    @extend_schema_field({"type": "string", "format": "date-time", "nullable": True})
    def get_next_at(self, series: Series) -> Any:
        return selectors.next_start(series)


class TournamentEntrySerializer(serializers.ModelSerializer[Entry]):
    """A bot in a tournament. `wish` is shown to the bot's members, results to those who may see them."""

    bot = serializers.UUIDField(source="bot.public_id")
    name = serializers.CharField(source="bot.name")
    members = serializers.SerializerMethodField()
    version = serializers.UUIDField(source="version.public_id", allow_null=True, default=None)
    version_number = serializers.IntegerField(source="version.number", allow_null=True, default=None)
    wish = serializers.SerializerMethodField()
    from_round = serializers.SerializerMethodField()
    until_round = serializers.SerializerMethodField()
    rank = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = [
            "bot",
            "name",
            "members",
            "version",
            "version_number",
            "wish",
            "seeding",
            "rating",
            "from_round",
            "until_round",
            "withdrawn_at",
            "rank",
            "entered_at",
        ]

    def get_members(self, entry: Entry) -> list[str]:
        return [member.user.username for member in entry.bot.memberships.all()]

    @extend_schema_field({"type": "string", "format": "uuid", "nullable": True})
    def get_wish(self, entry: Entry) -> str | None:
        viewer = self.context["viewer"]
        own = viewer.is_authenticated and any(one.user_id == viewer.pk for one in entry.bot.memberships.all())
        return str(entry.wish.public_id) if entry.wish and (own or viewer.is_staff) else None

    def get_from_round(self, entry: Entry) -> int | None:
        return self._if_shown(entry.from_round)

    def get_until_round(self, entry: Entry) -> int | None:
        return self._if_shown(entry.until_round)

    def get_rank(self, entry: Entry) -> int | None:
        return self._if_shown(entry.rank)

    def _if_shown(self, value: int | None) -> int | None:
        return value if self.context["shows_results"] else None


class SourceSerializer(serializers.Serializer[Any]):
    """Where the guest of a slot comes from: a seeding, or a place at a table or in a group."""

    seeding = serializers.IntegerField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)


class SlotSerializer(serializers.Serializer[Any]):
    """One chair at a table; `bot` is null while nobody is known to come."""

    bot = serializers.UUIDField(source="entry.bot.public_id", allow_null=True, default=None)
    name = serializers.CharField(source="entry.bot.name", allow_null=True, default=None)
    seeding = serializers.IntegerField(source="entry.seeding", allow_null=True, default=None)
    comes_from = SourceSerializer(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField(allow_null=True)
    is_forfeit = serializers.BooleanField()


class TableSerializer(serializers.Serializer[Any]):
    """One table; in a bracket also one that is still to come."""

    key = serializers.CharField()
    side = serializers.CharField(help_text="W, L, F in a bracket; a group's name; R in rounds")
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.CharField(help_text="waiting, playing, decided, or spared: it was not needed")
    decision = serializers.CharField(allow_blank=True)
    advance = serializers.IntegerField(allow_null=True, help_text="so many places go on")
    slots = SlotSerializer(source="ordered", many=True, help_text="by place once it is decided")
    goes_to = serializers.ListField(
        child=serializers.CharField(allow_null=True),
        help_text="by place, from the first: the table that it goes on to; null: out, or the winner",
    )
    is_second_final = serializers.BooleanField(help_text="played when the losers' side wins the first")
    matches = serializers.ListField(child=serializers.UUIDField())


class RoundSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    title = serializers.CharField()
    tables = TableSerializer(many=True)


class RoundsSerializer(serializers.Serializer[Any]):
    """All rounds that are laid, and in a bracket those to come."""

    tournament = serializers.CharField()
    rounds = RoundSerializer(many=True)


class EdgeSerializer(serializers.Serializer[Any]):
    """A way through the bracket: who has this place at this table (or in this group) goes on to that one."""

    table = serializers.CharField()
    place = serializers.IntegerField()
    to = serializers.CharField()


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket as a graph. Empty before the freeze; formats in rounds have nodes and no edges."""

    tournament = serializers.CharField()
    state = serializers.CharField()
    nodes = TableSerializer(many=True)
    edges = EdgeSerializer(many=True)


class TournamentStandingSerializer(serializers.Serializer[Any]):
    """One row. `values` are the figures that were compared, the greater the better."""

    rank = serializers.IntegerField(source="standing.rank")
    bot = serializers.UUIDField(source="entry.bot.public_id")
    name = serializers.CharField(source="entry.bot.name")
    version = serializers.UUIDField(source="entry.version.public_id", allow_null=True, default=None)
    version_number = serializers.IntegerField(source="entry.version.number", allow_null=True, default=None)
    seeding = serializers.IntegerField(source="entry.seeding")
    points = serializers.FloatField(source="standing.points")
    tables = serializers.IntegerField(source="standing.tables")
    values = serializers.DictField(source="standing.values", child=serializers.FloatField())
    parted_by = serializers.CharField(source="standing.parted_by", allow_null=True)
    why = serializers.CharField(allow_blank=True, help_text="what parted it from the row before")
    withdrawn_at = serializers.DateTimeField(source="entry.withdrawn_at", allow_null=True)


class MeetingsSerializer(serializers.Serializer[Any]):
    least = serializers.IntegerField()
    most = serializers.IntegerField()


class TournamentStandingsSerializer(serializers.Serializer[Any]):
    """Standings by what has been decided so far; `tie_breaks` is the written order."""

    tournament = serializers.CharField()
    state = serializers.CharField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    meetings = MeetingsSerializer(
        allow_null=True, help_text="of any two, in a round robin at tables of more than two"
    )
    rows = TournamentStandingSerializer(many=True)


class HappeningSerializer(serializers.ModelSerializer[Happening]):
    """What happened, when, and who did it; `actor` null: the clock."""

    actor = serializers.CharField(source="actor.username", allow_null=True, default=None)
    facts = serializers.DictField()
    text = serializers.SerializerMethodField()

    class Meta:
        model = Happening
        fields = ["at", "kind", "actor", "facts", "text"]

    def get_text(self, happening: Happening) -> str:
        return sentence(happening)


class ExportSerializer(serializers.Serializer[Any]):
    """A whole tournament in one document."""

    format = serializers.IntegerField()
    tournament = TournamentSerializer()
    entries = TournamentEntrySerializer(many=True)
    rounds = RoundSerializer(many=True)
    standings = TournamentStandingsSerializer()
    events = HappeningSerializer(many=True)


class InvitedSerializer(serializers.Serializer[Any]):
    """Who may enter a tournament for invited ones."""

    invited = serializers.ListField(child=serializers.CharField(), help_text="user names")
