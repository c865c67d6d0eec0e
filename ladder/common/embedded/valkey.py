"""A Valkey of our own on a private socket, with a login for the ladder and one for match workers."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import redis

from ladder.common.embedded.binaries import valkey_server
from ladder.common.embedded.errors import EmbeddedError
from ladder.common.embedded.processes import Child, start, wait_until

WORKER_USER = "worker"
WORKER_QUEUES = ("build", "match")
UNACKED = "workers.unacked"
"""Where the workers' Celery app notes what it has taken and not yet acknowledged."""


def worker_acl(password: str) -> str:
    """The login of match workers: the keys of their two queues, what they read but have not acknowledged.

    Nothing else of the broker: no other queue, no cache, no administration.
    """
    # Celery's broker keeps a list for each of four priorities: "match", "match\\x06\\x163", ...
    keys = [f"~{queue}{priority}" for queue in WORKER_QUEUES for priority in ("", "??[369]")]
    keys += [
        f"~_kombu.{book}.{queue}" for book in ("binding", "binding_permanent") for queue in WORKER_QUEUES
    ]
    keys += [f"~{UNACKED}", f"~{UNACKED}_*"]
    commands = "+@all -@admin -@dangerous -script|flush -script|kill +info"
    return f"user {WORKER_USER} on >{password} resetkeys resetchannels {' '.join(keys)} {commands}"


@dataclass(slots=True)
class Valkey:
    """One server. `durable` keeps an append-only file; otherwise memory alone."""

    data: Path
    sockets: Path
    password: str
    durable: bool = False
    acl: Sequence[str] = ()
    """More users, as lines of an ACL file."""
    run_dir: Path | None = None
    log: Path | None = None
    child: Child | None = field(default=None, init=False)

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    def url(self) -> str:
        """REDIS_URL for the ladder."""
        return f"unix://default:{self.password}@{self.socket}?db=0"

    def broker_url(self, user: str, password: str) -> str:
        """BROKER_URL of another login, in Celery's spelling."""
        return f"redis+socket://{user}:{password}@{self.socket}"

    def client(self) -> redis.Redis:
        """A client with all rights. The caller closes it."""
        return redis.Redis(unix_socket_path=str(self.socket), username="default", password=self.password)

    def start(self, *, within_s: float = 30.0) -> None:
        """Write the configuration, start, and wait until it answers."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        program = valkey_server()
        config = self.data / "valkey.conf"
        _write_private(config, "\n".join(self._config()) + "\n")
        _write_private(
            self.data / "users.acl",
            "\n".join([f"user default on >{self.password} ~* &* +@all", *self.acl]) + "\n",
        )
        self.child = start(
            "valkey",
            [program, config],
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
            cwd=self.data,
            stop_signal=signal.SIGTERM,
            run_dir=self.run_dir,
            log=self.log or self.data / "server.log",
        )
        wait_until(self._ready, self.child, within_s=within_s)

    def stop(self) -> int:
        """Stop; a durable server writes what it holds first."""
        return self.child.stop() if self.child is not None else 0

    def _config(self) -> list[str]:
        return [
            "port 0",
            f'unixsocket "{self.socket}"',
            "unixsocketperm 700",
            f'dir "{self.data}"',
            f'aclfile "{self.data / "users.acl"}"',
            'save ""',
            f"appendonly {'yes' if self.durable else 'no'}",
            "appendfsync everysec",
            "daemonize no",
        ]

    def _ready(self) -> bool:
        if not self.socket.exists():
            return False
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.AuthenticationError as error:
            raise EmbeddedError("valkey_login", f"Valkey refuses our own login: {error}") from None
        except (redis.ConnectionError, redis.BusyLoadingError):
            return False


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(text)
