"""Who sits at the next table of a ladder: a pure function of the candidates and a seed.

A bundle goes where it tells most: to a version whose rating is uncertain, against versions close to it,
for the information of a result is p(1 - p). A new version first meets the house bots.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NEW_BUNDLES: Final = 5
"""Fewer bundles than this: provisional, and seated with the house bots."""
MIN_BUNDLES: Final = 30
Z95: Final = 1.959964
_SCALE: Final = 400.0
_STARVING_SHARE: Final = 0.25
"""Share of tables that go to whoever has waited longest, whatever its need."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One active version of a ladder. Ratings on the Elo scale; `waited` since its last bundle, seconds."""

    version_id: int
    owners: frozenset[int]
    is_house: bool
    elo: float
    standard_error: float
    bundles: int
    bundles_today: int
    waited: float

    @property
    def half_width(self) -> float:
        """Of the 95 % interval, in Elo."""
        return Z95 * self.standard_error


def rests(candidates: Sequence[Candidate], *, aim: float, cap: int) -> bool:
    """True when no version needs a bundle: each is known to `aim` Elo, or has had its share of the day."""
    return not any(_needs(candidate, aim) and candidate.bundles_today < cap for candidate in candidates)


def _needs(candidate: Candidate, aim: float) -> bool:
    return candidate.bundles < MIN_BUNDLES or candidate.half_width > aim


def next_table(candidates: Sequence[Candidate], *, seats: int, cap: int, seed: str) -> list[int] | None:
    """Version ids for one bundle of `seats` seats, or None when nobody may play.

    Two versions with an owner in common never sit together; house versions are exempt, may sit twice,
    and fill the seats that nobody else can fill. One version never sits with itself alone.
    """
    rng = random.Random(seed)
    able = sorted((c for c in candidates if c.bundles_today < cap), key=lambda c: c.version_id)
    waiting = list(able)
    while waiting:
        focus = _focus(waiting, rng)
        table = _table(focus, able, seats, rng)
        if table is not None:
            return [candidate.version_id for candidate in table]
        waiting.remove(focus)  # no company for this one; another may have some
    return None


def _table(
    focus: Candidate, able: Sequence[Candidate], seats: int, rng: random.Random
) -> list[Candidate] | None:
    """The focus and its company; None where seats would stay empty or nobody else would sit there."""
    house = [candidate for candidate in able if candidate.is_house]
    table = [focus]
    while len(table) < seats:
        guest = _company(table, able, house, rng)
        if guest is None:
            return None
        table.append(guest)
    return table if len(set(table)) > 1 else None


def _focus(able: Sequence[Candidate], rng: random.Random) -> Candidate:
    """For whom the table is laid: new versions first, then by need, sometimes whoever waited longest."""
    new = [candidate for candidate in able if candidate.bundles < NEW_BUNDLES and not candidate.is_house]
    if new:
        return min(new, key=lambda c: (c.bundles_today, c.bundles, c.version_id))
    if rng.random() < _STARVING_SHARE:
        return max(able, key=lambda c: (c.waited, -c.version_id))
    weights = [c.standard_error**2 / (10 + c.bundles_today) for c in able]
    return rng.choices(able, weights)[0]


def _company(
    table: Sequence[Candidate], able: Sequence[Candidate], house: Sequence[Candidate], rng: random.Random
) -> Candidate | None:
    """The next guest at a table: from the house for a new version, else where the result tells most.

    Where there is no house, or it has had its share of the day, new versions meet the others at once.
    """
    focus = table[0]
    is_new = focus.bundles < NEW_BUNDLES and not focus.is_house
    guests = [] if is_new and house else [c for c in able if _may_join(table, c)]
    if not guests:
        return _least_seated(table, house, rng)
    weights = [_information(focus, candidate) for candidate in guests]
    return rng.choices(guests, weights)[0]


def _may_join(table: Sequence[Candidate], guest: Candidate) -> bool:
    ids = {candidate.version_id for candidate in table}
    owners = frozenset[int]().union(*(c.owners for c in table if not c.is_house))
    return guest.version_id not in ids and (guest.is_house or not guest.owners & owners)


def _least_seated(
    table: Sequence[Candidate], house: Sequence[Candidate], rng: random.Random
) -> Candidate | None:
    """A house version with the fewest copies at the table already."""
    if not house:
        return None
    ids = [candidate.version_id for candidate in table]
    least = min(ids.count(candidate.version_id) for candidate in house)
    return rng.choice([candidate for candidate in house if ids.count(candidate.version_id) == least])


def _information(focus: Candidate, guest: Candidate) -> float:
    """Fisher information of a result between two, weighted by how little is known of the guest."""
    p = 1 / (1 + 10 ** ((guest.elo - focus.elo) / _SCALE))
    return p * (1 - p) * (focus.standard_error**2 + guest.standard_error**2)
