"""Scores and ranks (HH 8.6, HH 8.7), and the event that tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core import Event, EventSink, Seat, best_first
from engine.games.haunt_the_house.tables import GEAR, HUNTER_GEAR, HUNTER_SKULLS, HUNTERS, PHANTOM_SKULLS

if TYPE_CHECKING:
    from engine.games.haunt_the_house.position import Position


@dataclass(frozen=True, slots=True)
class Score:
    """HH 8.6: the four parts of a seat's score."""

    tokens: int
    hunters: int
    gear: int
    phantoms: int

    @property
    def total(self) -> int:
        return self.tokens + self.hunters + self.gear + self.phantoms


def hunters_of(claimed: int) -> list[int]:
    """The hunters in a bit mask, ascending."""
    return [hunter for hunter in range(len(HUNTERS)) if claimed >> hunter & 1]


def score(state: Position, seat: Seat) -> Score:
    """What a seat's points would be if the match ended now."""
    hunters = hunters_of(state.claimed[seat])
    pieces = [gear for hunter in hunters for gear in HUNTER_GEAR[hunter]] + [*state.trophies[seat]]
    return Score(
        tokens=state.tokens[seat],
        hunters=sum(HUNTER_SKULLS[hunter] for hunter in hunters),
        gear=sum(pieces.count(gear) ** 2 for gear in range(len(GEAR))),
        phantoms=sum(PHANTOM_SKULLS[kind] for kind in state.played[seat]),
    )


def ranks(state: Position) -> tuple[int, ...]:
    """HH 8.7: of equal scores the seat is ahead that comes first from the one that brought the end."""
    seats = state.game.seats
    first = state.trigger if state.trigger >= 0 else state.starter
    return best_first([(-score(state, seat).total, (seat - first) % seats) for seat in range(seats)])


def tell_end(state: Position, emit: EventSink) -> None:
    """Trophies are shown now, and points counted."""
    scores = [score(state, seat) for seat in range(state.game.seats)]
    facts = {
        "trophies": [[GEAR[gear] for gear in held] for held in state.trophies],
        "tokens": [each.tokens for each in scores],
        "hunters": [each.hunters for each in scores],
        "gear": [each.gear for each in scores],
        "phantoms": [each.phantoms for each in scores],
        "scores": [each.total for each in scores],
        "ranks": list(ranks(state)),
    }
    emit(Event("end", facts))
