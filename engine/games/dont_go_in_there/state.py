"""A position of Don't Go In There, and what each move and each chance outcome does to it."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.core import CHANCE, OVER, Action, Event, EventSink, Seat
from engine.games.dont_go_in_there import tell
from engine.games.dont_go_in_there.effects import GOES_ON, ON_TAKE, dispel, face_up, gain, highest
from engine.games.dont_go_in_there.ending import settle
from engine.games.dont_go_in_there.moves import (
    FLIP_TO_BLANK,
    FLIP_TO_GHOST,
    KEEP,
    PICK,
    PICKS,
    PLACES,
    REROLL,
    TOME_MOVES,
    TYPE_OF_TOME_MOVE,
)
from engine.games.dont_go_in_there.position import Position
from engine.games.dont_go_in_there.tables import (
    AFTER_ROLL,
    ASCENDING,
    BINOMIAL,
    BOARDS,
    CLOSED,
    CURSE,
    CURSES,
    DEAL,
    DRAW_SIDES,
    DRAW_TYPES,
    ENDED,
    FACES,
    FLASHLIGHTS,
    FLIP_OR_KEEP,
    FULL,
    ICONS,
    NAME,
    PLACE,
    REROLL_OR_KEEP,
    ROLL,
    ROOMS,
    SLOT_GHOSTS,
    SLOTS,
    SPACE_GHOSTS,
    SPACES,
    STREAMS,
    TAKE,
    TOP,
    TURNS,
    TYPES,
    cards_of,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there import DontGoInThere


class HauntState(Position):
    """One position, and what can be done in it."""

    __slots__ = ()

    def __init__(self, game: DontGoInThere) -> None:
        super().__init__(game)
        if game.types is not None:
            self._start_with(game.types)

    def legal_actions(self) -> list[Action]:
        phase = self.phase
        if phase == PLACE:
            rooms = self.rooms
            taken = self.taken
            return [*PLACES[rooms[0]][taken[0]], *PLACES[rooms[1]][taken[1]], *PLACES[rooms[2]][taken[2]]]
        if phase == TAKE:
            return PICKS[self._slots_left()][:]
        return self._other_actions(phase)

    def _other_actions(self, phase: int) -> list[Action]:
        if phase == DEAL:
            return list(dict.fromkeys(self.pool))
        if phase == ROLL:
            return list(range(self.dice + 1))
        if phase == REROLL_OR_KEEP:
            return [KEEP, REROLL]
        if phase == FLIP_OR_KEEP:
            to_ghost = [FLIP_TO_GHOST] if self.rolled < self.dice else []
            return [KEEP, *to_ghost, FLIP_TO_BLANK] if self.rolled else [KEEP, *to_ghost]
        if phase == NAME:
            return [TOME_MOVES[kind] for kind in self.face_up_types(self.acting) if kind in TOME_MOVES]
        if phase == DRAW_TYPES:
            return [kind for kind in range(self.game.kinds) if kind not in self.types]
        return [0, 1] if phase == DRAW_SIDES else []

    def _slots_left(self) -> int:
        """Bit mask of the slots of the haunted room that still hold a card."""
        cards = self.cards
        first = SLOTS * self.board
        return (cards[first] >= 0) + 2 * (cards[first + 1] >= 0) + 4 * (cards[first + 2] >= 0)

    def chance_weights(self) -> list[int]:
        if self.phase == DEAL:
            return [*Counter(self.pool).values()]
        if self.phase == ROLL:
            return BINOMIAL[self.dice][:]
        return [1] * len(self.legal_actions())

    def chance_stream(self) -> str:
        return STREAMS[self.phase]

    def draw_chance(self, rng: random.Random) -> Action:
        """The same chances as the weights', without making the lists."""
        if self.phase == DEAL:
            pool = self.pool
            return pool[int(rng.random() * len(pool))]
        if self.phase == ROLL:
            return rng.getrandbits(self.dice).bit_count()
        if self.phase == DRAW_SIDES:
            return int(rng.random() * 2)
        kinds = self.game.kinds
        kind = int(rng.random() * kinds)
        while kind in self.types:
            kind = int(rng.random() * kinds)
        return kind

    def apply(self, action: Action, emit: EventSink | None = None) -> None:
        self.STEPS[self.phase](self, action, emit)

    # --- setup: DG 2 ---

    def _draw_type(self, kind: int, _emit: EventSink | None) -> None:
        types = tuple(sorted((*self.types, kind)))
        if len(types) == self.game.setup.types:
            self._start_with(types)
        else:
            self.types = types

    def _start_with(self, types: tuple[int, ...]) -> None:
        self.types = types
        self.pool = cards_of(types)
        self.phase = DRAW_SIDES

    def _draw_side(self, side: int, emit: EventSink | None) -> None:
        self.rooms[self.board] = 2 * self.board + side
        self.board += 1
        if self.board < BOARDS:
            return
        self.board = 0
        self.phase = DEAL
        if emit is not None:
            tell.setup(self, emit)

    def _deal(self, face: int, emit: EventSink | None) -> None:
        """DG 2.4, DG 4.8: the top card of the deck into the next slot of the board."""
        pool = self.pool
        del pool[bisect_left(pool, face)]
        self.deck -= 1
        board = self.board
        cards = self.cards
        first = SLOTS * board
        slot = 0 if cards[first] < 0 else 1 if cards[first + 1] < 0 else 2
        cards[first + slot] = face
        room = self.rooms[board]
        if ASCENDING[room] and slot:
            cards[first : first + slot + 1] = sorted(cards[first : first + slot + 1], key=CURSE.__getitem__)
        if emit is not None:
            tell.deal(self, slot, emit)
        if slot < SLOTS - 1:
            return
        if self.placed == 0 and board < BOARDS - 1:
            self.board = board + 1
            return
        self.board = 0
        self.phase = PLACE
        self.acting = self.placed % self.game.seats

    # --- a turn: DG 3 ---

    def _place(self, action: Action, emit: EventSink | None) -> None:
        board = action >> 3
        space = action & 3
        seat = self.acting
        self.spaces[SPACES * board + space] = seat
        taken = self.taken[board] | 1 << space
        self.taken[board] = taken
        if emit is not None:
            tell.place(self, action, emit)
        if change := SPACE_GHOSTS[action]:
            gain(self, seat, change, ROOMS[action >> 2], emit)
        if FULL[taken]:
            self._haunt(board, emit)
        else:
            self.placed += 1
            self.acting = self.placed % self.game.seats

    # --- a haunt: DG 4 ---

    def _haunt(self, board: int, emit: EventSink | None) -> None:
        self.board = board
        cards = self.cards
        first = SLOTS * board
        self.dice = ICONS[cards[first]] + ICONS[cards[first + 1]] + ICONS[cards[first + 2]]
        self.phase = ROLL
        if emit is not None:
            tell.haunt(self, emit)
        self.acting = CHANCE

    def _roll(self, ghosts: int, emit: EventSink | None) -> None:
        self.rolled = ghosts
        if emit is not None:
            tell.roll(self, emit)
        choice = AFTER_ROLL[self.rooms[self.board]]
        if choice is None or self.rerolled:
            self._scare(emit)
            return
        self.phase = REROLL_OR_KEEP if choice == "reroll" else FLIP_OR_KEEP
        self.acting = self.placed % self.game.seats

    def _choose_dice(self, action: Action, emit: EventSink | None) -> None:
        """DG 4.4 (Basement) and DG 4.5 (Hallway)."""
        if emit is not None:
            tell.dice_choice(self, action, emit)
        if action == REROLL:
            self.rerolled = True
            self.rolled = -1
            self.phase = ROLL
            self.acting = CHANCE
            return
        if action == FLIP_TO_GHOST:
            self.rolled += 1
        elif action == FLIP_TO_BLANK:
            self.rolled -= 1
        self._scare(emit)

    def _scare(self, emit: EventSink | None) -> None:
        """DG 4.6: all meeples meet the ghosts before any card is taken."""
        board = self.board
        rolled = self.rolled
        flashlights = FLASHLIGHTS[self.rooms[board]]
        spaces = self.spaces
        ghosts = self.ghosts
        first = SPACES * board
        for space in range(SPACES):
            seat = spaces[first + space]
            if seat >= 0 and rolled > flashlights[space]:
                ghosts[seat] += rolled - flashlights[space]
                if emit is not None:
                    tell.scare(self, seat, space, emit)
        self.phase = TAKE
        self.acting = spaces[first + TOP[self.taken[board]]]

    def _take(self, action: Action, emit: EventSink | None, forced: bool = False) -> None:
        """DG 4.7: the card, the meeple home, the ghost of the slot, the card's effect."""
        board = self.board
        seat = self.acting
        slot = action - PICK
        where = SLOTS * board + slot
        face = self.cards[where]
        self.cards[where] = -1
        self.up[FACES * seat + face] += 1
        taken = self.taken[board]
        space = TOP[taken]
        self.taken[board] = taken & taken - 1
        self.spaces[SPACES * board + space] = -1
        room = self.rooms[board]
        if emit is not None:
            tell.take(self, space, slot, face, forced, emit)
        if change := SLOT_GHOSTS[SLOTS * room + slot]:
            gain(self, seat, change, ROOMS[room], emit)
        effect = self._EFFECTS[face >> 2]
        if effect is not None and (asking := effect(self, seat, face, emit)):
            self.phase = asking
        else:
            self._next_picker(emit)

    def _next_picker(self, emit: EventSink | None) -> None:
        board = self.board
        taken = self.taken[board]
        if not taken:
            self._clear_room(board, emit)
            return
        self.phase = TAKE
        self.acting = self.spaces[SPACES * board + TOP[taken]]
        if not taken & taken - 1:
            first = SLOTS * board
            slot = 0 if self.cards[first] >= 0 else 1 if self.cards[first + 1] >= 0 else 2
            self._take(PICK + slot, emit, True)

    def _name_type(self, action: Action, emit: EventSink | None) -> None:
        """DG 5.11: the second Tome's owner has named a type."""
        kind = TYPE_OF_TOME_MOVE[action]
        seat = self.acting
        if emit is not None:
            emit(Event("tome", {"seat": seat, "curse_type": TYPES[kind]}))
        dispel(self, seat, face_up(self, seat, kind), "tome", emit)
        self._next_picker(emit)

    def dispel_some(self, seat: Seat, kind: int, number: int, emit: EventSink | None) -> int:
        """Cards of the seat's choice: the highest curses go (DG 5.13). Gives the phase that asks."""
        dispel(self, seat, highest(self, seat, kind, number), TYPES[kind], emit)
        return GOES_ON

    def dispel_dolls(
        self, seat: Seat, face: int, sets: Sequence[Sequence[int]], emit: EventSink | None
    ) -> int:
        """The new doll and one of these sets of other curses: the first (DG 5.4)."""
        first = face & -CURSES
        dispel(self, seat, [face, *(first + curse - 1 for curse in sets[0])], "doll", emit)
        return GOES_ON

    def _clear_room(self, board: int, emit: EventSink | None) -> None:
        """DG 4.8: three new cards for the other side of the board, or the board leaves."""
        room = self.rooms[board]
        self.dice = 0
        self.rolled = -1
        self.rerolled = False
        self.placed += 1
        if self.deck >= SLOTS:
            self.rooms[board] = room ^ 1
            self.phase = DEAL
            self.acting = CHANCE
            if emit is not None:
                emit(Event("turn_over", {"room": ROOMS[room], "to": ROOMS[room ^ 1]}))
            return
        self.rooms[board] = CLOSED
        self.board = 0
        if emit is not None:
            emit(Event("remove_room", {"room": ROOMS[room]}))
        if self.placed < TURNS * self.game.seats:
            self.phase = PLACE
            self.acting = self.placed % self.game.seats
            return
        self._end(emit)

    def _end(self, emit: EventSink | None) -> None:
        self.phase = ENDED
        self.acting = OVER
        settle(self, emit)

    _EFFECTS: ClassVar[tuple[Callable[..., int] | None, ...]] = ON_TAKE
    """What a card does when it is taken, by type."""
    STEPS: ClassVar[tuple[Callable[..., None], ...]] = (
        _draw_type,
        _draw_side,
        _deal,
        _place,
        _roll,
        _choose_dice,
        _choose_dice,
        _take,
        _name_type,
    )
    """What an action does, by phase."""
