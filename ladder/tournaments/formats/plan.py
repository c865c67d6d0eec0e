"""The one door to the formats: what is to be played next, and how everybody stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from ladder.tournaments.formats import brackets, elimination, gauntlet, groups, round_robin
from ladder.tournaments.formats.brackets import Bracket, Source
from ladder.tournaments.formats.pods import pod
from ladder.tournaments.formats.swiss import Pairing, Player, pair
from ladder.tournaments.formats.terms import (
    ELIMINATIONS,
    Entrant,
    EntrantId,
    Format,
    Outcome,
    Standing,
    Step,
    TableSpec,
    Terms,
    default_rounds,
    most_rounds,
)
from ladder.tournaments.formats.tiebreaks import standings as ranked

SEEDS: Final = 10
"""Seeds of a score attack that names no number."""


def next_step(
    terms: Terms, entrants: Iterable[Entrant], made: Iterable[TableSpec], outcomes: Iterable[Outcome]
) -> Step:
    """Tables to lay now, beside those that are `made` already; none while others must end first.

    Formats in rounds give the next round when the last one is whole, eliminations each table as soon as
    everybody who comes to it is known. What is made stays as it is, whatever this release would pair today.
    """
    field, tables, done = _in_order(entrants), {table.key: table for table in made}, _by_key(outcomes)
    if terms.format in ELIMINATIONS:
        seats = {Source(seeding=place): entrant.id for place, entrant in enumerate(field, 1)}
        step = elimination.step(bracket_of(terms, len(field)), seats, done)
    elif terms.format == Format.GROUPS:
        step = groups.next_step(terms, field, done)
    elif len(done) < len(tables):
        return Step()
    else:
        number = 1 + max((table.round for table in tables.values()), default=0)
        found = _round(terms, field, number, done)
        # A round that nobody is left to play is no round: with it all ends, whoever withdrew.
        step = Step(tuple(found)) if found else Step(is_over=True)
    return Step(tuple(table for table in step.tables if table.key not in tables), step.is_over)


def standings(terms: Terms, entrants: Iterable[Entrant], outcomes: Iterable[Outcome]) -> list[Standing]:
    """Everybody, best first, with what parted each from the one before."""
    field, done = _in_order(entrants), _by_key(outcomes)
    reached: Mapping[EntrantId, float] | None = None
    if terms.format in ELIMINATIONS:
        reached = elimination.reached(bracket_of(terms, len(field)), [one.id for one in field], done)
    elif terms.format == Format.GROUPS:
        reached = groups.reached(terms, field, done)
    byes = _byes(terms, field, done)
    return ranked(field, done, terms.tie_breaks, seed=terms.seed, byes=byes, reached=reached)


def bracket_of(terms: Terms, entries: int) -> Bracket:
    """The bracket of an elimination."""
    return _bracket(terms.format, entries, terms.seats, terms.advance)


@lru_cache(maxsize=64)
def _bracket(format_: Format, entries: int, seats: int, advance: int) -> Bracket:
    """Asked for at each step of a tournament."""
    lay = brackets.double if format_ == Format.DOUBLE_ELIMINATION else brackets.single
    return lay(brackets.seeded(entries), seats, advance)


def _in_order(entrants: Iterable[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: entrant.seeding)


def _by_key(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """In one order, whatever the rows came in: sums of averages depend on it in their last digits."""
    return sorted(outcomes, key=lambda outcome: outcome.key)


def _round(
    terms: Terms, field: Sequence[Entrant], number: int, before: Sequence[Outcome]
) -> list[TableSpec] | None:
    """One round of a format in rounds, None after its last; `before` is all that ended in earlier rounds."""
    playing = [entrant for entrant in field if entrant.plays_in(number)]
    if terms.format == Format.SWISS:
        if number > rounds_of(terms, len(field)):
            return None
        return _specs(number, _swiss_round(terms, field, number, before).tables)
    if terms.format == Format.SCORE_ATTACK:
        if number > (terms.rounds or SEEDS):
            return None
        return _specs(number, [(entrant.id,) for entrant in playing])
    if terms.format == Format.GAUNTLET:
        return _specs(1, gauntlet.tables([one.id for one in field], terms.seats)) if number == 1 else None
    everybody = [entrant.id for entrant in field]
    rounds = round_robin.schedule(everybody, terms.seats, terms.rounds, seed=terms.seed)
    return _specs(number, rounds[number - 1]) if number <= len(rounds) else None


def _specs(number: int, tables: Sequence[Sequence[EntrantId]]) -> list[TableSpec]:
    return [
        TableSpec(f"R{number}.{place}", number, place, tuple(table)) for place, table in enumerate(tables, 1)
    ]


def rounds_of(terms: Terms, entries: int) -> int:
    """Rounds of a Swiss with so many entries: as asked for, and never more than it can have."""
    return min(terms.rounds or default_rounds(terms.seats, entries), most_rounds(terms.seats, entries))


def _swiss_round(terms: Terms, field: Sequence[Entrant], number: int, before: Sequence[Outcome]) -> Pairing:
    """A Swiss round from all that was played before it."""
    company: dict[EntrantId, Counter[EntrantId]] = defaultdict(Counter)
    points: Counter[EntrantId] = Counter()
    for outcome in before:
        for entrant in outcome.order:
            points[entrant] += outcome.points[entrant]  # type: ignore[assignment]
            company[entrant].update(other for other in outcome.order if other != entrant)
    byes = _byes(terms, field, before)
    players = [
        Player(
            id=entrant.id,
            seeding=entrant.seeding,
            points=points[entrant.id] + byes.get(entrant.id, 0),
            byes=byes.get(entrant.id, 0),
            met=frozenset(company[entrant.id]),
        )
        for entrant in field
        if entrant.plays_in(number)
    ]
    if terms.seats == 2:
        return pair(players)
    return pod(players, terms.seats, company, seed=f"{terms.seed}/{number}")


def _byes(terms: Terms, field: Sequence[Entrant], outcomes: Sequence[Outcome]) -> dict[EntrantId, int]:
    """Rounds that an entry was there for and sat out: a point each, in a Swiss."""
    if terms.format != Format.SWISS:
        return {}
    seated: dict[int, set[EntrantId]] = defaultdict(set)
    for outcome in outcomes:
        seated[outcome.round].update(outcome.order)
    return {
        entrant.id: sum(
            entrant.plays_in(number) and entrant.id not in those for number, those in seated.items()
        )
        for entrant in field
    }
