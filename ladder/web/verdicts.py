"""How a match ended, in a sentence."""

from __future__ import annotations

from typing import Final

from engine.registry import GAMES
from ladder.matches.models import Match, MatchSeat

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
UNITS: Final = {"dont-go-in-there": ("curse", "curses"), "haunt-the-house": ("point", "points")}


def verdict(match: Match) -> str:
    """Who won and by how much; what is going on where nobody has yet."""
    seats = list(match.seats.all())
    if match.status == Match.Status.VOID:
        return "This match is void"
    if match.status == Match.Status.RUNNING:
        return f"{_names(seats)} are playing"
    if match.status == Match.Status.QUEUED:
        return f"{_names(seats)} wait to play"
    if GAMES[match.bundle.season.ladder.game].cooperative:
        return f"{_names(seats)} {'win' if seats[0].score else 'lose'} together"
    first = [seat for seat in seats if seat.rank == 1]
    if len(first) == len(seats):
        return f"{_names(seats)} part level"
    if len(first) > 1:
        return f"{_names(first)} share the win"
    return _by_how_much(match, first[0], [seat for seat in seats if seat.rank != 1])


def _by_how_much(match: Match, winner: MatchSeat, others: list[MatchSeat]) -> str:
    standing = [seat for seat in others if not seat.lost_by_fault]
    if not standing:
        fallen = "the others fell" if len(others) > 1 else f"{others[0].name} fell"
        return f"{winner.name} wins: {fallen} by faults"
    second = min(standing, key=lambda seat: seat.rank or 0)
    margin = abs((second.score or 0) - (winner.score or 0))
    units = UNITS.get(match.bundle.season.ladder.game)
    if units is None or margin != int(margin):
        return f"{winner.name} wins"
    if margin == 0:
        return f"{winner.name} wins on the tie-break"
    count = _NUMBERS[int(margin)] if margin < len(_NUMBERS) else str(int(margin))
    return f"{winner.name} wins by {count} {units[margin != 1]}"


def _names(seats: list[MatchSeat]) -> str:
    names = [seat.name for seat in seats]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
