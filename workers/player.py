"""One seat of one match: puts the questions, judges the answers, keeps what its author may read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import msgspec

from bots.clock import CREDIT_FACTOR, SeatClock
from bots.faults import (
    BAD_MESSAGE,
    ILLEGAL_MOVE,
    NO_ANSWER,
    STRIKES,
    TIMEOUT,
    FaultCode,
    is_hard,
)
from bots.job import BadAnswer, Clock, Note, SeatReport, TurnUsage
from bots.lines import SeatLines
from bots.protocol import Answer, MessageError, read_answer, read_ready
from engine.core import Game, State
from engine.errors import InvalidMoveError
from workers.sandbox.child import Exit
from workers.seat import Reply
from workers.stderr import Stderr, clean_text

_KEEP_ANSWER: Final = 4096
"""Bytes kept of an answer that was a fault."""
_KEEP_NOTES: Final = 65_536
"""Characters of notes kept of a match: a report must fit through the ladder's door, whatever they are."""


BESIDE_US: Final = 1_000_000
"""So much more than its bank a program may use beside the turns of others: a runtime tidies up then."""

OnTurn: TypeAlias = Callable[[int | None], None]
"""Told the seat whose program may run from now on, and None when it stands still again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLimits:
    """Backstops in wall time, and the CPU time of a start; tests make them small.

    A match has 15 minutes, and they are shared out beforehand, so that no program can use them up:

        start_wall_s     60 s   all starts together, for all wait at once
        answers_wall_s  780 s   all answers of all seats; each seat has an equal share, see `seat_wall_us`
        own_s            60 s   what we take for ourselves while all stand still; more makes the match void

    Of what we wait for a program, the host's lateness is taken off, up to twice its allowance: on a host that
    stalls again and again, the first two may last threefold.
    """

    start_wall_s: float = 60.0
    start_cpu_s: float | None = None
    """CPU time before the first question, where it is not what the language's row says."""
    move_wall_s: float = 30.0
    wall_base_s: float = 10.0
    answers_wall_s: float = 780.0
    own_s: float = 60.0
    """To lay out programs, judge answers, kill: for which seconds do, whatever the programs are."""
    end_s: float = 0.1
    """What a program gets to end by itself after the last line."""

    def seat_wall_us(self, seats: int) -> int:
        """The most that one seat of so many may keep us waiting, whatever its clock would give it.

        Of 2 seats 390 s, of 3 260 s, of 4 195 s, of 5 156 s. The slow clock gives 60 s, and 0.5 s more with
        each question: it is cut short after 660, 400, 270, 192 questions to one seat, which is more than
        twice what the longest of our games asks on average; the fast one after 3,700 to 1,360.
        """
        return int(self.answers_wall_s * 1e6) // seats


LIMITS: Final = MatchLimits()


class VoidError(Exception):
    """The attempt does not count, by no fault of any bot. `reason` is a code of the catalogue."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Occupant(Protocol):
    """Who sits on a seat, as lines and time: a program (workers/seat.py), or a person at a terminal."""

    stderr: Stderr
    exit: Exit | None

    @property
    def void_reason(self) -> str | None:
        """Why its fault is not its own, if so: a key of the catalogue."""

    def early_lines(self) -> list[bytes]: ...
    def rest_if_heard(self) -> None: ...
    def send(self, line: bytes) -> None: ...
    def receive(self, *, cpu_us: int, wall_us: int, credit_us: int = 0) -> Reply: ...
    def charge(self) -> int: ...
    def unpaid_us(self) -> int: ...
    def wait_for_end(self, until: float) -> None: ...
    def close(self) -> None: ...


class Player:
    """A seat with its clock, its lines and its strikes."""

    def __init__(
        self,
        *,
        game: Game,
        lines: SeatLines,
        clock: Clock,
        limits: MatchLimits,
        start_cpu_s: int,
        on_turn: OnTurn,
    ) -> None:
        self.seat = lines.seat
        self.lost = False
        self._game = game
        self._lines = lines
        self._given = clock
        self._clock = SeatClock(
            clock,
            wall_base_us=int(limits.wall_base_s * 1e6),
            wall_most_us=limits.seat_wall_us(game.seats),
        )
        self._limits = limits
        self._move_us = int(limits.move_wall_s * 1e6)
        self._on_turn = on_turn
        allowed_s = start_cpu_s if limits.start_cpu_s is None else limits.start_cpu_s
        self._start_cpu_us = int(allowed_s * 1e6)
        self._program: Occupant | None = None
        self._launched = 0.0
        self._late_before_s = 0.0
        self.waited_us = 0
        """Wall time in which its program could run, while we did nothing else."""
        self._turn = 0
        self._strikes = 0
        self._timeouts = 0
        self._burnt_us = 0
        """What it had used beside another's turn when it was ended for that."""
        self._late_turn = 0
        """The turn whose answer may still come and is thrown away; 0 = none."""
        self._start = TurnUsage(turn=0, cpu_us=0, wall_us=0)
        self._usage: list[tuple[int, int, int]] = []
        """By question: its turn, and CPU and wall time of its answer."""
        self._notes: list[Note] = []
        self._note_room = _KEEP_NOTES
        self._bad: list[BadAnswer] = []
        self._sent = hashlib.sha256()
        self._exit = ""

    def bench(self) -> None:
        """It is not started: the house moves for it from the first move on."""
        self.lost = True

    def launched(self, program: Occupant, private_seed: str, now: float, late_s: float) -> None:
        """Its program runs since `now`, when the host had been late by `late_s`: say hello."""
        self._program = program
        self._launched = now
        self._late_before_s = late_s
        self._send(self._lines.hello(self._given, private_seed))

    def start_goes_on(self, now: float) -> FaultCode | None:
        """Another is waited for: it stands still once it has spoken, and its CPU time is held to its limit.

        Else it could burn the core that the other needs for its own start. The fault, if that is used up.
        """
        program = self._running()
        program.rest_if_heard()
        if program.unpaid_us() <= self._start_cpu_us:
            return None
        gone_us = int((now - self._launched) * 1e6)
        self._start = TurnUsage(turn=0, cpu_us=program.charge(), wall_us=gone_us)
        self._lose()
        return TIMEOUT

    def await_ready(self, now: float, late_s: float) -> FaultCode | None:
        """Wait for `ready`; the fault if it does not come. Raises VoidError for a fault of ours.

        Its time began when it was launched, and ran on while we waited for others.
        """
        allowed_us = int(self._limits.start_wall_s * 1e6)
        gone_us = int((now - self._launched) * 1e6)
        credit_us = CREDIT_FACTOR * allowed_us
        late_us = min(int((late_s - self._late_before_s) * 1e6), credit_us)
        reply = self._running().receive(
            cpu_us=self._start_cpu_us,
            wall_us=max(0, allowed_us - gone_us + late_us),
            credit_us=credit_us - late_us,
        )
        self.waited_us += reply.wall_us
        self._start = TurnUsage(turn=0, cpu_us=reply.cpu_us, wall_us=reply.wall_us + gone_us)
        code = reply.fault
        if reply.line is not None:
            try:
                read_ready(reply.line)
            except MessageError:
                code = BAD_MESSAGE
                self._keep_bad(reply.line, code)
        if code is not None:
            self._lose()
        return code

    def ask(self, state: State, legal: Sequence[int]) -> tuple[int | None, FaultCode | None, bool]:
        """Put the next question: the action chosen, or None, the fault, and whether it was hard."""
        program = self._running()
        stray = None if self._burnt_us else self._stray(program.early_lines())
        self._turn += 1
        program.stderr.turn = self._turn
        self._clock.ask()
        self._send(self._lines.move(state, legal, self._turn, self._clock.bank_ms))
        if self._burnt_us:
            self._account(Reply(None, TIMEOUT, self._burnt_us, 0))
            self._lose()
            return None, TIMEOUT, True
        if stray is not None:
            reply = Reply(stray, None, program.charge(), 0)
            self._account(reply)
            self._late_turn = self._turn
            return None, BAD_MESSAGE, self._at_fault(BAD_MESSAGE, stray)
        reply = self._receive()
        in_time = self._account(reply)
        if reply.line is None:
            fault = reply.fault or NO_ANSWER
            self._late_turn = self._turn if fault == TIMEOUT else 0
            return None, fault, self._at_fault(fault)
        action, code = self._judge(reply.line, legal)
        if not in_time:
            code = TIMEOUT
        if code is None:
            return action, None, False
        return None, code, self._at_fault(code, reply.line)

    def goes_on_beside(self) -> None:
        """Another is at its turn. Where nothing is frozen this one may think on, on its own account.

        Who burns more than that holds would win by slowing the other. It is ended, and its next question is
        a hard fault.
        """
        program = self._running()
        if not self._burnt_us and program.unpaid_us() > self._clock.bank_us + BESIDE_US:
            self._burnt_us = program.charge()
            program.close()

    def _receive(self) -> Reply:
        """The next line that is not the late answer to an earlier question."""
        cpu_us = self._clock.bank_us
        wall_us = min(self._clock.wall_left_us, self._move_us)
        credit_us = min(self._clock.credit_left_us, CREDIT_FACTOR * self._move_us)
        reply = self._wait(cpu_us=cpu_us, wall_us=wall_us, credit_us=credit_us)
        if reply.line is None or not self._is_late(reply.line):
            return reply
        second = self._wait(
            cpu_us=max(0, cpu_us - reply.cpu_us),
            wall_us=max(0, wall_us - reply.wall_us + reply.late_us),
            credit_us=credit_us - reply.late_us,
        )
        return second._replace(
            cpu_us=reply.cpu_us + second.cpu_us,
            wall_us=reply.wall_us + second.wall_us,
            late_us=reply.late_us + second.late_us,
        )

    def _wait(self, *, cpu_us: int, wall_us: int, credit_us: int) -> Reply:
        """Wait for a line, in the seat's turn."""
        program = self._running()
        self._on_turn(self.seat)
        reply = program.receive(cpu_us=cpu_us, wall_us=wall_us, credit_us=credit_us)
        self._on_turn(None)
        self.waited_us += reply.wall_us
        return reply

    def _stray(self, lines: Sequence[bytes]) -> bytes | None:
        """The first line that nobody had asked for; the answer to a late turn is forgiven once."""
        return next((line for line in lines if not self._is_late(line)), None)

    def _is_late(self, line: bytes) -> bool:
        if not self._late_turn:
            return False
        try:
            late = read_answer(line).turn == self._late_turn
        except MessageError:
            return False
        if late:
            self._late_turn = 0
        return late

    def _account(self, reply: Reply) -> bool:
        self._usage.append((self._turn, reply.cpu_us, reply.wall_us))
        return self._clock.charge(cpu_us=reply.cpu_us, wall_us=reply.wall_us, late_us=reply.late_us)

    def _judge(self, line: bytes, legal: Sequence[int]) -> tuple[int | None, FaultCode | None]:
        """The action that a line names, or what is wrong with it."""
        try:
            answer = read_answer(line)
        except MessageError as error:
            self._late_turn = 0 if error.turn == self._turn else self._turn
            return None, BAD_MESSAGE
        if answer.turn != self._turn:
            self._late_turn = self._turn
            return None, BAD_MESSAGE
        if answer.note is not msgspec.UNSET and self._note_room >= len(answer.note):
            self._note_room -= len(answer.note)
            self._notes.append(Note(turn=self._turn, text=answer.note))
        action = self._action(answer)
        return (action, None) if action in legal else (None, ILLEGAL_MOVE)

    def _action(self, answer: Answer) -> int | None:
        if answer.id is not msgspec.UNSET:
            return answer.id
        try:
            return self._game.actions.encode(answer.move)
        except InvalidMoveError:
            return None

    def _at_fault(self, code: FaultCode, line: bytes | None = None) -> bool:
        """Note a fault, tell the bot if it plays on, and say whether it was hard."""
        if reason := self._running().void_reason:
            raise VoidError(reason)
        hard = is_hard(code, timeouts_before=self._timeouts)
        self._timeouts += code == TIMEOUT
        if line is not None:
            self._keep_bad(line, code)
        if not hard:
            self._strikes += 1
            self._send(self._lines.fault(self._turn, code, self._strikes))
        if hard or self._strikes == STRIKES:
            self._lose()
        return hard

    def _keep_bad(self, line: bytes, code: FaultCode) -> None:
        self._bad.append(BadAnswer(turn=self._turn, code=code, text=clean_text(line[:_KEEP_ANSWER])))

    def _lose(self) -> None:
        program = self._running()
        if reason := program.void_reason:
            raise VoidError(reason)
        self.lost = True
        self._exit = str(program.exit or "")
        program.close()

    def say_end(self, scores: Sequence[float], ranks: Sequence[int]) -> None:
        """The last line, to a bot that played to the end."""
        self._send(self._lines.end(scores, ranks))

    def wait_for_end(self, until: float) -> None:
        if self.lost or self._burnt_us:
            return
        self._on_turn(self.seat)
        self._running().wait_for_end(until)
        self._on_turn(None)

    def close(self) -> None:
        if self._program is not None:
            self._program.close()

    def _send(self, line: bytes) -> None:
        self._sent.update(line)
        if not self._burnt_us:
            self._running().send(line)

    def _running(self) -> Occupant:
        if self._program is None:
            raise VoidError("sandbox_failed")
        return self._program

    def report(self) -> SeatReport:
        """The private part of this seat, as it stands."""
        program = self._program
        return SeatReport(
            seat=self.seat,
            startup_cpu_us=self._start.cpu_us,
            startup_wall_us=self._start.wall_us,
            turns=[TurnUsage(turn=turn, cpu_us=cpu, wall_us=wall) for turn, cpu, wall in self._usage],
            bad_answers=self._bad,
            notes=self._notes,
            stderr=program.stderr.chunks() if program else [],
            stderr_dropped=program.stderr.dropped if program else 0,
            lines_sha256=self._sent.hexdigest(),
            exit=self._exit,
        )
