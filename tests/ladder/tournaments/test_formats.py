"""What every format promises, for any number of entries: `--hypothesis-profile deep` looks further."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

from ladder.tournaments.formats.estimate import meetings_of
from ladder.tournaments.formats.plan import bracket_of, next_step, rounds_of, standings
from ladder.tournaments.formats.round_robin import schedule
from ladder.tournaments.formats.terms import (
    ELIMINATIONS,
    Entrant,
    Format,
    Outcome,
    Standing,
    TableSpec,
    Terms,
    default_tie_breaks,
)

formats = st.sampled_from(list(Format))
entries = st.integers(2, 128)


@st.composite
def tournaments(draw: st.DrawFn, of: st.SearchStrategy[Format] = formats) -> tuple[Terms, int, int]:
    """Terms, a number of entries and a seed for the strength and luck of everybody."""
    format_ = draw(of)
    seats = draw(st.integers(2, 5))
    count = draw(entries)
    number_of_groups = draw(st.integers(2, 8)) if format_ == Format.GROUPS else 1
    assume(count >= 3 * number_of_groups or format_ != Format.GROUPS)
    if format_ == Format.ROUND_ROBIN and seats > 2:
        assume(count <= 40)  # seconds of search: the bench times the large ones
    terms = Terms(
        format=format_,
        seats=seats,
        advance=draw(st.integers(1, seats - 1)),
        groups=number_of_groups,
        qualify=draw(st.integers(1, 2)),
        tie_breaks=default_tie_breaks(format_),
        seed=str(draw(st.integers(0, 9))),
    )
    return terms, count, draw(st.integers(0, 2**32))


class Played:
    """A tournament played out: the stronger wins more often, and some tables are shared."""

    def __init__(self, terms: Terms, count: int, seed: int) -> None:
        self.terms, self.rng = terms, random.Random(seed)
        self.entrants = [Entrant(1000 + number, number) for number in range(1, count + 1)]
        self.rng.shuffle(self.entrants)
        self.made: list[TableSpec] = []
        self.outcomes: list[Outcome] = []
        self.rounds: list[tuple[TableSpec, ...]] = []
        while not (step := next_step(terms, self.entrants, self.made, self.outcomes)).is_over:
            assert step.tables, "it hangs"
            self.made += step.tables
            self.rounds.append(step.tables)
            self.outcomes += [self._decided(table) for table in step.tables]

    def _decided(self, table: TableSpec) -> Outcome:
        count = len(self.entrants)
        order = sorted(table.entrants, key=lambda one: one + self.rng.random() * count)
        last = len(order) - 1
        points = {one: (last - place) / last if last else 1.0 for place, one in enumerate(order)}
        if last == 1 and table.cut is None and self.rng.random() < 0.2:
            points = dict.fromkeys(order, 0.5)
        return Outcome(table.key, table.round, tuple(order), points)

    def standings(self) -> list[Standing]:
        return standings(self.terms, self.entrants, self.outcomes)


@given(tournaments())
def test_everybody_plays_and_everybody_has_a_place(case: tuple[Terms, int, int]) -> None:
    terms, count, _ = case
    played = Played(*case)
    rows = played.standings()
    assert [row.rank for row in rows] == list(range(1, count + 1))
    assert {row.entrant for row in rows} == {one.id for one in played.entrants}
    assert {one for table in played.made for one in table.entrants} == {one.id for one in played.entrants}
    assert len({table.key for table in played.made}) == len(played.made)
    for table in played.made:
        assert len(set(table.entrants)) == len(table.entrants)
        assert len(table.entrants) <= max(1, terms.seats)


@given(tournaments())
def test_tables_of_a_round_are_within_one_of_each_other(case: tuple[Terms, int, int]) -> None:
    terms, _, _ = case
    sides: dict[tuple[int, str], list[int]] = {}
    for table in Played(*case).made:
        side = table.key.split(".")[0]
        sides.setdefault((table.round, side), []).append(len(table.entrants))
    for sizes in sides.values():
        assert max(sizes) - min(sizes) <= 1
        if len(sizes) > 1 and terms.format not in (Format.SCORE_ATTACK, Format.GAUNTLET):
            assert min(sizes) >= max(2, terms.seats - 1)


@given(tournaments())
def test_the_order_of_the_entries_is_nothing(case: tuple[Terms, int, int]) -> None:
    terms, count, seed = case
    played = Played(terms, count, seed)
    backwards = list(reversed(played.entrants))
    for until in range(len(played.outcomes) + 1):
        if until % max(1, len(played.outcomes) // 3) == 0:
            some = played.outcomes[:until]
            keys = {outcome.key for outcome in some}
            made = [table for table in played.made if table.key in keys]
            one = next_step(terms, played.entrants, made, some)
            other = next_step(terms, backwards, list(reversed(made)), list(reversed(some)))
            assert one == other
            assert standings(terms, backwards, list(reversed(some))) == standings(
                terms, played.entrants, some
            )


@given(entries, st.integers(0, 2**32), st.integers(0, 6))
def test_a_swiss_of_pairs_has_no_rematch_that_can_be_avoided(count: int, seed: int, spare: int) -> None:
    format_ = Format.SWISS
    least = rounds_of(Terms(format=format_, seats=2), count)
    terms = Terms(
        format=format_,
        seats=2,
        rounds=max(1, min(least + spare, count - 1)),
        tie_breaks=default_tie_breaks(format_),
        seed="s",
    )
    played = Played(terms, count, seed)
    met = Counter(frozenset(table.entrants) for table in played.made)
    if terms.rounds is not None and terms.rounds <= count // 2:
        # With so few rounds behind them, pairs that are new always exist (Dirac's theorem).
        assert max(met.values()) == 1
    byes = _byes(played)
    assert max(byes.values()) - min(byes.values()) <= 1
    assert len(played.rounds) == terms.rounds


@given(entries, st.integers(3, 5), st.integers(0, 2**32))
def test_byes_of_pods_come_once_until_all_had_one(count: int, seats: int, seed: int) -> None:
    terms = Terms(format=Format.SWISS, seats=seats, tie_breaks=default_tie_breaks(Format.SWISS), seed="s")
    byes = _byes(Played(terms, count, seed))
    assert max(byes.values()) - min(byes.values()) <= 1


def _byes(played: Played) -> dict[int, int]:
    seated = [{one for table in tables for one in table.entrants} for tables in played.rounds]
    return {one.id: sum(one.id not in those for those in seated) for one in played.entrants}


@given(tournaments(of=st.sampled_from(sorted(ELIMINATIONS))))
def test_an_elimination_has_one_winner_and_sends_the_others_home_in_time(
    case: tuple[Terms, int, int],
) -> None:
    terms, count, _ = case
    played = Played(*case)
    lives = 2 if terms.format == Format.DOUBLE_ELIMINATION else 1
    nodes = {node.key: node for node in bracket_of(terms, count).nodes}
    defeats: Counter[int] = Counter()
    for outcome in played.outcomes:
        on = nodes[outcome.key].advance
        assert on < len(outcome.order) or len(outcome.order) == 1
        for one in outcome.order[on:]:
            defeats[one] += 1
    winner = played.standings()[0].entrant
    assert defeats[winner] < lives
    assert all(defeats[one.id] == lives for one in played.entrants if one.id != winner)


@given(st.sampled_from(sorted(ELIMINATIONS)), entries, st.integers(2, 5), st.data())
def test_a_bracket_leads_every_place_somewhere(
    format_: Format, count: int, seats: int, data: st.DataObject
) -> None:
    advance = data.draw(st.integers(1, seats - 1))
    bracket = bracket_of(Terms(format=format_, seats=seats, advance=advance), count)
    taken = [source for node in bracket.nodes for source in node.sources]
    assert len(taken) == len(set(taken))
    assert {source.seeding for source in taken if source.seeding} == set(range(1, count + 1))
    nodes = {node.key: number for number, node in enumerate(bracket.nodes)}
    for number, node in enumerate(bracket.nodes):
        assert all(key is None or nodes[key] > number for key in node.goes_to)
        assert node.round >= max((n.round for n in bracket.nodes[:number]), default=0)


@given(st.integers(1, 6).map(lambda power: 2**power))
def test_the_strong_of_a_full_bracket_meet_late(count: int) -> None:
    """If the stronger always wins, the best 2^k are still in when 2^k are left."""
    terms = Terms(format=Format.SINGLE_ELIMINATION, seats=2, tie_breaks=default_tie_breaks(Format.SWISS))
    entrants = [Entrant(number, number) for number in range(1, count + 1)]
    made: list[TableSpec] = []
    outcomes: list[Outcome] = []
    left = count
    while not (step := next_step(terms, entrants, made, outcomes)).is_over:
        assert sorted(one for table in step.tables for one in table.entrants) == list(range(1, left + 1))
        assert all(sum(table.entrants) == left + 1 for table in step.tables)
        made += step.tables
        for table in step.tables:
            order = tuple(sorted(table.entrants))
            outcomes.append(Outcome(table.key, table.round, order, {order[0]: 1.0, order[1]: 0.0}))
        left //= 2
    assert left == 1


@given(st.integers(2, 40), st.integers(2, 5), st.integers(0, 5))
def test_a_round_robin_lets_all_pairs_meet(count: int, seats: int, seed: int) -> None:
    rounds = schedule(range(count), seats, None, seed=str(seed))
    tables = [table for tables in rounds for table in tables]
    assert {one for table in tables for one in table} == set(range(count))
    least, most = meetings_of(tables)
    assert least >= 1
    if seats == 2:
        assert (least, most) == (1, 1)
        assert len(rounds) == count - 1 + count % 2


def test_nine_at_tables_of_three_meet_once_each() -> None:
    """Kirkman's arrangement exists, and is found."""
    rounds = schedule(range(9), 3, None, seed="x")
    assert len(rounds) == 4
    tables = [table for tables in rounds for table in tables]
    assert {one for table in tables for one in table} == set(range(9))
    assert meetings_of(tables) == (1, 1)


def test_double_elimination_of_pairs_keeps_first_opponents_apart() -> None:
    """Who met in the winners' first round cannot meet again before the losers' side is half through."""
    bracket = bracket_of(Terms(format=Format.DOUBLE_ELIMINATION, seats=2), 16)
    below: dict[str, set[str]] = {}
    for node in bracket.nodes:
        tables = {source.table for source in node.sources if source.table}
        below[node.key] = tables.union(*(below[key] for key in tables)) if tables else set()
    for node in bracket.nodes:
        if node.side == "L" and node.side_round <= 3:
            ways = [
                {source.table} | below[source.table] for source in node.sources if source.table is not None
            ]
            assert all(not (a & b) for a, b in combinations(ways, 2)), node.key
