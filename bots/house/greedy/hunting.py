"""What moves in Treasure Hunters cost: one move ahead, from the observation alone, in steps of walking.

A hunter with a jewel walks out, one without walks to the nearest jewel that nobody else is nearer to, and
whoever is on the way of ghosts stops for a fight: the second ghost of a room matters most.
"""

from __future__ import annotations

from typing import Any

from engine.games.treasure_hunters.paths import FAR, distance
from engine.games.treasure_hunters.tables import LOCKS, NUMBER_OF, OUT, ROOMS

Json = Any

FIRST_GHOST = 2.0
SECOND_GHOST = 6.0
"""Steps that it is worth to remove the only ghost of a room, or one of two."""
HAUNTING = 6.0
SAVED = 4.0
"""Steps that a jewel brought out is worth beside the way."""
COMPANY = 0.75
"""Chance of two dice against a ghost; one alone has 1/2, two against two remove one on average."""
UNHAUNTED = 5 / 9
TRAPPED = 40.0
AHEAD = 2
"""How far from its turn a jewel may be that is worth carrying."""
FOLLOWED = 4.0
"""What it costs to go for a jewel that another hunter is nearer to."""


class Hunt:
    """One observation, and what its moves cost the hunter on turn."""

    def __init__(self, observation: dict[str, Json]) -> None:
        self.locked = LOCKS.index(observation["locked"])
        self.next: int | None = observation["next"]
        self.rooms: list[dict[str, Json]] = observation["rooms"]
        self.haunted = sum(1 << room for room, row in enumerate(self.rooms) if row["haunted"])
        hunters = observation["hunters"]
        self.me = hunters[observation["hunter"]]
        self.at = NUMBER_OF[self.me["at"]]
        self.mates = [row for row in hunters if row is not self.me]
        self.jewels = [room for room, row in enumerate(self.rooms) if row["jewel"] and self.wanted(row)]

    def cost(self, move: dict[str, Json]) -> float:
        kind = move["type"]
        if kind == "leave":
            return 0.0
        if kind == "take":
            row = self.rooms[self.at]
            alone = not any(mate["at"] == self.me["at"] for mate in self.mates)
            return -1.0 if self.wanted(row) and not (row["haunted"] and alone) else 1.0
        place = NUMBER_OF[move["to"] if kind == "go" else move["room"]]
        return self._way(place) - (self._fight(place) if kind == "go" else 0.0)

    def wanted(self, row: dict[str, Json]) -> bool:
        """With an order, a jewel is worth carrying when its turn is near, or its number not known yet."""
        return None in (self.next, row["number"]) or row["number"] <= self.next + AHEAD

    def _way(self, place: int) -> float:
        """What is still to be walked from there."""
        if self.me["jewel"]:
            if self.next is not None and self.me["number"] != self.next:
                return TRAPPED if self.haunted >> place & 1 else 0.0
            if self.haunted >> place & 1:
                return TRAPPED
            return distance(place, OUT, self.locked, self.haunted) - SAVED * (place == OUT)
        if not self.jewels:
            return distance(place, OUT, self.locked, 0)
        return min(map(self._to_jewel, self.jewels, [place] * len(self.jewels)))

    def _to_jewel(self, room: int, place: int) -> float:
        """The way to a jewel, and what speaks against it: others are nearer, its room is haunted."""
        way = float(distance(place, room, self.locked, 0))
        before = distance(self.at, room, self.locked, 0)
        for mate in self.mates:
            if not mate["jewel"] and distance(NUMBER_OF[mate["at"]], room, self.locked, 0) < before:
                way += FOLLOWED
        return way + (FAR if self.haunted >> room & 1 else 0)

    def _fight(self, place: int) -> float:
        """What the fight there is worth."""
        if place >= ROOMS:
            return 0.0
        row = self.rooms[place]
        company = any(NUMBER_OF[mate["at"]] == place for mate in self.mates)
        if row["haunted"]:
            return UNHAUNTED * HAUNTING if company else 0.0
        if row["ghosts"] == 2:
            return SECOND_GHOST * (1.0 if company else 0.5)
        return FIRST_GHOST * row["ghosts"] * (COMPANY if company else 0.5)
