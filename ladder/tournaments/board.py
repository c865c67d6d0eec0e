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
from ladder.tournaments.formats.brackets import FINAL, LOSERS, WINNERS, Bracket, Node, Source
from ladder.tournaments.formats.plan import bracket_of
from ladder.tournaments.formats.terms import ELIMINATIONS, EntrantId, Format, Terms
from ladder.tournaments.models import Entry, Table, TableSeat, Tournament

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


def where_from(source: Source | None) -> str:
    """Who a chair waits for, in words."""
    if source is None:
        return "nobody"
    if source.seeding is not None:
        return f"seed {source.seeding}"
    if source.place == 1:
        return f"winner of {source.table}"
    ending = {2: "nd", 3: "rd"}.get(source.place or 0, "th")
    return f"{source.place}{ending} of {source.table}"


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
        """Chairs by place once the table is decided, else as they were laid; who never came stands last."""
        return sorted(self.chairs, key=lambda chair: (chair.place is None, chair.place or 0))


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
    nodes = {node.key: node for node in bracket.nodes} if bracket else {}
    known = {outcome.key: outcome for outcome in facts.outcomes_of(laid.values())}
    seats = {Source(seeding=entry.seeding): entry.pk for entry in entries.values()}

    def guests(node: Node) -> list[EntrantId | None]:
        return [elimination.occupant(source, seats, known) for source in node.sources]

    views = []
    for table in laid.values():
        node = nodes.get(table.key)
        views.append(_laid(table, entries, node, guests(node) if node else ()))
    over = tournament.state in (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    status = SPARED if over else WAITING
    to_come = (node for node in nodes.values() if node.key not in laid)
    views += [_to_come(node, entries, guests(node), status) for node in to_come]
    rounds: dict[int, list[TableView]] = defaultdict(list)
    for view in views:
        rounds[view.round].append(view)
    return [
        RoundView(
            number, title_of(tables, views), sorted(tables, key=lambda table: (table.side, table.number))
        )
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


def _laid(
    table: Table, entries: Mapping[int, Entry], node: Node | None, guests: Sequence[EntrantId | None]
) -> TableView:
    return TableView(
        key=table.key,
        side=side_of(table.key),
        round=table.round,
        number=table.number,
        status=table.status,
        chairs=tuple(_chairs(table, entries, node, guests)),
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


def _chairs(
    table: Table, entries: Mapping[int, Entry], node: Node | None, guests: Sequence[EntrantId | None]
) -> Iterable[Chair]:
    """Chairs of a laid table; in a bracket also those whose guests forfeited before and never came."""
    seats = list(table.seats.all())
    sources = node.sources if node else (None,) * len(seats)
    if len(sources) == len(seats):
        sitting: list[TableSeat | None] = [*seats]
    else:
        by_entry = {seat.entry_id: seat for seat in seats}
        sitting = [by_entry.get(guest) if guest is not None else None for guest in guests]
    for seat, source in zip(sitting, sources, strict=True):
        if seat is None:
            yield Chair(None, source)
        else:
            yield Chair(entries.get(seat.entry_id), source, seat.place, seat.points, seat.is_forfeit)


def _to_come(
    node: Node, entries: Mapping[int, Entry], guests: Sequence[EntrantId | None], status: str
) -> TableView:
    """A table of the bracket that is not laid, with those guests who are known already."""
    return TableView(
        key=node.key,
        side=node.side,
        round=node.round,
        number=node.number,
        status=status,
        chairs=tuple(
            Chair(entries.get(guest) if guest is not None else None, source)
            for guest, source in zip(guests, node.sources, strict=True)
        ),
        advance=node.advance,
        goes_to=node.goes_to,
        is_second_final=node.only_if_upset,
    )


def title_of(tables: Sequence[TableView], everything: Iterable[TableView]) -> str:
    """What people call a round of these tables."""
    table = tables[0]
    by_key = {one.key: one for one in everything}
    if table.is_second_final:
        return "Second final"
    if table.side == FINAL:
        return "Final"
    if table.side not in (WINNERS, LOSERS):
        return f"Round {table.round}"
    on = by_key.get(table.goes_to[0] or "") if table.goes_to else None
    if on is None:
        return "Final"
    if on.side == FINAL:
        return "Losers' final" if table.side == LOSERS else "Winners' final"
    if table.side == WINNERS and not any(on.goes_to):
        return "Semi-finals"
    return f"Losers, round {_side_round(table)}" if table.side == LOSERS else f"Round {_side_round(table)}"


def _side_round(table: TableView) -> int:
    """W2.1 is of the second round of its side."""
    return int(table.key.split(".")[0][len(table.side) :])
