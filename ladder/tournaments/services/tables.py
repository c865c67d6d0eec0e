"""Tables: laid with their bundles, settled when these have ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from engine.chance import derive
from engine.registry import GAMES
from ladder.matches.models import Match
from ladder.matches.services.bundles import tournament_bundle_create
from ladder.tournaments import facts
from ladder.tournaments.formats.points import BundleResult, PlayOff, settle
from ladder.tournaments.formats.terms import EntrantId, Format, Outcome, TableSpec
from ladder.tournaments.formats.tiebreaks import written_order
from ladder.tournaments.models import Entry, Table, TableBundle, TableSeat, Tournament
from ladder.tournaments.services.history import note

VOID_BUNDLES: Final = 3
"""So many void bundles of a table, and the written rule decides it."""


def table_lay(*, tournament: Tournament, spec: TableSpec, now: datetime) -> Table:
    """A table with its bundles; decided on the spot where fewer than two turn up.

    Who has withdrawn sits there in name alone, and forfeits. The caller holds the tournament's row.
    """
    table = Table.objects.create(
        tournament=tournament,
        key=spec.key,
        round=spec.round,
        number=spec.number,
        cut=spec.cut,
        laid_at=now,
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, entry_id=entrant, number=number)
        for number, entrant in enumerate(spec.entrants)
    )
    present = _present(spec.entrants)
    if len(present) >= 2 or (present and tournament.format == Format.SCORE_ATTACK):
        for _ in range(tournament.bundles):
            _bundle_lay(table, present, is_play_off=False)
    else:
        _walkover(table, spec, present, now)
    return table


def table_settle(*, table: Table, now: datetime) -> bool:
    """Move a table on if its bundles have ended: a void one again, a play-off, or its result.

    True when something was done. The caller holds the tournament's row.
    """
    played = list(table.bundles.select_related("bundle"))
    if any(one.bundle.finished_at is None for one in played):
        return False
    voids = _mark_voids(played)
    good = [one for one in played if not one.is_void]
    agreed = [one for one in good if not one.is_play_off]
    missing = table.tournament.bundles - len(agreed)
    if missing > 0 and len(voids) < VOID_BUNDLES:
        for _ in range(missing):
            _bundle_lay(table, _seated(voids[-1] if voids else None, table), is_play_off=False)
        return True
    counted = agreed if missing <= 0 else [*agreed, *(one for one in voids if not one.is_play_off)]
    _decide(table, counted, [one for one in good if one.is_play_off], voids, now)
    return True


def _mark_voids(played: Sequence[TableBundle]) -> list[TableBundle]:
    """Bundles of which a match was tried three times in vain."""
    voids = [
        one for one in played if one.is_void or one.bundle.matches.filter(status=Match.Status.VOID).exists()
    ]
    for one in voids:
        if not one.is_void:
            one.is_void = True
            one.save(update_fields=["is_void"])
    return voids


def _decide(
    table: Table,
    agreed: Sequence[TableBundle],
    play_offs: Sequence[TableBundle],
    voids: Sequence[TableBundle],
    now: datetime,
) -> None:
    """The table's result, or one more bundle among those tied on its cut."""
    spec = facts.spec_of(table)
    gone = set(spec.entrants) - set(_seated(None, table))
    out_of_tries = len(voids) >= VOID_BUNDLES
    settled = settle(
        spec,
        _results(table, agreed),
        _results(table, play_offs),
        written=_written(table, spec.entrants),
        absent=gone,
        withdrawn=set(spec.entrants) - set(_present(spec.entrants)),
        may_play_off=not out_of_tries,
    )
    if isinstance(settled, PlayOff):
        _bundle_lay(table, settled.entrants, is_play_off=True)
        return
    decision = Table.Decision.POINTS
    if out_of_tries:
        decision = Table.Decision.VOIDS
    elif settled.is_written:
        decision = Table.Decision.WRITTEN
    elif play_offs:
        decision = Table.Decision.PLAY_OFF
    _store(table, settled, decision, now)


def _results(table: Table, bundles: Sequence[TableBundle]) -> list[BundleResult]:
    entry_of = {version: entry for entry, version in table.seats.values_list("entry_id", "entry__version_id")}
    is_team = GAMES[table.tournament.ladder.game].cooperative
    return [facts.bundle_result(one, entry_of, is_team=is_team) for one in bundles]


def _written(table: Table, entrants: Sequence[EntrantId]) -> list[EntrantId]:
    """Those at a table by the written order, over the tables that they came through.

    These are decided whenever this one is laid; what others play meanwhile must not change who goes on.
    """
    tournament = table.tournament
    earlier = Table.objects.filter(
        tournament=tournament, status=Table.Status.DECIDED, seats__entry__in=entrants
    )
    terms = facts.terms_of(tournament, tournament.seed)
    return written_order(
        [one for one in facts.entrants_of(tournament) if one.id in entrants],
        facts.outcomes_of(earlier.distinct().prefetch_related("seats")),
        terms.tie_breaks,
        seed=terms.seed,
    )


def _seated(like: TableBundle | None, table: Table) -> list[EntrantId]:
    """Who plays at a table: those for whom its bundles were laid."""
    one = like or table.bundles.filter(is_play_off=False).first()
    if one is None:
        return []
    versions = set(one.bundle.matches.values_list("seats__version_id", flat=True))
    seats = table.seats.values_list("entry_id", "entry__version_id")
    return [entry for entry, version in seats if version in versions]


def _present(entrants: Sequence[EntrantId]) -> list[EntrantId]:
    in_it = set(Entry.objects.filter(pk__in=entrants, withdrawn_at=None).values_list("pk", flat=True))
    return [entrant for entrant in entrants if entrant in in_it]


def _bundle_lay(table: Table, entrants: Sequence[EntrantId], *, is_play_off: bool) -> None:
    """One more bundle of a table, on a seed of the tournament's own."""
    tournament = table.tournament
    number = table.bundles.count() + 1
    entries = Entry.objects.select_related("version__bot").in_bulk(list(entrants))
    versions = [version for entrant in entrants if (version := entries[entrant].version) is not None]
    is_attack = tournament.format == Format.SCORE_ATTACK
    label = f"seed/{table.round}/{number}" if is_attack else f"table/{table.key}/{number}"
    if tournament.season is None:
        raise ValueError("a tournament is frozen before its tables are laid")
    bundle = tournament_bundle_create(
        season=tournament.season,
        versions=versions,
        seed=derive(tournament.seed, label),
        team_of=tournament.seats if is_attack else None,
        hidden_until=tournament.hidden_until,
        is_sealed=is_attack,
    )
    TableBundle.objects.create(table=table, bundle=bundle, number=number, is_play_off=is_play_off)


def _walkover(table: Table, spec: TableSpec, present: Sequence[EntrantId], now: datetime) -> None:
    """Who alone turned up wins; of nobody, the written order is the order, and all forfeit."""
    rest = [entrant for entrant in _written(table, spec.entrants) if entrant not in present]
    outcome = Outcome(
        key=spec.key,
        round=spec.round,
        order=(*present, *rest),
        points=dict.fromkeys(present, 1.0) | dict.fromkeys(rest, 0.0),
        forfeits=frozenset(rest),
    )
    _store(table, outcome, Table.Decision.WALKOVER, now)


def _store(table: Table, outcome: Outcome, decision: Table.Decision, now: datetime) -> None:
    seats = list(table.seats.all())
    for seat in seats:
        seat.place = outcome.order.index(seat.entry_id) + 1
        seat.points = outcome.points[seat.entry_id]
        seat.is_forfeit = seat.entry_id in outcome.forfeits
        seat.figures = outcome.figures.get(seat.entry_id, 0.0)
    TableSeat.objects.bulk_update(seats, ["place", "points", "is_forfeit", "figures"])
    table.status, table.decision, table.decided_at = Table.Status.DECIDED, decision, now
    table.save(update_fields=["status", "decision", "decided_at"])
    note(table.tournament, "table_decided", table=table.key, decision=decision.value)
