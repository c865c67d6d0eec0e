"""Filters of the list of tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import django_filters
from django.db.models import Q, QuerySet

from ladder.tournaments.models import Tournament
from ladder.tournaments.selectors import COMING, OVER

_STATES: Final[Mapping[str, tuple[Tournament.State, ...]]] = {
    "draft": (Tournament.State.DRAFT,),
    "coming": COMING,
    "running": (Tournament.State.RUNNING,),
    "past": OVER,
}


class TournamentFilter(django_filters.FilterSet):
    """By state, ladder and series; `mine`: those that I organise or have a bot in."""

    state = django_filters.ChoiceFilter(method="by_state", choices=[(name, name) for name in _STATES])
    ladder = django_filters.CharFilter(field_name="ladder__slug")
    series = django_filters.CharFilter(field_name="series__slug")
    mine = django_filters.BooleanFilter(method="by_me")

    class Meta:
        model = Tournament
        fields: list[str] = []

    def by_state(self, found: QuerySet[Tournament], _name: str, value: str) -> QuerySet[Tournament]:
        return found.filter(state__in=_STATES[value])

    def by_me(self, found: QuerySet[Tournament], _name: str, value: bool) -> QuerySet[Tournament]:
        viewer = getattr(self.request, "user", None)
        if not value:
            return found
        if viewer is None or not viewer.is_authenticated:
            return found.none()
        own = Q(owner=viewer.pk) | Q(entries__bot__memberships__user=viewer.pk)
        return found.filter(pk__in=Tournament.objects.filter(own).values("pk"))
