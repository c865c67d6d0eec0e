"""What is sensible in Don't Go In There: cards and ghosts, counted in curses that they are likely to leave.

Whoever has a choice in a haunt takes what looks best at once; meeples go anywhere. The quick judgement of
a hand is remembered, for the same few hands come up again and again in one search.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import sense

from engine.core import Action, Game
from engine.games.dont_go_in_there.tables import CURSES, FACES, LOWEST, PHASES, TURNS, TYPES

PLACE = PHASES.index("place")
AT_RANDOM = frozenset(PHASES.index(phase) for phase in ("place", "reroll", "flip"))
DEPTH = 14
HOPE = 0.9
"""How much of a set that is only begun counts as gone already."""
GHOST = 0.1
"""Curses that a ghost is worth, beside what it adds to the penalty for having the most."""


class Sense(sense.Sense):
    depth = DEPTH

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.seats = range(game.seats)

    def play(self, state: Any, legal: Sequence[Action], rng: random.Random) -> Action:
        """Meeples and dice at random; of cards and types what leaves us best off against the others."""
        if state.phase in AT_RANDOM:
            return legal[int(rng.random() * len(legal))]
        actor, best, least = state.acting, legal[0], math.inf
        others = len(self.seats) - 1
        for action in legal:
            scores = self.scores(state.child(action))
            cost = scores[actor] - (sum(scores) - scores[actor]) / others
            if cost < least:
                best, least = action, cost
        return best

    def quiet(self, state: Any) -> bool:
        """No haunt is going on."""
        return bool(state.phase == PLACE)

    def scores(self, state: Any) -> list[float]:
        ghosts, up = state.ghosts, bytes(state.up)
        turns = max(0, TURNS - state.placed // len(ghosts))
        clock_used = state.clock_used
        scores = []
        for seat in self.seats:
            mine = ghosts[seat]
            rival = max([other for at, other in enumerate(ghosts) if at != seat])
            hand = up[FACES * seat : FACES * (seat + 1)]
            held = _hand(hand, turns, clock_used, _few_ghosts(mine, turns))
            scores.append(held + _burden(mine, rival, turns))
        return scores


@lru_cache(maxsize=4096)
def _burden(ghosts: int, rival: int, turns: int) -> float:
    """Curses that ghosts are likely to bring: half their number to whoever has the most."""
    return ghosts * (0.5 * _likely((ghosts - rival) / (1.5 + turns / 3)) + GHOST)


@lru_cache(maxsize=1024)
def _few_ghosts(ghosts: int, turns: int) -> int:
    """Chance to end with few enough ghosts for cats, in quarters."""
    return round(4 * _likely((9.5 - ghosts - 0.9 * turns) / 2.5))


def _likely(lead: float) -> float:
    """From 0 to 1: how likely a lead, in units of its spread, is to hold."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, 1.7 * lead))))


@lru_cache(maxsize=60_000)
def _hand(hand: bytes, turns: int, clock_used: bool, few_ghosts: int) -> float:
    """Curses that face-up cards are likely to leave at the end."""
    hope = HOPE * min(1.0, turns / 6)
    total = 0.0
    for kind, judge in enumerate(_JUDGES):
        held = hand[CURSES * kind : CURSES * (kind + 1)]
        if any(held):
            total += judge(held, kind, hope, clock_used, few_ghosts)
    return total


def _sum(held: bytes, kind: int) -> int:
    lowest = LOWEST[kind]
    return sum(curse * count for curse, count in enumerate(held, lowest))


def _highest(held: bytes, number: int) -> int:
    """Curses on so many of the highest cards."""
    total = 0
    for curse in range(len(held), 0, -1):
        taken = min(number, held[curse - 1])
        total += curse * taken
        number -= taken
    return total


Judge = Callable[[bytes, int, float, bool, int], float]
"""Takes the cards of one type, the type, the hope, whether clocks were used, and the chance for cats."""


def _plain(held: bytes, kind: int, _hope: float, _clock: bool, _few: int) -> float:
    return _sum(held, kind)


def _set_of(size: int) -> Judge:
    """So many of them go together."""

    def judge(held: bytes, kind: int, hope: float, _clock: bool, _few: int) -> float:
        return _sum(held, kind) * (1 - min(1.0, hope * sum(held) / size))

    return judge


def _promise(part: float) -> Judge:
    """A part of them is likely to go."""

    def judge(held: bytes, kind: int, hope: float, _clock: bool, _few: int) -> float:
        return _sum(held, kind) * (1 - part * hope)

    return judge


def _twins(held: bytes, kind: int, hope: float, _clock: bool, _few: int) -> float:
    return sum(curse * (count % 2) for curse, count in enumerate(held, 1)) * (1 - hope / 2)


def _amulets(held: bytes, kind: int, _hope: float, _clock: bool, _few: int) -> float:
    return _sum(held, kind) - sum(
        curse * min(held[curse - 2], held[curse - 1]) for curse in range(2, CURSES + 1)
    )


def _portraits(held: bytes, kind: int, hope: float, _clock: bool, _few: int) -> float:
    number = sum(held)
    return _sum(held, kind) - _highest(held, number // 2) - number % 2 * hope / 2


def _cats(held: bytes, kind: int, _hope: float, _clock: bool, few: int) -> float:
    curses = _sum(held, kind)
    lowest = next(curse for curse, count in enumerate(held, 1) if count)
    return curses - (curses - lowest) * few / 4


def _music_boxes(held: bytes, kind: int, _hope: float, _clock: bool, _few: int) -> float:
    return _sum(held, kind) - _highest(held, 2) / 2


def _clocks(held: bytes, kind: int, hope: float, clock_used: bool, _few: int) -> float:
    curses = _sum(held, kind)
    return curses if clock_used else curses - _highest(held, 2) * hope * min(1.0, curses / 8)


def _skulls(held: bytes, kind: int, hope: float, _clock: bool, _few: int) -> float:
    curses = _sum(held, kind)
    return curses * (1 - hope * min(1.0, curses / 11))


_BY_KEY: dict[str, Judge] = {
    "amulet": _amulets,
    "candle": _promise(0.6),
    "cat": _cats,
    "clock": _clocks,
    "doll": _promise(0.3),
    "jack_o_lantern": _promise(0.3),
    "mirror": _set_of(3),
    "music_box": _music_boxes,
    "portrait": _portraits,
    "ring": _set_of(4),
    "skull": _skulls,
    "twin": _twins,
}
_JUDGES = tuple(_BY_KEY.get(key, _plain) for key in TYPES)
