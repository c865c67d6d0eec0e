"""How a table is decided out of its bundles, and what a lot is."""

from __future__ import annotations

import hashlib

from ladder.tournaments.formats.plan import standings
from ladder.tournaments.formats.points import BundleResult, PlayOff, settle
from ladder.tournaments.formats.terms import Entrant, Format, Outcome, TableSpec, Terms, TieBreak


def test_points_won_in_another_order_are_the_same_points() -> None:
    """Two sums of the same shares may differ in the last digit of a float, and are level all the same."""
    shares = {1: (1 / 6, 1 / 6, 2 / 3, 0.0), 2: (2 / 3, 1 / 6, 1 / 6, 0.0)}
    assert len({sum(own) for own in shares.values()}) == 2, "then this test shows nothing"
    bundles = [
        BundleResult(dict(zip(shares, points, strict=True))) for points in zip(*shares.values(), strict=True)
    ]
    settled = settle(TableSpec("W1.1", 1, 1, (1, 2), 1), bundles, [], written=[2, 1])
    assert settled == PlayOff((1, 2))


def test_a_tie_on_the_cut_is_played_off_twice_among_those_still_tied_then_written() -> None:
    spec = TableSpec("W1.1", 1, 1, (1, 2, 3, 4), 2)
    agreed = [BundleResult({1: 1.0, 2: 0.4, 3: 0.4, 4: 0.4})]
    written = [4, 3, 2, 1]
    assert settle(spec, agreed, [], written=written) == PlayOff((2, 3, 4))
    first = BundleResult({2: 0.6, 3: 0.6, 4: 0.3})
    assert settle(spec, agreed, [first], written=written) == PlayOff((2, 3))
    won = settle(spec, agreed, [first, BundleResult({2: 1.0, 3: 0.0})], written=written)
    assert isinstance(won, Outcome)
    assert (won.order, won.is_written) == ((1, 2, 3, 4), False)
    level = settle(spec, agreed, [first, BundleResult({2: 0.5, 3: 0.5})], written=written)
    assert isinstance(level, Outcome)
    assert (level.order, level.is_written) == ((1, 3, 2, 4), True)
    unbroken = settle(spec, agreed, [], written=written, may_play_off=False)
    assert isinstance(unbroken, Outcome)
    assert (unbroken.order, unbroken.is_written) == ((1, 4, 3, 2), True)


def test_who_withdrew_meanwhile_takes_nobody_s_way_on() -> None:
    """Level with one who is still there, it would have gone on only to forfeit."""
    level = [BundleResult({1: 0.5, 2: 0.5})]
    spec = TableSpec("W1.1", 1, 1, (1, 2), 1)
    settled = settle(spec, level, [], written=[1, 2], withdrawn=[1])
    assert isinstance(settled, Outcome)
    assert (settled.order, settled.points, settled.forfeits) == ((2, 1), {1: 0.5, 2: 0.5}, frozenset())
    ahead = settle(spec, [BundleResult({1: 1.0, 2: 0.0})], [], written=[1, 2], withdrawn=[1])
    assert isinstance(ahead, Outcome)
    assert ahead.order == (1, 2), "what was won stays won"


def test_anybody_can_draw_the_lots_again_from_the_seed_and_the_seeding() -> None:
    """As docs/tournaments.md says it; no number of our database is needed, nor decides."""

    def digest(seeding: int) -> bytes:
        return hashlib.blake2b(f"5eed/lot/{seeding}".encode(), digest_size=6).digest()

    terms = Terms(format=Format.SWISS, seats=2, tie_breaks=(TieBreak.LOT,), seed="5eed")
    drawn = sorted(range(1, 9), key=digest)
    for offset in (0, 1000):
        entrants = [Entrant(offset + 77 * seeding % 100, seeding) for seeding in range(1, 9)]
        seedings = {entrant.id: entrant.seeding for entrant in entrants}
        assert [seedings[row.entrant] for row in standings(terms, entrants, [])] == drawn


def test_three_thirds_are_as_many_points_as_one_whole() -> None:
    """However a mean was rounded at its table, sums of them are level where the points are."""
    terms = Terms(format=Format.SWISS, seats=4, tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.SEEDING), seed="5eed")
    won = {1: (1.0, 0.0, 0.0), 2: (1 / 3, 1 / 3, 1 / 3)}
    outcomes = []
    for number in range(3):
        spec = TableSpec(f"R{number + 1}.1", number + 1, 1, (1, 2), None)
        settled = settle(spec, [BundleResult({one: won[one][number] for one in won})], [], written=[1, 2])
        assert isinstance(settled, Outcome)
        outcomes.append(settled)
    ranked = standings(terms, [Entrant(1, seeding=2), Entrant(2, seeding=1)], outcomes)
    assert [row.points for row in ranked] == [1.0, 1.0]
    assert [row.entrant for row in ranked] == [2, 1], "level in points and Buchholz: the seeding parts them"
