"""What a position of Don't Go In There is made of; state.py says how it changes."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, Self

from engine.core import CHANCE, Json, Seat, State, best_first
from engine.games.dont_go_in_there import text, view, view_json
from engine.games.dont_go_in_there.ending import ghost_penalty
from engine.games.dont_go_in_there.tables import (
    BOARDS,
    CLOSED,
    CURSE,
    CURSES,
    DRAW_TYPES,
    FACES,
    NO_CARDS,
    SLOTS,
    SPACES,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there import DontGoInThere


class Position(State):
    """All that a position is. Seats, rooms and cards are small numbers; see tables.py."""

    __slots__ = (
        "acting",  # seat to decide, CHANCE or OVER
        "board",  # board being dealt or haunted; 0 where there is none
        "cards",  # face in each slot of each board, or -1
        "clock_used",  # DG 5.3: somebody has dispelled clocks
        "deck",  # cards left in the deck
        "dice",  # dice rolled in this haunt; 0 outside one
        "down",  # dispelled cards: by FACES * seat + face, how many
        "game",
        "ghosts",  # by seat
        "phase",
        "placed",  # placements made; this modulo seats is on turn
        "pool",  # faces that could still be drawn, ascending, one entry a card
        "rerolled",
        "rolled",  # dice showing a ghost; -1 before the roll
        "rooms",  # room shown by each board, or CLOSED
        "spaces",  # seat on each space of each board, or -1
        "taken",  # bit mask of taken spaces of each board
        "types",  # types in play, ascending
        "up",  # face-up cards, like `down`
    )

    game: DontGoInThere

    def __init__(self, game: DontGoInThere) -> None:
        self.game = game
        self.phase = DRAW_TYPES
        self.acting = CHANCE
        self.placed = 0
        self.board = 0
        self.dice = 0
        self.rolled = -1
        self.rerolled = False
        self.clock_used = False
        self.deck = game.setup.deck
        self.types: tuple[int, ...] = ()
        self.pool: list[int] = []
        self.rooms = [CLOSED] * BOARDS
        self.taken = [0] * BOARDS
        self.spaces = [-1] * (BOARDS * SPACES)
        self.cards = [-1] * (BOARDS * SLOTS)
        self.ghosts = [0] * game.seats
        self.up = bytearray(FACES * game.seats)
        self.down = bytearray(FACES * game.seats)

    def actor(self) -> int:
        return self.acting

    def face_up_types(self, seat: Seat) -> list[int]:
        """Types of which a seat has a face-up card, ascending."""
        up = self.up[FACES * seat : FACES * (seat + 1)]
        return [kind for kind in self.types if up[CURSES * kind : CURSES * kind + CURSES] != NO_CARDS]

    def aside(self) -> Sequence[int]:
        """Cards that lie neither on the table nor in `pool`: where ravens are in play, the removed ones."""
        return ()

    def unknown_aside(self, seat: Seat | None) -> Sequence[int]:
        """Those of them that a seat has never seen."""
        del seat
        return ()

    def take_further(self, parts: text.Parts) -> None:
        """Take over what only a game with asking or expansion has. Raises ValueError."""
        if parts.asks or parts.removed or parts.returned or parts.card >= 0 or parts.looked:
            raise ValueError("this game has no expansion and asks nobody")

    def clone(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.game = self.game
        other.phase = self.phase
        other.acting = self.acting
        other.placed = self.placed
        other.board = self.board
        other.dice = self.dice
        other.rolled = self.rolled
        other.rerolled = self.rerolled
        other.clock_used = self.clock_used
        other.deck = self.deck
        other.types = self.types
        other.pool = self.pool[:]
        other.rooms = self.rooms[:]
        other.taken = self.taken[:]
        other.spaces = self.spaces[:]
        other.cards = self.cards[:]
        other.ghosts = self.ghosts[:]
        other.up = self.up[:]
        other.down = self.down[:]
        return other

    def observe(self, seat: Seat | None) -> dict[str, Json]:
        return view.observe(self, seat)

    def observe_json(self, seat: Seat | None) -> bytes:
        return view_json.observe_json(self, seat)

    def scores(self) -> tuple[float, ...]:
        """Curses of each seat, ghost penalty included (DG 6.2); fewer are better."""
        penalty = ghost_penalty(self.ghosts)
        return tuple(float(self.curses(seat) + penalty[seat]) for seat in range(self.game.seats))

    def curses(self, seat: Seat) -> int:
        """Sum of a seat's face-up curses."""
        held = self.up[FACES * seat : FACES * (seat + 1)]
        return sum(map(mul, held, CURSE))

    def ranks(self) -> tuple[int, ...]:
        """DG 6.3: fewest curses, then fewest ghosts; equal in both share a rank."""
        return best_first(list(zip(self.scores(), self.ghosts, strict=True)))

    def to_text(self) -> str:
        return text.write(self)
