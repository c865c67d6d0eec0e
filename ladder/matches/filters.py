"""Filters of the list of matches."""

from __future__ import annotations

from uuid import UUID

import django_filters
from django.db.models import QuerySet

from ladder.matches.models import Match, MatchSeat, Purpose


class MatchFilter(django_filters.FilterSet):
    """By bot, opponent, version, ladder, status, purpose, fault; `result` is the bot's: win or loss."""

    bot = django_filters.UUIDFilter(method="by_bot")
    opponent = django_filters.UUIDFilter(method="by_bot")
    version = django_filters.UUIDFilter(method="by_version")
    ladder = django_filters.CharFilter(field_name="bundle__season__ladder__slug")
    status = django_filters.ChoiceFilter(choices=Match.Status.choices)
    purpose = django_filters.ChoiceFilter(field_name="bundle__purpose", choices=Purpose.choices)
    fault = django_filters.BooleanFilter(field_name="has_fault")
    result = django_filters.ChoiceFilter(method="by_result", choices=[("win", "win"), ("loss", "loss")])

    class Meta:
        model = Match
        fields: list[str] = []

    def by_bot(self, matches: QuerySet[Match], _name: str, value: UUID) -> QuerySet[Match]:
        seats = MatchSeat.objects.filter(version__bot__public_id=value)
        return matches.filter(pk__in=seats.values("match_id"))

    def by_version(self, matches: QuerySet[Match], _name: str, value: UUID) -> QuerySet[Match]:
        seats = MatchSeat.objects.filter(version__public_id=value)
        return matches.filter(pk__in=seats.values("match_id"))

    def by_result(self, matches: QuerySet[Match], _name: str, value: str) -> QuerySet[Match]:
        seats = MatchSeat.objects.filter(rank=1) if value == "win" else MatchSeat.objects.filter(rank__gt=1)
        if bot := (self.data or {}).get("bot"):
            seats = seats.filter(version__bot__public_id=bot)
        return matches.filter(pk__in=seats.values("match_id"))
