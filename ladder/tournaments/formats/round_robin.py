"""Round robins: everybody meets everybody, at tables of two in the fewest rounds, at larger ones as evenly
as can be found."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ladder.tournaments.formats.sizes import split
from ladder.tournaments.formats.terms import EntrantId

Round = list[tuple[EntrantId, ...]]
_POWERS: Final = (1, 1, 2, 2, 3, 3)
"""How gravely earlier meetings weigh, from several beginnings; the most even result is taken."""
_PATIENCE: Final = 32
"""Up to so many entries, more rounds are tried for a more even schedule."""


def schedule(entrants: Sequence[EntrantId], seats: int, rounds: int | None, *, seed: str) -> list[Round]:
    """All rounds. `entrants` by seeding; `rounds` (larger tables): None plays until each pair has met."""
    return list(_schedule(tuple(entrants), seats, rounds, seed))


@lru_cache(maxsize=64)
def _schedule(
    entrants: tuple[EntrantId, ...], seats: int, rounds: int | None, seed: str
) -> tuple[Round, ...]:
    """Asked for at each step of a tournament, and seconds of work where there are a hundred entries."""
    if len(entrants) < 2:
        return ()
    if seats == 2:
        return tuple(_circle(list(entrants)))
    return tuple(_even(list(entrants), seats, rounds, seed))


def _circle(entrants: list[EntrantId]) -> list[Round]:
    """The circle method: one stays, the others turn; who meets the empty chair sits out."""
    chairs: list[EntrantId | None] = [*entrants]
    if len(chairs) % 2:
        chairs.append(None)
    half = len(chairs) // 2
    rounds: list[Round] = []
    for _ in range(len(chairs) - 1):
        pairs = zip(chairs[:half], reversed(chairs[half:]), strict=True)
        rounds.append([(a, b) for a, b in pairs if a is not None and b is not None])
        chairs = [chairs[0], chairs[-1], *chairs[1:-1]]
    return rounds


def _even(entrants: list[EntrantId], seats: int, rounds: int | None, seed: str) -> list[Round]:
    """Round after round of the company that has met least so far.

    Where the number of rounds is open, it is the one up to which pairs have met most evenly, each at least
    once; looked for up to twice the rounds that the latter takes (at once, where there are many entries).
    """
    count = len(entrants)
    if count <= seats:
        return [[tuple(entrants)] for _ in range(rounds or 1)]
    met = np.zeros((count, count), dtype=np.int64)
    byes = np.zeros(count, dtype=np.int64)
    made: list[Round] = []
    spreads: dict[int, int] = {}
    last = rounds
    while last is None or len(made) < last:
        rng = random.Random(f"{seed}/round-robin/{len(made)}")
        made.append([tuple(entrants[one] for one in table) for table in _round(met, byes, seats, rng)])
        pairs = met[np.triu_indices(count, 1)]
        if rounds is None and pairs.min() > 0:
            spreads[len(made)] = int(pairs.max() - pairs.min())
            if last is None:
                last = 2 * len(made) if count <= _PATIENCE else len(made)
            if spreads[len(made)] <= 1:
                break
    return made[: min(spreads, key=lambda length: (spreads[length], length))] if spreads else made


def _round(
    met: NDArray[np.int64], byes: NDArray[np.int64], seats: int, rng: random.Random
) -> list[list[int]]:
    """One round; counts its meetings and byes."""
    count = len(met)
    sizes = split(count, seats)
    resting = set(sorted(range(count), key=lambda one: (byes[one], rng.random()))[: sizes.byes])
    byes[list(resting)] += 1
    playing = [one for one in range(count) if one not in resting]
    found = (least_company(playing, sizes.tables, met**power, rng) for power in _POWERS)
    best = min(found, key=lambda tables: _unevenness(met, tables))
    for table in best:
        met[np.ix_(table, table)] += 1
    np.fill_diagonal(met, 0)
    return [sorted(table) for table in best]


def _unevenness(met: NDArray[np.int64], tables: Sequence[Sequence[int]]) -> tuple[int, int]:
    """What pairs would have met after such a round: the most less the least, then how many stray how far."""
    after = met.copy()
    for table in tables:
        after[np.ix_(table, table)] += 1
    pairs = after[np.triu_indices(len(met), 1)]
    return int(pairs.max() - pairs.min()), int((pairs**2).sum())


def least_company(
    players: Sequence[int], sizes: Sequence[int], met: NDArray[np.int64], rng: random.Random
) -> list[list[int]]:
    """Tables of these sizes whose members strain each other least, found by swapping the best two.

    `met[i, j]` is how much players i and j have of each other; its diagonal is 0.
    """
    dealt = list(players)
    rng.shuffle(dealt)
    where = np.repeat(np.arange(len(sizes)), sizes)
    seat = np.array(dealt)
    among = met[np.ix_(seat, seat)]
    member = np.eye(len(sizes), dtype=np.int64)[where]
    while True:
        company = among @ member  # [player, table]: how often it has met those who sit there
        own = company[np.arange(len(seat)), where]
        elsewhere = company[:, where]
        change = elsewhere + elsewhere.T - own[:, None] - own[None, :] - 2 * among
        change[where[:, None] == where[None, :]] = 0
        first, second = divmod(int(change.argmin()), len(seat))
        if change[first, second] >= 0:
            break
        where[[first, second]] = where[[second, first]]
        member[[first, second]] = member[[second, first]]
    return [[int(one) for one in seat[where == table]] for table in range(len(sizes))]
