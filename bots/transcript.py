"""What one seat was sent, derived again from the record and that seat's private report.

The record holds the decisions, the report holds what each question cost: together they give every line
that went down the pipe, byte for byte, so that no line need be stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots.clock import SeatClock
from bots.faults import BROKEN_ATTEMPTS, FaultCode
from bots.job import Clock, SeatReport
from bots.lines import EventLog, LegalMoves, SeatLines
from engine.record import Fault, Record, game_of, lost_at


@dataclass(frozen=True, slots=True)
class SentLine:
    """One line that went down the pipe, its newline included. `turn` is 0 for hello."""

    kind: str
    turn: int
    ply: int | None
    """Index in the record's actions of the decision asked for or judged; None for hello and end."""
    data: bytes


def derive_lines(record: Record, report: SeatReport, private_seed: str) -> list[SentLine]:
    """All lines sent to the seat of `report`, in order: none where it was not started.

    Raises RecordError for a record that cannot be.
    """
    game = game_of(record)
    seat = report.seat
    if any(fault.seat == seat and fault.code == BROKEN_ATTEMPTS for fault in record.faults):
        return []
    clock = Clock(bank_ms=record.clock["bank_ms"], increment_ms=record.clock["increment_ms"])
    events = EventLog()
    lines = SeatLines(game, seat, events, LegalMoves(game))
    bank = SeatClock(clock)
    soft = {fault.ply: fault for fault in record.faults if fault.seat == seat and not fault.hard}
    sent = [SentLine("hello", 0, None, lines.hello(clock, private_seed))]
    state = game.initial_state()
    turn = strikes = 0
    for ply, action in enumerate(record.actions):
        if state.actor() == seat and turn < len(report.turns):
            turn += 1
            bank.ask()
            line = lines.move(state, state.legal_actions(), turn, bank.bank_ms)
            sent.append(SentLine("move", turn, ply, line))
            bank.charge(cpu_us=report.turns[turn - 1].cpu_us, wall_us=0)
            if ply in soft:
                strikes += 1
                sent.append(SentLine("fault", turn, ply, lines.fault(turn, code_of(soft[ply]), strikes)))
        game.play(state, action, events.emit)
    if lost_at(record.faults, seat) is None:
        sent.append(SentLine("end", turn, None, lines.end(record.scores, record.ranks)))
    return sent


def code_of(fault: Fault) -> FaultCode:
    """The code of a fault as it stands in a record, where it is any text."""
    code: FaultCode = fault.code  # type: ignore[assignment]
    return code


def digest_of_lines(lines: Iterable[bytes] | Sequence[SentLine]) -> str:
    """SHA-256 (hex) of lines laid end to end: `SeatReport.lines_sha256`."""
    whole = hashlib.sha256()
    for line in lines:
        whole.update(line.data if isinstance(line, SentLine) else line)
    return whole.hexdigest()
