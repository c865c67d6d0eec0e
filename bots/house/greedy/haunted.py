"""What moves in Don't Go In There are worth: one ply with sense, from the observation alone.

Everything is counted in curses, and less is better. A card costs what it adds to the curses that its
owner may expect to hold at the end; a ghost costs its part of the penalty for having the most.
`Weights` says how a bot weighs them; greedy and steady differ in nothing else.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

FLASHLIGHTS = (0, 1, 2, 3)
SET_SIZE = {"ring": 4, "mirror": 3, "twin": 2}
DOLLS = {1: ((2, 3), (1, 4), (1, 2, 2)), 2: ((4,), (1, 3), (2, 1, 1)), 3: ((1, 2), (3,)), 4: ((2,), (1, 1))}

Json = Any
Hand = dict[str, list[int]]
"""Face-up cards by type: how many of each of its four curses, the lowest first."""
LOWEST = {"skull": 2}
"""The lowest curse of a type, where it is not 1."""


class Weights(NamedTuple):
    """How one bot sees the house."""

    ghost: float
    """Curses that a ghost is worth, beside what it adds to the penalty for having the most."""
    hope: float
    """How much of a set that is only begun counts as gone already (0 to 1)."""
    spite: float
    """How much another seat's curse is worth to us."""


class Table:
    """One observation, and the questions that a player asks of it."""

    def __init__(self, observation: dict[str, Json], weights: Weights) -> None:
        self.weights = weights
        self.me: int = observation["seat"]
        self.rooms: list[dict[str, Json]] = observation["rooms"]
        self.haunt: dict[str, Json] = observation["haunt"] or {}
        self.clock_used: bool = observation["clock_used"]
        self.ghosts: list[int] = [player["ghosts"] for player in observation["players"]]
        self.hands: list[Hand] = [player["face_up"] for player in observation["players"]]
        self.turns_left = (observation["placements"] - observation["placed"]) / len(self.ghosts)
        self.unseen: dict[str, list[int]] = observation["unseen"]
        self.card: dict[str, Json] = observation.get("card") or {}

    def value(self, move: dict[str, Json]) -> float:
        """What a legal move costs us, less a part of what it costs the others."""
        kind = move["type"]
        if kind == "place":
            return self._place(move["room"], move["space"] - 1)
        if kind == "pick":
            return self._pick(move["slot"] - 1)
        if kind == "tome":
            curse_type = move["curse_type"]
            return -self.settled(self.me, curse_type, self.hands[self.me].get(curse_type, [0, 0, 0, 0]))
        if kind in ("keep", "reroll", "flip"):
            return self._dice(move)
        return self._further(move)

    # --- cards ---

    def card_cost(self, seat: int, card: dict[str, Json]) -> float:
        """Curses that a card is expected to add to a seat, ghosts that it moves included."""
        if "type" not in card:
            return self._hidden_cost(seat)
        kind, curse = card["type"], card["curse"]
        held = self.hands[seat].get(kind, [0, 0, 0, 0])
        after = list(held)
        after[curse - LOWEST.get(kind, 1)] += 1
        cost = self.settled(seat, kind, after) - self.settled(seat, kind, held)
        if kind == "doll" and self._completes_dolls(held, curse):
            cost -= 6
        if kind == "tome" and sum(after) % 2 == 0:
            cost -= self._best_tome(seat)
        if kind == "witchs_brews":
            return min(cost + self._kept_brew(seat, sum(after)), self.ghost_cost(seat, 2))
        if kind == "raven" and sum(after) % 2 == 0:
            cost -= 1.5
        if not sum(held) and "candle" in self.hands[seat] and len(self.hands[seat]) >= 4:
            cost -= _sum(self.hands[seat]["candle"])
        return cost + self._card_ghosts(seat, kind, sum(after))

    def _hidden_cost(self, seat: int) -> float:
        """The mean over all cards that it could be."""
        total = cost = 0.0
        for kind, counts in self.unseen.items():
            for step, count in enumerate(counts):
                if count:
                    total += count
                    cost += count * self.card_cost(seat, {"type": kind, "curse": step + LOWEST.get(kind, 1)})
        return cost / total if total else 2.5

    def settled(self, seat: int, kind: str, held: list[int]) -> float:
        """Curses that these cards of one type are expected to leave at the end."""
        curses = _sum(held)
        if not curses:
            return 0.0
        if kind in SET_SIZE:
            return self._set_settled(kind, held, curses)
        if kind == "amulet":
            return curses - sum(step * min(held[step - 2], held[step - 1]) for step in (2, 3, 4))
        if kind == "portrait":
            return curses - sum(_highest(held, sum(held) // 2))
        if kind == "cat":
            lowest = next(step for step, count in enumerate(held, 1) if count)
            return curses - (curses - lowest) * self._few_ghosts(seat)
        if kind == "music_box":
            most = max(_sum(hand.get(kind, [0])) for other, hand in enumerate(self.hands) if other != seat)
            return curses - sum(_highest(held, 2)) * _likely((curses - most) / 2)
        if kind == "clock" and not self.clock_used:
            return curses - sum(_highest(held, 2)) * (1.0 if curses >= 8 else self._hope(curses / 8))
        if kind == "doll":
            return curses * (1 - 0.5 * self._hope(0.6))
        return self._expansion_settled(seat, kind, held, curses)

    def _expansion_settled(self, seat: int, kind: str, held: list[int], curses: int) -> float:
        if kind == "skull":
            curses += sum(held)  # they start at 2
            return 0.0 if curses >= 11 else curses * (1 - 0.7 * self._hope(curses / 11))
        if kind == "candle":
            types = len({*self.hands[seat], kind})
            return 0.0 if types >= 5 else curses * (1 - self._hope(types / 5))
        if kind == "jack_o_lantern":
            if sum(held) < 3:
                return curses * (1 - 0.5 * self._hope(sum(held) / 3))
            others = [hand for other, hand in enumerate(self.hands) if other != seat]
            shared = any(sum(hand.get(kind, ())) >= 3 for hand in others)
            return float(curses - sum(_highest(held, 1 if shared else 2)))
        return float(curses)

    def _set_settled(self, kind: str, held: list[int], curses: int) -> float:
        """Sets that go as a whole: what is begun may still be completed."""
        if kind == "twin":
            return sum(
                step * (count % 2) * (1 - self._hope(0.5 * self.unseen.get(kind, [0] * 4)[step - 1]))
                for step, count in enumerate(held, 1)
            )
        size = SET_SIZE[kind]
        count = sum(held)
        if count >= size:
            return 0.0
        missing = size - count
        left = sum(self.unseen.get(kind, ()))
        return curses * (1 - (self._hope(count / size) if left >= missing else 0.0))

    def _hope(self, part: float) -> float:
        """How much of a begun set counts as gone; less with each turn that passes."""
        return min(1.0, self.weights.hope * part * min(1.0, self.turns_left / 6))

    def _completes_dolls(self, held: list[int], curse: int) -> bool:
        return any(all(held[other - 1] >= others.count(other) for other in others) for others in DOLLS[curse])

    def _best_tome(self, seat: int) -> float:
        hand = self.hands[seat]
        return max(
            (self.settled(seat, kind, held) for kind, held in hand.items() if kind != "tome"), default=0.0
        )

    def _few_ghosts(self, seat: int) -> float:
        """Chance to end with 9 ghosts or fewer."""
        return _likely((9.5 - self.ghosts[seat] - 0.9 * self.turns_left) / 2.5)

    # --- ghosts ---

    def ghost_cost(self, seat: int, change: float) -> float:
        """Curses that some ghosts more or less are expected to cost a seat."""
        return self._burden(seat, max(0.0, self.ghosts[seat] + change)) - self._burden(
            seat, self.ghosts[seat]
        )

    def _burden(self, seat: int, ghosts: float) -> float:
        rival = max(count for other, count in enumerate(self.ghosts) if other != seat)
        spread = 1.5 + self.turns_left / 3
        return ghosts * (0.5 * _likely((ghosts - rival) / spread) + self.weights.ghost)

    def _card_ghosts(self, seat: int, kind: str, count: int) -> float:
        """What the effect of the count-th card of a type does with ghosts."""
        if kind == "mirror":
            return self.ghost_cost(seat, 1)
        if kind == "holy_water" and count % 2 == 0:
            return self.ghost_cost(seat, -(self.ghosts[seat] // 2))
        if kind == "mask":
            return 1.3 * self.ghost_cost(seat, -min(count, self.ghosts[seat]))
        return 0.0

    def _slot_ghosts(self, seat: int, room: str, slot: int) -> float:
        if room == "library" and slot != 1:
            return self.ghost_cost(seat, 1 if slot == 0 else -1)
        return 0.0

    # --- the three decisions ---

    def _place(self, name: str, space: int) -> float:
        """The ghosts that the space will meet, and the card that will be left for it."""
        room = next(room for room in self.rooms if room["room"] == name)
        spaces = list(room["spaces"])
        spaces[space] = self.me
        dice = sum(card.get("dice", 1.5) for card in room["cards"])
        cost = self.ghost_cost(self.me, _expected_scare(dice, FLASHLIGHTS[space]))
        if (name, space) == ("attic", 0):
            cost += self.ghost_cost(self.me, 1)
        if (name, space) == ("nursery", 3):
            cost += self.ghost_cost(self.me, -1)
        if sum(who is not None for who in spaces) == 3:
            return cost + self._full_room(room, spaces, dice)
        return cost + self._room_to_fill(room, spaces, space)

    def _full_room(self, room: dict[str, Json], spaces: list[int | None], dice: float) -> float:
        """Everybody takes what is best for him, top to bottom; the others' ghosts please us."""
        costs = dict.fromkeys(range(len(self.ghosts)), 0.0)
        left = dict(enumerate(room["cards"]))
        for who in spaces:
            if who is not None:
                self._take_best(who, room["room"], left, costs)
        for space, who in enumerate(spaces):
            if who is not None and who != self.me:
                costs[who] += self.ghost_cost(who, _expected_scare(dice, FLASHLIGHTS[space]))
        return self._balance(costs)

    def _room_to_fill(self, room: dict[str, Json], spaces: list[int | None], space: int) -> float:
        """Those who still come in are expected above us as often as there is room above us."""
        costs = sorted(
            self.card_cost(self.me, card) + self._slot_ghosts(self.me, room["room"], slot)
            for slot, card in enumerate(room["cards"])
        )
        above = sum(who is not None for who in spaces[:space])
        coming = 3 - sum(who is not None for who in spaces)
        free_above = sum(who is None for who in spaces[:space])
        free = sum(who is None for who in spaces)
        place = min(2.0, above + coming * free_above / free)
        low = int(place)
        part = place - low
        return costs[low] if not part else costs[low] * (1 - part) + costs[low + 1] * part

    def _pick(self, slot: int) -> float:
        """Our card, and what it leaves to those who take after us."""
        name = self.haunt["room"]
        room = next(room for room in self.rooms if room["room"] == name)
        left = {number: card for number, card in enumerate(room["cards"]) if card}
        costs = dict.fromkeys(range(len(self.ghosts)), 0.0)
        costs[self.me] = self.card_cost(self.me, left.pop(slot)) + self._slot_ghosts(self.me, name, slot)
        waiting = [who for who in room["spaces"] if who is not None]
        for who in waiting[1:]:
            self._take_best(who, name, left, costs)
        return self._balance(costs)

    def _take_best(self, who: int, room: str, left: dict[int, Json], costs: dict[int, float]) -> None:
        offers = [
            (self.card_cost(who, card) + self._slot_ghosts(who, room, slot), slot)
            for slot, card in left.items()
        ]
        cost, slot = min(offers)
        costs[who] += cost
        del left[slot]

    def _dice(self, move: dict[str, Json]) -> float:
        """Keep, roll again, or turn one die: the ghosts that all in the room will meet."""
        change = {"keep": 0, "flip": 1 if move.get("to") == "ghost" else -1}
        room = next(room for room in self.rooms if room["room"] == self.haunt["room"])
        costs = dict.fromkeys(range(len(self.ghosts)), 0.0)
        for space, who in enumerate(room["spaces"]):
            if who is None:
                continue
            if move["type"] == "reroll":
                scare = _expected_scare(self.haunt["dice"], FLASHLIGHTS[space])
            else:
                scare = max(0.0, self.haunt["ghosts"] + change[move["type"]] - FLASHLIGHTS[space])
            costs[who] += self.ghost_cost(who, scare)
        return self._balance(costs)

    # --- the choices of the expansion, and of cards to dispel ---

    def _further(self, move: dict[str, Json]) -> float:
        """Highest curses go and the lowest cat stays; brews and exchanges for what they cost us."""
        kind = move["type"]
        if kind == "dispel":
            return -float(move["curse"])
        if kind == "stay":
            return float(move["curse"])
        if kind == "brew":
            if move["choice"] == "dispel":
                return self.ghost_cost(self.me, 2)
            brews = sum(self.hands[self.me]["witchs_brews"])
            return self.card["curse"] + self._kept_brew(self.me, brews)
        if kind == "bring":
            card = {"type": move["curse_type"], "curse": move["curse"]}
            gifts = [
                self._given(key, step)
                for key, held in self.hands[self.me].items()
                for step, count in enumerate(held)
                if count and key != "raven"
            ]
            return self.card_cost(self.me, card) + min(gifts, default=0.0)
        if kind == "give":
            return self._given(move["curse_type"], move["curse"] - LOWEST.get(move["curse_type"], 1))
        return 0.0

    def _given(self, kind: str, step: int) -> float:
        """What giving a card away adds to our curses; mostly less than none."""
        held = self.hands[self.me][kind]
        left = list(held)
        left[step] -= 1
        return self.settled(self.me, kind, left) - self.settled(self.me, kind, held)

    def _kept_brew(self, seat: int, count: int) -> float:
        """The ghosts that a kept brew, the count-th, takes away."""
        return self.ghost_cost(seat, -min(5, self.ghosts[seat])) if count % 2 == 0 else 0.0

    def _balance(self, costs: dict[int, float]) -> float:
        """Ours, less the mean of the others' by the weight of spite."""
        others = [cost for who, cost in costs.items() if who != self.me]
        return costs[self.me] - self.weights.spite * sum(others) / len(others)


def _sum(held: list[int]) -> int:
    return sum(step * count for step, count in enumerate(held, 1))


def _highest(held: list[int], count: int) -> list[int]:
    curses = [step for step, copies in enumerate(held, 1) for _ in range(copies)]
    return curses[len(curses) - count :] if count < len(curses) else curses


def _likely(lead: float) -> float:
    """From 0 to 1: how likely a lead, in units of its spread, is to hold."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, 1.7 * lead))))


def _expected_scare(dice: float, flashlights: int) -> float:
    """Ghosts expected to pass the flashlights, each die showing one half the time."""
    low = int(dice)
    part = dice - low
    few = _SCARE[low][flashlights]
    return few + part * (_SCARE[low + 1][flashlights] - few) if part else few


_SCARE = [
    [
        sum(math.comb(dice, ghosts) * max(0, ghosts - lights) for ghosts in range(dice + 1)) / 2**dice
        for lights in FLASHLIGHTS
    ]
    for dice in range(8)
]
