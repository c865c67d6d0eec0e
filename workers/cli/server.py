"""`haunt login`, `upload`, `status`, `standings`: the server, through its API."""

from __future__ import annotations

import argparse
import getpass
import io
import os
import socket
import sys
import time
import zipfile
from pathlib import Path
from typing import Any, Final

from bots.program import Program
from workers.cli.api import Api, Login, checked_url, current_login, reading_login, save_login
from workers.cli.local import bot_name, read_program
from workers.cli.output import BAD_NEWS, GOOD, CliError, Output, wrong_use

_ASK_EVERY_S: Final = 1.0
_SETTLED: Final = ("active", "rejected")


def login(args: argparse.Namespace, out: Output) -> int:
    """Keep a token: the one given, or one made for a name and a password."""
    url = checked_url(args.url)
    token = args.token or os.environ.get("HAUNT_TOKEN") or _asked_token(url, args, out)
    with Api(Login(url, token)) as api:
        me = api.get("me")
    path = save_login(Login(url, token))
    out.document({"url": url, "username": me["username"], "file": str(path)})
    out.line(f"Logged in to {url} as {me['username']}. The token is kept in {path}.", "green")
    return GOOD


def _asked_token(url: str, args: argparse.Namespace, out: Output) -> str:
    """From a person at the terminal. Raises CliError where there is none."""
    if out.is_json or not sys.stdin.isatty():
        raise wrong_use("There is nobody to ask: give --token, or set HAUNT_TOKEN.")
    if not args.username:
        out.line("Paste a token of yours, or press Enter to use name and password.")
        if token := getpass.getpass("Token: ").strip():
            return token
    username = args.username or input("Name: ")
    password = getpass.getpass("Password: ")
    request = {"username": username, "password": password, "name": f"haunt on {socket.gethostname()}"[:60]}
    with Api(Login(url, "")) as api:
        return str(api.post("login", json=request)["token"])


def upload(args: argparse.Namespace, out: Output) -> int:
    """Intake at home first, then the same files to the server; with --wait, until it is settled."""
    path = Path(args.path)
    program = read_program(path)
    name = args.bot or bot_name(path)
    with Api(current_login()) as api:
        bot = _own_bot(api, name, may_make=args.new)
        fields = {"language": program.language, **({"note": args.note} if args.note else {})}
        files = {"file": (f"{bot_name(path)}.zip", _zipped(program), "application/zip")}
        version = api.post(f"bots/{bot['id']}/versions", data=fields, files=files)
        if args.wait:
            version = _settled(api, version, out)
    out.document(version)
    out.line(
        f"{name} v{version['number']}: {_state(version)}", "green" if version["state"] == "active" else ""
    )
    return BAD_NEWS if version["state"] == "rejected" else GOOD


def _own_bot(api: Api, name: str, *, may_make: bool) -> dict[str, Any]:
    for bot in api.pages("bots", mine="true"):
        if bot["name"].casefold() == name.casefold():
            return bot
    if not may_make:
        message = f"You have no bot called {name}. Add --new to make it, or name one with --bot."
        raise CliError("no_such_bot", message)
    made: dict[str, Any] = api.post("bots", json={"name": name})
    return made


def _zipped(program: Program) -> bytes:
    """The checked files alone; what intake leaves out does not travel."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in program.files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _settled(api: Api, version: dict[str, Any], out: Output) -> dict[str, Any]:
    """The version once it is active, rejected, or at rest; says each state that it passes."""
    seen = ""
    while version["state"] not in _SETTLED and not version["reason_code"]:
        if version["state"] != seen:
            seen = version["state"]
            out.progress.print(f"v{version['number']}: {_state(version)}", markup=False)
        time.sleep(_ASK_EVERY_S)
        version = api.get(f"versions/{version['id']}")
    return version


def _state(version: dict[str, Any]) -> str:
    return f"{version['state']}. {version.get('reason') or ''}".strip()


def status(args: argparse.Namespace, out: Output) -> int:
    """Each bot of ours with its newest version."""
    rows = []
    with Api(current_login()) as api:
        for bot in api.pages("bots", mine="true"):
            if args.bot and bot["name"].casefold() != args.bot.casefold():
                continue
            versions = list(api.pages(f"bots/{bot['id']}/versions"))
            newest = max(versions, key=lambda version: version["number"], default=None)
            rows.append({"id": bot["id"], "name": bot["name"], "version": newest})
    if args.bot and not rows:
        raise CliError("no_such_bot", f"You have no bot called {args.bot}.")
    out.document({"bots": rows})
    table = [
        [
            row["name"],
            f"v{row['version']['number']}",
            row["version"]["state"],
            row["version"].get("reason") or "",
        ]
        if row["version"]
        else [row["name"], "", "no version yet", ""]
        for row in rows
    ]
    out.table(["bot", "version", "state", "why"], table)
    return GOOD


def standings(args: argparse.Namespace, out: Output) -> int:
    """A ladder's standings, or the list of ladders. Needs no login where HAUNT_URL names the server."""
    with Api(reading_login()) as api:
        if args.ladder is None:
            ladders = list(api.pages("ladders"))
            out.document({"ladders": ladders})
            out.table(
                ["ladder", "game", "seats"],
                [[row["slug"], row["game"], str(row["seats"])] for row in ladders],
            )
            return GOOD
        table = api.get(f"ladders/{args.ladder}/standings")
    out.document(table)
    out.line(table.get("summary") or "")
    out.table(["rank", "bot", "version", "rating", "+-", "matches"], [_standing(row) for row in _rows(table)])
    return GOOD


def _rows(table: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table["rows"]
    return rows


def _standing(row: dict[str, Any]) -> list[str]:
    rating = f"{row['rating']:.0f}" if row.get("rating") is not None else ""
    half_width = f"{row['half_width']:.0f}" if row.get("half_width") is not None else ""
    rank = str(row["rank"]) if row.get("rank") is not None else ""
    return [rank, str(row["bot"]), f"v{row['version']}", rating, half_width, str(row["matches"])]
