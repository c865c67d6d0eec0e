"""How a table is decided out of its bundles."""

from __future__ import annotations

from ladder.tournaments.formats.points import BundleResult, PlayOff, settle
from ladder.tournaments.formats.terms import TableSpec


def test_points_won_in_another_order_are_the_same_points() -> None:
    """Two sums of the same shares may differ in the last digit of a float, and are level all the same."""
    shares = {1: (1 / 6, 1 / 6, 2 / 3, 0.0), 2: (2 / 3, 1 / 6, 1 / 6, 0.0)}
    assert len({sum(own) for own in shares.values()}) == 2, "then this test shows nothing"
    bundles = [
        BundleResult(dict(zip(shares, points, strict=True))) for points in zip(*shares.values(), strict=True)
    ]
    settled = settle(TableSpec("W1.1", 1, 1, (1, 2), 1), bundles, [], written=[2, 1])
    assert settled == PlayOff((1, 2))
