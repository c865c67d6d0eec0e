"""Ladders and their standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from ladder.accounts.models import User
from ladder.matches import selectors
from ladder.programs.models import BotMember
from ladder.ratings.selectors import season_get, season_standings
from ladder.ratings.standings import StandingRow
from ladder.web import summaries
from ladder.web.drawing import Axis, axis_of, beam, spark
from ladder.web.views.common import page


@dataclass(frozen=True, slots=True)
class Row:
    """A standing and how it is drawn."""

    standing: StandingRow
    beam: dict[str, Any]
    spark: str
    own: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together: a band, one row alone, the provisional ones, those no longer active."""

    title: str
    why: str
    rows: list[Row]


def ladders(request: HttpRequest) -> HttpResponseBase:
    """All ladders with their leaders."""
    return render(request, "web/ladders.html", {"tops": summaries.tops()})


@page
def ladder(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponseBase:
    """The standings of a ladder, of its present season or of one that is over."""
    season = season_get(slug=slug, number=number)
    standings = season_standings(season, everyone="all" in request.GET)
    wanted = request.GET.get("q", "").strip()[:60]
    shown = [row for row in standings.rows if _fits(row, wanted)]
    axis = axis_of([(row.low, row.high) for row in standings.rows if not row.provisional])
    own = _own_bots(request)
    rows = [_row(row, axis, own) for row in shown]
    context = {
        "ladder": season.ladder,
        "season": season,
        "others": selectors.ladders(),
        "standings": standings,
        "groups": _groups(rows),
        "mine": [row for row in rows if row.own],
        "axis": axis,
        "wanted": wanted,
        "running": summaries.running(request.user, ladder=season.ladder, limit=4),
    }
    return render(request, "web/standings.html", context)


def _own_bots(request: HttpRequest) -> set[int]:
    if not isinstance(request.user, User):
        return set()
    return set(BotMember.objects.filter(user=request.user).values_list("bot__versions__pk", flat=True))


def _fits(row: StandingRow, wanted: str) -> bool:
    text = " ".join((row.name, row.language, *row.owners)).casefold()
    return wanted.casefold() in text


def _row(row: StandingRow, axis: Axis, own: set[int]) -> Row:
    half = 0.0 if row.provisional else row.half_width
    return Row(
        standing=row,
        beam=beam(axis, row.elo, half),
        spark=spark([point.elo for point in row.trend]),
        own=row.version_pk in own,
    )


def _kind(row: Row) -> tuple[str, int]:
    standing = row.standing
    if not standing.active:
        return "past", 0
    if standing.provisional:
        return "provisional", 0
    return "band", standing.band or 0


def _groups(rows: Sequence[Row]) -> list[Group]:
    groups = []
    for (kind, _), members in groupby(rows, key=_kind):
        inside = list(members)
        if kind == "past":
            groups.append(Group("", "earlier versions, seated no more", inside))
        elif kind == "provisional":
            groups.append(Group("", "no rank yet: it takes five bundles", inside))
        elif len(inside) > 1:
            places = (inside[0].standing.rank_from, inside[-1].standing.rank_to)
            groups.append(Group("Not separable yet", f"places {places[0]} to {places[1]}", inside))
        else:
            groups.append(Group("", "", inside))
    return groups
