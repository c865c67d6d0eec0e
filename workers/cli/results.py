"""How matches ended: the summary of several, and what people read of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.record import Record, canonical, replay
from engine.registry import GAMES
from workers.cli.output import Output


class Seating(Protocol):
    """Which of the entrants sat on each seat of a match."""

    @property
    def seating(self) -> tuple[int, ...]: ...


def summary_of(
    names: Sequence[str], seatings: Sequence[Seating], records: Sequence[Record]
) -> dict[str, Any]:
    """How each BOT of the command line fared, in their order, and the mean of the matches' own figures.

    A team wins or loses: in a co-operative game nobody ties, and all of its seats fare alike.
    """
    rows = [_row(number, name, seatings, records) for number, name in enumerate(names)]
    return {"bots": rows, "figures": _mean_figures(records)}


def _row(number: int, name: str, seatings: Sequence[Seating], records: Sequence[Record]) -> dict[str, Any]:
    ranks, wins, ties, faults = [], 0, 0, 0
    for order, record in zip(seatings, records, strict=True):
        own = [seat for seat, entrant in enumerate(order.seating) if entrant == number]
        rank = record.ranks[own[0]]
        ranks.append(rank)
        if GAMES[record.game].cooperative:
            wins += has_won(record)
        elif rank == 1:
            wins += record.ranks.count(1) == 1
            ties += record.ranks.count(1) > 1
        faults += sum(fault.seat in own for fault in record.faults)
    return {
        "name": name,
        "wins": wins,
        "ties": ties,
        "losses": len(records) - wins - ties,
        "mean_rank": round(sum(ranks) / len(ranks), 3),
        "faults": faults,
    }


def has_won(record: Record) -> bool:
    """Whether the team of a co-operative match won it."""
    return record.scores[0] > 0


def _mean_figures(records: Sequence[Record]) -> dict[str, float]:
    """Mean of each figure that is a number; matches are played again for it where the game has any."""
    if not (first := figures_of(records[0])):
        return {}
    every = [first, *(figures_of(record) for record in records[1:])]
    numbers = {key: [match[key] for match in every] for key in first}
    return {
        key: round(sum(values) / len(values), 3)
        for key, values in numbers.items()
        if all(isinstance(value, int | float) for value in values)
    }


def figures_of(record: Record) -> dict[str, Any]:
    """What the game tells of a finished match beside scores."""
    return replay(record).figures()


def document_of(records: Sequence[Record], summary: Mapping[str, Any]) -> str:
    """One JSON document of several matches, each record byte for byte as it is."""
    matches = ",".join(record.to_json() for record in records)
    return f'{{"matches":[{matches}],"summary":{canonical(dict(summary))}}}'


def print_match(out: Output, record: Record) -> None:
    """Ranks, scores and figures of one match, those of the seats beside them; seats count from 1."""
    figures = figures_of(record)
    seats = range(len(record.seats))
    of_seats = {key: value for key, value in figures.items() if isinstance(value, list)}
    heads = ["seat", "bot", *(key.replace("_", " ") for key in of_seats)]
    rows = [
        [str(seat + 1), record.seats[seat].name, *(str(value[seat]) for value in of_seats.values())]
        for seat in seats
    ]
    if GAMES[record.game].cooperative:
        out.line("The team has won." if has_won(record) else "The team has lost.", "bold")
        out.table(heads, rows)
    else:
        ranked = sorted(seats, key=lambda seat: (record.ranks[seat], seat))
        out.table(
            ["rank", *heads[:2], "score", *heads[2:]],
            [
                [str(record.ranks[seat]), *rows[seat][:2], f"{record.scores[seat]:g}", *rows[seat][2:]]
                for seat in ranked
            ],
        )
    if of_match := {key: value for key, value in figures.items() if key not in of_seats}:
        out.line(_said(record.game, of_match))
    for fault in record.faults:
        kind = "lost the seat" if fault.hard else "a strike"
        name = record.seats[fault.seat].name
        out.line(f"{name}, seat {fault.seat + 1}, at ply {fault.ply}: {fault.code}, {kind}", "red")


def print_summary(out: Output, game: str, matches: int, summary: Mapping[str, Any]) -> None:
    """A row a BOT; a team is told by what it won."""
    keys = ["name", "wins", "ties", "losses", "mean_rank", "faults"]
    heads = ["bot", "wins", "ties", "losses", "mean rank", "faults"]
    if GAMES[game].cooperative:
        keys, heads = ["name", "wins", "losses", "faults"], ["bot", "won", "lost", "faults"]
    rows = [[str(row[key]) for key in keys] for row in summary["bots"]]
    out.table(heads, rows, title=f"{matches} matches")
    if summary["figures"]:
        out.line(f"On average: {_said(game, summary['figures'])}")


def _said(game: str, figures: Mapping[str, Any]) -> str:
    """`jewels 3, turns 41`: words of the game by their English names."""
    names = GAMES[game].names
    texts = [
        names[value]["en"] if isinstance(value, str) and value in names else str(value)
        for value in figures.values()
    ]
    return ", ".join(f"{key.replace('_', ' ')} {text}" for key, text in zip(figures, texts, strict=True))
