"""Groups, then a knock-out: a round robin in each group, the best of each in one bracket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ladder.tournaments.formats import brackets, elimination, round_robin
from ladder.tournaments.formats.brackets import Bracket, Feed, Source
from ladder.tournaments.formats.terms import Entrant, EntrantId, Outcome, Standing, Step, TableSpec, Terms
from ladder.tournaments.formats.tiebreaks import standings


def name(group: int) -> str:
    """Groups are called GA, GB, GC …, from the 27th on GAA, GAB …; their tables GA1.1 and so on."""
    letters = ""
    number = group + 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"G{letters}"


def deal(entrants: Sequence[Entrant], groups: int) -> list[list[Entrant]]:
    """Groups dealt to and fro by seeding, so that each has its share of the strongest."""
    dealt: list[list[Entrant]] = [[] for _ in range(groups)]
    for place, entrant in enumerate(sorted(entrants, key=lambda one: one.seeding)):
        lap, step = divmod(place, groups)
        dealt[step if lap % 2 == 0 else groups - 1 - step].append(entrant)
    return dealt


def group_tables(terms: Terms, entrants: Sequence[Entrant]) -> list[TableSpec]:
    """Every table of the group stage."""
    specs = []
    for number, members in enumerate(deal(entrants, terms.groups)):
        letter = name(number)
        ids = [one.id for one in members]
        schedule = round_robin.schedule(ids, terms.seats, terms.rounds, seed=f"{terms.seed}/{letter}")
        specs += [
            TableSpec(f"{letter}{round_number}.{place}", round_number, place, table)
            for round_number, tables in enumerate(schedule, 1)
            for place, table in enumerate(tables, 1)
        ]
    return specs


def group_standings(
    terms: Terms, entrants: Sequence[Entrant], outcomes: Sequence[Outcome]
) -> dict[str, list[Standing]]:
    """The standings of each group by its letter."""
    found = {}
    for number, members in enumerate(deal(entrants, terms.groups)):
        letter = name(number)
        own = [outcome for outcome in outcomes if outcome.key.rstrip("0123456789.") == letter]
        found[letter] = standings(members, own, terms.tie_breaks, seed=terms.seed)
    return found


def knock_out(terms: Terms, groups_rounds: int) -> Bracket:
    """The bracket of those who qualify: winners of groups before seconds, group-mates kept apart."""
    feeds = [
        Feed(
            Source(table=name(group), place=place),
            strength=(place - 1) * terms.groups + group + 1,
            past={name(group): 1.0},
        )
        for place in range(1, terms.qualify + 1)
        for group in range(terms.groups)
    ]
    return brackets.single(feeds, terms.seats, terms.advance, first_round=groups_rounds + 1)


def next_step(terms: Terms, entrants: Sequence[Entrant], outcomes: Sequence[Outcome]) -> Step:
    """Group tables round by round, then the knock-out."""
    tables = group_tables(terms, entrants)
    decided = {outcome.key for outcome in outcomes}
    waiting = [table for table in tables if table.key not in decided]
    if waiting:
        now = min(table.round for table in waiting)
        return Step(tuple(table for table in waiting if table.round == now))
    bracket = knock_out(terms, max(table.round for table in tables))
    return elimination.step(bracket, _qualified(terms, entrants, outcomes), outcomes)


def reached(
    terms: Terms, entrants: Sequence[Entrant], outcomes: Sequence[Outcome]
) -> Mapping[EntrantId, float]:
    """How far everybody came: those who did not qualify by their place in the group, below all others."""
    far: dict[EntrantId, float] = {}
    for rows in group_standings(terms, entrants, outcomes).values():
        far |= {row.entrant: -float(row.rank) for row in rows}
    bracket = knock_out(terms, max(table.round for table in group_tables(terms, entrants)))
    played = elimination.reached(bracket, [], outcomes)
    return far | played


def _qualified(
    terms: Terms, entrants: Sequence[Entrant], outcomes: Sequence[Outcome]
) -> dict[Source, EntrantId]:
    return {
        Source(table=letter, place=row.rank): row.entrant
        for letter, rows in group_standings(terms, entrants, outcomes).items()
        for row in rows
        if row.rank <= terms.qualify
    }
