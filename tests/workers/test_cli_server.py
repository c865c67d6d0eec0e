"""`haunt` against a real server: login, upload, status."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pytest_django.live_server_helper import LiveServer

from bots.house import house_path
from bots.program import read_path
from ladder.matches.services.entries import preflights_start
from ladder.matches.services.ladders import ladders_ensure
from ladder.programs.models import Version
from ladder.programs.services import version_built
from workers.cli import main

pytestmark = pytest.mark.django_db(transaction=True)

Haunt = Callable[..., tuple[int, Any]]
PASSWORD = "a long pass phrase of the tests"


@pytest.fixture
def haunt(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Haunt]:
    """One command with --json, with a home of its own: exit status and document."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("HAUNT_URL", raising=False)
    monkeypatch.delenv("HAUNT_TOKEN", raising=False)
    account = {"username": "ada", "password": PASSWORD}
    httpx.post(f"{live_server.url}/api/v1/sign-up", json=account).raise_for_status()

    def run(*words: str | Path) -> tuple[int, Any]:
        capsys.readouterr()
        try:
            status = main([*map(str, words), "--json"])
        except SystemExit as stop:
            status = int(stop.code or 0)
        said = capsys.readouterr().out
        return status, json.loads(said) if said else None

    return run


@pytest.fixture
def token(haunt: Haunt, live_server: LiveServer) -> str:
    """A token of ada's, with which she has logged in."""
    request = {"username": "ada", "password": PASSWORD, "name": "tests"}
    answer = httpx.post(f"{live_server.url}/api/v1/login", json=request)
    key: str = answer.raise_for_status().json()["token"]
    assert haunt("login", live_server.url, "--token", key)[0] == 0
    return key


def test_login_keeps_the_token_for_its_owner_alone(
    token: str, live_server: LiveServer, tmp_path: Path
) -> None:
    path = tmp_path / "config" / "hauntladder" / "login.json"
    assert json.loads(path.read_text()) == {"url": live_server.url, "token": token}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_login_by_name_and_password(
    haunt: Haunt, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda _: PASSWORD)
    assert main(["login", live_server.url, "--username", "ada"]) == 0
    assert haunt("status") == (0, {"bots": []})
    monkeypatch.setattr("getpass.getpass", lambda _: "something else")
    assert main(["login", live_server.url, "--username", "ada"]) == 1


def test_login_with_a_wrong_token_keeps_nothing(
    haunt: Haunt, live_server: LiveServer, tmp_path: Path
) -> None:
    status, said = haunt("login", live_server.url, "--token", "hl_no_token")
    assert status == 1
    assert said["error"]["message"]
    assert not (tmp_path / "config").exists()
    assert haunt("login", live_server.url)[0] == 2  # nobody at the terminal


def test_upload_and_status(haunt: Haunt, token: str) -> None:
    status, said = haunt("upload", house_path("greedy"), "--bot", "Candlewick")
    assert (status, said["error"]["code"]) == (1, "no_such_bot")
    status, version = haunt("upload", house_path("greedy"), "--bot", "Candlewick", "--new", "--note", "first")
    assert status == 0
    assert (version["number"], version["state"], version["note"]) == (1, "checked", "first")
    assert version["digest"] == read_path(house_path("greedy")).digest
    status, version = haunt("upload", house_path("steady"), "--bot", "candlewick")
    assert (status, version["number"]) == (0, 2)
    status, said = haunt("status")
    assert status == 0
    assert [(bot["name"], bot["version"]["number"]) for bot in said["bots"]] == [("Candlewick", 2)]
    assert haunt("status", "Candlewick")[1] == said
    assert haunt("status", "Moth")[0] == 1


def test_waiting_ends_where_no_ladder_plays_the_bot(
    haunt: Haunt, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def built(seconds: float) -> None:
        version = Version.objects.get()
        version_built(version=version, artefact_sha256="a" * 64, toolchain="Python", log="")
        preflights_start(version=version)

    monkeypatch.setattr("time.sleep", built)
    status, version = haunt("upload", house_path("greedy"), "--bot", "Candlewick", "--new", "--wait")
    assert (status, version["state"], version["reason_code"]) == (0, "built", "no_ladder")
    assert "dont-go-in-there" in version["reason"]


def test_server_refuses_in_its_own_words(haunt: Haunt, token: str) -> None:
    haunt("upload", house_path("greedy"), "--bot", "Candlewick", "--new")
    status, said = haunt("upload", house_path("greedy"), "--bot", "Candlewick")
    assert (status, said["error"]["code"]) == (1, "same_upload")
    status, said = haunt("upload", house_path("greedy"), "--bot", "x", "--new")
    assert (status, said["error"]["code"]) == (1, "invalid")
    assert "3 to 40" in said["error"]["message"]


def test_bad_upload_never_leaves_home(haunt: Haunt, token: str, tmp_path: Path) -> None:
    (tmp_path / "bot.zip").write_bytes(b"PK\3\4nothing")
    status, said = haunt("upload", tmp_path / "bot.zip", "--bot", "Candlewick", "--new")
    assert (status, said["error"]["code"]) == (1, "damaged_archive")
    assert haunt("status")[1] == {"bots": []}


def test_scripts_name_server_and_token_in_the_environment(
    haunt: Haunt, token: str, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    status, said = haunt("status")
    assert (status, said["error"]["code"]) == (1, "not_logged_in")
    monkeypatch.setenv("HAUNT_URL", f"{live_server.url}/")
    monkeypatch.setenv("HAUNT_TOKEN", token)
    assert haunt("status") == (0, {"bots": []})


def test_server_that_is_not_there(haunt: Haunt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAUNT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HAUNT_TOKEN", "hl_x_y")
    status, said = haunt("status")
    assert (status, said["error"]["code"]) == (1, "no_server")


def test_standings_are_open_to_all(
    haunt: Haunt,
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ladders_ensure()
    monkeypatch.setenv("HAUNT_URL", live_server.url)
    status, said = haunt("standings")
    assert status == 0
    assert {"dont-go-in-there-2", "dont-go-in-there-4"} <= {ladder["slug"] for ladder in said["ladders"]}
    status, said = haunt("standings", "dont-go-in-there-2")
    assert (status, said["rows"]) == (0, [])
    assert main(["standings"]) == 0
    assert "dont-go-in-there-4" in capsys.readouterr().out
    status, said = haunt("standings", "no-such-ladder")
    assert (status, said["error"]["code"]) == (1, "not_found")
