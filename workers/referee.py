"""Plays one match: asks, checks, keeps time, counts faults, and writes the record.

No threads and no event loop stand in a bot's clock: one question is out at a time, and waiting for its
answer is one poll. A fault of ours makes the attempt void; a fault of a bot never ends the match.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from bots.faults import BROKEN_ATTEMPTS, FaultCode
from bots.job import HOUSE_PARTY, Clock, HostFigures, SeatReport
from bots.lines import EventLog, LegalMoves, SeatLines
from engine.chance import Dealer
from engine.core import CHANCE, OVER, Game, State
from engine.record import Fault, Record, RecordSeat, build_record
from workers.errors import WorkerError
from workers.lateness import watching
from workers.player import LIMITS, MatchLimits, Occupant, OnTurn, Player, VoidError
from workers.runtimes import RUNTIMES
from workers.sandbox.cores import own_core
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
        self,
        launcher: Launcher,
        clock: Clock,
        *,
        now: Callable[[], float],
        tick: Callable[[], None],
        late: Callable[[float], float],
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
    party: int = HOUSE_PARTY
    benched: bool = False

    @property
    def start_cpu_s(self) -> int:
        return RUNTIMES[self.language].start_cpu_s

    def sit(
        self,
        launcher: Launcher,
        clock: Clock,
        *,
        now: Callable[[], float],
        tick: Callable[[], None],
        late: Callable[[float], float],
    ) -> Seat:
        """Start it in the sandbox."""
        row = RUNTIMES[self.language]
        limits = row.limits.for_clock(clock)
        command = row.run_command(folder=self.folder, entry=self.entry, limits=limits)
        return Seat(launcher.start(command), now=now, tick=tick, late=late, memory_signs=row.memory_signs)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOutcome:
    """A record, or the reason why there is none; and what each seat's author may read."""

    record: Record | None
    void_reason: str | None
    seats: list[SeatReport]
    turn_of: int | None = None
    """The seat in whose turn it became void; None where all stood still, or started at once."""
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
    on_turn: OnTurn = lambda _: None,
    pinned: bool = True,
    limits: MatchLimits = LIMITS,
) -> MatchOutcome:
    """Play to the end. `heartbeat` is called about each second; `cancelled` ends the match as void.

    `on_turn` is called with a seat just before its program may run, of all that can be frozen its alone, and
    with None once it stands still; at the start all run at once, and no turn is told of. Without `pinned` the
    match has no core to itself, for measurements. To be called in the thread that may wait for the programs;
    see workers/sandbox/launcher.py.
    """
    with ExitStack() as around:
        core = around.enter_context(own_core(launcher.run.locks)) if pinned else None
        watcher = around.enter_context(watching(now))
        match = Match(
            game=game,
            seats=seats,
            seed=seed,
            clock=clock,
            limits=limits,
            late=watcher.late_s,
            now=now,
            heartbeat=heartbeat,
            cancelled=cancelled,
            on_turn=on_turn,
        )
        around.callback(match.close)
        record, void_reason = match.run(private_seeds, launcher)
        return MatchOutcome(
            record=record,
            void_reason=void_reason,
            seats=match.reports(),
            turn_of=match.turn_of,
            host=watcher.figures(core),
        )


class Match:
    """State of one match while it is played.

    It becomes void, and may be played again, in these cases alone. No program brings one about by itself:

    host_stalled    we took too long for ourselves, while all programs stood still; see MatchLimits.
    starts_failed   programs of two owners or more were at fault before the first question.
    sandbox_failed  nothing ran where a program was started. One that ran has an end, whatever it did to its
                    pipes and processes: its keeper tells of it, from outside of its namespaces, before the
                    keeper's own end closes the pipe.
    host_memory     the kernel killed a process for want of memory while its group was below its own limit:
                    the host had less than it promises to each slot.
    cancelled       somebody else has the match.
    platform_stall  the referee itself broke. Should a program know how to bring that about, or anything else
                    that nobody thought of, then `turn_of` says so, and three such attempts are its fault.
    """

    def __init__(
        self,
        *,
        game: Game,
        seats: Sequence[Entrant],
        seed: str,
        clock: Clock,
        limits: MatchLimits,
        late: Callable[[float], float],
        now: Callable[[], float] = time.monotonic,
        heartbeat: Callable[[], None] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        on_turn: OnTurn = lambda _: None,
    ) -> None:
        self._game = game
        self._seats = seats
        self._seed = seed
        self._clock = clock
        self._limits = limits
        self._late = late
        self._now = now
        self._heartbeat = heartbeat
        self._cancelled = cancelled
        self._started = self._beaten = now()
        self._events = EventLog()
        self._faults: list[Fault] = []
        self._actions: list[int] = []
        legal = LegalMoves(game)
        self.players = [
            Player(
                game=game,
                lines=SeatLines(game, number, self._events, legal),
                clock=clock,
                limits=limits,
                start_cpu_s=entrant.start_cpu_s,
                on_turn=on_turn,
            )
            for number, entrant in enumerate(seats)
        ]
        self._starting: list[Player] = []
        """At the start: who has not been waited for yet, while all run."""
        self._awaited: Player | None = None
        """Who is waited for, or was at last."""
        self.turn_of: int | None = None
        """The seat that is asked; None while all stand still, and at the start, where all run at once."""

    def run(self, private_seeds: Sequence[str], launcher: Launcher) -> tuple[Record | None, str | None]:
        """From the start to the end: the record, or why it is void."""
        try:
            self.start(private_seeds, launcher)
            return self.play(), None
        except VoidError as void:
            return None, void.reason

    def start(self, private_seeds: Sequence[str], launcher: Launcher) -> None:
        """Seat everybody at once, then wait for each to be ready."""
        for player, entrant, private_seed in zip(self.players, self._seats, private_seeds, strict=True):
            if entrant.benched:
                player.bench()
                self._faults.append(Fault(player.seat, 0, BROKEN_ATTEMPTS, hard=True))
                continue
            try:
                occupant = entrant.sit(
                    launcher, self._clock, now=self._now, tick=self._wait_on, late=self._late
                )
            except SandboxError as error:
                log.warning("seat %d did not start: %s", player.seat, error)
                raise VoidError(SandboxError.code) from None
            now = self._now()
            player.launched(occupant, private_seed, now, self._late(now))
        self._await_all()
        failed = {fault.seat for fault in self._faults if fault.code != BROKEN_ATTEMPTS}
        owners = {self._seats[seat].party for seat in failed} - {HOUSE_PARTY}
        if len(owners) > 1:
            raise VoidError("starts_failed")

    def _await_all(self) -> None:
        """Wait for everybody who was started."""
        self._starting = [player for player in self.players if not player.lost]
        while self._starting:
            self._awaited = player = self._starting.pop(0)
            now = self._now()
            self._note_start(player, player.await_ready(now, self._late(now)))

    def _wait_on(self) -> None:
        """One is waited for: hold those who may run beside it to what they may use. Raises VoidError."""
        for player in self.players:
            if player in self._starting:
                self._look_at_start(player)
            elif player is not self._awaited and not player.lost:
                player.goes_on_beside()
        self._tick()

    def _look_at_start(self, player: Player) -> None:
        code = player.start_goes_on(self._now())
        if code is not None:
            self._starting.remove(player)
            self._note_start(player, code)

    def _note_start(self, player: Player, code: FaultCode | None) -> None:
        if code is not None:
            self._faults.append(Fault(player.seat, 0, code, hard=True))

    def play(self) -> Record:
        """Every decision up to the end, and the record of it."""
        state = self._game.initial_state()
        dealer = Dealer(self._seed)
        actions = self._actions
        emit = self._events.emit
        while (actor := state.actor()) != OVER:
            if actor == CHANCE:
                action = dealer.choose(state)
            else:
                self._between_turns()
                chosen = self._ask(self.players[actor], state)
                action = self._game.default_move(state) if chosen is None else chosen
            state.apply(action, emit)
            actions.append(action)
        record = build_record(
            self._game,
            seats=[RecordSeat(seat.version, seat.name) for seat in self._seats],
            clock={"bank_ms": self._clock.bank_ms, "increment_ms": self._clock.increment_ms},
            seed=self._seed,
            actions=actions,
            faults=self._faults,
            state=state,
        )
        self._end(record)
        return record

    def _ask(self, player: Player, state: State) -> int | None:
        """What a seat decides; None where it is lost, or has just been at fault."""
        if player.lost:
            return None
        legal = state.legal_actions()
        self.turn_of = player.seat
        self._awaited = player
        try:
            chosen, code, hard = player.ask(state, legal)
        except VoidError:
            raise
        except Exception:
            log.exception("the referee broke in the turn of seat %d", player.seat)
            raise VoidError(WorkerError.code) from None
        self.turn_of = None
        if code is not None:
            self._faults.append(Fault(player.seat, len(self._actions), code, hard))
        return chosen

    def _end(self, record: Record) -> None:
        playing = [player for player in self.players if not player.lost]
        for player in playing:
            player.say_end(record.scores, record.ranks)
        until = self._now() + self._limits.end_s
        for player in playing:
            player.wait_for_end(until)

    def _between_turns(self) -> None:
        """All stand still: see how much of the match was spent so far while they did. Raises VoidError."""
        own_s = self._now() - self._started
        if own_s > self._limits.own_s:
            own_s -= sum(player.waited_us for player in self.players) / 1e6
            if own_s > self._limits.own_s:
                raise VoidError("host_stalled")
        self._tick()

    def _tick(self) -> None:
        """Time passes: beat, and see whether the match must stop. Raises VoidError."""
        if self._cancelled():
            raise VoidError("cancelled")
        if self._heartbeat is not None and (now := self._now()) - self._beaten > _HEARTBEAT_S:
            self._beaten = now
            self._heartbeat()

    def reports(self) -> list[SeatReport]:
        return [player.report() for player in self.players]

    def close(self) -> None:
        """End whatever still runs."""
        for player in self.players:
            player.close()
