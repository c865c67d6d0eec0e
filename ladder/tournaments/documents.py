"""A tournament as documents: the bracket as a graph, tables and standings as CSV, everything as one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from ladder.matches.visibility import Viewer
from ladder.tournaments import selectors
from ladder.tournaments.board import RoundView, TableView, board_of
from ladder.tournaments.models import Tournament
from ladder.tournaments.standings import StandingsView, standings_view


def told(viewer: Viewer, tournament: Tournament) -> Tournament:
    """The tournament with all that its JSON tells of it beside its columns."""
    over = tournament.state in selectors.OVER
    facts = {
        "playing": tournament.entries.filter(withdrawn_at=None).count(),
        "shows_results": selectors.shows_results(viewer, tournament),
        "may_organise": selectors.organises(viewer, tournament),
        "estimate": None if over else selectors.estimate_of(tournament, now=timezone.now()),
    }
    for name, value in facts.items():
        setattr(tournament, name, value)
    return tournament


def bracket(tournament: Tournament) -> dict[str, Any]:
    """Every table, and which place of which leads where."""
    nodes = [table for stage in board_of(tournament) for table in stage.tables]
    return {
        "tournament": tournament.slug,
        "state": tournament.state,
        "nodes": nodes,
        "edges": list(_edges(nodes)),
    }


def _edges(nodes: Sequence[TableView]) -> Iterable[dict[str, Any]]:
    """Where places of tables lead, and in a knock-out after groups, the places of groups."""
    for node in nodes:
        for place, to in enumerate(node.goes_to, 1):
            if to is not None:
                yield {"table": node.key, "place": place, "to": to}
    keys = {node.key for node in nodes}
    for node in nodes:
        for chair in node.chairs:
            source = chair.comes_from
            if source is not None and source.table is not None and source.table not in keys:
                yield {"table": source.table, "place": source.place, "to": node.key}


def standings(tournament: Tournament) -> dict[str, Any]:
    """Standings and how their ties are broken."""
    view = standings_view(tournament)
    return {
        "tournament": tournament.slug,
        "state": tournament.state,
        "tie_breaks": tournament.tie_breaks,
        "meetings": view.meetings,
        "rows": view.rows,
    }


def standings_csv(tournament: Tournament, view: StandingsView) -> str:
    """A row for each entry, a column for each tie-break."""
    rules = ["reached", *tournament.tie_breaks]
    head = ["rank", "name", "bot", "version", "seeding", "points", "tables", *rules, "parted_by", "why"]
    rows = [
        [
            row.standing.rank,
            row.entry.bot.name,
            row.entry.bot.public_id,
            row.entry.version.number if row.entry.version else "",
            row.entry.seeding,
            row.standing.points,
            row.standing.tables,
            *(row.standing.values.get(rule, "") for rule in rules),
            row.standing.parted_by or "",
            row.why,
        ]
        for row in view.rows
    ]
    return _csv(head, rows)


def results_csv(rounds: Sequence[RoundView]) -> str:
    """A row for each seat at a table that was laid."""
    head = ["round", "title", "table", "status", "decision", "place", "name", "bot", "points", "is_forfeit"]
    rows = [
        [
            stage.number,
            stage.title,
            table.key,
            table.status,
            table.decision,
            "" if chair.place is None else chair.place,
            chair.entry.bot.name,
            chair.entry.bot.public_id,
            "" if chair.points is None else chair.points,
            chair.is_forfeit,
        ]
        for stage in rounds
        for table in stage.tables
        for chair in table.ordered()
        if chair.entry is not None and table.status in ("playing", "decided")
    ]
    return _csv(head, rows)


def export(viewer: Viewer, tournament: Tournament) -> Mapping[str, Any]:
    """Everything, for the archive."""
    return {
        "format": 1,
        "tournament": told(viewer, tournament),
        "entries": selectors.entries_of(tournament),
        "rounds": board_of(tournament),
        "standings": standings(tournament),
        "events": selectors.happenings(viewer, tournament).order_by("pk"),
    }


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
