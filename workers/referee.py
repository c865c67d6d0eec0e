"""Plays one match: asks, checks, keeps time, counts faults, and writes the record.

No threads and no event loop stand in a bot's clock: one question is out at a time, and waiting for its
answer is one poll. A fault of ours makes the attempt void; a fault of a bot never ends the match.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from bots.job import Clock, HostFigures, SeatReport
from bots.lines import EventLog, LegalMoves, SeatLines
from engine.chance import Dealer
from engine.core import CHANCE, OVER, Game
from engine.record import Fault, Record, RecordSeat, build_record
from workers.player import LIMITS, MatchLimits, Occupant, Player, VoidError
from workers.runtimes import RUNTIMES
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import Launcher
from workers.seat import Seat

log = logging.getLogger(__name__)

_HEARTBEAT_S: Final = 1.0


class Entrant(Protocol):
    """Who is to take a seat, under the version and the name that the record gives it."""

    @property
    def version(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def start_cpu_s(self) -> int:
        """CPU time that it may use before the first question."""

    @property
    def party(self) -> int:
        """Seats of one number have an owner in common; 0 is the house, or nobody in particular."""

    @property
    def benched(self) -> bool:
        """It is not started: the house moves for it from the first move on, and it has the fault."""

    def sit(
        self, launcher: Launcher, clock: Clock, *, now: Callable[[], float], tick: Callable[[], None]
    ) -> Occupant:
        """Take the seat. Raises SandboxError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatProgram:
    """A program to put on a seat; its files lie in `folder`."""

    version: str
    name: str
    language: str
    entry: str
    folder: Path
    party: int = 0
    benched: bool = False

    @property
    def start_cpu_s(self) -> int:
        return RUNTIMES[self.language].start_cpu_s

    def sit(
        self, launcher: Launcher, clock: Clock, *, now: Callable[[], float], tick: Callable[[], None]
    ) -> Seat:
        """Start it in the sandbox."""
        row = RUNTIMES[self.language]
        limits = row.limits.for_clock(clock)
        command = row.run_command(folder=self.folder, entry=self.entry, limits=limits)
        return Seat(launcher.start(command), now=now, tick=tick, memory_signs=row.memory_signs)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOutcome:
    """A record, or the reason why there is none; and what each seat's author may read."""

    record: Record | None
    void_reason: str | None
    seats: list[SeatReport]
    turn_of: int | None = None
    """The seat in whose turn it became void, or that was waited for at the start; None: all were frozen."""
    host: HostFigures | None = None
    """How busy the host was; None where nothing was begun."""


def play_match(
    *,
    game: Game,
    seats: Sequence[Entrant],
    seed: str,
    clock: Clock,
    private_seeds: Sequence[str],
    launcher: Launcher,
    now: Callable[[], float] = time.monotonic,
    heartbeat: Callable[[], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    on_turn: Callable[[int | None], None] | None = None,
    limits: MatchLimits = LIMITS,
) -> MatchOutcome:
    """Play to the end. `heartbeat` is called about each second; `cancelled` ends the match as void.

    `on_turn` is called with a seat just before its program may run, and with None once it stands still.

    To be called in the thread that may wait for the programs; see workers/sandbox/launcher.py.
    """
    match = _Match(game, seed, clock, limits, now, heartbeat, cancelled)
    try:
        match.start(seats, private_seeds, launcher)
        record = match.play(seats)
        return MatchOutcome(record=record, void_reason=None, seats=match.reports())
    except VoidError as void:
        return MatchOutcome(record=None, void_reason=void.reason, seats=match.reports())
    finally:
        match.close()


class _Match:
    """State of one match while it is played."""

    def __init__(
        self,
        game: Game,
        seed: str,
        clock: Clock,
        limits: MatchLimits,
        now: Callable[[], float],
        heartbeat: Callable[[], None] | None,
        cancelled: Callable[[], bool],
    ) -> None:
        self._game = game
        self._seed = seed
        self._clock = clock
        self._limits = limits
        self._now = now
        self._heartbeat = heartbeat
        self._cancelled = cancelled
        self._started = self._beaten = now()
        self._events = EventLog()
        self._legal = LegalMoves(game)
        self._players: list[Player] = []
        self._faults: list[Fault] = []
        self._actions: list[int] = []

    def start(self, seats: Sequence[Entrant], private_seeds: Sequence[str], launcher: Launcher) -> None:
        """Seat everybody at once, then wait for each to be ready."""
        for number, (entrant, private_seed) in enumerate(zip(seats, private_seeds, strict=True)):
            player = Player(
                game=self._game,
                lines=SeatLines(self._game, number, self._events, self._legal),
                clock=self._clock,
                limits=self._limits,
                start_cpu_s=entrant.start_cpu_s,
            )
            self._players.append(player)
            try:
                occupant = entrant.sit(launcher, self._clock, now=self._now, tick=self._tick)
            except SandboxError as error:
                log.warning("seat %d did not start: %s", number, error)
                raise VoidError(SandboxError.code) from None
            player.launched(occupant, private_seed, self._now())
        for player in self._players:
            code = player.await_ready(self._now())
            if code is not None:
                self._faults.append(Fault(player.seat, 0, code, hard=True))

    def play(self, seats: Sequence[Entrant]) -> Record:
        """Every decision up to the end, and the record of it."""
        state = self._game.initial_state()
        dealer = Dealer(self._seed)
        actions = self._actions
        emit = self._events.emit
        while (actor := state.actor()) != OVER:
            if actor == CHANCE:
                action = dealer.choose(state)
            else:
                self._tick()
                player = self._players[actor]
                chosen = None
                if not player.lost:
                    chosen, code, hard = player.ask(state, state.legal_actions())
                    if code is not None:
                        self._faults.append(Fault(actor, len(actions), code, hard))
                action = self._game.default_move(state) if chosen is None else chosen
            state.apply(action, emit)
            actions.append(action)
        record = build_record(
            self._game,
            seats=[RecordSeat(seat.version, seat.name) for seat in seats],
            clock={"bank_ms": self._clock.bank_ms, "increment_ms": self._clock.increment_ms},
            seed=self._seed,
            actions=actions,
            faults=self._faults,
            state=state,
        )
        self._end(record)
        return record

    def _end(self, record: Record) -> None:
        playing = [player for player in self._players if not player.lost]
        for player in playing:
            player.say_end(record.scores, record.ranks)
        until = self._now() + self._limits.end_s
        for player in playing:
            player.wait_for_end(until)

    def _tick(self) -> None:
        """Time passes: beat, and see whether the match must stop. Raises VoidError."""
        now = self._now()
        if now - self._started > self._limits.match_s:
            raise VoidError("match_too_long")
        if self._cancelled():
            raise VoidError("cancelled")
        if self._heartbeat is not None and now - self._beaten > _HEARTBEAT_S:
            self._beaten = now
            self._heartbeat()

    def reports(self) -> list[SeatReport]:
        return [player.report() for player in self._players]

    def close(self) -> None:
        """End whatever still runs."""
        for player in self._players:
            player.close()
