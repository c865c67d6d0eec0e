"""Time of a round's pairing and of a bracket, and how well a Swiss finds the strong."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from ladder.tournaments.formats import brackets
from ladder.tournaments.formats.pods import pod
from ladder.tournaments.formats.round_robin import schedule
from ladder.tournaments.formats.swiss import Player, pair
from ladder.tournaments.formats.terms import Entrant, Format, Outcome, default_tie_breaks
from ladder.tournaments.formats.tiebreaks import standings
from tests.bench.figure import Figure
from tests.bench.peers_here import networkx_round_s

ENTRIES = (128, 500, 2_000)
PEER_ENTRIES = (128, 500)
"""networkx takes minutes for more."""
ROUNDS = 5
SWISS_AIM_S = {500: 2.0}
QUALITY_ENTRIES = 64
QUALITY_ROUNDS = 7
QUALITY_RUNS = 40
SPREAD = 208.0

Pairs = list[tuple[int, int]]
Pairing = Callable[["Field", int], Pairs]


class Field:
    """Entries with known strengths, on the Elo scale, and what they have scored against whom."""

    def __init__(self, entries: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.strength = sorted((self.rng.gauss(0, SPREAD) for _ in range(entries)), reverse=True)
        self.points = [0.0] * entries
        self.met: list[set[int]] = [set() for _ in range(entries)]
        self.lot = self.rng.sample(range(entries), entries)
        self.outcomes: list[Outcome] = []

    def players(self) -> list[Player]:
        return [
            Player(number, self.lot[number] + 1, self.points[number], 0, frozenset(self.met[number]))
            for number in range(len(self.strength))
        ]

    def play(self, pairs: Sequence[Sequence[int]]) -> None:
        """A bundle of two matches a pair: each won as the Elo formula says."""
        for first, second in pairs:
            chance = 1 / (1 + 10 ** ((self.strength[second] - self.strength[first]) / 400))
            won = sum(self.rng.random() < chance for _ in range(2)) / 2
            order = (first, second) if won >= 0.5 else (second, first)
            points = {first: won, second: 1 - won}
            self.outcomes.append(Outcome(f"R{len(self.outcomes)}", 1, order, points))
            self.points[first] += won
            self.points[second] += 1 - won
            self.met[first].add(second)
            self.met[second].add(first)


def figures() -> Iterator[Figure]:
    """Seconds of wall time for one round or one bracket; rank correlations for quality."""
    for entries in ENTRIES:
        ours, theirs = _swiss_s(entries)
        yield Figure(
            key=f"tournament.swiss_round_s.{entries}",
            value=ours,
            unit="s",
            better="lower",
            peer="networkx, the same edges" if theirs else "",
            peer_value=theirs,
            aim=SWISS_AIM_S.get(entries),
        )
        yield Figure(
            key=f"tournament.pod_round_s.{entries}", value=_pods_s(entries), unit="s", better="lower"
        )
        yield Figure(
            key=f"tournament.double_bracket_s.{entries}", value=_bracket_s(entries), unit="s", better="lower"
        )
    yield from _quality()


def _swiss_s(entries: int) -> tuple[float, float | None]:
    """The median of five rounds; and networkx on the same field after the last of them."""
    field = Field(entries, 1)
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = pair(field.players())
        taken.append(time.perf_counter() - began)
        field.play(found.tables)
    theirs = networkx_round_s(field.players()) if entries in PEER_ENTRIES else None
    return statistics.median(taken), theirs


def _pods_s(entries: int) -> float:
    field = Field(entries, 1)
    company: dict[int, dict[int, int]] = {number: {} for number in range(entries)}
    taken = []
    for number in range(ROUNDS):
        began = time.perf_counter()
        found = pod(field.players(), 4, company, seed=str(number))
        taken.append(time.perf_counter() - began)
        for table in found.tables:
            for one in table:
                field.points[one] += field.rng.random()
                company[one].update(
                    (other, company[one].get(other, 0) + 1) for other in table if other != one
                )
    return statistics.median(taken)


def _bracket_s(entries: int) -> float:
    began = time.perf_counter()
    brackets.double(brackets.seeded(entries), 2, 1)
    return time.perf_counter() - began


def _quality() -> Iterator[Figure]:
    """Spearman's correlation of final places with true strength; the seeding, a lot, knows nothing of it."""
    swiss = _mean_correlation(lambda field, _: [(a, b) for a, b in pair(field.players()).tables])
    chance = _mean_correlation(_random_pairs)
    rounds = schedule(range(QUALITY_ENTRIES), 2, None, seed="")
    everybody = _mean_correlation(lambda _, number: [(a, b) for a, b in rounds[number]], len(rounds))
    for peer, value in (("random pairing", chance), ("a whole round robin", everybody)):
        yield Figure(
            key=f"tournament.swiss_correlation.beside.{peer.replace(' ', '-')}",
            value=swiss,
            unit=f"Spearman, {QUALITY_ENTRIES} entries, {QUALITY_ROUNDS} rounds",
            better="higher",
            peer=peer,
            peer_value=value,
        )


def _random_pairs(field: Field, _number: int) -> Pairs:
    order = field.rng.sample(range(QUALITY_ENTRIES), QUALITY_ENTRIES)
    return list(zip(order[::2], order[1::2], strict=True))


def _mean_correlation(pairing: Pairing, rounds: int = QUALITY_ROUNDS) -> float:
    found = []
    for seed in range(QUALITY_RUNS):
        field = Field(QUALITY_ENTRIES, seed)
        for number in range(rounds):
            field.play(pairing(field, number))
        found.append(_spearman(field))
    return statistics.mean(found)


def _spearman(field: Field) -> float:
    """Between the place in a Swiss' standings, tie-breaks and all, and the place by strength."""
    entrants = [Entrant(number, field.lot[number] + 1) for number in range(QUALITY_ENTRIES)]
    rows = standings(entrants, field.outcomes, default_tie_breaks(Format.SWISS), seed="")
    place = {row.entrant: row.rank for row in rows}
    return statistics.correlation(
        [float(number) for number in range(QUALITY_ENTRIES)],
        [float(place[number]) for number in range(QUALITY_ENTRIES)],
    )
