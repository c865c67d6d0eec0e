"""A position of Ghost Fightin' Treasure Hunters, and what each move and each chance outcome does to it."""

from __future__ import annotations

import random
from typing import ClassVar

from engine.core import CHANCE, OVER, Action, EventSink
from engine.games.treasure_hunters import tell
from engine.games.treasure_hunters.paths import FAR, REACH, moves_of, reach
from engine.games.treasure_hunters.position import Position
from engine.games.treasure_hunters.tables import (
    AFTER,
    CAP,
    CARD,
    CARD_BYTE,
    CARD_OF_LOCK,
    DIE_FACES,
    ENDED,
    EXTRAS,
    FIGHT,
    FIGHT_DRAWS,
    FIGHTS,
    HALLWAY,
    HAUNTED,
    JEWEL_ROOMS,
    JEWELS,
    LEAVE,
    LOCK_OF,
    MOVE,
    NUMBER,
    OUT,
    PICK_UP,
    PLAIN,
    ROLL,
    ROOMS,
    SHUFFLE,
    STREAMS,
    TAKE,
    THROUGH,
    TOO_HAUNTED,
    TRAPPED,
    TURN_CAP,
    UNHAUNT,
    UNLOCKED,
    WITH_CARD,
    WON,
)

_OUT_BIT = 1 << OUT
_ALL_PLACES = (1 << FAR) - 1


class HunterState(Position):
    """One position, and what can be done in it."""

    __slots__ = ()

    def legal_actions(self) -> list[Action]:
        phase = self.phase
        if phase == MOVE:
            hunter = self.hunter
            at = self.places[hunter]
            carried = self.carried[hunter]
            steps = self.steps
            open_ways = REACH[self.locked][at]
            mask = open_ways[steps]
            # a stop on the last step is in nobody's way
            if stops := (self.haunted | self.unknown if carried else self.unknown) & open_ways[steps - 1]:
                mask = reach(at, steps, self.locked, stops) & self._onward(carried)
            if carried and carried != PLAIN and carried != self.banked + 1:
                mask &= ~_OUT_BIT  # TH 9.5
            return moves_of(mask & ~self.standing | 1 << at)
        if phase == PICK_UP:
            return [TAKE, LEAVE]
        return self._outcomes(phase)

    def _onward(self, carried: int) -> int:
        """Mask of all places, and of the stops that one may go through: those with an unseen number (TH 9.3),
        for a carrier those of them that are not haunted."""
        through = self.unknown & ~self.haunted if carried else self.unknown
        return _ALL_PLACES | through << FAR

    def _outcomes(self, phase: int) -> list[Action]:
        if phase == ROLL:
            return list(range(1, DIE_FACES + 1))
        if phase == CARD:
            return sorted(set(self.pile))
        if phase == FIGHT:
            return list(range(len(FIGHTS[self.fight][1])))
        return [*self.unseen] if phase == NUMBER else []

    def chance_weights(self) -> list[int]:
        if self.phase == CARD:
            return [self.pile.count(card) for card in sorted(set(self.pile))]
        if self.phase == FIGHT:
            return [*FIGHTS[self.fight][1]]
        return [1] * len(self.legal_actions())

    def chance_stream(self) -> str:
        return STREAMS[self.phase]

    def draw_chance(self, rng: random.Random) -> Action:
        """The same chances as the weights', without making the lists."""
        phase = self.phase
        if phase == ROLL:
            return int(rng.random() * DIE_FACES) + 1
        if phase == CARD:
            pile = self.pile
            return pile[int(rng.random() * len(pile))]
        draws = FIGHT_DRAWS[self.fight] if phase == FIGHT else self.unseen
        return draws[int(rng.random() * len(draws))]

    def apply(self, action: Action, emit: EventSink | None = None) -> None:
        self._STEPS[self.phase](self, action, emit)

    # --- the die and the card: TH 3 ---

    def _roll(self, face: int, emit: EventSink | None) -> None:
        self.turn += 1
        self.steps = face
        if emit is not None:
            tell.roll(self, emit)
        if face <= WITH_CARD:
            self.phase = CARD
        else:
            self._let_move(emit)

    def _card(self, card: int, emit: EventSink | None) -> None:
        self.pile = self.pile.replace(CARD_BYTE[card], b"", 1)
        if emit is not None:
            tell.card(self, card, emit)
        if card < ROOMS:
            self._place_ghost(card, emit)
            if self.phase == ENDED:
                return
        elif card in LOCK_OF:
            self._lock(LOCK_OF[card], emit)
        elif self.extras:
            self._refill()  # TH 8.2: skipped, and does not count
            return
        elif card == SHUFFLE:
            self._shuffle(emit, unlock=True)
        else:
            self.drawn = card
            self.extras = EXTRAS[card]
            self._refill()
            return
        if self.extras:
            self._count_extra(emit)
        else:
            self._let_move(emit)

    def _place_ghost(self, room: int, emit: EventSink | None) -> None:
        """TH 3.4, TH 3.5."""
        haunted = self.haunted
        while haunted >> room & 1:
            room = AFTER[room]
        shift = 2 * room
        if self.ghosts >> shift & 2:
            self.ghosts ^= 2 << shift
            self.haunted = haunted = haunted | 1 << room
            if emit is not None:
                tell.haunting(room, haunted, emit)
            if haunted.bit_count() >= TOO_HAUNTED:
                self._end(HAUNTED, emit)
            elif self._all_trapped():
                self._end(TRAPPED, emit)
        else:
            self.ghosts += 1 << shift
            if emit is not None:
                tell.ghost(room, self.ghosts >> shift & 3, emit)

    def _count_extra(self, emit: EventSink | None) -> None:
        """TH 8.1: one further card is done; after the last of them everything is shuffled."""
        self.extras -= 1
        if self.extras:
            self._refill()
            return
        self.drawn = -1
        self._shuffle(emit, unlock=self.game.draw_cards_unlock)
        self._let_move(emit)

    def _refill(self) -> None:
        """TH 8.3: the pile ran out among the further cards; the discards go on, without the card at work."""
        if not self.pile:
            self.pile = self._without_lock(self.game.deck.replace(CARD_BYTE[self.drawn], b"", 1))

    def _without_lock(self, cards: bytes) -> bytes:
        """TH 8.5: the card of a lock that holds lies beside the discards."""
        if self.locked == UNLOCKED:
            return cards
        return cards.replace(CARD_BYTE[CARD_OF_LOCK[self.locked]], b"", 1)

    def _shuffle(self, emit: EventSink | None, *, unlock: bool) -> None:
        if unlock and self.locked != UNLOCKED:
            self._lock(UNLOCKED, emit)
        self.pile = self._without_lock(self.game.deck)
        if emit is not None:
            tell.shuffle(self, emit)

    def _lock(self, lock: int, emit: EventSink | None) -> None:
        if lock != self.locked:
            self.locked = lock
            if emit is not None:
                tell.doors(self, emit)

    # --- the move: TH 4, TH 5 ---

    def _let_move(self, emit: EventSink | None) -> None:
        hunter = self.hunter
        if self.haunted >> self.places[hunter] & 1 and self.carried[hunter]:
            self.steps = 0  # TH 5.6: cannot move, so there is nothing to ask
            if emit is not None:
                tell.held(self, emit)
            self._fight_here(emit)
        else:
            self.phase = MOVE
            self.acting = self.game.seat_of[hunter]

    def _move(self, action: Action, emit: EventSink | None) -> None:
        on = action >= THROUGH
        to = JEWEL_ROOMS[action - THROUGH] if on else action
        if emit is not None:
            tell.move(self, to, emit)
        hunter = self.hunter
        places = self.places
        at = places[hunter]
        if on:
            self.steps -= self._steps_to(to)
        else:
            self.steps = 0
        if to != at:
            self.standing ^= HALLWAY[at] ^ HALLWAY[to]
            places[hunter] = to
        if to < ROOMS:
            self._enter(to, emit)
        elif to == OUT:
            self._step_out(emit)
        else:
            self._next_turn(emit)

    def _enter(self, room: int, emit: EventSink | None) -> None:
        if self.unknown >> room & 1:
            self.phase = NUMBER
            self.acting = CHANCE
        elif self.carried[self.hunter]:
            if self.haunted >> room & 1 and self._all_trapped():
                self._end(TRAPPED, emit)
            else:
                self._fight_here(emit)
        elif self.jewels >> room & 1:
            self.phase = PICK_UP
        else:
            self._fight_here(emit)

    def _number(self, number: int, emit: EventSink | None) -> None:
        """TH 9.2: the number of the jewel in this room is turned up for all."""
        room = self.places[self.hunter]
        numbers = bytearray(self.numbers)
        numbers[room] = number
        self.numbers = bytes(numbers)
        self.unseen = self.unseen.replace(bytes([number]), b"")
        self.unknown &= ~(1 << room)
        if emit is not None:
            tell.number(room, number, emit)
        self.acting = self.game.seat_of[self.hunter]
        if self.steps:
            self.phase = MOVE
        else:
            self._enter(room, emit)

    def _step_out(self, emit: EventSink | None) -> None:
        """TH 5.4, TH 7.1: a jewel brought out is safe; all jewels safe and all hunters outside win."""
        hunter = self.hunter
        if carried := self.carried[hunter]:
            self.carried[hunter] = 0
            self.banked += 1
            if emit is not None:
                tell.bank(self, carried, emit)
        if self.banked == JEWELS and self.places.count(OUT) == len(self.places):
            self._end(WON, emit)
        else:
            self._next_turn(emit)

    def _pick_up(self, action: Action, emit: EventSink | None) -> None:
        """TH 5.1 to TH 5.3."""
        if action == TAKE:
            room = self.places[self.hunter]
            self.jewels ^= 1 << room
            self.carried[self.hunter] = self.numbers[room] or PLAIN
            if self.numbers[room]:
                self.numbers = self.numbers[:room] + b"\0" + self.numbers[room + 1 :]
            if emit is not None:
                tell.take(self, room, emit)
            if self.haunted >> room & 1 and self._all_trapped():
                self._end(TRAPPED, emit)
                return
        elif emit is not None:
            tell.leave(self, emit)
        self._fight_here(emit)

    # --- the fight: TH 6 ---

    def _fight_here(self, emit: EventSink | None) -> None:
        self.fight = fight = self.fight_at(self.places[self.hunter])
        if fight < 0:
            self._next_turn(emit)
        else:
            self.phase = FIGHT
            self.acting = CHANCE

    def _battle(self, removed: int, emit: EventSink | None) -> None:
        room = self.places[self.hunter]
        if emit is not None:
            tell.fight(self, removed, emit)
        if removed:
            if self.fight == UNHAUNT:
                self.haunted ^= 1 << room
            else:
                self.ghosts -= removed << 2 * room
        self.fight = -1
        self._next_turn(emit)

    def _next_turn(self, emit: EventSink | None) -> None:
        if self.turn == TURN_CAP:
            self._end(CAP, emit)
            return
        self.hunter = (self.hunter + 1) % len(self.places)
        self.phase = ROLL
        self.acting = CHANCE

    # --- the end: TH 7 ---

    def _all_trapped(self) -> bool:
        """TH 7.3: each hunter carries, each stands in a haunted room, no two in the same one."""
        places = self.places
        haunted = self.haunted
        return (
            0 not in self.carried
            and len(set(places)) == len(places)
            and all(haunted >> place & 1 for place in places)
        )

    def _end(self, ending: int, emit: EventSink | None) -> None:
        self.ended = ending
        self.phase = ENDED
        self.acting = OVER
        if emit is not None:
            tell.end(self, emit)

    _STEPS: ClassVar = (_roll, _card, _move, _number, _pick_up, _battle)
