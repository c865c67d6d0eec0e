"""Bundles take the luck out: k matches of k seats on one seed, each entrant once in each seat."""

from __future__ import annotations

from engine.chance import draw


def seatings(seed: str, seats: int) -> list[tuple[int, ...]]:
    """For match m of the bundle, the entrant (0-based) on each seat: the rotations of one cyclic order.

    The order is drawn from the seed, so that over many bundles each entrant sits before each other one
    equally often. Entrant 0 opens it: rotating the order gives no other bundle.
    """
    others = list(range(1, seats))
    order = [0]
    while others:
        order.append(others.pop(draw(seed, "seating", len(order), [1] * len(others))))
    return [tuple(order[(seat + match) % seats] for seat in range(seats)) for match in range(seats)]
