"""What a tournament is played by, who plays, what a table is, and how one ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

EntrantId: TypeAlias = int

MAX_SEATS: Final = 5
MIN_SEATS: Final = 2
MOST_AT_TABLES: Final = 128
"""Entries of a round robin at tables of three and more."""


class Format(StrEnum):
    """How entries meet."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    SINGLE_ELIMINATION = "single_elimination"
    DOUBLE_ELIMINATION = "double_elimination"
    GROUPS = "groups"
    """Round robins in groups, then a knock-out of the best of each."""
    GAUNTLET = "gauntlet"
    """One entry against all others."""
    SCORE_ATTACK = "score_attack"
    """Co-operative games: each entry plays alone, all on the same seeds."""


class TieBreak(StrEnum):
    """What parts entries with equal points, in the order that a tournament writes down."""

    HEAD_TO_HEAD = "head_to_head"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    BUNDLE_DIFFERENCE = "bundle_difference"
    FIGURES = "figures"
    SEEDING = "seeding"
    LOT = "lot"


MOST_WHERE_SEVERAL_ADVANCE: Final = 256
"""Where several of a table go on: keeping old company apart takes minutes for more entries."""

ELIMINATIONS: Final = frozenset({Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION})


class TermsError(ValueError):
    """Terms that contradict each other: the field, and the sentence for its author."""

    def __init__(self, field_name: str, message: str) -> None:
        super().__init__(message)
        self.field = field_name
        self.message = message


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry as pairing knows it."""

    id: EntrantId
    seeding: int
    """1 is the strongest; no two alike."""
    from_round: int = 1
    """The first round that it plays in: later than 1 for a late entry."""
    until_round: int | None = None
    """The last round that it was there for; None while it has not withdrawn."""

    def plays_in(self, round_number: int) -> bool:
        """Whether it may be paired in a round."""
        gone = self.until_round is not None and round_number > self.until_round
        return self.from_round <= round_number and not gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed before the first round. `check` finds what contradicts itself."""

    format: Format
    seats: int
    """The most that sit at a table; tables of one fewer fill up what cannot be divided."""
    advance: int = 1
    """Elimination: how many of a table go on."""
    rounds: int | None = None
    """Swiss, score attack, round robin at larger tables; None: what the number of entries asks for."""
    bundles: int = 1
    """Played at each table."""
    groups: int = 1
    qualify: int = 2
    """Groups: how many of each go on to the knock-out."""
    tie_breaks: tuple[TieBreak, ...] = (TieBreak.SEEDING, TieBreak.LOT)
    seed: str = ""
    """Every lot is drawn from it."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """Who meets whom: a table to be played."""

    key: str
    """Its name in the tournament, unique and stable, such as "R3.2" or "L1.4"."""
    round: int
    number: int
    entrants: tuple[EntrantId, ...]
    cut: int | None = None
    """Elimination: a tie between this place and the next is played off."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a table ended."""

    key: str
    round: int
    order: tuple[EntrantId, ...]
    """Everybody who sat there, best first; equals stand in the written order."""
    points: Mapping[EntrantId, float]
    """By entry, 0 to 1: points by place, averaged over the bundles."""
    forfeits: frozenset[EntrantId] = frozenset()
    is_written: bool = False
    """Its cut was tied to the end: the written order decided."""
    figures: Mapping[EntrantId, float] = field(default_factory=dict)
    """Score attack: what parts equal points, the greater the better, such as jewels."""


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next: tables to play, or nothing any more."""

    tables: tuple[TableSpec, ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the standings."""

    entrant: EntrantId
    rank: int
    points: float
    tables: int
    values: Mapping[str, float]
    """By tie-break, as compared; the greater the better."""
    parted_by: str | None
    """What put it behind the row before: "points", "reached", a tie-break; None in the first row."""


def default_tie_breaks(format_: Format) -> tuple[TieBreak, ...]:
    """The written order where the organiser writes none."""
    if format_ == Format.SWISS:
        first = (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.HEAD_TO_HEAD)
    elif format_ in (Format.ROUND_ROBIN, Format.GROUPS, Format.GAUNTLET):
        first = (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.BUNDLE_DIFFERENCE)
    elif format_ == Format.SCORE_ATTACK:
        return (TieBreak.FIGURES, TieBreak.SEEDING, TieBreak.LOT)
    else:
        return (TieBreak.BUNDLE_DIFFERENCE, TieBreak.SEEDING, TieBreak.LOT)
    return (*first, TieBreak.SEEDING, TieBreak.LOT)


def most_rounds(seats: int, entries: int) -> int:
    """Rounds that a Swiss of so many entries can have before company must repeat; at larger tables at least
    two, so that nobody is left with a bye alone."""
    if entries <= seats:
        return 1
    if seats == 2:
        return entries - 1 + entries % 2
    return max(2, (entries - 1) // (seats - 1))


def default_rounds(seats: int, entries: int) -> int:
    """Rounds of a Swiss: enough to leave one entry unbeaten, and two more where tables are larger."""
    wanted, alone = 0, 1
    while alone < entries:
        alone *= seats
        wanted += 1
    return min(most_rounds(seats, entries), wanted if seats == 2 else wanted + 2)


def check(terms: Terms, *, least_entries: int, most_entries: int) -> None:
    """Find contradictions. Raises TermsError with the field and a sentence."""
    if terms.format == Format.SCORE_ATTACK:
        _check_rounds(terms, 1, 100, "seeds")
    elif not MIN_SEATS <= terms.seats <= MAX_SEATS:
        raise TermsError("seats", f"A table has {MIN_SEATS} to {MAX_SEATS} seats, not {terms.seats}.")
    if not 1 <= terms.bundles <= 20:
        raise TermsError("bundles", f"A table plays 1 to 20 bundles, not {terms.bundles}.")
    if not 2 <= least_entries <= most_entries:
        raise TermsError(
            "min_entries", f"At least 2 entries and at most {most_entries}, not {least_entries}."
        )
    if terms.format in ELIMINATIONS | {Format.GROUPS}:
        _check_advance(terms, most_entries)
    if terms.format == Format.SWISS:
        most = most_rounds(terms.seats, most_entries)
        _check_rounds(
            terms, 1, most, f"rounds, for a Swiss of {most_entries} entries at tables of {terms.seats}"
        )
    elif terms.format == Format.ROUND_ROBIN and terms.rounds is not None and terms.seats == 2:
        raise TermsError("rounds", "A round robin of two seats has as many rounds as it needs; leave it out.")
    elif terms.format in (Format.ROUND_ROBIN, Format.GROUPS):
        _check_rounds(terms, 1, 500, "rounds")
        _check_meetings(terms, most_entries)
    if terms.format == Format.GROUPS:
        _check_groups(terms, least_entries)
    _check_tie_breaks(terms.tie_breaks)


def _check_advance(terms: Terms, most_entries: int) -> None:
    if not 1 <= terms.advance < terms.seats:
        raise TermsError(
            "advance", f"{terms.advance} of {terms.seats} cannot advance: 1 to {terms.seats - 1} can."
        )
    if terms.advance > 1 and most_entries > MOST_WHERE_SEVERAL_ADVANCE:
        raise TermsError(
            "max_entries",
            f"At most {MOST_WHERE_SEVERAL_ADVANCE} can enter where several of a table advance, "
            f"not {most_entries}.",
        )


def _check_meetings(terms: Terms, most_entries: int) -> None:
    """Even tables of three and more are looked for, and that takes its time."""
    groups = terms.groups if terms.format == Format.GROUPS else 1
    if terms.seats > 2 and most_entries > MOST_AT_TABLES * max(1, groups):
        raise TermsError(
            "max_entries",
            f"A round robin at tables of {terms.seats} takes at most {MOST_AT_TABLES} entries"
            f"{' a group' if groups > 1 else ''}; {most_entries} could come.",
        )


def _check_rounds(terms: Terms, least: int, most: int, what: str) -> None:
    if terms.rounds is not None and not least <= terms.rounds <= most:
        raise TermsError("rounds", f"There can be {least} to {most} {what}; {terms.rounds} are asked for.")


def _check_groups(terms: Terms, least_entries: int) -> None:
    if terms.groups < 2:
        raise TermsError("groups", f"There are at least 2 groups, not {terms.groups}.")
    smallest = least_entries // terms.groups
    if smallest < 2:
        raise TermsError(
            "groups", f"{least_entries} entries leave fewer than 2 in one of {terms.groups} groups."
        )
    if not 1 <= terms.qualify < max(2, smallest):
        raise TermsError(
            "qualify", f"{terms.qualify} cannot go on from a group of {smallest}: 1 to {smallest - 1} can."
        )


def _check_tie_breaks(order: Sequence[TieBreak]) -> None:
    if len(set(order)) != len(order):
        raise TermsError("tie_breaks", "A tie-break is written twice.")
    if not order or order[-1] != TieBreak.LOT:
        raise TermsError("tie_breaks", "The last tie-break is the lot, so that every tie is broken.")
