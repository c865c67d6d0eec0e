"""What a position of Ghost Fightin' Treasure Hunters is made of, how it is copied, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from engine.core import CHANCE, Json, Seat, State
from engine.games.treasure_hunters import text, view
from engine.games.treasure_hunters.paths import distance
from engine.games.treasure_hunters.tables import (
    ALONE,
    ENDINGS,
    JEWELS,
    OUT,
    PLAYING,
    ROLL,
    ROOMS,
    START_GHOSTS,
    START_JEWELS,
    TWO_DICE_ONE_GHOST,
    TWO_DICE_TWO_GHOSTS,
    UNHAUNT,
    UNLOCKED,
    WON,
)

if TYPE_CHECKING:
    from engine.games.treasure_hunters import TreasureHunters


class Position(State):
    """Its parts. Numbers and bytes are replaced, never changed, so that a clone shares them."""

    __slots__ = (
        "acting",  # seat to decide, CHANCE or OVER
        "banked",  # jewels outside
        "carried",  # by hunter: 0, the jewel's number, or PLAIN
        "drawn",  # the DRAW card at work, or -1
        "ended",  # how, one of ENDINGS
        "extras",  # further cards that it still asks for
        "fight",  # one of FIGHTS while it is fought, else -1
        "game",
        "ghosts",  # two bits a room
        "haunted",  # mask of rooms
        "hunter",  # whose turn it is
        "jewels",  # mask of rooms
        "locked",  # lock of the doors
        "numbers",  # by room: the number of the jewel lying there, 0 while nobody has seen it
        "phase",
        "pile",  # the cards of the draw pile, ascending; their order is drawn when needed
        "places",  # by hunter
        "standing",  # mask of hallway squares on which a hunter stands
        "steps",  # left to the hunter
        "turn",  # hunter-turns begun
        "unknown",  # mask of rooms whose jewel has a number that nobody has seen
        "unseen",  # those numbers, ascending
    )

    game: TreasureHunters

    def __init__(self, game: TreasureHunters) -> None:
        """TH 2: everybody outside, ghosts and jewels in their rooms."""
        hunters = game.hunters
        self.game = game
        self.phase = ROLL
        self.acting = CHANCE
        self.hunter = 0
        self.turn = 0
        self.steps = 0
        self.extras = 0
        self.drawn = -1
        self.locked = UNLOCKED
        self.fight = -1
        self.ended = PLAYING
        self.banked = 0
        self.haunted = 0
        self.ghosts = START_GHOSTS
        self.jewels = START_JEWELS
        self.unknown = START_JEWELS if game.ordered else 0
        self.standing = 0
        self.pile = game.deck
        self.numbers = bytes(ROOMS)
        self.unseen = bytes(range(1, JEWELS + 1)) if game.ordered else b""
        self.places = [OUT] * hunters
        self.carried = [0] * hunters

    def actor(self) -> int:
        return self.acting

    def clone(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.game = self.game
        other.phase = self.phase
        other.acting = self.acting
        other.hunter = self.hunter
        other.turn = self.turn
        other.steps = self.steps
        other.extras = self.extras
        other.drawn = self.drawn
        other.locked = self.locked
        other.fight = self.fight
        other.ended = self.ended
        other.banked = self.banked
        other.haunted = self.haunted
        other.ghosts = self.ghosts
        other.jewels = self.jewels
        other.unknown = self.unknown
        other.standing = self.standing
        other.pile = self.pile
        other.numbers = self.numbers
        other.unseen = self.unseen
        other.places = self.places[:]
        other.carried = self.carried[:]
        return other

    def ghosts_in(self, room: int) -> int:
        return self.ghosts >> 2 * room & 3

    def stops(self) -> int:
        """Where the way of the hunter on turn ends: TH 5.5 for a carrier, TH 9.3 for everybody."""
        return self.haunted | self.unknown if self.carried[self.hunter] else self.unknown

    def _steps_to(self, place: int) -> int:
        """Steps from the hunter on turn to a place."""
        return distance(self.places[self.hunter], place, self.locked, self.stops())

    def fight_at(self, place: int) -> int:
        """Which fight awaits who stands there at the end of the turn, -1 for none (TH 6.1 to TH 6.3)."""
        if place >= ROOMS:
            return -1
        together = self.places.count(place) > 1
        if self.haunted >> place & 1:
            return UNHAUNT if together else -1
        ghosts = self.ghosts >> 2 * place & 3
        if not ghosts:
            return -1
        if not together:
            return ALONE
        return TWO_DICE_ONE_GHOST if ghosts == 1 else TWO_DICE_TWO_GHOSTS

    def observe(self, seat: Seat | None) -> dict[str, Json]:
        return view.observe(self, seat)

    def observe_json(self, seat: Seat | None) -> bytes:
        return view.observe_json(self, seat)

    def scores(self) -> tuple[float, ...]:
        """TH 7.5: the team has won or it has not."""
        return (float(self.ended == WON),) * self.game.seats

    def ranks(self) -> tuple[int, ...]:
        return (1,) * self.game.seats

    def figures(self) -> dict[str, Json]:
        return {
            "jewels": self.banked,
            "hauntings": self.haunted.bit_count(),
            "turns": self.turn,
            "ended": ENDINGS[self.ended],
        }

    def to_text(self) -> str:
        return text.write(self)
