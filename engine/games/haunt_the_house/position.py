"""What a position of Haunt the House is made of; state.py and powers.py say how it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from engine.core import CHANCE, Json, Seat, State
from engine.games.haunt_the_house import ending, text, view, view_json
from engine.games.haunt_the_house.tables import (
    ACTIONS_A_TURN,
    DEAL_ON,
    KINDS,
    KNOWERS,
    MASK,
    NEED,
    NO_BOO,
    OWNER,
    OWNER_MASK,
    ROOM_DRAW,
    SHUFFLED,
    UNIT,
    WHOLE,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house import HauntTheHouse


class Position(State):
    """All that a position is. Seats, Scares, hunters, rooms and Phantoms are small numbers; see tables.py.

    A *place* is where a room lies, from 0. Lists "by owner" are heaps of Scares. What is not in use is -1, or
    0 for a number of things.
    """

    __slots__ = (
        "acting",  # seat to decide, CHANCE or OVER
        "actions",  # Actions left this turn
        "after",  # what comes after the Scares being drawn
        "boo",  # how the BOO of this turn stands
        "bottom",  # Phantoms put under the deck, `kind | seat that put it << 4`, the next to come first
        "card",  # invisible Scare chosen to move: its number in its room; visible one: `KINDS * owner + kind`
        "claimed",  # by seat, bit mask of hunters
        "deck",  # by owner
        "discard",  # by owner
        "drawer",  # seat that is drawing
        "drawn",  # Phantoms drawn as a reward, to choose from
        "due",  # bit mask of seats with a marker on the Phantom deck
        "echo",  # room whose power was used just now
        "effect",  # power or Phantom being carried out
        "fresh",  # nothing was done yet this turn, so a BOO may be called
        "game",
        "gaps",  # needs that visible Scares leave open: four bits a place
        "hand",  # by owner
        "held",  # by seat, Phantoms in hand, ascending
        "hidden",  # by place, invisible Scares in the order they came
        "hunters",  # by place
        "hunters_left",  # ascending
        "known",  # by `seats * owner + viewer`: heap that the viewer knows to be in the owner's hand
        "knows",  # bit mask of owners of whose hand somebody knows something
        "made",  # by owner, the deck as it was last shuffled
        "owed",  # cards still to draw
        "phantom_free",  # a Phantom may still be played this turn
        "phase",
        "picks",  # choices left in what is being carried out
        "place",  # place of the BOO, or of what is being moved
        "played",  # by seat, Phantoms played, in order
        "rooms",  # by place
        "rooms_left",  # room pile, ascending
        "rooms_out",  # room discard, ascending
        "shown",  # by place, heap of all visible Scares
        "starter",  # seat that began
        "target",  # seat that an Attack names
        "tokens",  # by seat, Skull tokens
        "top",  # Phantoms in the deck but those put under it, ascending
        "trigger",  # seat that brought the end
        "trophies",  # by seat
        "turn",  # seat on turn
        "turns",  # turns finished
        "visible",  # by `seats * place + owner`
    )

    game: HauntTheHouse

    def __init__(self, game: HauntTheHouse) -> None:
        self.game = game
        seats, places = game.seats, game.setup.rooms
        self.phase = ROOM_DRAW
        self.acting = CHANCE
        self.turn = 0
        self.turns = 0
        self.starter = -1
        self.trigger = -1
        self.actions = ACTIONS_A_TURN
        self.fresh = False
        self.phantom_free = False
        self.echo = -1
        self.boo = NO_BOO
        self.due = 0
        self.clear_effect()
        self.place = 0
        self.drawer = 0
        self.owed = 0
        self.after = DEAL_ON
        self.drawn: tuple[int, ...] = ()
        self.rooms = [-1] * places
        self.hunters = [-1] * places
        self.rooms_left = game.rooms
        self.rooms_out: tuple[int, ...] = ()
        self.hunters_left = game.hunters
        self.visible = [0] * (seats * places)
        self.hidden: list[tuple[int, ...]] = [()] * places
        self.shown = [0] * places
        self.gaps = 0
        self.hand = [0] * seats
        self.deck = [WHOLE] * seats
        self.discard = [0] * seats
        self.made = [WHOLE] * seats
        self.known = [0] * (seats * seats)
        self.knows = 0
        self.tokens = [0] * seats
        self.claimed = [0] * seats
        self.trophies: list[tuple[int, ...]] = [()] * seats
        self.held: list[tuple[int, ...]] = [()] * seats
        self.played: list[tuple[int, ...]] = [()] * seats
        self.top = game.phantoms
        self.bottom: tuple[int, ...] = ()

    def clear_effect(self) -> None:
        """Nothing is being carried out."""
        self.effect = self.place = self.card = self.target = -1
        self.picks = 0

    def actor(self) -> int:
        return self.acting

    def clone(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.game = self.game
        other.phase = self.phase
        other.acting = self.acting
        other.turn = self.turn
        other.turns = self.turns
        other.starter = self.starter
        other.trigger = self.trigger
        other.actions = self.actions
        other.fresh = self.fresh
        other.phantom_free = self.phantom_free
        other.echo = self.echo
        other.boo = self.boo
        other.due = self.due
        other.effect = self.effect
        other.picks = self.picks
        other.place = self.place
        other.card = self.card
        other.target = self.target
        other.drawer = self.drawer
        other.owed = self.owed
        other.after = self.after
        other.drawn = self.drawn
        other.rooms = self.rooms[:]
        other.hunters = self.hunters[:]
        other.rooms_left = self.rooms_left
        other.rooms_out = self.rooms_out
        other.hunters_left = self.hunters_left
        other.visible = self.visible[:]
        other.hidden = self.hidden[:]
        other.shown = self.shown[:]
        other.gaps = self.gaps
        other.hand = self.hand[:]
        other.deck = self.deck[:]
        other.discard = self.discard[:]
        other.made = self.made[:]
        other.known = self.known[:]
        other.knows = self.knows
        other.tokens = self.tokens[:]
        other.claimed = self.claimed[:]
        other.trophies = self.trophies[:]
        other.held = self.held[:]
        other.played = self.played[:]
        other.top = self.top
        other.bottom = self.bottom
        return other

    # --- what follows from the rest ---

    def derive(self) -> None:
        """Set what other fields imply, after these were set by hand."""
        seats = self.game.seats
        for place in range(len(self.rooms)):
            self.shown[place] = sum(self.visible[seats * place : seats * (place + 1)])
            self.find_gaps(place)
        self.knows = sum(
            1 << owner for owner in range(seats) if any(self.known[seats * owner : seats * (owner + 1)])
        )

    def find_gaps(self, place: int) -> None:
        """HH 3.6: which Scares may be laid visibly at a place."""
        hunter, shown = self.hunters[place], self.shown[place]
        need = NEED[hunter] if hunter >= 0 else 0
        gaps = sum(1 << kind for kind in range(KINDS) if (need >> 3 * kind & 7) > (shown >> 3 * kind & 7))
        self.gaps = self.gaps & ~(15 << KINDS * place) | gaps << KINDS * place

    # --- who knows what of a hand: HH 9.2 ---

    def learn(self, owner: Seat, kind: int, viewers: int) -> None:
        """A Scare came into a hand, and this mask of seats knows which."""
        base = self.game.seats * owner
        for viewer in range(self.game.seats):
            if viewers >> viewer & 1 and viewer != owner:
                self.known[base + viewer] += UNIT[kind]
                self.knows |= 1 << owner

    def unlearn(self, owner: Seat, kinds: int) -> None:
        """A Scare left a hand: one of this mask of kinds, for all that others know."""
        base = self.game.seats * owner
        rest = 0
        for at in range(base, base + self.game.seats):
            if heap := self.known[at]:
                gone = MASK[heap] & kinds
                heap -= sum(UNIT[kind] for kind in range(KINDS) if gone >> kind & 1)
                self.known[at] = heap
                rest |= heap
        if not rest:
            self.knows &= ~(1 << owner)

    def mark_shuffled(self, owner: Seat) -> None:
        """Invisible Scares that lie now are none of those in the new deck."""
        for place, cards in enumerate(self.hidden):
            if cards:
                self.hidden[place] = tuple(
                    [card | SHUFFLED if card >> OWNER & OWNER_MASK == owner else card for card in cards]
                )

    # --- the contract ---

    def observe(self, seat: Seat | None) -> dict[str, Json]:
        return view.observe(self, seat)

    def observe_json(self, seat: Seat | None) -> bytes:
        return view_json.observe_json(self, seat)

    def scores(self) -> tuple[float, ...]:
        """HH 8.6."""
        return tuple(float(ending.score(self, seat).total) for seat in range(self.game.seats))

    def ranks(self) -> tuple[int, ...]:
        return ending.ranks(self)

    def figures(self) -> dict[str, Json]:
        """Turns played, and by seat the hunters frightened out and the Skull tokens."""
        return {
            "turns": self.turns,
            "hunters": [claimed.bit_count() for claimed in self.claimed],
            "skull_tokens": self.tokens[:],
        }

    def to_text(self) -> str:
        return text.write(self)


def knowers(card: int) -> int:
    """Bit mask of the seats that know an invisible Scare."""
    return card >> KNOWERS & 31
