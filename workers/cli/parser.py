"""The command line of `haunt`: every command with its arguments and its help."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from bots.job import FAST, SLOW, Clock
from bots.kits import KITS
from workers.cli import check, new, play, records, sandbox, server, tournament_parser
from workers.cli.output import Output

Command: TypeAlias = Callable[[argparse.Namespace, Output], int]
_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - its only name

_BOT = "a path (it contains / or .) to a folder, a file or an archive, or the name of a house bot"

_CLOCK: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)\+([0-9]{1,3}(?:\.[0-9]{1,3})?)", re.ASCII)
_LONGEST_BANK_MS: Final = 600_000
"""A match may take 15 minutes in all; and who thinks in milliseconds is told so."""


def build_parser() -> argparse.ArgumentParser:
    """The whole parser; `args.run` is the command to run."""
    parser = argparse.ArgumentParser(prog="haunt", description="Bots for haunted-house board games.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "games", records.games, "games, modes, seats, rules versions")
    _add_play(commands)
    verify = _add(commands, "verify", records.verify_files, "prove records from nothing but themselves")
    verify.add_argument("files", nargs="+", metavar="FILE")
    show = _add(commands, "show", records.show, "a match step by step")
    show.add_argument("file", metavar="FILE")
    show.add_argument("--seat", type=int, metavar="N", help="as this seat saw it (from 0)")
    checked = _add(
        commands, "check", check.check, "what the server does with an upload: same steps, same words"
    )
    checked.add_argument("bot", metavar="BOT", help=_BOT)
    checked.add_argument("--no-sandbox", action="store_true", help="build and play without the sandbox")
    fresh = _add(commands, "new", new.new, "a starter bot")
    fresh.add_argument("language", choices=KITS, metavar="LANGUAGE", help=", ".join(KITS))
    fresh.add_argument("dir", metavar="DIR", help="a folder that does not exist yet")
    layers = _add(commands, "sandbox", sandbox.sandbox, "which layers of the sandbox hold here")
    layers.add_argument(
        "--attack",
        action="store_true",
        help="attack it with hostile bots, builds and uploads: a minute or two",
    )
    _add_server(commands)
    return parser


def _add(commands: _Commands, name: str, run: Command, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    command.add_argument("--json", action="store_true", help="one JSON document on stdout, nothing else")
    command.set_defaults(run=run)
    return command


def _add_play(commands: _Commands) -> None:
    parser = _add(
        commands, "play", play.play, "play matches here, with the worker's referee, sandbox and clock"
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("bots", nargs="+", metavar="BOT", help=f"{_BOT}, or human: you")
    parser.add_argument("--mode", metavar="M", help="a named set of options; default: the game's first")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="K=V",
        help="V is JSON, or a plain word",
    )
    parser.add_argument(
        "--seats", type=int, metavar="N", help="the number of BOTs; one BOT alone plays all seats of a team"
    )
    parser.add_argument("--seed", metavar="S", help="any text; match (or bundle) i of n uses S/i, from 1")
    parser.add_argument(
        "--clock",
        type=_clock,
        default=FAST,
        metavar="BANK+INC",
        help="seconds of CPU time, such as 2+0.02; or fast, slow",
    )
    parser.add_argument("--bundle", action="store_true", help="every bot in every seat, on the same seed")
    parser.add_argument("-n", type=_count, default=1, metavar="N", help="so many matches, or bundles")
    parser.add_argument("-j", type=_count, default=1, metavar="JOBS", help="so many at once")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the document there, too")
    parser.add_argument("--html", metavar="FILE", help="not there yet: a replay to look at")
    parser.add_argument("--no-sandbox", action="store_true", help="only for bots that you trust as yourself")


def _add_server(commands: _Commands) -> None:
    login = _add(commands, "login", server.login, "keep a token for a server")
    login.add_argument("url", metavar="URL")
    login.add_argument(
        "--token", metavar="TOKEN", help="an API token; without one, name and password are asked for"
    )
    login.add_argument("--username", metavar="NAME", help="ask for the password alone")
    upload = _add(commands, "upload", server.upload, "upload a version of a bot")
    upload.add_argument("path", metavar="BOT", help="a folder, a file or an archive")
    upload.add_argument(
        "--bot", metavar="NAME", help="the bot it is a version of; default: the folder's name"
    )
    upload.add_argument(
        "--new", action="store_true", help="make the bot first, where you have none of that name"
    )
    upload.add_argument("--note", default="", metavar="TEXT", help="what is new in it")
    upload.add_argument(
        "--wait", action="store_true", help="wait until it is active or rejected, or no ladder plays it"
    )
    status = _add(commands, "status", server.status, "your bots and how far their newest versions are")
    status.add_argument("bot", nargs="?", metavar="NAME", help="this bot alone")
    standings = _add(commands, "standings", server.standings, "a ladder's standings")
    standings.add_argument("ladder", nargs="?", metavar="LADDER", help="its slug; without one, the ladders")
    tournaments = commands.add_parser(
        "tournament", help="look at tournaments, make one, enter it, watch it", description="Tournaments."
    )
    tournament_parser.add_to(tournaments)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not K=V")
    return name, play.option_value(value)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _clock(text: str) -> Clock:
    if text in ("fast", "slow"):
        return FAST if text == "fast" else SLOW
    if (found := _CLOCK.fullmatch(text)) is None or not 1 <= (bank_ms := _ms(found[1])) <= _LONGEST_BANK_MS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not BANK+INC in seconds, such as 2+0.02; a bank is at most 600 s"
        )
    return Clock(bank_ms=bank_ms, increment_ms=_ms(found[2]))


def _ms(seconds: str) -> int:
    return round(1000 * float(seconds))
