"""How a table is decided out of its bundles, and what a lot is."""

from __future__ import annotations

import hashlib

from ladder.tournaments.formats.plan import standings
from ladder.tournaments.formats.points import BundleResult, PlayOff, settle
from ladder.tournaments.formats.terms import Entrant, Format, TableSpec, Terms, TieBreak


def test_points_won_in_another_order_are_the_same_points() -> None:
    """Two sums of the same shares may differ in the last digit of a float, and are level all the same."""
    shares = {1: (1 / 6, 1 / 6, 2 / 3, 0.0), 2: (2 / 3, 1 / 6, 1 / 6, 0.0)}
    assert len({sum(own) for own in shares.values()}) == 2, "then this test shows nothing"
    bundles = [
        BundleResult(dict(zip(shares, points, strict=True))) for points in zip(*shares.values(), strict=True)
    ]
    settled = settle(TableSpec("W1.1", 1, 1, (1, 2), 1), bundles, [], written=[2, 1])
    assert settled == PlayOff((1, 2))


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
