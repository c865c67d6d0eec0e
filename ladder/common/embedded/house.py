"""The supervisor: starts the processes of a house in order, watches them, and stops them in order."""

from __future__ import annotations

import collections
import os
import shutil
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO

from ladder.common.embedded import services
from ladder.common.embedded.address import Address, check_port_free
from ladder.common.embedded.environment import BASE_DIR, DATABASE, HouseFolder
from ladder.common.embedded.errors import EmbeddedError
from ladder.common.embedded.folders import hold
from ladder.common.embedded.postgres import Postgres
from ladder.common.embedded.processes import Child, clear_leftovers, start, wait_until
from ladder.common.embedded.valkey import WORKER_USER, Valkey

LOG_KEPT_BYTES = 10 * 1024 * 1024
RESTARTS = 5
RESTARTS_WITHIN_S = 60.0
GRACE_S = 20.0
WORKER_SEES = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SLOT_UID_BASE", "RUN_DIR", "LOG_LEVEL")
"""Of our own environment; and every setting that begins with WORKER_."""


@dataclass(slots=True)
class House:
    """One house. `environ` is what the ladder's own processes get; `say` gets a line for each step."""

    folder: HouseFolder
    address: Address
    environ: Mapping[str, str]
    say: Callable[[str], None]
    broker_url: str = ""
    children: dict[str, Child] = field(default_factory=dict, init=False)
    _lock: IO[str] | None = field(default=None, init=False)
    _servers: list[Postgres | Valkey] = field(default_factory=list, init=False)
    _services: dict[str, services.Service] = field(default_factory=dict, init=False)
    _restarts: dict[str, collections.deque[float]] = field(default_factory=dict, init=False)

    def start_servers(self) -> None:
        """Lock the folder, clear what a killed supervisor left, start the servers, make the database.

        Servers that the environment names are taken as they are. Raises EmbeddedError (already_running,
        port_taken, or what a server said).
        """
        self.folder.make()
        self._lock = hold(self.folder.var, f"{self.address.public_url}, process {os.getpid()}")
        for name in clear_leftovers(self.folder.run):
            self.say(f"stopped {name}, left over from a house that was killed")
        check_port_free(self.address)
        self._turn_logs()
        postgres, valkey = self.folder.postgres(), self.folder.valkey()
        if self.environ["DATABASE_URL"] == postgres.url(DATABASE):
            self.say("PostgreSQL" if postgres.data.exists() else "PostgreSQL: making a cluster, once")
            self._servers.append(postgres)
            postgres.start()
            postgres.create_database(DATABASE)
        if self.environ["REDIS_URL"] == valkey.url():
            self.say("Valkey")
            self._servers.append(valkey)
            valkey.start()
            self.broker_url = valkey.broker_url(WORKER_USER, self.folder.secrets()["WORKER_BROKER_PASSWORD"])

    def start_site(self, *, within_s: float = 60.0) -> None:
        """Start the web process and wait until it says that it is ready."""
        child = self._start(services.web(self.address.host, self.address.port))
        wait_until(lambda: answers(f"{self.address.loopback_url}/health/ready"), child, within_s=within_s)

    def start_workers(self) -> None:
        """Start everything else; no page needs it."""
        for service in services.CELERY_SERVICES:
            self._start(service)

    def watch(self) -> None:
        """Bring dead processes back, until a signal ends it by an exception.

        Raises EmbeddedError when a server died, or another process dies again and again.
        """
        while True:
            for server in self._servers:
                if server.child is not None and not server.child.alive:
                    raise EmbeddedError(
                        "server_died", f"{server.child.name} died.\n{server.child.last_words()}"
                    )
            for name, child in list(self.children.items()):
                if not child.alive:
                    self._restart(name, child)
            time.sleep(0.2)

    def stop(self) -> None:
        """Stop in order: no new ticks, then the workers side by side, the site, the servers."""
        order = [services.BEAT.name, services.MATCHES.name, services.TICKS.name, services.LADDER.name]
        workers = [self.children[name] for name in order if name in self.children]
        for child in workers:
            child.ask()
        for child in workers:
            child.wait(GRACE_S)
        if "web" in self.children:
            self.children["web"].stop(GRACE_S)
        for server in reversed(self._servers):
            server.stop()
        if self._lock is not None:
            shutil.rmtree(self.folder.sockets, ignore_errors=True)
            self._lock.close()

    def kill(self) -> None:
        """For the second Ctrl-C: no more patience, except with the database."""
        for child in self.children.values():
            if child.alive:
                child.process.kill()
        self.stop()

    def worker_environ(self) -> dict[str, str]:
        """What a match worker gets: its own login to two queues, its token, no secret of the ladder."""
        told = {
            name: value
            for name, value in self.environ.items()
            if name in WORKER_SEES or name.startswith("WORKER_")
        }
        own = {
            "WORKER_NAME": "house",
            "WORKER_CACHE_DIR": str(self.folder.var / "worker-cache"),
            "WORKER_TOKEN": self.folder.secrets()["WORKER_TOKEN"],
        }
        return (
            own
            | told
            | {
                "BROKER_URL": self.broker_url or self.environ["BROKER_URL"],
                "LADDER_URL": self.address.loopback_url,
            }
        )

    def _start(self, service: services.Service) -> Child:
        child = start(
            service.name,
            service.command(),
            env=self.worker_environ() if service.sees == "worker" else self.environ,
            cwd=BASE_DIR,
            stop_signal=signal.SIGTERM,
            run_dir=self.folder.run,
            log=self.folder.logs / f"{service.name}.log",
        )
        self._services[service.name] = service
        self.children[service.name] = child
        return child

    def _restart(self, name: str, child: Child) -> None:
        times = self._restarts.setdefault(name, collections.deque(maxlen=RESTARTS))
        now = time.monotonic()
        if len(times) == RESTARTS and now - times[0] < RESTARTS_WITHIN_S:
            raise EmbeddedError("child_dies", f"{name} dies again and again.\n{child.last_words()}")
        times.append(now)
        self.say(f"{name} ended with status {child.process.returncode}; starting it again")
        self._start(self._services[name])

    def _turn_logs(self) -> None:
        for log in self.folder.logs.glob("*.log"):
            if log.stat().st_size > LOG_KEPT_BYTES:
                log.replace(log.with_suffix(".log.1"))


def answers(url: str) -> bool:
    """Whether a page answers with 200."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - an address of our own
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
