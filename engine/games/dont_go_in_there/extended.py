"""A position where seats are asked which cards go (DG 5.13), or where the expansion is in play (DG 8).

It is a class of its own so that the base game, which most matches are, carries nothing of it.
"""

from __future__ import annotations

import random
from bisect import insort
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Final, Self

from engine.core import OVER, Action, Event, EventSink, Json, Seat
from engine.games.dont_go_in_there import text, view, view_further, view_json
from engine.games.dont_go_in_there.effects import GOES_ON, ON_TAKE, count_of, dispel, face_up, gain
from engine.games.dont_go_in_there.ending import Due, dispel_amulets, due_at_end, tell_end
from engine.games.dont_go_in_there.moves import (
    ASKED,
    BREW_DISPEL,
    BREW_KEEP,
    BRING_MOVES,
    DISPEL_MOVES,
    FACE_OF_MOVE,
    GIVE_MOVES,
    LEAVE,
    STAY_MOVES,
)
from engine.games.dont_go_in_there.state import HauntState
from engine.games.dont_go_in_there.tables import (
    BREW,
    CANDLE,
    CAT,
    COPIES,
    CURSE,
    CURSES,
    DEAL,
    DISPEL,
    DOLL,
    DRAW_REMOVED,
    DRAW_SIDES,
    DRAW_TYPES,
    ENDED,
    FACES,
    GIVE,
    LOOK,
    RAVEN,
    TYPE_ROWS,
    TYPES,
    WITCHS_BREWS,
    card_json,
)

if TYPE_CHECKING:
    from engine.games.dont_go_in_there import DontGoInThere

CANDLE_TYPES: Final[int] = TYPE_ROWS["candle"]["held_types"]
RAVEN_SET: Final[int] = TYPE_ROWS["raven"]["set"]
_BREW: Final = TYPE_ROWS["witchs_brews"]
BREW_SET: Final[int] = _BREW["set"]
BREW_DISPEL_GHOSTS: Final[int] = _BREW["dispel_ghosts"]
BREW_SET_GHOSTS: Final[int] = _BREW["set_ghosts"]


class ExtendedState(HauntState):
    """One position of a game that asks or has the expansion."""

    __slots__ = (
        "asks",  # what is still to be chosen: (seat, type, how many cards, or curses of dolls, go)
        "card",  # face in question: the brew just taken, or the card to be exchanged for; -1 where none is
        "looked",  # bit mask of seats that have seen the removed cards
        "removed",  # where ravens are in play: faces removed at setup, swaps included, ascending
        "returned",  # those of them that everybody saw go there, ascending
    )

    def __init__(self, game: DontGoInThere) -> None:
        self.asks: tuple[Due, ...] = ()
        self.card = -1
        self.looked = 0
        self.removed: list[int] = []
        self.returned: list[int] = []
        super().__init__(game)

    def clone(self) -> Self:
        other = super().clone()
        other.asks = self.asks
        other.card = self.card
        other.looked = self.looked
        other.removed = self.removed[:]
        other.returned = self.returned[:]
        return other

    # --- what can be done ---

    def _other_actions(self, phase: int) -> list[Action]:
        if phase == DISPEL:
            return self._dispel_moves()
        if phase == BREW:
            return [BREW_DISPEL, BREW_KEEP]
        if phase == LOOK:
            return [LEAVE, *(BRING_MOVES[face] for face in dict.fromkeys(self.removed))]
        if phase == GIVE:
            return [GIVE_MOVES[face] for face in self._may_be_given(self.acting)]
        if phase == DRAW_REMOVED:
            return list(dict.fromkeys(self.pool))
        return super()._other_actions(phase)

    def chance_weights(self) -> list[int]:
        return [*Counter(self.pool).values()] if self.phase == DRAW_REMOVED else super().chance_weights()

    def draw_chance(self, rng: random.Random) -> Action:
        if self.phase == DRAW_REMOVED:
            return self.pool[int(rng.random() * len(self.pool))]
        return super().draw_chance(rng)

    # --- setup: DG 8.2 ---

    def _draw_last_side(self, side: int, emit: EventSink | None) -> None:
        self._draw_side(side, emit)
        if self.phase == DEAL and RAVEN in self.types:
            self.phase = DRAW_REMOVED

    def _remove(self, face: int, _emit: EventSink | None) -> None:
        """Where ravens are in play the removed cards lie apart from the start, so that no swap ever changes
        the order of the deck."""
        self.pool.remove(face)
        insort(self.removed, face)
        if len(self.pool) == self.deck:
            self.phase = DEAL

    # --- of your choice: DG 5.13 ---

    def dispel_some(self, seat: Seat, kind: int, number: int, emit: EventSink | None) -> int:
        if not self.game.asks:
            return super().dispel_some(seat, kind, number, emit)
        self.asks = ((seat, kind, number),)
        return DISPEL if self._ask(emit) else GOES_ON

    def dispel_dolls(
        self, seat: Seat, face: int, sets: Sequence[Sequence[int]], emit: EventSink | None
    ) -> int:
        if not self.game.asks or len(sets) == 1:
            return super().dispel_dolls(seat, face, sets, emit)
        dispel(self, seat, [face], "doll", emit)
        return self.dispel_some(seat, DOLL, sum(sets[0]), emit)

    def _ask(self, emit: EventSink | None) -> bool:
        """Come to the next question that has two answers; what has only one just happens."""
        while self.asks:
            seat, kind, number = self.asks[0]
            only = self._only_way(seat, kind, number)
            if not only:
                self.phase = DISPEL
                self.acting = seat
                return True
            dispel(self, seat, only, TYPES[kind], emit)
            self.asks = self.asks[1:]
        return False

    def _only_way(self, seat: Seat, kind: int, number: int) -> Sequence[int]:
        """The cards to go where there is no choice, else none."""
        held = face_up(self, seat, kind)
        if kind == DOLL:
            ways = doll_ways(held, number)
            return ways[0] if len(ways) == 1 else ()
        return held[-number:] if number >= len(held) or held[0] == held[-1] else ()

    def _dispel_moves(self) -> list[Action]:
        seat, kind, number = self.asks[0]
        held: Sequence[int] = face_up(self, seat, kind)
        if kind == CAT:
            return [STAY_MOVES[face] for face in dict.fromkeys(held)]
        if kind == DOLL:
            held = sorted(face for way in doll_ways(held, number) for face in way)
        return [DISPEL_MOVES[face] for face in dict.fromkeys(held)]

    def _answer(self, action: Action, emit: EventSink | None) -> None:
        (seat, kind, number), *others = self.asks
        face = FACE_OF_MOVE[action]
        gone = [face]
        if kind == CAT:
            gone = [*face_up(self, seat, kind)]
            gone.remove(face)
        dispel(self, seat, gone, TYPES[kind], emit)
        left = number - (CURSE[face] if kind == DOLL else len(gone))
        self.asks = ((seat, kind, left), *others) if left else tuple(others)
        if self._ask(emit):
            return
        if self.dice:
            self._next_picker(emit)
        else:
            self._finish(emit)

    def _end(self, emit: EventSink | None) -> None:
        if not self.game.asks:
            super()._end(emit)
            return
        dispel_amulets(self, emit)
        self.asks = tuple(due_at_end(self))
        if not self._ask(emit):
            self._finish(emit)

    def _finish(self, emit: EventSink | None) -> None:
        self.phase = ENDED
        self.acting = OVER
        if emit is not None:
            tell_end(self, emit)

    # --- the expansion: DG 8 ---

    def _next_picker(self, emit: EventSink | None) -> None:
        """DG 8.3, DG 8.9: a card and all that it does are done; now its owner's candles are looked at."""
        if CANDLE in self.types:
            seat = self.acting
            candles = face_up(self, seat, CANDLE)
            if candles and len(self.face_up_types(seat)) >= CANDLE_TYPES:
                dispel(self, seat, candles, "candle", emit)
        super()._next_picker(emit)

    def _witchs_brew(self, _seat: Seat, face: int, _emit: EventSink | None) -> int:
        self.card = face
        return BREW

    def _brew(self, action: Action, emit: EventSink | None) -> None:
        """DG 8.8: away with it at once and take ghosts, or keep it; a kept one may make a pair."""
        seat, face = self.acting, self.card
        self.card = -1
        if emit is not None:
            emit(Event("brew", {"seat": seat, "choice": "dispel" if action == BREW_DISPEL else "keep"}))
        if action == BREW_DISPEL:
            dispel(self, seat, [face], "witchs_brews", emit)
            gain(self, seat, BREW_DISPEL_GHOSTS, "witchs_brews", emit)
        elif count_of(self, seat, face // CURSES) % BREW_SET == 0:
            gain(self, seat, -BREW_SET_GHOSTS, "witchs_brews", emit)
        self._next_picker(emit)

    def _raven(self, seat: Seat, face: int, emit: EventSink | None) -> int:
        """DG 8.5: an even number of ravens shows the removed cards to their owner alone."""
        if count_of(self, seat, face // CURSES) % RAVEN_SET:
            return GOES_ON
        self.looked |= 1 << seat
        if emit is not None:
            cards = [card_json(card) for card in self.removed]
            emit(Event("look", {"seat": seat, "number": len(cards)}, {seat: {"removed": cards}}))
        return LOOK if self._may_be_given(seat) else GOES_ON

    def _may_be_given(self, seat: Seat) -> list[int]:
        held = self.up[FACES * seat : FACES * (seat + 1)]
        return [face for face in GIVE_MOVES if held[face]]

    def _bring(self, action: Action, emit: EventSink | None) -> None:
        seat = self.acting
        if action == LEAVE:
            if emit is not None:
                emit(Event("leave", {"seat": seat}))
            self._next_picker(emit)
            return
        face = FACE_OF_MOVE[action]
        self.removed.remove(face)
        if face in self.returned:
            self.returned.remove(face)
        self.card = face
        self.phase = GIVE
        if emit is not None:
            emit(Event("bring", {"seat": seat, "card": card_json(face)}))

    def _give(self, action: Action, emit: EventSink | None) -> None:
        """The card given goes first, then the one brought counts as taken (DG 8.6)."""
        seat, face, given = self.acting, self.card, FACE_OF_MOVE[action]
        self.card = -1
        self.up[FACES * seat + given] -= 1
        insort(self.removed, given)
        insort(self.returned, given)
        self.up[FACES * seat + face] += 1
        if emit is not None:
            emit(Event("give", {"seat": seat, "card": card_json(given)}))
        effect = self._EFFECTS[face // CURSES]
        if effect is not None and (asking := effect(self, seat, face, emit)):
            self.phase = asking
        else:
            self._next_picker(emit)

    # --- what others see and read of it ---

    def aside(self) -> list[int]:
        return [*self.removed, self.card] if self.phase == GIVE else self.removed

    def unknown_aside(self, seat: Seat | None) -> Sequence[int]:
        if seat is not None and self.looked >> seat & 1:
            return ()
        unknown = self.removed[:]
        for face in self.returned:
            unknown.remove(face)
        return unknown

    def observe(self, seat: Seat | None) -> dict[str, Json]:
        return {**view.observe(self, seat), **view_further.observe(self, seat)}

    def observe_json(self, seat: Seat | None) -> bytes:
        return b"%b,%b" % (view_json.observe_json(self, seat)[:-1], view_further.observe_json(self, seat)[1:])

    def to_text(self) -> str:
        return ";".join((text.write(self), *text.write_further(self)))

    def take_further(self, parts: text.Parts) -> None:
        self.asks, self.card, self.looked = tuple(parts.asks), parts.card, parts.looked
        self.removed, self.returned = list(parts.removed), list(parts.returned)
        if (self.card >= 0) != (self.phase in (BREW, GIVE)) or bool(self.asks) != (self.phase == DISPEL):
            raise ValueError("nothing is being chosen in this phase")
        if any(kind not in (*ASKED, CAT) or number < 1 for _, kind, number in self.asks):
            raise ValueError("nobody is asked for that")
        if self.asks and self.asks[0][0] != self.acting:
            raise ValueError("another seat is asked first")
        if Counter(self.returned) - Counter(self.removed):
            raise ValueError("a card was given that does not lie there")
        self._check_removed()

    def _check_removed(self) -> None:
        """DG 8.2: the cards beyond the deck, less one that is being exchanged."""
        number = COPIES * CURSES * len(self.types) - self.game.setup.deck - (self.phase == GIVE)
        if RAVEN not in self.types or self.phase in (DRAW_TYPES, DRAW_SIDES):
            number = 0
        if self.phase == DRAW_REMOVED and len(self.removed) < number:
            return
        if len(self.removed) != number or self.phase == DRAW_REMOVED:
            raise ValueError("another number of cards was removed")

    _EFFECTS: ClassVar[tuple[Callable[..., int] | None, ...]] = (
        *ON_TAKE[:RAVEN],
        _raven,
        *ON_TAKE[RAVEN + 1 : WITCHS_BREWS],
        _witchs_brew,
    )
    STEPS: ClassVar[tuple[Callable[..., None], ...]] = (
        HauntState.STEPS[DRAW_TYPES],
        _draw_last_side,
        *HauntState.STEPS[DEAL:],
        _brew,
        _bring,
        _give,
        _answer,
        _remove,
    )


def doll_ways(held: Sequence[int], curses: int) -> list[tuple[int, ...]]:
    """The different sets of these dolls, ascending, that add up to so many curses."""
    return sorted(
        {
            some
            for size in range(1, len(held) + 1)
            for some in combinations(held, size)
            if sum(CURSE[face] for face in some) == curses
        }
    )
