"""A person at a site, with its API and the `haunt` command, for the demonstration and the end-to-end test."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from ladder.common.embedded.environment import BASE_DIR
from ladder.common.embedded.errors import EmbeddedError

_T = TypeVar("_T")


class Visitor:
    """Somebody with a name and a password at one site."""

    def __init__(self, url: str, username: str) -> None:
        self.username = username
        self.url = url
        self.token = ""
        self._http = httpx.Client(base_url=f"{url}/api/v1/", timeout=30.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def sign_up(self) -> None:
        """Make an account, and a token for scripts. Raises EmbeddedError."""
        names = {"username": self.username, "password": secrets.token_urlsafe(16)}
        self.post("sign-up", json=names)
        self.token = self.post("login", json=names | {"name": "scripts"})["token"]
        self._http.headers["Authorization"] = f"Bearer {self.token}"

    def get(self, path: str, **params: str) -> Any:
        """A document of the API. Raises EmbeddedError."""
        return self._ask("GET", path, params=params or None).json()

    def text(self, path: str, **params: str) -> str:
        """The same as text, as it came."""
        return self._ask("GET", path, params=params or None).text

    def post(self, path: str, **request: Any) -> Any:
        return self._ask("POST", path, **request).json()

    def _ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        answer = self._http.request(method, path, **request)
        if answer.is_error:
            raise EmbeddedError(
                "api", f"{method} {path} answered with {answer.status_code}: {answer.text[:500]}"
            )
        return answer

    def standings(self, ladder: str) -> list[dict[str, Any]]:
        """The rows of a ladder's standings."""
        rows: list[dict[str, Any]] = self.get(f"ladders/{ladder}/standings")["rows"]
        return rows

    def records(self, ladder: str) -> list[str]:
        """The records of all rated matches whose bundles have ended."""
        records: list[str] = []
        last = "0"
        while True:
            answer = self._ask("GET", f"ladders/{ladder}/records", params={"after": last})
            if not answer.text:
                return records
            records += answer.text.splitlines()
            last = answer.headers["X-Last"]

    def prove(self, records: Iterable[str], folder: Path) -> int:
        """Have `haunt verify` prove records. Returns how many. Raises EmbeddedError for a bad one."""
        folder.mkdir(exist_ok=True)
        files = []
        for number, text in enumerate(records):
            files.append(folder / f"{number}.json")
            files[-1].write_text(text)
        said = self.haunt("verify", *files)
        bad = [file for file in said["files"] if not file["ok"]]
        if bad or len(said["files"]) != len(files):
            raise EmbeddedError("bad_record", f"haunt verify: {bad}")
        return len(files)

    def haunt(self, *words: str | Path, within_s: float = 120.0) -> Any:
        """Run `haunt … --json` as this user. Raises EmbeddedError with what it said when it fails."""
        return json.loads(self.haunt_says(*words, "--json", within_s=within_s))

    def haunt_says(self, *words: str | Path, within_s: float = 120.0) -> str:
        """The same as a person reads it."""
        done = subprocess.run(
            [sys.executable, "-m", "workers.cli", *map(str, words)],
            cwd=BASE_DIR,
            env={name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
            | {"HAUNT_URL": self.url, "HAUNT_TOKEN": self.token},
            capture_output=True,
            text=True,
            timeout=within_s,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stdout + done.stderr).strip()
            raise EmbeddedError("haunt", f"haunt {' '.join(map(str, words))} failed: {said[-1500:]}")
        return done.stdout


def until(look: Callable[[], _T | None], what: str, *, within_s: float, every_s: float = 0.5) -> _T:
    """Poll until `look` gives something. Raises EmbeddedError that says what did not come about."""
    deadline = time.monotonic() + within_s
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise EmbeddedError("too_late", f"Within {within_s:g} s there was no {what}.")
        time.sleep(every_s)
    return seen
