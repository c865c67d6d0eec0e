"""Waiting for what comes soon, without a guess at how soon."""

from __future__ import annotations

import time
from collections.abc import Callable


def soon(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether it comes true within that time; looks again each 10 ms."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
