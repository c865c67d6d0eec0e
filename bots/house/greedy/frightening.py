"""What moves in Haunt the House are worth: one move ahead, from the observation alone, in points.

A hunter is worth what its gear and Skulls add to our score, and a step towards the end. A move is worth
what it adds to the best chances of frightening one out in our next turn, plus what it brings at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.games.haunt_the_house.tables import (
    GEAR,
    HUNTER_GEAR,
    HUNTER_SKULLS,
    HUNTERS,
    PHANTOM_SKULLS,
    PHANTOMS,
    SCARES,
    SETUP,
)

Json = Any
Counts = tuple[int, ...]
"""How many of each Scare."""
KINDS = range(len(SCARES))

LIKELY = 6.0
"""How much likelier an unknown Scare is one that its room's hunter fears."""
STEP = 1.5
"""Points that a step towards the end is worth."""
BAD_BOO = 1.5
"""What a Bad BOO costs: the Actions not taken."""
REWARD = 1.1
HOPED_REWARD = 0.6
"""What a right Scare laid invisibly is expected to earn."""
OPEN = 0.35
"""What it costs to show a Scare: it helps everybody."""
SPENT = 0.35
"""What a Scare from the hand costs in a BOO, after which none is drawn."""
RANKED = (1.0, 0.45, 0.25, 0.1, 0.0)
"""Weights of the chances, the best first."""
POWER = {
    "crypt": 1.0, "laboratory": 0.3, "kitchen": 0.9, "library": 0.2, "attic": 0.5, "ballroom": 0.1,
    "cellar": 0.1, "dungeon": 0.3, "gallery": 0.3,
}  # fmt: skip
"""What the power of a room is worth to whoever sets it off."""
PLAYED = {
    "vanishing": 1.0, "hasty": -0.4, "slumbering": 2.2, "gathering": 0.8, "peering": 1.2, "returning": 1.1,
    "drifting": 1.0, "echoing": -0.5, "rallying": 0.3, "haggling": 0.8, "thieving": 1.4, "startling": -0.5,
    "meddling": 0.3, "trading": -1.0,
}  # fmt: skip
"""What a Phantom is worth when it is played, its Skulls included."""
DRAWN_PHANTOM = 1.3
"""What the better of two Phantoms is worth while there is time to play it."""


class Room(NamedTuple):
    """A room as we see it."""

    key: str
    hunter: str
    need: Counts
    there: Counts
    """Visible Scares, and invisible ones that we know."""
    mine: Counts
    """Our invisible ones."""
    unknown: tuple[tuple[float, ...], ...]
    """Of each unknown Scare, how likely it is each kind."""

    def laid(self, kind: int, *, hidden: bool) -> Room:
        mine = _plus(self.mine, kind, 1) if hidden else self.mine
        return self._replace(there=_plus(self.there, kind, 1), mine=mine)


class House:
    """One observation, and what a player reads in it."""

    def __init__(self, observation: dict[str, Json]) -> None:
        self.seen = observation
        self.me: int = observation["seat"]
        self.players: list[dict[str, Json]] = observation["players"]
        own = observation["own"]
        self.hand: Counts = tuple(own["hand"])
        self.phantoms: list[str] = own["phantoms"]
        self.gear = [own["trophies"].count(key) for key in GEAR]
        for key in self.players[self.me]["hunters"]:
            for gear in HUNTER_GEAR[HUNTERS.index(key)]:
                self.gear[gear] += 1
        self.draws = _shares(own["deck"], self.players[self.me]["discard"])
        self.goal = SETUP[len(self.players)].hunters
        self.ending = observation["trigger"] is not None
        self.pools = [self._pool(seat) for seat in range(len(self.players))]
        self.rooms = [self._room(row) for row in observation["rooms"]]
        self._covered: dict[tuple[Counts, int], float] = {}
        self._worths = [self.worth(room.hunter) for room in self.rooms]
        self.now = self.outlook(self.rooms, self.hand)

    # --- reading the table ---

    def _pool(self, seat: int) -> list[int]:
        """A player's Scares that may lie anywhere, for all we know."""
        player = self.players[seat]
        pool = [4 - gone - held for gone, held in zip(player["discard"], player["known"], strict=True)]
        for room in self.seen["rooms"]:
            for kind in KINDS:
                pool[kind] -= room["visible"][seat][kind]
            for card in room["invisible"]:
                if card["seat"] == seat and "scare" in card:
                    pool[SCARES.index(card["scare"])] -= 1
        return pool

    def _room(self, row: dict[str, Json]) -> Room:
        there = [sum(counts) for counts in zip(*row["visible"], strict=True)]
        mine = [0] * len(SCARES)
        unknown = []
        for card in row["invisible"]:
            if "scare" not in card:
                unknown.append(self._guess(card["seat"], row["need"]))
                continue
            kind = SCARES.index(card["scare"])
            there[kind] += 1
            mine[kind] += card["seat"] == self.me
        return Room(
            row["room"] or "",
            row["hunter"] or "",
            tuple(row["need"]),
            tuple(there),
            tuple(mine),
            tuple(unknown),
        )

    def _guess(self, seat: int, need: list[int]) -> tuple[float, ...]:
        """Most likely one that the hunter fears, as far as its owner still has some."""
        weights = [
            max(0, left) * (LIKELY if wanted else 1.0)
            for left, wanted in zip(self.pools[seat], need, strict=True)
        ]
        total = sum(weights) or 1.0
        return tuple(weight / total for weight in weights)

    # --- what things are worth ---

    def worth(self, hunter: str) -> float:
        """Points that a hunter would bring us, and the step towards the end."""
        if not hunter:
            return 0.0
        number = HUNTERS.index(hunter)
        points = float(HUNTER_SKULLS[number])
        for gear in HUNTER_GEAR[number]:
            points += 2 * self.gear[gear] + 1
            if not self.ending:
                points += 0.5
        if self.ending:
            return points
        return points + STEP * (2.0 if len(self.players[self.me]["hunters"]) + 1 == self.goal else 1.0)

    def outlook(self, rooms: list[Room], hand: Counts) -> float:
        """Hunters that we may frighten out next turn, after drawing to three."""
        drawn = max(0, 3 - sum(hand))
        chances = sorted(
            (
                worth * self.chance(room, hand, drawn)
                for room, worth in zip(rooms, self._worths, strict=True)
                if worth
            ),
            reverse=True,
        )
        return sum(weight * chance for weight, chance in zip(RANKED, chances, strict=False))

    def chance(self, room: Room, hand: Counts, drawn: int) -> float:
        """How likely a BOO is to succeed with this hand and as many cards to draw."""
        return sum(
            part * self._cover(tuple(max(0, gap - held) for gap, held in zip(gaps, hand, strict=True)), drawn)
            for gaps, part in _gaps(room).items()
        )

    def _cover(self, missing: Counts, drawn: int) -> float:
        """How likely so many draws bring what is missing."""
        lacking = sum(missing)
        if not lacking:
            return 1.0
        if lacking > drawn:
            return 0.0
        key = (missing, drawn)
        if key not in self._covered:
            self._covered[key] = sum(
                share * self._cover(_plus(missing, kind, -1) if missing[kind] else missing, drawn - 1)
                for kind, share in enumerate(self.draws)
                if share
            )
        return self._covered[key]

    def standing(self, seat: int) -> float:
        """Points of a player as far as all can see them."""
        player = self.players[seat]
        pieces = [0] * len(GEAR)
        points = float(player["skulls"])
        for key in player["hunters"]:
            points += HUNTER_SKULLS[HUNTERS.index(key)]
            for gear in HUNTER_GEAR[HUNTERS.index(key)]:
                pieces[gear] += 1
        points += sum(PHANTOM_SKULLS[PHANTOMS.index(key)] for key in player["played"])
        return points + sum(count * count for count in pieces)

    # --- moves ---

    def gain(self, move: dict[str, Json]) -> float:
        """What a legal move is worth, in points; passing is worth nothing."""
        value: float = getattr(self, "_" + move["type"])(move)
        return value

    def _pass(self, _move: dict[str, Json]) -> float:
        return 0.0

    def _draw(self, _move: dict[str, Json]) -> float:
        return 0.2

    def _invisible(self, move: dict[str, Json]) -> float:
        number, kind = move["room"] - 1, SCARES.index(move["scare"])
        room = self.rooms[number]
        right = room.need[kind] > 0
        first = not any(held and wanted for held, wanted in zip(room.mine, room.need, strict=True))
        hope = HOPED_REWARD if right and first else 0.0
        return hope + self._after(number, room.laid(kind, hidden=True), _plus(self.hand, kind, -1))

    def _visible(self, move: dict[str, Json]) -> float:
        number, kind = move["room"] - 1, SCARES.index(move["scare"])
        room = self.rooms[number].laid(kind, hidden=False)
        value = self._after(number, room, _plus(self.hand, kind, -1))
        return value + POWER.get(room.key, 0.0) - OPEN

    def _after(self, number: int, room: Room, hand: Counts) -> float:
        rooms = [*self.rooms]
        rooms[number] = room
        return self.outlook(rooms, hand) - self.now

    def _boo(self, move: dict[str, Json]) -> float:
        number = move["room"] - 1
        room = self.rooms[number]
        chance = self.chance(room, self.hand, 0)
        short = [max(0, wanted - laid) for wanted, laid in zip(room.need, room.there, strict=True)]
        mine = any(held and wanted for held, wanted in zip(room.mine, room.need, strict=True))
        others = sum(
            sum(part for part, wanted in zip(guess, room.need, strict=True) if wanted)
            for guess in room.unknown
        )
        value = chance * (self._worths[number] - SPENT * min(sum(short), sum(self.hand)))
        value += REWARD * (mine - min(others, len(self.players) - 1) / len(self.players))
        return value if self.ending else value - (1 - chance) * BAD_BOO

    def _use_power(self, _move: dict[str, Json]) -> float:
        return 1.0

    def _discard(self, move: dict[str, Json]) -> float:
        hand = _plus(self.hand, SCARES.index(move["scare"]), -1)
        value = self.outlook(self.rooms, hand) - self.now - 0.02
        return value + 1.0 if self._carrying_out() == "haggling" else value

    def _retrieve(self, move: dict[str, Json]) -> float:
        return 0.1 + self.outlook(self.rooms, _plus(self.hand, SCARES.index(move["scare"]), 1)) - self.now

    def _carrying_out(self) -> str:
        effect = self.seen["effect"]
        return effect["of"] if effect else ""

    def _choose_invisible(self, move: dict[str, Json]) -> float:
        number = move["room"] - 1
        room = self.rooms[number]
        card = self.seen["rooms"][number]["invisible"][move["card"] - 1]
        if "scare" not in card:  # the Library, the Gallery, Meddling
            return 0.1 + 0.02 * self._worths[number]
        kind = SCARES.index(card["scare"])
        useful = room.need[kind] > 0
        if card["seat"] != self.me:
            return 0.2 if useful and self._carrying_out() != "library" else -0.1
        if self._carrying_out() == "library":
            return -0.1
        without = room._replace(there=_plus(room.there, kind, -1), mine=_plus(room.mine, kind, -1))
        if self._carrying_out() == "ballroom":
            return -0.2 if useful else 0.2
        value = self._after(number, without, _plus(self.hand, kind, 1))
        return value - HOPED_REWARD * useful

    def _choose_visible(self, move: dict[str, Json]) -> float:
        number, kind = move["room"] - 1, SCARES.index(move["scare"])
        room = self.rooms[number]
        without = room._replace(there=_plus(room.there, kind, -1))
        hand = _plus(self.hand, kind, 1) if self._carrying_out() != "drifting" else self.hand
        return self._after(number, without, hand)

    def _choose_room(self, move: dict[str, Json]) -> float:
        number = move["room"] - 1
        room, effect = self.rooms[number], self.seen["effect"]
        if effect["of"] == "peering":
            return 0.1 + len(room.unknown) * (0.1 + 0.02 * self._worths[number])
        if effect["of"] == "drifting":
            return self._after(number, room.laid(SCARES.index(effect["scare"]), hidden=False), self.hand)
        card = self.seen["rooms"][effect["room"] - 1]["invisible"][effect["card"] - 1]
        kind = SCARES.index(card["scare"])
        value = self._after(number, room.laid(kind, hidden=True), self.hand)
        return value + HOPED_REWARD * (room.need[kind] > 0)

    def _choose_seat(self, move: dict[str, Json]) -> float:
        return 0.3 + 0.05 * self.standing(move["seat"])

    def _choose_hunter(self, move: dict[str, Json]) -> float:
        """To give: the one that we miss least. To get: the one that brings most."""
        hunter = move["hunter"]
        number = HUNTERS.index(hunter)
        if hunter not in self.players[self.me]["hunters"]:
            return self.worth(hunter)
        return -HUNTER_SKULLS[number] - sum(2.0 * self.gear[gear] - 1 for gear in HUNTER_GEAR[number])

    # --- Phantoms ---

    def _take_skull(self, _move: dict[str, Json]) -> float:
        return 1.0

    def _draw_phantoms(self, _move: dict[str, Json]) -> float:
        ahead = max(len(player["hunters"]) for player in self.players)
        hurry = self.ending or ahead >= self.goal - 1 or len(self.phantoms) > 1
        return 0.0 if hurry else DRAWN_PHANTOM

    def _keep(self, move: dict[str, Json]) -> float:
        return PLAYED[move["phantom"]]

    def _play(self, move: dict[str, Json]) -> float:
        phantom = move["phantom"]
        if phantom == "rallying":
            return self._rally()
        if phantom == "gathering":
            return 0.3 + self._gathered()
        return PLAYED[phantom] if phantom != "trading" else self._trade()

    def _gathered(self) -> float:
        room, worth = max(zip(self.rooms, self._worths, strict=True), key=lambda pair: pair[1])
        drawn = max(0, 3 - sum(self.hand))
        return worth * (self.chance(room, self.hand, drawn + 3) - self.chance(room, self.hand, drawn))

    def _rally(self) -> float:
        """Two more Scares before the count, when all that lies there is known."""
        number = self.seen["boo"]["room"] - 1
        room = self.rooms[number]
        return (
            self._worths[number] * (self.chance(room, self.hand, 2) - self.chance(room, self.hand, 0)) - 1.0
        )

    def _trade(self) -> float:
        """The best swap, less what the Phantom costs."""
        mine = [self._choose_hunter({"hunter": key}) for key in self.players[self.me]["hunters"]]
        theirs = [
            self.worth(key) - STEP
            for seat, player in enumerate(self.players)
            if seat != self.me
            for key in player["hunters"]
        ]
        return max(theirs) + max(mine) - 3.5


def _gaps(room: Room) -> dict[Counts, float]:
    """What may still be missing in a room, and how likely each is, over its unknown Scares."""
    gaps = tuple(max(0, wanted - laid) for wanted, laid in zip(room.need, room.there, strict=True))
    spread = {gaps: 1.0}
    for guess in room.unknown:
        after: dict[Counts, float] = {}
        for missing, part in spread.items():
            stays = part
            for kind, likely in enumerate(guess):
                if missing[kind] and likely:
                    less = _plus(missing, kind, -1)
                    after[less] = after.get(less, 0.0) + part * likely
                    stays -= part * likely
            after[missing] = after.get(missing, 0.0) + stays
        spread = after
    return spread


def _plus(counts: Counts, kind: int, change: int) -> Counts:
    return (*counts[:kind], counts[kind] + change, *counts[kind + 1 :])


def _shares(deck: list[int], discard: list[int]) -> tuple[float, ...]:
    """How likely the next Scare of a deck is each kind; of the discard pile if the deck is empty."""
    heap = deck if any(deck) else discard
    total = sum(heap) or 1
    return tuple(count / total for count in heap)
