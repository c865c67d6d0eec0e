"""A tournament's rows as the values that the formats work on, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ladder.matches.models import Match
from ladder.tournaments.formats.points import BundleResult, place_points
from ladder.tournaments.formats.terms import Entrant, EntrantId, Format, Outcome, TableSpec, Terms, TieBreak
from ladder.tournaments.models import Plan, Table, TableBundle, Tournament

if TYPE_CHECKING:
    from ladder.tournaments.plans import PlanData


def terms_of(plan: Plan | PlanData, seed: str = "") -> Terms:
    """What a plan says, for pairing and for its check."""
    return Terms(
        format=Format(plan.format),
        seats=plan.seats,
        advance=plan.advance,
        rounds=plan.rounds,
        bundles=plan.bundles,
        groups=plan.groups,
        qualify=plan.qualify,
        tie_breaks=tuple(TieBreak(rule) for rule in plan.tie_breaks),
        seed=seed,
    )


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """Everybody who was seeded, those who withdrew later included."""
    return [
        Entrant(entry.pk, entry.seeding or 0, entry.from_round, entry.until_round)
        for entry in tournament.entries.filter(seeding__isnull=False)
    ]


def last_round(tournament: Tournament) -> int:
    """The number of the latest round that was laid; 0 before the first."""
    return tournament.tables.order_by("-round").values_list("round", flat=True).first() or 0


def spec_of(table: Table) -> TableSpec:
    """A table as it was laid."""
    entrants = tuple(seat.entry_id for seat in table.seats.all())
    return TableSpec(table.key, table.round, table.number, entrants, table.cut)


def outcome_of(table: Table) -> Outcome:
    """How a decided table ended."""
    seats = sorted(table.seats.all(), key=lambda seat: seat.place or 0)
    return Outcome(
        key=table.key,
        round=table.round,
        order=tuple(seat.entry_id for seat in seats),
        points={seat.entry_id: seat.points or 0.0 for seat in seats},
        forfeits=frozenset(seat.entry_id for seat in seats if seat.is_forfeit),
        figures={seat.entry_id: seat.figures for seat in seats},
    )


def tables_of(tournament: Tournament) -> list[Table]:
    """All tables, with their seats at hand."""
    return list(tournament.tables.prefetch_related("seats"))


def outcomes_of(tables: Iterable[Table]) -> list[Outcome]:
    """Those of the tables that are decided."""
    return [outcome_of(table) for table in tables if table.status == Table.Status.DECIDED]


def bundle_result(played: TableBundle, entry_of: Mapping[int, EntrantId], *, is_team: bool) -> BundleResult:
    """What a bundle brought each entry. `entry_of` says whose each version is.

    Co-operative matches score by themselves: the match's score, and the first of its figures, which says how
    near the team came. Matches of the bundle that are void count for nothing.
    """
    points: dict[EntrantId, list[float]] = {}
    figures: dict[EntrantId, list[float]] = {}
    unfaulted: set[EntrantId] = set()
    for match in played.bundle.matches.filter(status=Match.Status.FINISHED).prefetch_related("seats"):
        seats = list(match.seats.all())
        shares = place_points([seat.rank or len(seats) for seat in seats])
        for seat, share in zip(seats, shares, strict=True):
            entrant = entry_of[seat.version_id]
            points.setdefault(entrant, []).append((seat.score or 0.0) if is_team else share)
            figures.setdefault(entrant, []).append(_first_figure(match))
            if not seat.lost_by_fault:
                unfaulted.add(entrant)
    return BundleResult(
        points={entrant: sum(own) / len(own) for entrant, own in points.items()},
        faulted=frozenset(points) - unfaulted,
        figures={entrant: sum(own) / len(own) for entrant, own in figures.items()},
    )


def _first_figure(match: Match) -> float:
    value = next(iter((match.figures or {}).values()), 0)
    return float(value) if isinstance(value, int | float) else 0.0
