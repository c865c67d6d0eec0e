"""What is sensible in Haunt the House: a room is worth what its hunter brings, and how near one is to it.

A look ahead plays out our own turn, each time by what looks best at once, and judges the table when the
next turn begins. What others laid unseen is dealt more often right for its room than chance would have it,
for whoever lays a Scare means something by it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sense

from engine.core import CHANCE, OVER, Action, Game
from engine.games.haunt_the_house.tables import (
    ACT,
    CARDS,
    COUNTS,
    GEAR,
    HUNTER_GEAR,
    HUNTER_SKULLS,
    HUNTERS,
    KINDS,
    KNOWN_TO,
    MASK,
    NEED,
    OWNER,
    OWNER_MASK,
    PHANTOM_SKULLS,
    PHANTOMS,
    SETUP,
    SIZE,
    UNIT,
)

DEPTH = 0
NARROW = 6
"""Candidates that are looked at."""
NEAR = (0.8, 0.25, 0.1, 0.04, 0.02)
"""Part of a hunter's worth that counts already, by how many Scares are missing."""
SECOND = 0.45
"""Part that the second best room counts, for a turn takes one hunter."""
STEP = 2.0
"""Points that a hunter is worth beside its own: a step towards the end, and gear for more of its sort."""
LURE = 0.6
"""Points that a correct invisible Scare of one's own is worth: whoever calls, it earns a reward."""
HELD = {
    "vanishing": 0.8, "hasty": 0.2, "slumbering": 2.2, "gathering": 0.7, "peering": 0.95, "returning": 0.95,
    "drifting": 0.95, "echoing": 0.1, "rallying": 0.3, "haggling": 0.4, "thieving": 1.4, "startling": 0.1,
    "meddling": 0.5, "trading": 0.1,
}  # fmt: skip
"""Points that a Phantom in hand is worth while there is time to play it: less than when it is played."""
LATE = 0.5
"""Part of that which is left when somebody lacks one hunter to bring the end."""
CARD_IN_HAND = 0.3
LEAN = 0.7
"""How often a wrong Scare that was dealt to a room is taken for a right one."""


class Sense(sense.Sense):
    depth = DEPTH

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.goal = SETUP[game.seats].hunters

    def candidates(self, deals: Sequence[Any], legal: Sequence[Action]) -> Sequence[Action]:
        """Those that look best at once, a few of them."""
        rng = random.Random(0)
        glances = dict.fromkeys(legal, 0.0)
        for state in deals:
            for action in legal:
                glances[action] += self._glance(state, action, rng)
        return sorted(legal, key=glances.__getitem__, reverse=True)[:NARROW]

    def lean(self, state: Any, seat: int, rng: random.Random) -> None:
        """What others laid unseen is likelier to be right for its room than any of their Scares."""
        for place, hunter in enumerate(state.hunters):
            if hunter >= 0 and state.hidden[place]:
                cards = [_leaned(state, card, MASK[NEED[hunter]], seat, rng) for card in state.hidden[place]]
                state.hidden[place] = tuple(cards)

    def play(self, state: Any, legal: Sequence[Action], rng: random.Random) -> Action:
        """What looks best at once."""
        best, most = legal[0], -math.inf
        for action in legal:
            if (glance := self._glance(state, action, rng)) > most:
                best, most = action, glance
        return best

    def _glance(self, state: Any, action: Action, rng: random.Random) -> float:
        """Our lead over the others' mean after a move of the seat that is to decide."""
        seat = state.acting
        child = state.child(action)
        while child.acting == CHANCE:
            child.apply(child.draw_chance(rng))
        scores = self.scores(child)
        return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)

    def quiet(self, state: Any) -> bool:
        """A turn begins."""
        return bool(state.phase == ACT and state.fresh)

    def scores(self, state: Any) -> list[float]:
        return [self._score(state, seat) for seat in range(self.game.seats)]

    def _score(self, state: Any, seat: int) -> float:
        claimed, trophies = state.claimed[seat], state.trophies[seat]
        score = _laid(claimed, trophies) + state.tokens[seat] + _played(state.played[seat])
        if state.acting == OVER:
            return score
        hand = state.hand[seat]
        score += CARD_IN_HAND * SIZE[hand]
        if state.held[seat] and state.trigger < 0:
            score += _held(state.held[seat]) * (LATE if self._late(state) else 1.0)
        score += STEP * claimed.bit_count()
        first = second = 0.0
        for place, hunter in enumerate(state.hunters):
            if hunter < 0:
                continue
            lacking, lure = _lacking(state, seat, place)
            score += lure
            hope = NEAR[_missing(lacking, hand)] * (_gain(claimed, trophies, hunter) + STEP)
            if hope > first:
                first, second = hope, first
            elif hope > second:
                second = hope
        return score + first + SECOND * second

    def _late(self, state: Any) -> bool:
        return bool(max(claimed.bit_count() for claimed in state.claimed) + 1 >= self.goal)


def _leaned(state: Any, card: int, feared: int, seat: int, rng: random.Random) -> int:
    """An invisible Scare, now and then exchanged for a right one out of its owner's deck."""
    owner, kind = card >> OWNER & OWNER_MASK, card & 3
    if feared >> kind & 1 or card & KNOWN_TO[seat] or rng.random() > LEAN:
        return card
    right = [other for other in CARDS[state.deck[owner]] if feared >> other & 1]
    if not right:
        return card
    other = right[int(rng.random() * len(right))]
    state.deck[owner] += UNIT[kind] - UNIT[other]
    return card - kind + other


def _lacking(state: Any, seat: int, place: int) -> tuple[int, float]:
    """The heap that a room lacks, and what its own Scares there may earn."""
    need, there, lure = NEED[state.hunters[place]], state.shown[place], 0.0
    for card in state.hidden[place]:
        if need >> 3 * (card & 3) & 7:
            if there >> 3 * (card & 3) & 7 < 7:
                there += UNIT[card & 3]
            if card >> OWNER & OWNER_MASK == seat:
                lure = LURE
    return _less(need, there), lure


@lru_cache(maxsize=20_000)
def _less(need: int, there: int) -> int:
    """The heap `need` without the heap `there`."""
    return sum(UNIT[kind] * max(0, (need >> 3 * kind & 7) - (there >> 3 * kind & 7)) for kind in range(KINDS))


@lru_cache(maxsize=20_000)
def _missing(lacking: int, hand: int) -> int:
    return sum(COUNTS[_less(lacking, hand)])


@lru_cache(maxsize=20_000)
def _laid(claimed: int, trophies: tuple[int, ...]) -> float:
    """Points of hunters and gear (HH 8.6)."""
    number = [trophies.count(gear) for gear in range(len(GEAR))]
    skulls = 0
    for hunter in range(len(HUNTERS)):
        if claimed >> hunter & 1:
            skulls += HUNTER_SKULLS[hunter]
            for gear in HUNTER_GEAR[hunter]:
                number[gear] += 1
    return skulls + sum(count * count for count in number)


@lru_cache(maxsize=20_000)
def _gain(claimed: int, trophies: tuple[int, ...], hunter: int) -> float:
    return _laid(claimed | 1 << hunter, trophies) - _laid(claimed, trophies)


@lru_cache(maxsize=20_000)
def _played(kinds: tuple[int, ...]) -> int:
    return sum(PHANTOM_SKULLS[kind] for kind in kinds)


@lru_cache(maxsize=20_000)
def _held(kinds: tuple[int, ...]) -> float:
    """Phantoms that are not played count nothing at the end (HH 7.7)."""
    return sum(HELD[PHANTOMS[kind]] for kind in kinds)
