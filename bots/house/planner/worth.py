"""How likely a position of Treasure Hunters is to be won: a small network, learned from play with itself.

Input are facts that hold or do not ("red is next and stands in room C with a jewel"). A fact that holds adds
its row to 32 hidden sums; the answer follows from those alone. `basic.bin` and `advanced.bin` have a row for
each fact: learned in the basic game, and in those with numbers, draw cards and locks.

They were learned outside of this folder from some 400,000 matches each, all moves chosen at a glance as
`planning.py` does, one in a hundred at random; a third of the matches began with jewels already safe. After
each match every position moved towards what came of it (temporal differences, lambda 0.7 to 0.9).

A row is one big integer, 32 bits a lane: adding two of them adds all lanes at once, so that a position is
judged in some ten additions. The sum over facts that go together (a hunter's, three rooms') is remembered.
"""

from __future__ import annotations

import math
import struct
from itertools import accumulate
from pathlib import Path
from typing import Any

from engine.games.treasure_hunters.paths import reach
from engine.games.treasure_hunters.tables import CARDS, JEWELS, LOCKS, OUT, PLACES, ROOMS, SHUFFLE

HIDDEN = 32
STEPS = 14
"""Ways as long as this, or longer, or shut, are all the same."""
LANE = 32
UNIT = 1 << 9
"""Weights are stored in this fraction."""
FINE = 1 << 16
"""The lane of the sum that is taken as it is has this fraction."""
LEAK = 0.05
"""Part of a negative hidden sum that counts."""
REMEMBERED = 1 << 17

KINDS = {
    "room": ROOMS * 4 * 7 * 2,  # ghosts or haunting, jewel, whether its card is still to come
    "hunter": 4 * 5 * len(PLACES),  # turns until it moves, what it carries, where
    "company": ROOMS * 4 * 4,  # hunters there, ghosts or haunting
    "way_out": 4 * 2 * (STEPS + 1),  # of a carrier; may its jewel leave now?
    "way_in": 4 * (STEPS + 1),  # of the others, to the nearest jewel
    "banked": JEWELS + 1,
    "haunted": 7,
    "locked": len(LOCKS),
    "lying": JEWELS + 1,
    "carriers": 5,
    "banked_haunted": (JEWELS + 1) * 7,
    "pairs": 9,  # rooms with two ghosts
    "pairs_to_come": 9,  # whose card is in the pile
    "pile": 20,
    "special": 2 + 2 + 2 + 3 + 3,
    "ghosts": 25,
    "held": 5,
    "rules": 3,
    "chain": 5,
    "way_next": STEPS + 2,
    "unknown": JEWELS + 1,
}
"""Kinds of facts, in the order of their rows, and how many there are of each."""
AT = dict(zip(KINDS, accumulate(KINDS.values(), initial=0), strict=False))
FACTS = sum(KINDS.values())

_BIAS = sum(1 << LANE * lane + LANE - 1 for lane in range(HIDDEN + 1))
_LANES = struct.Struct(f"<{HIDDEN + 1}i")


def steps_between(start: int, goals: int, locked: int, stops: int) -> int:
    """Steps to the nearest place of a mask, at most STEPS."""
    for steps in range(STEPS):
        if reach(start, steps, locked, stops) & goals:
            return steps
    return STEPS


class Worth:
    """Judges positions of one game with one set of options, at the start of a hunter's turn."""

    def __init__(self, game: Any, weights: Path) -> None:
        self.game = game
        self.memory: dict[Any, Any] = {}
        table = struct.iter_unpack(f"<{HIDDEN}h", weights.read_bytes())
        rows = list(table)
        if len(rows) != FACTS + 3:
            raise ValueError(f"{len(rows)} rows of weights, not {FACTS + 3}")
        out = [weight / UNIT for weight in rows[FACTS + 1]]
        self.out = [(1 - LEAK) * weight / UNIT for weight in out]
        self.rows = [self._packed(row, out) for row in rows[: FACTS + 1]]
        self.ground = self.rows[FACTS] + (round(rows[FACTS + 2][0] / UNIT * FINE) << LANE * HIDDEN) + _BIAS
        options = game.options
        flags = (options["door_cards"] == "on", options["draw_cards"] == "on", game.hunters == 3)
        self.ground += sum(self.rows[AT["rules"] + flag] for flag, on in enumerate(flags) if on)

    @staticmethod
    def _packed(row: tuple[int, ...], out: list[float]) -> int:
        """All lanes of a row, and its part of what is taken as it is."""
        straight = LEAK * sum(weight / UNIT * after for weight, after in zip(row, out, strict=True))
        lanes = (*row, round(straight * FINE))
        return sum(weight << LANE * lane for lane, weight in enumerate(lanes))

    def __call__(self, state: Any) -> float:
        """From 0 to 1; less the longer the way is to it."""
        if len(self.memory) > REMEMBERED:
            self.memory.clear()
        total = (self.ground + self._hunters(state) + self._rooms(state) + self._table(state)) ^ _BIAS
        *hidden, straight = _LANES.unpack(total.to_bytes(_LANES.size, "little"))
        answer = straight / FINE
        for weight, value in zip(self.out, hidden, strict=True):
            if value > 0:
                answer += weight * value
        return 1 / (1 + math.exp(-answer))

    # --- groups of facts: each is looked up by what it depends on, and made when it is met first ---

    def _hunters(self, state: Any) -> int:
        memory, places, carried = self.memory, state.places, state.carried
        hunters, locked, haunted, held, total = len(places), state.locked, state.haunted, 0, 0
        for turns in range(hunters):
            hunter = (state.hunter + turns) % hunters
            place, jewel = places[hunter], carried[hunter]
            if jewel:
                held += haunted >> place & 1
                jewel = min(4, jewel - state.banked) if self.game.ordered else 1
            key = (turns, place, jewel, locked, haunted if jewel else state.jewels)
            total += memory.get(key) or self._hunter(*key)
        return total + self.rows[AT["held"] + held]

    def _hunter(self, turns: int, place: int, jewel: int, locked: int, mask: int) -> int:
        row = self.rows[AT["hunter"] + (turns * 5 + jewel) * len(PLACES) + place]
        if jewel:
            way = steps_between(place, 1 << OUT, locked, mask)
            row += self.rows[AT["way_out"] + (turns * 2 + (jewel > 1)) * (STEPS + 1) + way]
        else:
            row += self.rows[AT["way_in"] + turns * (STEPS + 1) + steps_between(place, mask, locked, 0)]
        self.memory[turns, place, jewel, locked, mask] = row
        return row

    def _rooms(self, state: Any) -> int:
        """Three rooms at a time."""
        memory, ghosts, haunted, jewels = self.memory, state.ghosts, state.haunted, state.jewels
        company = total = 0
        for place in state.places:
            if place < ROOMS:
                company += 1 << 3 * place
        to_come = self._pile(state.pile)[0]
        numbers = state.numbers if self.game.ordered else b""
        for first in range(0, ROOMS, 3):
            key = (
                first,
                ghosts >> 2 * first & 63,
                (haunted >> first & 7) << 6 | (jewels >> first & 7) << 3 | to_come >> first & 7,
                company >> 3 * first & 511,
                numbers and (numbers[first : first + 3], state.banked),
            )
            total += memory.get(key) or self._three_rooms(key)
        return total

    def _three_rooms(self, key: tuple[int, int, int, int, Any]) -> int:
        first, ghosts, masks, company, numbers = key
        row = 0
        for room in range(3):
            inside = 3 if masks >> 6 + room & 1 else ghosts >> 2 * room & 3
            jewel = masks >> 3 + room & 1
            if jewel and numbers and numbers[0][room]:
                ahead = numbers[0][room] - numbers[1] - 1
                jewel = 2 + ahead if ahead < 3 else 5 if ahead < 5 else 6
            fact = ((first + room) * 4 + inside) * 14 + jewel * 2 + (masks >> room & 1)
            row += self.rows[AT["room"] + fact]
            if there := company >> 3 * room & 7:
                row += self.rows[AT["company"] + ((first + room) * 4 + min(3, there)) * 4 + inside]
        self.memory[key] = row
        return row

    def _pile(self, pile: bytes) -> tuple[int, int]:
        """Mask of the rooms whose cards are to come, and the row."""
        if known := self.memory.get(pile):
            return known
        row = self.rows[AT["pile"] + min(19, len(pile))]
        fact = AT["special"]
        for card in range(SHUFFLE, len(CARDS)):
            row += self.rows[fact + pile.count(card)]
            fact += 2 if card < SHUFFLE + 3 else 3
        self.memory[pile] = made = (sum(1 << card for card in pile if card < ROOMS), row)
        return made

    def _table(self, state: Any) -> int:
        memory = self.memory
        to_come, row = self._pile(state.pile)
        key = (state.ghosts, to_come)
        row += memory.get(key) or self._ghosts(*key)
        safe = (state.banked, state.jewels, state.haunted, state.locked)
        row += memory.get(safe) or self._safe(*safe)
        return row + self._order(state) if self.game.ordered else row

    def _ghosts(self, ghosts: int, to_come: int) -> int:
        pairs = [room for room in range(ROOMS) if ghosts >> 2 * room & 2]
        row = self.rows[AT["pairs"] + min(8, len(pairs))]
        row += self.rows[AT["pairs_to_come"] + min(8, sum(to_come >> room & 1 for room in pairs))]
        row += self.rows[AT["ghosts"] + len(pairs) + ghosts.bit_count()]
        self.memory[ghosts, to_come] = row
        return row

    def _safe(self, banked: int, jewels: int, haunted: int, locked: int) -> int:
        lying, rooms, rows = jewels.bit_count(), haunted.bit_count(), self.rows
        row = rows[AT["banked"] + banked] + rows[AT["haunted"] + rooms] + rows[AT["locked"] + locked]
        row += rows[AT["lying"] + lying] + rows[AT["carriers"] + JEWELS - banked - lying]
        row += rows[AT["banked_haunted"] + banked * 7 + rooms]
        self.memory[banked, jewels, haunted, locked] = row
        return row

    def _order(self, state: Any) -> int:
        """Jewels that are carried and may leave one after the other, and the way to the next one."""
        chain = 0
        while state.banked + chain + 1 in state.carried:
            chain += 1
        room = state.numbers.find(state.banked + 1) if state.banked < JEWELS else -1
        way = STEPS + 1
        if room >= 0:
            free = [place for place, jewel in zip(state.places, state.carried, strict=True) if not jewel]
            way = min([steps_between(place, 1 << room, state.locked, 0) for place in free], default=STEPS)
        row = self.rows[AT["chain"] + chain] + self.rows[AT["way_next"] + way]
        return row + self.rows[AT["unknown"] + state.unknown.bit_count()]
