"""Brackets as graphs: which place of which table goes on to which table, laid out before anything is played.

A `Feed` is a chair that somebody will come to: by seeding, or from a place at a table. Rounds are laid out
from the feeds that are still in: strongest (as expected) apart, byes for the strongest of those who had
fewest, and company that may have met before kept apart where the seeding leaves a choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from ladder.tournaments.formats.sizes import Sizes, halving_byes, split

WINNERS: Final = "W"
LOSERS: Final = "L"
FINAL: Final = "F"

_REACH: Final = 24
"""Tables up and down with which a member may be swapped."""
_SWEEPS: Final = 8
_WORTH_IT: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entry comes from: a seeding, or a place (from 1) at a table or in a group."""

    seeding: int | None = None
    table: str | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One table of a bracket."""

    key: str
    side: str
    """W: the winners' side, or the only one; L: after a first defeat; F: the final of the two sides."""
    round: int
    """Of the tournament, from 1: what is played at the same time has the same."""
    side_round: int
    """Of its side, from 1."""
    number: int
    """In its round, from the top of the picture."""
    sources: tuple[Source, ...]
    advance: int
    """So many places go on up this side; the rest fall, or are out."""
    goes_to: tuple[str | None, ...] = ()
    """By place: the table that it goes on to; None: out, or the winner of it all."""
    only_if_upset: bool = False
    """The second final: played when the first is won from the losers' side."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """All tables, in the order in which they can be played."""

    nodes: tuple[Node, ...]

    def node(self, key: str) -> Node:
        """A table by its key. Raises KeyError."""
        for node in self.nodes:
            if node.key == key:
                return node
        raise KeyError(key)


@dataclass(frozen=True, slots=True)
class Feed:
    """Somebody to come, and what is known of whoever it will be."""

    source: Source
    strength: int
    """The seeding that is expected here."""
    byes: int = 0
    """The most byes that whoever comes can have had."""
    past: Mapping[str, float] = field(default_factory=dict)
    """By table: the chance that whoever comes has sat there."""


def seeded(entries: int) -> list[Feed]:
    """The feeds of a bracket that begins with everybody."""
    return [Feed(Source(seeding=seeding), seeding) for seeding in range(1, entries + 1)]


def single(feeds: Sequence[Feed], seats: int, advance: int, *, first_round: int = 1) -> Bracket:
    """One defeat and out; the last table takes its first place alone."""
    builder = _Builder(seats, advance)
    alive = list(feeds)
    rounds = count(first_round)
    side_round = 0
    while len(alive) > 1:
        side_round += 1
        alive, _ = builder.play(alive, WINNERS, next(rounds), side_round, is_last=len(alive) <= seats)
    return builder.bracket()


def double(feeds: Sequence[Feed], seats: int, advance: int) -> Bracket:
    """Two defeats and out: who falls goes on at the losers' side; a final of the two sides' best."""
    builder = _Builder(seats, advance)
    winners, losers = list(feeds), list[Feed]()
    rounds = count(1)
    winners_round = losers_round = 0
    while len(winners) > 1 or len(losers) > 1:
        if len(winners) > 1:
            winners_round += 1
            is_last = len(winners) <= seats
            winners, fallen = builder.play(winners, WINNERS, next(rounds), winners_round, is_last=is_last)
            losers += fallen
        to_come = builder.fall_next(winners, winners_round)
        while len(losers) > max(1, to_come) and builder.can_reduce(len(losers), is_last=to_come == 0):
            losers_round += 1
            is_last = to_come == 0 and len(losers) <= seats
            losers, _ = builder.play(losers, LOSERS, next(rounds), losers_round, is_last=is_last)
    if losers:
        builder.finals(winners[0], losers[0], rounds)
    return builder.bracket()


class _Builder:
    """Lays out one round after the other."""

    def __init__(self, seats: int, advance: int) -> None:
        self._seats = seats
        self._advance = advance
        self._nodes: list[Node] = []
        self._goes_to: dict[tuple[str, int], str] = {}

    def sizes(self, feeds: int, side: str, side_round: int) -> Sizes:
        """Tables and byes of a round. Pairs come to a power of two in the first round of all."""
        if self._seats == 2 and side == WINNERS and side_round == 1:
            byes = halving_byes(feeds)
            return Sizes((2,) * ((feeds - byes) // 2), byes)
        return split(feeds, self._seats, least=self._advance + 1)

    def fall_next(self, winners: Sequence[Feed], winners_round: int) -> int:
        """How many will fall in the next round of the winners' side."""
        if len(winners) < 2:
            return 0
        if len(winners) <= self._seats:
            return len(winners) - 1
        sizes = self.sizes(len(winners), WINNERS, winners_round + 1)
        return sum(size - self._advance for size in sizes.tables)

    def can_reduce(self, feeds: int, *, is_last: bool) -> bool:
        """Whether a round would send anybody home."""
        return is_last or feeds > self._advance

    def play(
        self, feeds: Sequence[Feed], side: str, round_number: int, side_round: int, *, is_last: bool
    ) -> tuple[list[Feed], list[Feed]]:
        """Lay out a round: the feeds of those who go on (byes among them), and of those who fall."""
        advance = 1 if is_last else self._advance
        sizes = self.sizes(len(feeds), side, side_round)
        ranked = sorted(feeds, key=lambda feed: feed.strength)
        by_byes = sorted(ranked, key=lambda feed: (feed.byes, feed.strength))
        resting = {id(feed) for feed in by_byes[: sizes.byes]}
        on = [replace(feed, byes=feed.byes + 1) for feed in ranked if id(feed) in resting]
        down: list[Feed] = []
        tables = _apart([feed for feed in ranked if id(feed) not in resting], sizes.tables)
        for number, table in enumerate(tables, 1):
            key = f"{side}{side_round}.{number}"
            sources = tuple(feed.source for feed in table)
            self._nodes.append(Node(key, side, round_number, side_round, number, sources, advance))
            self._note(key, table)
            for place, feed in enumerate(_leaving(key, table), 1):
                (on if place <= advance else down).append(feed)
        return on, down

    def finals(self, best: Feed, challenger: Feed, rounds: count[int]) -> None:
        """The final of both sides, and the second one, for nobody is out before a second defeat."""
        first, second = f"{FINAL}1.1", f"{FINAL}2.1"
        sources = (best.source, challenger.source)
        self._nodes.append(Node(first, FINAL, next(rounds), 1, 1, sources, 1))
        self._note(first, (best, challenger))
        again = (Source(table=first, place=1), Source(table=first, place=2))
        self._nodes.append(Node(second, FINAL, next(rounds), 2, 1, again, 1, only_if_upset=True))
        self._goes_to |= {(first, 1): second, (first, 2): second}

    def _note(self, key: str, table: Sequence[Feed]) -> None:
        for feed in table:
            if feed.source.table is not None and feed.source.place is not None:
                self._goes_to[feed.source.table, feed.source.place] = key

    def bracket(self) -> Bracket:
        """Everything laid out, each place with where it goes on to."""
        return Bracket(
            tuple(
                replace(
                    node,
                    goes_to=tuple(
                        self._goes_to.get((node.key, place)) for place in range(1, len(node.sources) + 1)
                    ),
                )
                for node in self._nodes
            )
        )


def _leaving(key: str, table: Sequence[Feed]) -> list[Feed]:
    """The feeds out of a table by place: as the stronger are expected to stand before the weaker."""
    past = {
        old: sum(feed.past.get(old, 0.0) for feed in table) / len(table)
        for feed in table
        for old in feed.past
    }
    past[key] = 1.0
    byes = max(feed.byes for feed in table)
    strengths = sorted(feed.strength for feed in table)
    return [
        Feed(Source(table=key, place=place), strength, byes, past)
        for place, strength in enumerate(strengths, 1)
    ]


def _apart(ranked: Sequence[Feed], sizes: Sequence[int]) -> list[list[Feed]]:
    """Tables dealt to and fro by strength, then changed within each tier to keep old company apart."""
    tables: list[list[Feed]] = [[] for _ in sizes]
    rest = list(ranked)
    tiers = 0
    while rest:
        order = list(range(len(sizes))) if tiers % 2 == 0 else list(reversed(range(len(sizes))))
        for number in order:
            if rest and len(tables[number]) < sizes[number]:
                tables[number].append(rest.pop(0))
        tiers += 1
    for tier in range(1, tiers):
        _freshen(tables, tier)
    return tables


def _freshen(tables: list[list[Feed]], tier: int) -> None:
    """Swap members of one tier between near tables while that lowers repeated company."""
    numbers = [number for number, table in enumerate(tables) if len(table) > tier]
    for _ in range(_SWEEPS):
        swaps = [_swap(tables, tier, place, numbers) for place in range(len(numbers))]
        if not any(swaps):
            return


def _swap(tables: list[list[Feed]], tier: int, place: int, numbers: Sequence[int]) -> bool:
    """Do the best swap of one member; False where none helps."""
    a = numbers[place]
    here = tables[a][tier]
    strain = _strain(here, tables[a], tier)
    if strain <= 0:
        return False
    best = (-_WORTH_IT, -1)
    for b in numbers[max(0, place - _REACH) : place + _REACH + 1]:
        if a != b:
            there = tables[b][tier]
            now = strain + _strain(there, tables[b], tier)
            then = _strain(there, tables[a], tier) + _strain(here, tables[b], tier)
            best = min(best, (then - now, b))
    _, b = best
    if b < 0:
        return False
    tables[a][tier], tables[b][tier] = tables[b][tier], here
    return True


def _strain(feed: Feed, table: Sequence[Feed], tier: int) -> float:
    """How much past a feed shares with the others at a table."""
    return sum(
        chance * other.past.get(key, 0.0)
        for place, other in enumerate(table)
        if place != tier
        for key, chance in feed.past.items()
    )
