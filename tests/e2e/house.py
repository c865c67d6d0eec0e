"""A house started as `make up` starts it, on a port and a folder of its own, for tests from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
import redis
from psycopg.rows import dict_row

from ladder.common.embedded.address import free_port
from ladder.common.embedded.environment import BASE_DIR, DATABASE, HouseFolder
from ladder.common.embedded.processes import started_at
from ladder.common.embedded.visitor import until

OURS = ("DATABASE_URL", "REDIS_URL", "STORAGE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "LADDER_VAR")

OPENED = "Stop: Ctrl-C"
"""The last line of a house that opened."""

NOT_ONCE = """
    SELECT m.id FROM matches_match m
    LEFT JOIN matches_attempt a ON a.match_id = m.id AND a.status = 'reported'
    LEFT JOIN matches_matchrecord r ON r.match_id = m.id
    WHERE m.status = 'finished' GROUP BY m.id
    HAVING count(DISTINCT a.id) <> 1 OR count(DISTINCT r.id) <> 1
"""
"""Finished matches without exactly one report and one record."""


class RunningHouse:
    """`manage.py up` as a child process. Entering waits until it is open, leaving presses Ctrl-C."""

    def __init__(self, var: Path, **settings: str) -> None:
        self.folder = HouseFolder(var.resolve())
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.said: list[str] = []
        self._settings = settings
        self._open = threading.Event()

    def start(self, *, within_s: float = 300.0) -> Self:
        environ = {name: value for name, value in os.environ.items() if name not in OURS}
        environ |= {"LADDER_VAR": str(self.folder.var), "PORT": str(self.port)} | self._settings
        self._open.clear()
        self.said.clear()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=BASE_DIR, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._open.wait(within_s)
        # Its output ends a moment before the process does: what it said tells, not whether it still runs.
        assert any(OPENED in line for line in self.said), "\n".join(self.said)
        return self

    def stop(self) -> int:
        """Ctrl-C, and the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.ended(180.0)

    def kill(self) -> None:
        """SIGKILL to the supervisor alone."""
        self.process.kill()
        self.ended(60.0)

    def ended(self, within_s: float) -> int:
        """Wait for the supervisor's end, and give its exit status."""
        status = self.process.wait(within_s)
        self._reader.join(10.0)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop what still runs, however the test went."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.ended(180.0)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if OPENED in line:
                self._open.set()
        self._open.set()

    def children(self) -> dict[str, tuple[int, str]]:
        """Name -> pid and start time, of every process that the supervisor noted."""
        found = {}
        for path in self.folder.run.glob("*.pid"):
            with suppress(FileNotFoundError):  # it ended since we looked
                noted = json.loads(path.read_text())
                found[path.stem] = (int(noted["pid"]), str(noted["started"]))
        return found

    def living(self) -> dict[str, tuple[int, str]]:
        return {name: seen for name, seen in self.children().items() if started_at(seen[0]) == seen[1]}

    def kill_group(self, name: str) -> None:
        """SIGKILL to one process with all that it started, as when its host loses power."""
        pid, _ = until(lambda: self.living().get(name), f"living {name}", within_s=120, every_s=0.05)
        os.killpg(pid, signal.SIGKILL)

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """What the house's own database says."""
        with psycopg.connect(self.folder.postgres().url(DATABASE), row_factory=dict_row) as session:
            return session.execute(query.encode(), values).fetchall()

    def one(self, query: str, *values: Any) -> Any:
        """The first column of the first row, or None."""
        rows = self.rows(query, *values)
        return next(iter(rows[0].values())) if rows else None

    def valkey(self) -> redis.Redis:
        return self.folder.valkey().client()
