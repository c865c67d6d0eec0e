"""Whoever withdraws, and whenever: every format comes to its end, with a place for everybody."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ladder.tournaments.formats.plan import next_step, standings
from ladder.tournaments.formats.terms import (
    Entrant,
    EntrantId,
    Format,
    Outcome,
    TableSpec,
    Terms,
    default_tie_breaks,
)


def decided(table: TableSpec, gone: set[EntrantId]) -> Outcome:
    """The stronger before the weaker; who has withdrawn forfeits."""
    order = sorted(table.entrants, key=lambda entrant: (entrant in gone, entrant))
    points = {entrant: 0.0 if entrant in gone else 1.0 / place for place, entrant in enumerate(order, 1)}
    return Outcome(table.key, table.round, tuple(order), points, frozenset(gone.intersection(order)))


@given(
    st.sampled_from(list(Format)),
    st.integers(2, 4),
    st.integers(2, 14),
    st.floats(0, 1),
    st.integers(0, 2**32),
)
def test_no_format_hangs_on_those_who_withdraw(
    format_: Format, seats: int, count: int, eagerness: float, seed: int
) -> None:
    groups = 2 if format_ == Format.GROUPS else 1
    count = max(count, 3 * groups)
    terms = Terms(
        format=format_, seats=seats, groups=groups, tie_breaks=default_tie_breaks(format_), seed="s"
    )
    rng = random.Random(seed)
    entrants = {number: Entrant(number, number) for number in range(1, count + 1)}
    made: list[TableSpec] = []
    outcomes: list[Outcome] = []
    gone: set[EntrantId] = set()
    for _ in range(500):
        newest = max((table.round for table in made), default=0)
        for entrant in entrants.values():
            if entrant.id not in gone and rng.random() < eagerness:
                entrants[entrant.id] = replace(entrant, until_round=newest)
                gone.add(entrant.id)
        step = next_step(terms, entrants.values(), made, outcomes)
        if step.is_over:
            break
        assert step.tables, "it hangs"
        made += step.tables
        outcomes += [decided(table, gone) for table in step.tables]
    rows = standings(terms, entrants.values(), outcomes)
    assert [row.rank for row in rows] == list(range(1, count + 1))
