"""A position of Haunt the House, and what setup and turn do to it; boo.py and powers.py have the rest."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar

from engine.core import CHANCE, OVER, Action, EventSink, Seat
from engine.games.haunt_the_house import attacks, boo, legal, powers, tell
from engine.games.haunt_the_house.ending import tell_end
from engine.games.haunt_the_house.position import Position
from engine.games.haunt_the_house.tables import (
    ACT,
    ACTIONS_A_TURN,
    BOO,
    CARDS,
    CLOSE_BOO,
    DEAL_ON,
    DISCARD,
    DISCARDING,
    DRAW,
    ENDED,
    GO_ON,
    HAND,
    HUNTER_DRAW,
    KINDS,
    KNOWN_TO,
    LAST_CHANCE,
    MASK,
    MOST_TURNS,
    NEED,
    NEXT_TURN,
    OWNER,
    PASS,
    PHANTOM_DRAW,
    PLAY,
    RANDOM_DISCARD,
    SCARE_DRAW,
    SIZE,
    START_DRAW,
    TROPHY_DRAW,
    UNIT,
    VISIBLE,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house import HauntTheHouse


class HouseState(Position):
    """One position, and what can be done in it."""

    __slots__ = ()

    def __init__(self, game: HauntTheHouse) -> None:
        super().__init__(game)

    def legal_actions(self) -> list[Action]:
        return self._LEGAL[self.phase](self)

    def chance_weights(self) -> list[int]:
        return legal.weights(self)

    def chance_stream(self) -> str:
        return legal.stream(self)

    def draw_chance(self, rng: random.Random) -> Action:
        """The same chances as the weights', without making the lists."""
        phase = self.phase
        if phase == SCARE_DRAW:
            cards = CARDS[self.deck[self.drawer]]
        elif phase == PHANTOM_DRAW:
            cards = self.top
        elif phase == RANDOM_DISCARD:
            cards = CARDS[self.hand[self.target]]
        else:
            cards = tuple(self.legal_actions())
        return cards[int(rng.random() * len(cards))]

    def apply(self, action: Action, emit: EventSink | None = None) -> None:
        self._STEPS[self.phase](self, action, emit)

    # --- setup: HH 2 ---

    def _draw_room(self, room: int, emit: EventSink | None) -> None:
        """HH 2.1, HH 4.8: a room from the pile into its place."""
        place = self.place
        self.rooms[place] = room
        self.rooms_left = tuple([other for other in self.rooms_left if other != room])
        if self.starter >= 0:
            if emit is not None:
                tell.new_room(self, emit)
            if self.hunters_left:
                self.phase = HUNTER_DRAW
            else:
                boo.ask_rewards(self, emit)
        elif place + 1 < len(self.rooms):
            self.place = place + 1
        else:
            self.place = 0
            self.phase = HUNTER_DRAW

    def _draw_hunter(self, hunter: int, emit: EventSink | None) -> None:
        """HH 2.2, HH 4.8: a hunter into a doorway."""
        place = self.place
        self.hunters[place] = hunter
        self.hunters_left = tuple([other for other in self.hunters_left if other != hunter])
        self.gaps |= MASK[NEED[hunter]] << KINDS * place
        if self.starter >= 0:
            if emit is not None:
                tell.new_hunter(self, emit)
            boo.ask_rewards(self, emit)
        elif place + 1 < len(self.hunters):
            self.place = place + 1
        else:
            self.clear_effect()
            self.phase = TROPHY_DRAW

    def _draw_trophy(self, gear: int, emit: EventSink | None) -> None:
        """HH 2.5."""
        held = (*self.trophies[self.drawer], gear)
        self.trophies[self.drawer] = held
        if len(held) < self.game.setup.trophies:
            return
        if emit is not None:
            tell.trophies(self, self.drawer, emit)
        self.drawer += 1
        if self.drawer == self.game.seats:
            self.phase = START_DRAW

    def _draw_start(self, seat: Seat, emit: EventSink | None) -> None:
        """HH 2.6, and on to HH 2.4."""
        self.starter = self.turn = seat
        if emit is not None:
            tell.setup(self, emit)
        self.draw_scares(0, HAND, DEAL_ON, emit)

    # --- drawing Scares: HH 3.8 ---

    def draw_scares(self, seat: Seat, number: int, after: int, emit: EventSink | None) -> None:
        """So many Scares to a seat, as far as there are any, then what comes after."""
        self.drawer = seat
        self.owed = number
        self.after = after
        if number > 0:
            self._next_scare(emit)
        else:
            self._drawn_all(emit)

    def _next_scare(self, emit: EventSink | None) -> None:
        seat = self.drawer
        if not self.deck[seat]:
            heap = self.discard[seat]
            if not heap:
                self._drawn_all(emit)
                return
            self.deck[seat] = self.made[seat] = heap
            self.discard[seat] = 0
            self.mark_shuffled(seat)
            if emit is not None:
                tell.shuffle(self, seat, emit)
        self.phase = SCARE_DRAW
        self.acting = CHANCE

    def _draw_scare(self, kind: int, emit: EventSink | None) -> None:
        seat = self.drawer
        unit = UNIT[kind]
        self.deck[seat] -= unit
        self.hand[seat] += unit
        if emit is not None:
            tell.draw(self, seat, kind, emit)
        owed = self.owed - 1
        self.owed = owed
        if not owed:
            self._drawn_all(emit)
        elif not self.deck[seat]:
            self._next_scare(emit)

    def _drawn_all(self, emit: EventSink | None) -> None:
        self.owed = 0
        after = self.after
        if after == NEXT_TURN:
            self.next_turn(emit)
        elif after == GO_ON:
            self.go_on(emit)
        elif after == CLOSE_BOO:
            boo.close_boo(self, emit)
        elif self.drawer + 1 < self.game.seats:
            self.draw_scares(self.drawer + 1, HAND, DEAL_ON, emit)
        else:
            self._begin_turn(emit)

    # --- a turn: HH 3, HH 5 ---

    def next_turn(self, emit: EventSink | None) -> None:
        self.turns += 1
        seat = self.turn + 1
        self.turn = seat = seat if seat < self.game.seats else 0
        if self.trigger < 0 and self.turns < MOST_TURNS:
            self._begin_turn(emit)
        elif self.trigger in (seat, -1):
            self._end(emit)
        else:
            self.phase = LAST_CHANCE
            self.acting = seat
            if emit is not None:
                tell.turn(self, emit)

    def _begin_turn(self, emit: EventSink | None) -> None:
        self.phase = ACT
        self.acting = self.turn
        self.actions = ACTIONS_A_TURN
        self.fresh = True
        self.phantom_free = self.game.with_phantoms
        self.echo = -1
        if emit is not None:
            tell.turn(self, emit)

    def _end(self, emit: EventSink | None) -> None:
        self.phase = ENDED
        self.acting = OVER
        if emit is not None:
            tell_end(self, emit)

    def _act(self, action: Action, emit: EventSink | None) -> None:
        """HH 3.1: one Action, a Phantom, or the BOO of this turn."""
        if action < VISIBLE:
            self.actions -= 1
            self.lay(action, emit)
            self.echo = -1
            self.go_on(emit)
        elif action < DRAW:
            self._lay_visibly(action - VISIBLE, emit)
        elif action == DRAW:
            self.actions -= 1
            self.echo = -1
            seat = self.turn
            self.draw_scares(seat, HAND - SIZE[self.hand[seat]], GO_ON, emit)
        elif action < PLAY:
            boo.call_boo(self, action - BOO, emit)
        elif action == PASS:
            self.actions -= 1
            if emit is not None:
                tell.passed(self, emit)
            self.go_on(emit)
        else:
            powers.play_phantom(self, action - PLAY, emit)

    def lay(self, action: Action, emit: EventSink | None) -> None:
        """HH 3.5: a Scare from the hand of the seat on turn, face-down into a room."""
        seat = self.turn
        place, kind = action >> 2, action & 3
        self.hand[seat] -= UNIT[kind]
        self.hidden[place] += (kind | seat << OWNER | KNOWN_TO[seat],)
        if self.knows >> seat & 1:
            self.unlearn(seat, 15)
        if emit is not None:
            tell.lay(self, place, kind, emit)

    def _lay_visibly(self, choice: int, emit: EventSink | None) -> None:
        """HH 3.6, HH 3.7."""
        seat = self.turn
        place, kind = choice >> 2, choice & 3
        unit = UNIT[kind]
        self.actions -= 1
        self.echo = -1
        self.hand[seat] -= unit
        self.visible[self.game.seats * place + seat] += unit
        shown = self.shown[place] + unit
        self.shown[place] = shown
        if (shown ^ NEED[self.hunters[place]]) >> 3 * kind & 7 == 0:
            self.gaps &= ~(1 << choice)
        if self.knows >> seat & 1:
            self.unlearn(seat, 1 << kind)
        if emit is not None:
            tell.lay_visibly(self, place, kind, emit)
        powers.offer(self, self.rooms[place], emit)

    def go_on(self, emit: EventSink | None) -> None:
        """What was being done is done: on with the Actions, or to the end of the turn."""
        self.fresh = False
        seat = self.turn
        if self.actions:
            self.phase = ACT
            self.acting = seat
        elif self.hand[seat] or (self.phantom_free and self.held[seat]):
            self.phase = DISCARDING
            self.acting = seat
        else:
            self.refill(emit)

    def _discard(self, action: Action, emit: EventSink | None) -> None:
        """HH 5.1; before the first Scare is thrown away a Phantom may still be played (HH 7.5)."""
        if action == PASS:
            self.refill(emit)
            return
        if PLAY <= action < DISCARD:
            powers.play_phantom(self, action - PLAY, emit)
            return
        self.phantom_free = False
        self.echo = -1
        self.throw_away(self.turn, action - DISCARD, emit)
        if not self.hand[self.turn]:
            self.refill(emit)

    def throw_away(self, seat: Seat, kind: int, emit: EventSink | None) -> None:
        """HH 9.5: a Scare from a hand to its discard pile, seen by all."""
        self.hand[seat] -= UNIT[kind]
        self.discard[seat] += UNIT[kind]
        if self.knows >> seat & 1:
            self.unlearn(seat, 1 << kind)
        if emit is not None:
            tell.discard(self, seat, kind, emit)

    def refill(self, emit: EventSink | None) -> None:
        """HH 5.2."""
        self.phantom_free = False
        self.echo = -1
        seat = self.turn
        self.draw_scares(seat, HAND - SIZE[self.hand[seat]], NEXT_TURN, emit)

    _LEGAL: ClassVar = legal.BY_PHASE
    _STEPS: ClassVar = (
        *(_draw_room, _draw_hunter, _draw_trophy, _draw_start, _draw_scare),
        *(boo.draw_phantom, attacks.discard_at_random, _act),
        *(powers.use_or_not, powers.retrieve, powers.look, powers.lay, powers.move, powers.move_to),
        *(powers.fetch, attacks.name, attacks.answer, attacks.banish, powers.peer, powers.drift),
        *(powers.drift_to, powers.haggle, attacks.startled, attacks.give, attacks.get),
        *(boo.rally, boo.reward, boo.keep, _discard, boo.last_chance),
    )
    """What an action does, by phase."""
