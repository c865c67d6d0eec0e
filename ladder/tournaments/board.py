"""A tournament as tables and chairs: what the API tells, and what the bracket's picture is drawn from.

Brackets show every table from the freeze on, those to come with where their guests come from; formats in
rounds show the tables that are laid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from ladder.tournaments import facts
from ladder.tournaments.formats import elimination, groups
from ladder.tournaments.formats.brackets import FINAL, LOSERS, Bracket, Node, Source
from ladder.tournaments.formats.plan import bracket_of
from ladder.tournaments.formats.terms import ELIMINATIONS, EntrantId, Format, Terms
from ladder.tournaments.models import Entry, Table, Tournament

WAITING, SPARED = "waiting", "spared"
"""Beside a table's own states: not laid yet; a second final that was not needed."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat at a table, whether its guest is known or not."""

    entry: Entry | None
    comes_from: Source | None
    """In a bracket: the seeding or the place that whoever sits here comes from."""
    place: int | None = None
    points: float | None = None
    is_forfeit: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """One table of a tournament."""

    key: str
    side: str
    """W, L, F in a bracket; a group's name; R in rounds."""
    round: int
    number: int
    status: str
    chairs: tuple[Chair, ...]
    advance: int | None = None
    goes_to: tuple[str | None, ...] = ()
    """By place, from the first: the table that it goes on to; None: out, or the winner."""
    decision: str = ""
    matches: tuple[UUID, ...] = ()
    is_second_final: bool = False

    def ordered(self) -> Sequence[Chair]:
        """Chairs by place once the table is decided, else as they were laid."""
        return sorted(self.chairs, key=lambda chair: chair.place or 0)


@dataclass(frozen=True, slots=True)
class RoundView:
    """The tables of one round."""

    number: int
    title: str
    tables: list[TableView] = field(default_factory=list)


def board_of(tournament: Tournament) -> list[RoundView]:
    """Everything that is laid, or that a bracket says will be, by rounds. Empty before the freeze."""
    entries = {
        entry.pk: entry
        for entry in tournament.entries.filter(seeding__isnull=False).select_related("bot", "version")
    }
    laid = {
        table.key: table for table in tournament.tables.prefetch_related("seats", "bundles__bundle__matches")
    }
    bracket = _bracket(tournament, len(entries))
    views = [_laid(table, entries, _node(bracket, table.key)) for table in laid.values()]
    if bracket is not None:
        views += _to_come(tournament, bracket, laid, entries)
    rounds: dict[int, list[TableView]] = defaultdict(list)
    for view in views:
        rounds[view.round].append(view)
    return [
        RoundView(number, _title(tables), sorted(tables, key=lambda table: (table.side, table.number)))
        for number, tables in sorted(rounds.items())
    ]


def side_of(key: str) -> str:
    """What a table's key begins with: W, L, F, R, or the group's name."""
    return key.split(".")[0].rstrip("0123456789")


def _bracket(tournament: Tournament, entries: int) -> Bracket | None:
    """The bracket of a tournament that was frozen, if its format has one."""
    if tournament.season_id is None or entries < 2:
        return None
    terms = facts.terms_of(tournament, tournament.seed)
    if terms.format in ELIMINATIONS:
        return bracket_of(terms, entries)
    if terms.format == Format.GROUPS:
        return groups.knock_out(terms, _group_rounds(terms, tournament))
    return None


def _group_rounds(terms: Terms, tournament: Tournament) -> int:
    tables = groups.group_tables(terms, facts.entrants_of(tournament))
    return max((table.round for table in tables), default=0)


def _node(bracket: Bracket | None, key: str) -> Node | None:
    return next((node for node in bracket.nodes if node.key == key), None) if bracket else None


def _laid(table: Table, entries: Mapping[int, Entry], node: Node | None) -> TableView:
    sources: dict[int, Source] = {}
    if node is not None and len(node.sources) == len(table.seats.all()):
        sources = dict(enumerate(node.sources))
    return TableView(
        key=table.key,
        side=side_of(table.key),
        round=table.round,
        number=table.number,
        status=table.status,
        chairs=tuple(
            Chair(
                entries.get(seat.entry_id), sources.get(seat.number), seat.place, seat.points, seat.is_forfeit
            )
            for seat in table.seats.all()
        ),
        advance=table.cut,
        goes_to=node.goes_to if node else (),
        decision=table.decision,
        matches=tuple(
            match.public_id
            for played in table.bundles.all()
            for match in sorted(played.bundle.matches.all(), key=lambda one: one.number)
        ),
        is_second_final=node.only_if_upset if node else False,
    )


def _to_come(
    tournament: Tournament, bracket: Bracket, laid: Mapping[str, Table], entries: Mapping[int, Entry]
) -> Iterable[TableView]:
    """Tables of the bracket that are not laid, with those guests who are known already."""
    known = {outcome.key: outcome for outcome in facts.outcomes_of(laid.values())}
    seats = {Source(seeding=entry.seeding): entry.pk for entry in entries.values()}
    over = tournament.state in (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    for node in bracket.nodes:
        if node.key in laid:
            continue
        guests: list[EntrantId | None] = [
            elimination.occupant(source, seats, known) for source in node.sources
        ]
        yield TableView(
            key=node.key,
            side=node.side,
            round=node.round,
            number=node.number,
            status=SPARED if over else WAITING,
            chairs=tuple(
                Chair(entries.get(guest) if guest is not None else None, source)
                for guest, source in zip(guests, node.sources, strict=True)
            ),
            advance=node.advance,
            goes_to=node.goes_to,
            is_second_final=node.only_if_upset,
        )


def _title(tables: Sequence[TableView]) -> str:
    """What people call a round."""
    table = tables[0]
    if table.is_second_final:
        return "Second final"
    if table.side == FINAL:
        return "Final"
    seated = sum(len(one.chairs) for one in tables)
    if table.side in ("W", LOSERS) and len(tables) == 1:
        if not any(table.goes_to):
            return "Final"
        return "Winners' final" if table.side == "W" else "Losers' final"
    what = {"W": "Last", LOSERS: "Losers, last"}.get(table.side)
    return f"{what} {seated}" if what else f"Round {table.round}"
