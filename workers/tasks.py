"""The two doorbells, and what surrounds them: looking at this host at the start, beating while it lives.

The parent process probes the sandbox once, before its pool is forked, and says each 5 s that it lives;
each process of the pool then has a client and a launcher of its own.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import msgspec
from celery.signals import worker_init, worker_ready, worker_shutdown, worker_shutting_down

from bots.job import RENEW_EVERY_MS, TASK_BUILD, TASK_MATCH, Heartbeat
from workers.cache import ArtefactCache
from workers.celery import app
from workers.errors import WorkerError
from workers.jobs import RULES, Worker, build_job, match_job
from workers.journal import dead_report
from workers.report import LadderClient
from workers.runtimes.probing import offered
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.probe import active, layers
from workers.sandbox.scratch import sweep_scratch
from workers.settings import Settings, from_environment

log = logging.getLogger(__name__)

_HEARTBEAT_S: Final = RENEW_EVERY_MS / 1000


@dataclass(frozen=True, slots=True)
class Host:
    """What the parent found out for all of its pool."""

    settings: Settings
    languages: dict[str, str]
    layers: list[str]


@app.task(name=TASK_MATCH)
def play_match(match_id: str) -> None:
    """The doorbell of a match. Claims, plays, reports; what goes wrong is the ladder's to repair."""
    match_job(_worker(os.getpid()), match_id)


@app.task(name=TASK_BUILD)
def build_version(build_id: str) -> None:
    """The doorbell of a build."""
    build_job(_worker(os.getpid()), build_id)


@lru_cache(maxsize=1)
def host() -> Host:
    """Settings from the environment, and what runs here. Raises WorkerError where nothing can."""
    settings = from_environment()
    with closing(LadderClient(settings.ladder_url, settings.token)) as ladder:
        _report_the_dead(settings, ladder)  # at once: what follows takes longer than a lease
    launcher = SandboxLauncher()
    swept = launcher.sweep() + sweep_scratch()
    found = Host(settings, offered(launcher), active(layers(launcher)))
    log.info("languages: %s; layers: %s", found.languages or "none", ", ".join(found.layers))
    if swept:
        log.info("cleared %d things that a dead worker had left", swept)
    return found


def _report_the_dead(settings: Settings, ladder: LadderClient) -> None:
    """Each of them with one try; who was not heard is reported again at the next beat."""
    dead_report(settings.journal_dir, settings.ladder_url, partial(ladder.report, until=time.monotonic))


@lru_cache(maxsize=1)
def _worker(pid: int) -> Worker:
    """This process's own client and launcher; neither lives across a fork."""
    here = host()
    return Worker(
        name=f"{here.settings.name}/{pid}",
        ladder=LadderClient(here.settings.ladder_url, here.settings.token),
        ladder_url=here.settings.ladder_url,
        cache=ArtefactCache(here.settings.cache_dir, here.settings.cache_bytes),
        journals=here.settings.journal_dir,
        launcher=SandboxLauncher(),
        languages=here.languages,
        layers=here.layers,
    )


class Heart:
    """Says each 5 s that this worker lives, from a thread of the parent; reports and clears up for the dead.

    They may be processes of its own pool, or of a worker that was here before it.
    """

    def __init__(self, found: Host, *, every_s: float = _HEARTBEAT_S) -> None:
        self._settings = found.settings
        self._ladder = LadderClient(found.settings.ladder_url, found.settings.token)
        self._said = Heartbeat(
            worker=found.settings.name,
            slots=found.settings.slots,
            languages=found.languages,
            rules=RULES,
            layers=found.layers,
        )
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def take_no_more(self) -> None:
        """From now on: alive, but with no slot for anything new."""
        self._said = msgspec.structs.replace(self._said, slots=0)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()
        self._ladder.close()

    def _beat(self) -> None:
        while True:
            try:
                self._ladder.heartbeat(self._said)
            except WorkerError as error:
                log.warning("%s", error)
            try:
                _report_the_dead(self._settings, self._ladder)
                sweep_scratch()
            except Exception:  # a worker that plays must not be taken for dead, whatever a file is like
                log.exception("clearing up for the dead broke")
            if self._stopped.wait(self._every_s):
                return


_hearts: list[Heart] = []


@worker_init.connect
def _look_around(**_: object) -> None:
    """Before the pool is forked. A worker that could play nothing does not start."""
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each request says nothing new
    try:
        host()
    except WorkerError as error:
        raise SystemExit(f"This worker cannot start. {error}") from None


@worker_ready.connect
def _start_heart(**_: object) -> None:
    heart = Heart(host())
    _hearts.append(heart)
    heart.start()


@worker_shutting_down.connect
def _take_no_more(**_: object) -> None:
    for heart in _hearts:
        heart.take_no_more()


@worker_shutdown.connect
def _stop_heart(**_: object) -> None:
    while _hearts:
        _hearts.pop().stop()
