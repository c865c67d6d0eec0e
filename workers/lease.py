"""Keeps the lease of one attempt from a thread of its own, so that no HTTP stands in a bot's clock."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from bots.job import RENEW_EVERY_MS
from workers.errors import LadderError, SupersededError

log = logging.getLogger(__name__)


class Lease:
    """Renews while the `with` block runs; `is_lost` turns true when the ladder says 409.

    A renewal that fails otherwise is tried again at the next beat: an attempt whose lease ran out
    while the ladder was away may still renew, as long as nobody else has its match.
    """

    def __init__(
        self, renew: Callable[[], None], *, lease_ms: int, every_s: float = RENEW_EVERY_MS / 1000
    ) -> None:
        self._renew = renew
        self._lease_s = lease_ms / 1000
        self._every_s = min(every_s, self._lease_s / 3)
        self._lost = threading.Event()
        self._done = threading.Event()
        self._until = time.monotonic() + self._lease_s
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def is_lost(self) -> bool:
        """Whether somebody else has this attempt's match: kill the bots, drop it."""
        return self._lost.is_set()

    def until(self) -> float:
        """Monotonic second at which the lease runs out, as far as we know; the past once it is lost."""
        return 0.0 if self.is_lost() else self._until

    def _keep(self) -> None:
        while not self._done.wait(self._every_s):
            asked = time.monotonic()
            try:
                self._renew()
                self._until = asked + self._lease_s
            except SupersededError:
                self._lost.set()
                return
            except LadderError as error:
                log.warning("lease not renewed: %s", error)
