"""A PostgreSQL of our own: made, started on a private socket, stopped.

PostgreSQL refuses to run as root. As root it runs in a user namespace in which root is uid 1000; where
that is forbidden (Docker's default seccomp profile), as the user nobody, with data handed over to it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql

from ladder.common.embedded.binaries import postgres_bin, postgres_major
from ladder.common.embedded.errors import EmbeddedError
from ladder.common.embedded.processes import Child, as_user, start, wait_until

USER = "hauntladder"
NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
NOBODY = "nobody"

_ALWAYS = {"listen_addresses": "", "unix_socket_permissions": "0700", "max_connections": "100"}
# What a crash of the machine may take: everything. Right for a cluster that lives as long as a test run.
_THROWAWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "64MB",
}


@dataclass(slots=True)
class Postgres:
    """One cluster: its data, and the short private folder of its socket."""

    data: Path
    sockets: Path
    throwaway: bool = False
    run_dir: Path | None = None
    log: Path | None = None
    child: Child | None = field(default=None, init=False)

    def url(self, database: str) -> str:
        """DATABASE_URL of one of its databases."""
        return f"postgres://{USER}@{str(self.sockets).replace('/', '%2F')}/{database}"

    def start(self, *, within_s: float = 60.0) -> None:
        """Make the cluster when there is none, start it, wait until it answers."""
        folder = postgres_bin()
        launcher = _launcher(folder, self.data, self.sockets)
        if not (self.data / "PG_VERSION").exists():
            self._init(folder, launcher)
        self._forget_dead_postmaster()
        options = (
            _ALWAYS | (_THROWAWAY if self.throwaway else {}) | {"unix_socket_directories": str(self.sockets)}
        )
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self.child = start(
            "postgres",
            [*launcher.prefix, launcher.folder / "postgres", "-D", self.data, *arguments],
            env=_ENV,
            cwd=self.data,
            stop_signal=signal.SIGQUIT if self.throwaway else signal.SIGINT,
            run_dir=self.run_dir,
            log=self.log or self.data / "server.log",
            user=launcher.user,
        )
        wait_until(self._ready, self.child, within_s=within_s)

    def stop(self) -> int:
        """Fast shutdown: sessions end, what was committed is kept (a throwaway cluster just drops all)."""
        return self.child.stop(grace_s=20.0) if self.child is not None else 0

    def create_database(self, name: str) -> bool:
        """Create a database unless it is there. Returns whether it was made."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            return known is None

    def _init(self, folder: Path, launcher: _Launcher) -> None:
        provider = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if postgres_major(folder) >= 17 else []
        )
        options = [f"--username={USER}", "--auth=trust", "--encoding=UTF8", "--locale=C", *provider]
        if self.throwaway:
            options.append("--no-sync")
        command: list[str | Path] = [*launcher.prefix, launcher.folder / "initdb", "-D", self.data, *options]
        done = subprocess.run(
            command,
            env=_ENV,
            cwd=self.data,
            **as_user(launcher.user),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise EmbeddedError("initdb_failed", f"initdb could not make {self.data}:\n{done.stderr.strip()}")

    def _forget_dead_postmaster(self) -> None:
        """Remove the lock file of a server that is gone; its pid may belong to a stranger by now.

        Who starts a cluster holds the lock of its folder and has cleared the leftovers: nobody else runs it.
        """
        lock = self.data / "postmaster.pid"
        try:
            pid = int(lock.read_text().split("\n", 1)[0])
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return
        if str(self.data).encode() not in command:
            lock.unlink(missing_ok=True)

    def _ready(self) -> bool:
        """The server writes its state into the last line of its lock file."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        mine = self.child is not None and lines[:1] == [str(self.child.process.pid)]
        return mine and lines[-1].strip() == "ready"


@dataclass(frozen=True, slots=True)
class _Launcher:
    """How to run a program of PostgreSQL here: behind which command, as which user, from which folder."""

    prefix: tuple[str, ...]
    user: str | None
    folder: Path


_ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _launcher(folder: Path, data: Path, sockets: Path) -> _Launcher:
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.getuid() != 0:
        return _Launcher((), None, folder)
    if shutil.which("unshare") and _namespaces_allowed():
        return _Launcher(NAMESPACE, None, folder)
    return _as_nobody(folder, data, sockets)


def _namespaces_allowed() -> bool:
    return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


def _as_nobody(folder: Path, data: Path, sockets: Path) -> _Launcher:
    """Hand data and sockets to nobody, and copy the programs to where nobody may read them."""
    nobody = pwd.getpwnam(NOBODY)
    for top in (data, sockets):
        _check_reach(top)
        for path in (top, *top.rglob("*")):
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    if folder.parent.name != "pginstall":
        return _Launcher((), NOBODY, folder)
    package = folder.parent.parent
    copy = data.parent / "postgres-programs"
    # A wheel's programs look for its libraries beside the package.
    for part in (package / "pginstall", package.with_name(f"{package.name}.libs")):
        target = copy / part.relative_to(package.parent)
        if part.exists() and not target.exists():
            shutil.copytree(part, target, symlinks=True)
    return _Launcher((), NOBODY, copy / package.name / "pginstall" / "bin")


def _check_reach(path: Path) -> None:
    """Raises EmbeddedError when a folder above is closed to others; opening it is not ours to do."""
    for above in path.parents:
        if not above.stat().st_mode & 0o001:
            raise EmbeddedError(
                "data_out_of_reach",
                f"PostgreSQL must run as {NOBODY} here, and {above} is closed to it. "
                f"Run as an ordinary user, or keep the data elsewhere (LADDER_VAR).",
            )
