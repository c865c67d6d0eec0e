"""The server's API as `haunt` speaks it: whose it is, where it is, and its answers as documents."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import httpx

from workers.cli.output import CliError, bad_news, wrong_use

_UNCHANGED: Final = 304
_TIMEOUT: Final = httpx.Timeout(30.0, connect=5.0)


@dataclass(frozen=True, slots=True)
class Login:
    """A server and a token for it."""

    url: str
    token: str


def login_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Where `haunt login` keeps the token: the user's configuration folder."""
    base = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "hauntladder" / "login.json"


def save_login(login: Login) -> Path:
    """Keep a login for the commands to come, readable by its owner alone."""
    path = login_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump({"url": login.url, "token": login.token}, file)
    fresh.replace(path)
    return path


def current_login() -> Login:
    """From HAUNT_URL and HAUNT_TOKEN, else from the last `haunt login`. Raises CliError."""
    url, token = os.environ.get("HAUNT_URL", ""), os.environ.get("HAUNT_TOKEN", "")
    if not (url and token):
        try:
            saved = json.loads(login_file().read_text(encoding="utf-8"))
            url, token = url or saved["url"], token or saved["token"]
        except (OSError, ValueError, KeyError, TypeError):
            raise bad_news("not_logged_in") from None
    return Login(checked_url(url), token)


def reading_login() -> Login:
    """For what anybody may read: where HAUNT_URL names the server, no token is needed. Raises CliError."""
    url = os.environ.get("HAUNT_URL")
    return Login(checked_url(url), os.environ.get("HAUNT_TOKEN", "")) if url else current_login()


def checked_url(url: str) -> str:
    """A server's address without a slash at its end. Raises CliError."""
    parts = httpx.URL(url) if "://" in url else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.host:
        raise wrong_use(f"{url!r} is not the address of a server; it begins with https:// or http://.")
    return str(parts).rstrip("/")


class Api:
    """One server's API; a problem that it answers with is raised as a CliError in its own words."""

    def __init__(self, login: Login) -> None:
        self._url = login.url
        self._known: dict[str, tuple[str, Any]] = {}
        headers = {"Authorization": f"Bearer {login.token}"} if login.token else {}
        self._http = httpx.Client(base_url=f"{login.url}/api/v1/", headers=headers, timeout=_TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def get(self, path: str, **params: str) -> Any:
        """The document at a path below /api/v1/."""
        return self._ask("GET", path, params=params)

    def post(self, path: str, **request: Any) -> Any:
        return self._ask("POST", path, **request)

    def patch(self, path: str, **request: Any) -> Any:
        return self._ask("PATCH", path, **request)

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def news(self, path: str) -> Any:
        """The document at a path, asked for again and again: the server sends it only when it has changed."""
        tag, known = self._known.get(path, ("", None))
        response = self._send("GET", path, headers={"If-None-Match": tag} if tag else {})
        if response.status_code == _UNCHANGED:
            return known
        document = self._read(response)
        self._known[path] = (response.headers.get("ETag", ""), document)
        return document

    def text(self, path: str, **params: str) -> str:
        """What stands at a path that answers with a file."""
        response = self._send("GET", path, params=params)
        if not response.is_success:
            self._read(response)
        return response.text

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
            page = self._ask("GET", page["next"])

    def _ask(self, method: str, path: str, **request: Any) -> Any:
        return self._read(self._send(method, path, **request))

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **request)
        except httpx.HTTPError as error:
            raise bad_news("no_server", url=self._url, why=str(error) or type(error).__name__) from None

    def _read(self, response: httpx.Response) -> Any:
        """The document of an answer. Raises CliError in the server's words where it is a problem."""
        try:
            body = response.json() if response.content else {}
        except ValueError:
            raise bad_news("no_server", url=self._url, why="what answers there is no Hauntladder") from None
        if response.is_success:
            return body
        raise self._problem(response.status_code, body)

    def _problem(self, status: int, body: Any) -> CliError:
        """problem+json in the words that the server chose."""
        facts = body if isinstance(body, dict) else {}
        message = str(facts.get("detail") or f"The server answered with {status}.")
        if isinstance(facts.get("fields"), dict):
            message += " " + " ".join(f"{name}: {_flat(errors)}" for name, errors in facts["fields"].items())
        return CliError(str(facts.get("code") or f"http_{status}"), message)


def _flat(errors: Any) -> str:
    return " ".join(map(str, errors)) if isinstance(errors, list) else str(errors)
