"""Standings as people read them: each row with its entry, and what parted it from the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ladder.tournaments import facts
from ladder.tournaments.formats.estimate import meetings_of
from ladder.tournaments.formats.plan import standings
from ladder.tournaments.formats.terms import EntrantId, Format, Outcome, Standing, TieBreak
from ladder.tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One row."""

    entry: Entry
    standing: Standing
    why: str
    """What parted it from the row before; empty in the first row."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """How often any two who played have met so far."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class StandingsView:
    """The whole table."""

    rows: Sequence[StandingRow]
    meetings: Meetings | None
    """Of round robins at tables of more than two."""


def standings_view(tournament: Tournament) -> StandingsView:
    """Everybody who was seeded, best first, by what has been decided so far; nobody before the freeze."""
    outcomes = facts.outcomes_of(facts.tables_of(tournament))
    ranked = standings(facts.terms_of(tournament, tournament.seed), facts.entrants_of(tournament), outcomes)
    entries = tournament.entries.select_related("bot", "version").in_bulk([row.entrant for row in ranked])
    last = last_tables(outcomes)
    rows = []
    before: Standing | None = None
    for row in ranked:
        why = "" if before is None else sentence_of(row, before, entries[before.entrant].bot.name, last)
        rows.append(StandingRow(entries[row.entrant], row, why))
        before = row
    meetings = None
    if tournament.format == Format.ROUND_ROBIN and tournament.seats > 2:
        meetings = Meetings(*meetings_of([outcome.order for outcome in outcomes]))
    return StandingsView(rows, meetings)


def last_tables(outcomes: Sequence[Outcome]) -> Mapping[EntrantId, Outcome]:
    """Where everybody sat last."""
    found: dict[EntrantId, Outcome] = {}
    for outcome in sorted(outcomes, key=lambda one: (one.round, one.key)):
        found |= dict.fromkeys(outcome.order, outcome)
    return found


def sentence_of(row: Standing, before: Standing, name: str, last: Mapping[EntrantId, Outcome]) -> str:
    """What parted a row from the one before, whose bot's name is given."""
    rule = row.parted_by
    if rule is None:
        return ""
    if rule == "reached":
        return _reached(row, before, name, last)
    if rule == "points":
        unit = "point" if row.points == 1 else "points"
        return f"{_figure(row.points)} {unit}; {name} has {_figure(before.points)}."
    return "As many points. " + _SENTENCES[TieBreak(rule)](row.values[rule], before.values[rule], name)


def _reached(row: Standing, before: Standing, name: str, last: Mapping[EntrantId, Outcome]) -> str:
    in_group, ahead = -row.values["reached"], -before.values["reached"]
    if in_group > 0:  # of a tournament in groups: below nought stands the place in one
        better = f"{name} {ahead:.0f}" if ahead > 0 else f"{name} went on to the knock-out"
        return f"Place {in_group:.0f} in its group; {better}."
    own, theirs = last.get(row.entrant), last.get(before.entrant)
    if own is None:
        return f"Has not played yet; {name} has."
    place = own.order.index(row.entrant) + 1
    if theirs is None:
        return f"Out at {own.key}, place {place}; {name} is still in."
    other = theirs.order.index(before.entrant) + 1
    return f"Came as far as {own.key}, place {place}; {name} as far as {theirs.key}, place {other}."


def _compared(what: str) -> Callable[[float, float, str], str]:
    return lambda own, theirs, name: f"{what}: {_figure(own)}; {name} {_figure(theirs)}."


_SENTENCES: Final[Mapping[TieBreak, Callable[[float, float, str], str]]] = {
    TieBreak.HEAD_TO_HEAD: _compared("Won against each other, among those tied"),
    TieBreak.BUCHHOLZ: _compared("Its opponents' points (Buchholz)"),
    TieBreak.SONNEBORN_BERGER: _compared("Points of those that it outscored (Sonneborn-Berger)"),
    TieBreak.BUNDLE_DIFFERENCE: _compared("Opponents outscored, less those who outscored it"),
    TieBreak.FIGURES: _compared("The matches' own figure, summed"),
    TieBreak.SEEDING: lambda own, theirs, name: f"Seeded {-own:.0f}; {name} {-theirs:.0f}.",
    TieBreak.LOT: lambda _own, _theirs, name: f"{name} drew the better lot, from the committed seed.",
}


def _figure(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
