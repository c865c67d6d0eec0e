"""The processes of a house: what `make up` starts and docker-compose.yml lists."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

_QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO")


@dataclass(frozen=True, slots=True)
class Service:
    """One kind of process. `sees` says whose environment it gets: a worker never has the ladder's secrets."""

    name: str
    sees: Literal["ladder", "worker"]
    module: str
    arguments: tuple[str, ...]

    def command(self) -> list[str]:
        """As a list for this interpreter."""
        return [sys.executable, "-m", self.module, *self.arguments]


def web(host: str, port: int) -> Service:
    """Pages, API and the workers' door in one ASGI process."""
    return Service(
        "web",
        "ladder",
        "uvicorn",
        (
            "ladder.asgi:application",
            "--host", host,
            "--port", str(port),
            "--timeout-graceful-shutdown", "2",
            "--no-access-log",
            "--lifespan", "off",
        ),
    )  # fmt: skip


TICKS = Service(
    "ticks-worker",
    "ladder",
    "celery",
    ("-A", "ladder.celery:app", "worker", "-n", "ticks@%h", "-Q", "ticks", "-P", "solo", *_QUIET),
)
"""Dispatcher and reaper have a process of their own: a long refit never delays them."""

LADDER = Service(
    "ladder-worker",
    "ladder",
    "celery",
    ("-A", "ladder.celery:app", "worker", "-n", "ladder@%h", "-Q", "ladder", "-P", "solo", *_QUIET),
)

MATCHES = Service(
    "match-worker",
    "worker",
    "celery",
    ("-A", "workers.celery:app", "worker", "-n", "match@%h", "-Q", "build,match", *_QUIET),
)

BEAT = Service(
    "beat",
    "ladder",
    "celery",
    ("-A", "ladder.celery:app", "beat", "-S", "celery.beat:Scheduler", "--loglevel", "INFO"),
)
"""Its ticks are seconds apart, so it has nothing to remember from one start to the next."""

CELERY_SERVICES = (TICKS, LADDER, MATCHES, BEAT)
SERVERS = ("postgres", "redis")
