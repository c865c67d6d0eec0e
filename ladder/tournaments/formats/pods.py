"""Swiss rounds of larger tables: pods of equals, and within reach of their points the company that is new."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from ladder.tournaments.formats.sizes import split
from ladder.tournaments.formats.swiss import Pairing, Player
from ladder.tournaments.formats.terms import EntrantId

_REACH: Final = 4
"""Tables up and down from which somebody may be swapped in."""
_ROUNDS_OF_SWAPS: Final = 12


def pod(
    players: Sequence[Player], seats: int, company: Mapping[EntrantId, Mapping[EntrantId, int]], *, seed: str
) -> Pairing:
    """Tables of `seats` or one fewer, from the top of the standings down.

    `company[a][b]` is how often a and b have met. In a score group the seeding is dealt like cards, to and
    fro, so that its strongest do not meet first.
    """
    ranked = sorted(players, key=lambda player: (-round(player.points, 9), player.seeding))
    sizes = split(len(ranked), seats)
    resting = _resting(ranked, sizes.byes)
    seated = [player for player in ranked if player.id not in resting]
    tables = _dealt(seated, sizes.tables)
    _freshen(tables, company, random.Random(f"{seed}/pods"))
    return Pairing(tuple(tuple(player.id for player in table) for table in tables), tuple(resting))


def _resting(ranked: Sequence[Player], byes: int) -> list[EntrantId]:
    """Those who had fewest byes, the lowest of them first."""
    order = sorted(range(len(ranked)), key=lambda place: (ranked[place].byes, -place))
    return [ranked[place].id for place in order[:byes]]


def _dealt(seated: Sequence[Player], sizes: Sequence[int]) -> list[list[Player]]:
    """Consecutive tables; those that one score group fills are dealt to and fro."""
    tables: list[list[Player]] = []
    start = 0
    for size in sizes:
        tables.append(list(seated[start : start + size]))
        start += size
    for _, run in groupby(range(len(tables)), key=lambda number: _only_points(tables[number], number)):
        numbers = list(run)
        if len(numbers) > 1:
            members = [player for number in numbers for player in tables[number]]
            for number, table in zip(
                numbers, _to_and_fro(members, [len(tables[n]) for n in numbers]), strict=True
            ):
                tables[number] = table
    return tables


def _only_points(table: Sequence[Player], number: int) -> tuple[str, float]:
    """The points of a table of equals; a key of its own for any other."""
    points = {round(player.points, 9) for player in table}
    return ("equal", points.pop()) if len(points) == 1 else ("mixed", float(number))


def _to_and_fro(members: Sequence[Player], sizes: Sequence[int]) -> list[list[Player]]:
    tables: list[list[Player]] = [[] for _ in sizes]
    rest = list(members)
    forward = True
    while rest:
        order = range(len(sizes)) if forward else reversed(range(len(sizes)))
        for number in order:
            if rest and len(tables[number]) < sizes[number]:
                tables[number].append(rest.pop(0))
        forward = not forward
    return tables


def _freshen(
    tables: list[list[Player]], company: Mapping[EntrantId, Mapping[EntrantId, int]], rng: random.Random
) -> None:
    """Swap members of near tables while that lowers repeated company; of equal gains the one that moves
    fewest points, then by lot."""
    for _ in range(_ROUNDS_OF_SWAPS):
        swapped = False
        for number in range(len(tables)):
            for place in range(len(tables[number])):
                swapped |= _swap(tables, number, place, company, rng)
        if not swapped:
            return


def _swap(
    tables: list[list[Player]],
    number: int,
    place: int,
    company: Mapping[EntrantId, Mapping[EntrantId, int]],
    rng: random.Random,
) -> bool:
    """Do the best swap of one member, if it has met somebody at its table before."""
    table = tables[number]
    player = table[place]
    if not _met(player, table, company):
        return False
    best: tuple[int, float, float, int, int] | None = None
    for other in range(max(0, number - _REACH), min(len(tables), number + _REACH + 1)):
        if other == number:
            continue
        for seat, guest in enumerate(tables[other]):
            gain = _gain(player, table, guest, tables[other], company)
            if gain > 0:
                found = (-gain, abs(player.points - guest.points), rng.random(), other, seat)
                best = found if best is None else min(best, found)
    if best is None:
        return False
    _, _, _, other, seat = best
    table[place], tables[other][seat] = tables[other][seat], player
    return True


def _gain(
    player: Player,
    table: Sequence[Player],
    guest: Player,
    there: Sequence[Player],
    company: Mapping[EntrantId, Mapping[EntrantId, int]],
) -> int:
    """By how much repeated company falls when the two change places."""
    before = _met(player, table, company) + _met(guest, there, company)
    without = [one for one in table if one is not player]
    others = [one for one in there if one is not guest]
    return before - _met(guest, without, company) - _met(player, others, company)


def _met(
    player: Player, table: Sequence[Player], company: Mapping[EntrantId, Mapping[EntrantId, int]]
) -> int:
    """Repeated company of one at a table: a pair that met twice already counts four times."""
    own = company.get(player.id, {})
    return sum(own.get(one.id, 0) ** 2 for one in table)
