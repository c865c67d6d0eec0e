"""The lines that a seat is sent, byte for byte: for the referee, and for those who derive them again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from bots.faults import FaultCode
from bots.job import Clock
from bots.messages import sentence
from bots.protocol import PROTOCOL, BotClock, End, FaultNotice, Hello
from engine.core import Event, Game, State

_encode: Final = msgspec.json.Encoder().encode


class EventLog:
    """All events of a match; each is encoded once for those who see the same of it."""

    __slots__ = ("_events", "_public", "emit")

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._public: list[bytes | None] = []
        self.emit = self._events.append
        """The sink to give to the engine."""

    def __len__(self) -> int:
        return len(self._events)

    def seen(self, seat: int, start: int) -> bytes:
        """JSON list, without its brackets, of the events from `start` on as `seat` saw them."""
        return b",".join([self._one(index, seat) for index in range(start, len(self._events))])

    def _one(self, index: int, seat: int) -> bytes:
        event = self._events[index]
        if seat in event.private:
            return _encode(event.seen_by(seat))
        public = self._public
        public.extend([None] * (len(self._events) - len(public)))
        known = public[index]
        if known is None:
            known = public[index] = _encode(event.seen_by(None))
        return known


class LegalMoves:
    """`{"id":…,"move":{…}}` of each action of a game, encoded when first needed."""

    __slots__ = ("_actions", "_parts")

    def __init__(self, game: Game) -> None:
        self._actions = game.actions
        self._parts: dict[int, bytes] = {}

    def encode(self, actions: Sequence[int]) -> bytes:
        """JSON list, without its brackets."""
        try:
            return b",".join([self._parts[action] for action in actions])
        except KeyError:
            for action in actions:
                if action not in self._parts:
                    choice = {"id": action, "move": self._actions.decode(action)}
                    self._parts[action] = _encode(choice)
            return self.encode(actions)


class SeatLines:
    """The lines of one seat in one match, in order; keeps which events the seat has seen."""

    __slots__ = ("_events", "_game", "_legal", "_seen", "seat")

    def __init__(self, game: Game, seat: int, events: EventLog, legal: LegalMoves) -> None:
        self._game = game
        self._events = events
        self._legal = legal
        self._seen = 0
        self.seat = seat

    def hello(self, clock: Clock, private_seed: str) -> bytes:
        game = self._game
        hello = Hello(
            protocol=PROTOCOL,
            game=game.name,
            rules_version=game.rules_version,
            mode=game.mode,
            options=dict(game.options),
            seats=game.seats,
            seat=self.seat,
            clock=BotClock(bank_ms=clock.bank_ms, increment_ms=clock.increment_ms),
            seed=private_seed,
        )
        return _encode(hello) + b"\n"

    def move(self, state: State, legal: Sequence[int], turn: int, bank_ms: int) -> bytes:
        """The question `turn` at this state, whose legal actions the caller has at hand."""
        return (
            b'{"type":"move","turn":%d,"observation":%b,"legal":[%b],"events":[%b],"clock":{"bank_ms":%d}}\n'
            % (
                turn,
                state.observe_json(self.seat),
                self._legal.encode(legal),
                self._new_events(),
                bank_ms,
            )
        )

    def fault(self, turn: int, code: FaultCode, strikes: int) -> bytes:
        return _fault(turn, code, strikes)

    def end(self, scores: Sequence[float], ranks: Sequence[int]) -> bytes:
        plain = _encode(End(scores=list(scores), ranks=list(ranks), events=[]))
        return plain[:-2] + self._new_events() + b"]}\n"

    def _new_events(self) -> bytes:
        start, self._seen = self._seen, len(self._events)
        return self._events.seen(self.seat, start)


@lru_cache(maxsize=256)
def _fault(turn: int, code: FaultCode, strikes: int) -> bytes:
    notice = FaultNotice(turn=turn, code=code, message=sentence(code), strikes=strikes)
    return _encode(notice) + b"\n"
