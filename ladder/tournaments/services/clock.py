"""What the clock does to tournaments: each step one transaction, and safe to repeat."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from engine.registry import GAMES
from ladder.matches.models import Bundle
from ladder.tournaments import facts
from ladder.tournaments.formats.plan import next_step, standings
from ladder.tournaments.formats.terms import Step
from ladder.tournaments.models import Entry, Table, Tournament
from ladder.tournaments.services.freeze import tournament_freeze
from ladder.tournaments.services.history import note
from ladder.tournaments.services.organise import call_off
from ladder.tournaments.services.tables import table_lay, table_settle
from ladder.tournaments.services.turns import in_turn

State = Tournament.State
STEPS_A_TICK: Final = 8
"""Of one tournament, so that a walkover's next round does not wait for a second."""
MOVING: Final = (State.OPEN, State.FROZEN, State.RUNNING)


def tournaments_tick(*, now: datetime) -> int:
    """Move every tournament that has something to do; the number of steps taken.

    A tournament that fails does not stop the others; its error is raised when all have had their turn.
    """
    due = Tournament.objects.filter(state__in=MOVING, is_paused=False).order_by("pk")
    return in_turn(due.values_list("pk", flat=True), lambda tournament_id: _steps(tournament_id, now))


def _steps(tournament_id: int, now: datetime) -> int:
    """As many steps of one tournament as it can take at once; how many."""
    for taken in range(STEPS_A_TICK):
        if not tournament_step(tournament_id=tournament_id, now=now):
            return taken
    return STEPS_A_TICK


@transaction.atomic
def tournament_step(*, tournament_id: int, now: datetime) -> bool:
    """The next thing that a tournament is due for; False when it has to wait.

    A tournament that another step holds waits for the next tick.
    """
    tournament = (
        Tournament.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
        .select_related("ladder", "season__ladder")
        .filter(pk=tournament_id, is_paused=False)
        .first()
    )
    if tournament is None:
        return False
    if tournament.state == State.OPEN and now >= tournament.registration_ends_at:
        tournament_freeze(tournament=tournament, now=now)
        return True
    if (reason := _rules_moved(tournament)) is not None:
        call_off(tournament, reason=reason)
        return True
    if tournament.state == State.FROZEN and now >= tournament.starts_at:
        tournament.state, tournament.started_at = State.RUNNING, now
        tournament.save(update_fields=["state", "started_at"])
        note(tournament, "started")
        return True
    return tournament.state == State.RUNNING and _play_on(tournament, now)


def _rules_moved(tournament: Tournament) -> str | None:
    """Why nobody can play its matches any more: the engine has gone on to other rules since the freeze."""
    season = tournament.season
    if season is None or tournament.state not in (State.FROZEN, State.RUNNING):
        return None
    game = GAMES[season.ladder.game]
    if game.rules_version == season.rules_version:
        return None
    return (
        f"The rules of {game.title} moved from version {season.rules_version} to {game.rules_version} "
        "after its versions were frozen."
    )


def _play_on(tournament: Tournament, now: datetime) -> bool:
    """Settle what has ended, then lay what can be played, or finish."""
    playing = tournament.tables.filter(status=Table.Status.PLAYING).exclude(bundles__bundle__finished_at=None)
    settled = [table_settle(table=_of(table, tournament), now=now) for table in playing]
    if not any(settled) and tournament.tables.filter(status=Table.Status.PLAYING).exists():
        return False  # what could be laid was laid when the last table was decided
    tables = facts.tables_of(tournament)
    step = next_step(
        facts.terms_of(tournament, tournament.seed),
        facts.entrants_of(tournament),
        [facts.spec_of(table) for table in tables],
        facts.outcomes_of(tables),
    )
    if step.is_over:
        _finish(tournament, now)
    elif step.tables:
        _lay(tournament, step, now)
    return any(settled) or step.is_over or bool(step.tables)


def _of(table: Table, tournament: Tournament) -> Table:
    """The table with the tournament that is held, not one read anew."""
    table.tournament = tournament
    return table


def _lay(tournament: Tournament, step: Step, now: datetime) -> None:
    newest = facts.last_round(tournament)
    for spec in step.tables:
        table_lay(tournament=tournament, spec=spec, now=now)
    rounds = sorted({spec.round for spec in step.tables if spec.round > newest})
    for number in rounds:
        _unseal(tournament)
        note(tournament, "round", number=number)


def _unseal(tournament: Tournament) -> None:
    """Nobody plays on these seeds any more."""
    decided = tournament.tables.filter(status=Table.Status.DECIDED)
    Bundle.objects.filter(table_bundle__table__in=decided, is_sealed=True).update(is_sealed=False)


def _finish(tournament: Tournament, now: datetime) -> None:
    """Final ranks; from now on the seed is shown."""
    rows = standings(
        facts.terms_of(tournament, tournament.seed),
        facts.entrants_of(tournament),
        facts.outcomes_of(facts.tables_of(tournament)),
    )
    ranks = {row.entrant: row.rank for row in rows}
    entries = list(Entry.objects.filter(pk__in=ranks))
    for entry in entries:
        entry.rank = ranks[entry.pk]
    Entry.objects.bulk_update(entries, ["rank"])
    _unseal(tournament)
    tournament.state, tournament.finished_at = State.FINISHED, now
    tournament.save(update_fields=["state", "finished_at"])
    note(tournament, "finished", winner=next((e.bot.name for e in entries if e.rank == 1), ""))
