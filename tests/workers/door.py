"""A small real HTTP server that speaks the workers' door, for tests of the workers alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "worker-token-of-the-tests"


@dataclass
class Door:
    """What the server gives out, and what it was told. Answers are set by the tests."""

    url: str = ""
    jobs: dict[str, bytes] = field(default_factory=dict)
    """Id of a doorbell -> the job's JSON; claimed once."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Path -> bytes, for GET."""
    renew_status: int = 204
    report_statuses: list[int] = field(default_factory=list)
    """Answers to the next reports, then 204. 0 = read the report, then hang up without an answer."""
    claim_statuses: list[int] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    renewals: list[str] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    puts: dict[str, bytes] = field(default_factory=dict)
    heartbeats: list[dict[str, Any]] = field(default_factory=list)
    strangers: int = 0


class _Handler(BaseHTTPRequestHandler):
    door: Door
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        pass

    def _answer(self, status: int, body: bytes = b"") -> None:
        if status == 0:
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _is_known(self) -> bool:
        if self.headers["Authorization"] == f"Worker {TOKEN}":
            return True
        self.door.strangers += 1
        self._answer(401)
        return False

    def do_GET(self) -> None:
        if self._is_known():
            body = self.door.files.get(self.path)
            self._answer(404 if body is None else 200, body or b"")

    def do_PUT(self) -> None:
        body = self._body()
        if self._is_known():
            self.door.puts[self.path] = body
            self._answer(204)

    def do_POST(self) -> None:
        body = self._body()
        if not self._is_known():
            return
        if self.path == "/internal/claims":
            self._claim(json.loads(body))
        elif self.path == "/internal/heartbeat":
            self.door.heartbeats.append(json.loads(body))
            self._answer(204)
        elif self.path.endswith("/renew"):
            self.door.renewals.append(self.path)
            self._answer(self.door.renew_status)
        else:
            self.door.reports.append(json.loads(body))
            self._answer(self.door.report_statuses.pop(0) if self.door.report_statuses else 204)

    def _claim(self, request: dict[str, Any]) -> None:
        self.door.claims.append(request)
        if self.door.claim_statuses and (status := self.door.claim_statuses.pop(0)) != 200:
            self._answer(status)
        elif (job := self.door.jobs.pop(request["id"], None)) is None:
            self._answer(409)
        else:
            self._answer(200, job)


@contextmanager
def open_door() -> Iterator[Door]:
    """A door on a free port, for as long as the block runs."""
    door = Door()
    handler = type("Handler", (_Handler,), {"door": door})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    door.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield door
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
