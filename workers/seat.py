"""One program on a seat: its pipes, deadlines and caps. Knows lines and time, nothing of any game."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from typing import Final, NamedTuple

from bots.faults import CRASH, MEMORY, NO_ANSWER, OUTPUT_FLOOD, TIMEOUT, FaultCode
from bots.protocol import MAX_LINE
from workers.clock import clock_of
from workers.sandbox.child import Child, Exit, Killed
from workers.stderr import Stderr

_CHUNK: Final = 65_536
_SLICE_S: Final = 0.25
"""The longest sleep: time for the heartbeat, and for a look at the clock."""
_SHORTEST_S: Final = 0.001
_EXIT_S: Final = 5.0
"""How long the sandbox may take to tell how a program ended; it is told at once."""
_LAST_WORDS: Final = 32_000
"""Bytes of stderr in which the reason of an end is looked for: a runtime's own trace may follow it."""
_READABLE: Final = select.POLLIN | select.POLLHUP | select.POLLERR

MAX_STDOUT: Final = 8 * 1024 * 1024
"""Bytes of stdout in a match."""


class Reply(NamedTuple):
    """What came of waiting for a line: the line, or the fault that ended the wait."""

    line: bytes | None
    fault: FaultCode | None
    cpu_us: int
    wall_us: int
    late_us: int = 0
    """Of `wall_us`, what the host's lateness took, as far as there was credit for it."""


class Seat:
    """A running program and what it has said so far."""

    def __init__(
        self,
        child: Child,
        *,
        now: Callable[[], float],
        tick: Callable[[], None],
        late: Callable[[float], float] = lambda _: 0.0,
        memory_signs: tuple[bytes, ...] = (),
    ) -> None:
        """`tick` is called now and then while we wait; it may raise to end the waiting.

        `late` says by how many seconds the host was late, up to a moment of `now`.
        """
        self.child = child
        self.stderr = Stderr()
        self._memory_signs = memory_signs
        self.exit: Exit | None = None
        self._now = now
        self._tick = tick
        self._late = late
        self._cores = len(os.sched_getaffinity(0))
        """On how many at once it may use up its CPU time."""
        self._clock = clock_of(child)
        self._charged_us = 0
        self._began = self._late_before_s = self._credit_s = 0.0
        """Of the present wait: its beginning, the host's lateness then, and how much may be taken off."""
        self._read = bytearray()
        self._unsent = b""
        self._writing = False
        """Whether the poller waits for stdin to take more."""
        self._stdout_bytes = 0
        self._stdout_open = True
        self._flooded = False
        self._poller = select.poll()
        self._poller.register(child.stdout, select.POLLIN)
        self._poller.register(child.stderr, select.POLLIN)

    def early_lines(self) -> list[bytes]:
        """Whole lines that came without a question; reads what is there and does not wait."""
        self._pump(0)
        lines: list[bytes] = []
        if not self._read:
            return lines
        while (line := self._line()) is not None:
            lines.append(line)
        return lines

    def rest_if_heard(self) -> None:
        """Stand still from now on, if a whole line is there; reads what is there and does not wait."""
        if not self._flooded:  # nobody takes anything out here, so more of a flood would be kept whole
            self._pump(0)
        if self._flooded or b"\n" in self._read:
            self.child.freeze()

    def send(self, line: bytes) -> None:
        """Hand over a line. What the pipe does not take now goes while we wait."""
        if self._unsent:
            self._unsent += line
            return
        self._unsent = line
        self._write()

    def receive(self, *, cpu_us: int, wall_us: int, credit_us: int = 0) -> Reply:
        """Wait for a line for as long as both allowances last.

        Lateness of the host during the wait is taken off the wall time, up to `credit_us`.

        The program runs only in here, where it can be frozen. The CPU time of a reply counts from the
        reply before it, so what a program uses while it is not its turn is on its next turn's account.
        """
        self.child.thaw()
        began = now = self._begin(credit_us)
        left_s = wall_s = wall_us / 1e6
        used_us = 0
        while (line := self._line()) is None:
            cpu_left_s = (cpu_us - used_us) / 1e6 / self._cores
            self._pump(min(left_s, _SLICE_S, max(_SHORTEST_S, cpu_left_s)))
            now = self._now()
            if now - began > _SLICE_S:
                self._tick()
            if b"\n" in self._read and not self._flooded:
                continue
            used_us = self._clock.read_us(now) - self._charged_us
            left_s = wall_s - (now - began - self._taken_off_s(now))
            if (fault := self._trouble(late=used_us > cpu_us, over=left_s <= 0)) is not None:
                return self._reply(None, fault, self._now())
        return self._reply(line, None, now)

    def _begin(self, credit_us: int) -> float:
        """A wait begins: when."""
        self._began = now = self._now()
        self._late_before_s = self._late(now)
        self._credit_s = credit_us / 1e6
        return now

    def _taken_off_s(self, now: float) -> float:
        """Of the present wait, the host's lateness as far as there is credit for it."""
        return min(self._late(now) - self._late_before_s, self._credit_s)

    def charge(self) -> int:
        """CPU time in microseconds since the last reply, put on the account now."""
        return self._charge(self._now())

    def unpaid_us(self) -> int:
        """CPU time in microseconds since the last reply, which is on no account yet."""
        return self._clock.read_us(self._now()) - self._charged_us

    def _charge(self, now: float) -> int:
        total = self._clock.read_us(now)
        used, self._charged_us = total - self._charged_us, total
        return used

    def _trouble(self, *, late: bool, over: bool) -> FaultCode | None:
        """Why no line will be waited for any longer, if so."""
        if self._flooded:
            return OUTPUT_FLOOD
        if not self._stdout_open:
            return self._ended()
        if late:
            return TIMEOUT
        return NO_ANSWER if over else None

    def _reply(self, line: bytes | None, fault: FaultCode | None, now: float) -> Reply:
        self.child.freeze()
        if fault is NO_ANSWER and self.child.out_of_memory() is Killed.OWN_LIMIT:
            fault = MEMORY
        wall_us = int((now - self._began) * 1e6)
        late_us = int(self._taken_off_s(now) * 1e6)
        return Reply(line, fault, self._charge(now), wall_us, late_us)

    def _ended(self) -> FaultCode:
        """Stdout is closed: mostly, its process ended, and the last words on stderr say why."""
        self.exit = self.child.wait_for_exit(_EXIT_S)
        self._pump(0)
        if self.child.out_of_memory() is Killed.OWN_LIMIT:
            return MEMORY
        last = self.stderr.tail(_LAST_WORDS)
        return MEMORY if any(sign in last for sign in self._memory_signs) else CRASH

    @property
    def void_reason(self) -> str | None:
        """Why its fault is ours, if it is: the host's memory ran out, or no word of an end ever came."""
        killed = self.child.out_of_memory()
        if killed is Killed.HOST:
            return "host_memory"
        unsaid = self.exit is None and not self._stdout_open and not self.child.ran()
        return "sandbox_failed" if unsaid and killed is None else None

    def wait_for_end(self, until: float) -> None:
        """Close its stdin and give it time to end by itself."""
        self._stop_writing()
        self.child.thaw()
        self.child.close_stdin()
        while self._stdout_open and (left := until - self._now()) > 0:
            self._pump(left)
            self._read.clear()
        self.child.freeze()

    def close(self) -> None:
        """Kill it, with all that it started."""
        self.child.close()

    def _line(self) -> bytes | None:
        end = self._read.find(b"\n")
        if end < 0:
            self._flooded = self._flooded or len(self._read) > MAX_LINE
            return None
        if end > MAX_LINE:
            self._flooded = True
            return None
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _pump(self, seconds: float) -> None:
        """One poll over all three pipes, then one read or write on each that is ready."""
        for fd, events in self._poller.poll(max(0.0, seconds) * 1000):
            if fd == self.child.stdout and events & _READABLE:
                self._read_stdout()
            elif fd == self.child.stderr and events & _READABLE:
                self._read_stderr()
            elif fd == self.child.stdin:
                self._write()

    def _read_stdout(self) -> None:
        part = os.read(self.child.stdout, _CHUNK)
        if not part:
            self._poller.unregister(self.child.stdout)
            self._stdout_open = False
            return
        self._read += part
        self._stdout_bytes += len(part)
        self._flooded = self._flooded or self._stdout_bytes > MAX_STDOUT

    def _read_stderr(self) -> None:
        part = os.read(self.child.stderr, _CHUNK)
        if not part:
            self._poller.unregister(self.child.stderr)
            return
        self.stderr.add(part)
        self._flooded = self._flooded or self.stderr.flooded

    def _write(self) -> None:
        was_waiting = len(self._unsent)
        try:
            sent = os.write(self.child.stdin, self._unsent)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            sent = was_waiting
        self._unsent = self._unsent[sent:]
        if self._unsent:
            self._poller.register(self.child.stdin, select.POLLOUT)
            self._writing = True
        elif self._writing:
            self._stop_writing()

    def _stop_writing(self) -> None:
        if self._writing:
            self._writing = False
            self._poller.unregister(self.child.stdin)
