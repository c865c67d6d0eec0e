"""A person with a browser and the `haunt` command, for the demonstration and the end-to-end test.

It knows of the site what people see: forms with labelled fields, the API, and `haunt`.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from ladder.common.embedded.environment import BASE_DIR
from ladder.common.embedded.errors import EmbeddedError

_T = TypeVar("_T")


class _Form(HTMLParser):
    """The fields of the form that asks for a password."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[tuple[str, str, str]] = []
        self._here: list[tuple[str, str, str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        seen = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._here = []
        elif tag == "input" and self._here is not None and seen.get("name"):
            self._here.append((seen["name"], seen.get("type", "text"), seen.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._here is not None:
            if any(kind == "password" for _, kind, _ in self._here):
                self.fields = self._here
            self._here = None


class Visitor:
    """Somebody with a name and a password at one site."""

    def __init__(self, url: str, username: str) -> None:
        self.url = url
        self.username = username
        self.token = ""
        self._password = secrets.token_urlsafe(16)
        self._http = httpx.Client(base_url=url, timeout=30.0, follow_redirects=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def sign_up(self, path: str = "/sign-up/") -> None:
        """Fill in the form of the page, then make a token for scripts. Raises EmbeddedError."""
        page = self._http.get(path)
        form = _Form()
        form.feed(page.text)
        answer = self._http.post(
            str(page.url), data=self._filled(form.fields), headers={"Referer": str(page.url)}
        )
        if page.is_error or not form.fields or answer.is_error:
            raise EmbeddedError(
                "no_sign_up", f"{path} answered with {page.status_code}, {answer.status_code}."
            )
        said = self._http.post(
            "/api/v1/login",
            json={"username": self.username, "password": self._password, "name": "demonstration"},
            headers={"X-CSRFToken": self._http.cookies.get("csrftoken") or ""},
        )
        if said.is_error:
            raise EmbeddedError("no_sign_up", f"{self.username} could not sign in: {said.text[:500]}")
        self.token = said.json()["token"]

    def _filled(self, fields: list[tuple[str, str, str]]) -> dict[str, str]:
        filled = {}
        for name, kind, value in fields:
            if kind == "password":
                filled[name] = self._password
            elif kind == "email":
                filled[name] = f"{self.username}@example.org"
            elif kind == "checkbox":
                filled[name] = "on"
            else:
                filled[name] = value or self.username
        return filled

    def get(self, path: str, **params: str) -> Any:
        """A document of the API. Raises EmbeddedError."""
        answer = self._ask(path, params)
        return answer.json()

    def text(self, path: str, **params: str) -> str:
        """The bytes of a document as text, as they came."""
        return self._ask(path, params).text

    def _ask(self, path: str, params: dict[str, str]) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        address = path if path.startswith(("http", "/")) else f"/api/v1/{path}"
        answer = httpx.get(
            httpx.URL(self.url).join(address), params=params or None, headers=headers, timeout=30
        )
        if answer.is_error:
            raise EmbeddedError("api", f"GET {path} answered with {answer.status_code}: {answer.text[:500]}")
        return answer

    def pages(self, path: str, **params: str) -> Iterator[dict[str, Any]]:
        """The rows of all pages of a list."""
        page = self.get(path, **params)
        while True:
            if isinstance(page, list):
                yield from page
                return
            yield from page["results"]
            if not page.get("next"):
                return
            page = self.get(page["next"])

    def haunt(self, *words: str | Path, within_s: float = 120.0) -> Any:
        """Run `haunt … --json` as this user. Raises EmbeddedError with what it said when it fails."""
        done = subprocess.run(
            [sys.executable, "-m", "workers.cli", *map(str, words), "--json"],
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
        return json.loads(done.stdout)


def until(look: Callable[[], _T | None], what: str, *, within_s: float, every_s: float = 0.5) -> _T:
    """Poll until `look` gives something. Raises EmbeddedError that says what did not come about."""
    deadline = time.monotonic() + within_s
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise EmbeddedError("too_late", f"Within {within_s:g} s there was no {what}.")
        time.sleep(every_s)
    return seen
