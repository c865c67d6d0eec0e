"""What outlives a process that plays a match: whose turn it is, and whom to tell.

One small file a match, in a folder of the worker's own that no bot sees. Its first byte is the seat at its
turn, and is written anew with each turn; behind it stands all that a report needs. The file is locked while
its process lives, and the kernel drops that lock with the process: who gets the lock knows that the match is
played by nobody any more, and says so to the ladder.
"""

from __future__ import annotations

import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from bots import job as wire
from workers.errors import LadderError, SupersededError
from workers.player import OnTurn

log = logging.getLogger(__name__)

_NEW: Final = ".new-"
_MATCH: Final = "match-"
_NOBODY: Final = 0xFF
_LARGEST: Final = 64 * 1024
_KEEP_S: Final = 3600.0
"""For so long it is tried to tell the ladder, which may be away, or know the attempt as another worker's."""


class Entry(wire.Wire, frozen=True, kw_only=True):
    """How to report the attempt that a process is at."""

    ladder_url: str
    report_url: str
    attempt_id: str
    fence: int


@contextmanager
def journal(folder: Path, entry: Entry) -> Iterator[OnTurn]:
    """Keep a journal while a match is played; what it yields notes whose turn it is."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, new = tempfile.mkstemp(dir=folder, prefix=_NEW)
    path = folder / f"{_MATCH}{Path(new).name.removeprefix(_NEW)}"
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        os.pwrite(handle, bytes([_NOBODY]) + wire.write(entry), 0)
        Path(new).replace(path)  # whoever finds it under its name finds it whole, and locked

        def on_turn(seat: int | None) -> None:
            os.pwrite(handle, bytes((_NOBODY if seat is None else seat,)), 0)

        yield on_turn
    finally:
        for name in (Path(new), path):
            name.unlink(missing_ok=True)
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Left:
    """What a dead process left: its entry, and in whose turn it died."""

    entry: Entry
    turn_of: int | None

    def report(self) -> wire.MatchReport:
        """The attempt is void, for its process was killed."""
        return wire.MatchReport(
            attempt_id=self.entry.attempt_id,
            fence=self.entry.fence,
            outcome="void",
            void_reason="worker_died",
            turn_of=self.turn_of,
        )


def dead_report(folder: Path, ladder_url: str, send: Callable[[str, wire.MatchReport], None]) -> int:
    """Report the attempts whose processes are dead, by `send(report_url, report)`. How many were told.

    What the ladder does not want any more is forgotten; what it could not be told is kept for an hour.
    """
    told = 0
    for path in folder.glob(f"{_NEW}*"):  # of a process that was killed before it had locked it
        with suppress(FileNotFoundError):
            if _is_old(path.stat()):
                path.unlink()
    for path in folder.glob(f"{_MATCH}*"):
        with suppress(OSError), _locked(path) as handle:  # another survivor may take it away at any moment
            left = _read(handle)
            if left is None or (left.entry.ladder_url != ladder_url and _is_old(os.fstat(handle))):
                path.unlink()  # what another ladder was not told in time is of no use to it either
            elif left.entry.ladder_url == ladder_url and _told(left, handle, send):
                path.unlink()
                told += 1
    return told


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Hold the file of a dead process. Raises OSError where its process lives, or it is gone."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.fstat(handle).st_nlink:
            raise FileNotFoundError(path)  # it ended well just now
        yield handle
        fcntl.flock(handle, fcntl.LOCK_UN)  # a pool process forked meanwhile would keep it locked
    finally:
        os.close(handle)


def _read(handle: int) -> Left | None:
    text = os.pread(handle, _LARGEST, 0)
    try:
        entry = wire.read(text[1:], Entry)
    except msgspec.MsgspecError as error:
        log.warning("a journal cannot be read: %s", error)
        return None
    return Left(entry, None if text[0] == _NOBODY else text[0])


def _told(left: Left, handle: int, send: Callable[[str, wire.MatchReport], None]) -> bool:
    """True where there is no more to say."""
    log.warning("the process that played attempt %s was killed", left.entry.attempt_id)
    try:
        send(left.entry.report_url, left.report())
    except SupersededError:
        log.info("attempt %s was given to somebody else", left.entry.attempt_id)
    except LadderError as error:
        log.warning("%s", error)
        return _is_old(os.fstat(handle))
    return True


def _is_old(status: os.stat_result) -> bool:
    return time.time() - status.st_mtime > _KEEP_S
