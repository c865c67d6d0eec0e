"""The command line of `haunt tournament`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from workers.cli import tournament
from workers.cli.output import Output
from workers.cli.watch import watch

_FORMATS: Final = (
    "round_robin",
    "swiss",
    "single_elimination",
    "double_elimination",
    "groups",
    "gauntlet",
    "score_attack",
)
_NUMBERS: Final = {
    "--seats": "at a table; default 2",
    "--advance": "so many of a table go on; default 1",
    "--rounds": "of a Swiss, a score attack, a round robin at larger tables",
    "--bundles": "that a table plays; default 1",
    "--groups": "with --format groups",
    "--qualify": "so many of each group go on",
    "--least-rating": "with --entry-rule rated",
    "--entries-per-user": "default 1",
    "--min-entries": "default 2",
    "--max-entries": "default 128",
}


def add_to(parser: argparse.ArgumentParser) -> None:
    """All that `haunt tournament` does."""
    doings = parser.add_subparsers(required=True, metavar="DOING")

    def add(
        name: str, run: Callable[[argparse.Namespace, Output], int], text: str
    ) -> argparse.ArgumentParser:
        command = doings.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.add_argument("--json", action="store_true", help="one JSON document on stdout, nothing else")
        command.set_defaults(run=run)
        return command

    def add_one(
        name: str, run: Callable[[argparse.Namespace, Output], int], text: str
    ) -> argparse.ArgumentParser:
        command = add(name, run, text)
        command.add_argument(
            "tournament", type=tournament.address, metavar="TOURNAMENT", help="its slug, or its whole address"
        )
        return command

    listed = add("list", tournament.list_all, "tournaments that are listed, and your own")
    listed.add_argument("--state", choices=("coming", "running", "past", "draft"))
    listed.add_argument("--ladder", metavar="LADDER", help="on this ladder alone")
    listed.add_argument("--mine", action="store_true", help="those that you organise or are in")
    add_one("show", tournament.show, "one tournament, and who is in it")
    _add_create(add("create", tournament.create, "make a tournament; prints its address and what it takes"))
    enter = add_one("enter", tournament.enter, "enter a bot of yours")
    enter.add_argument("bot", metavar="BOT", help="its name")
    enter.add_argument(
        "--version", type=int, metavar="N", help="default: the newest active one at the freeze"
    )
    withdraw = add_one("withdraw", tournament.withdraw, "take a bot out; after the freeze it forfeits")
    withdraw.add_argument("bot", metavar="BOT", help="its name")
    watched = add_one("watch", watch, "round, tables and standings, live until it ends")
    watched.add_argument("--every", type=_seconds, default=2.0, metavar="S", help="seconds; default 2")
    drawn = add_one("bracket", tournament.bracket, "the bracket, drawn in the terminal")
    drawn.add_argument("--width", type=_width, metavar="N", help="columns; default: the terminal's")
    results = add_one(
        "results", tournament.results, "standings, and what parted each row from the one before"
    )
    results.add_argument(
        "--out", type=Path, metavar="FILE", help="the standings as .csv, or everything as .json"
    )


def _add_create(create: argparse.ArgumentParser) -> None:
    create.add_argument("title", metavar="TITLE")
    create.add_argument("--ladder", required=True, metavar="LADDER", help="gives game, options and clock")
    create.add_argument("--format", required=True, type=_underscored, choices=_FORMATS, metavar="FORMAT",
                        help=", ".join(_FORMATS))  # fmt: skip
    create.add_argument(
        "--starts", dest="starts_at", type=tournament.when, metavar="WHEN", help="30m (from now), or ISO 8601"
    )
    create.add_argument(
        "--registration-ends",
        dest="registration_ends_at",
        type=tournament.when,
        metavar="WHEN",
        help="default: the start",
    )
    create.add_argument(
        "--hidden-until", type=tournament.when, metavar="WHEN", help="results are shown from then on"
    )
    for option, text in _NUMBERS.items():
        create.add_argument(option, type=int, metavar="N", help=text)
    create.add_argument(
        "--tie-breaks", type=lambda text: text.split(","), metavar="A,B,lot", help="in their written order"
    )
    create.add_argument("--seeding", choices=("rating", "lot"))
    create.add_argument("--entry-rule", choices=("owners", "invited", "rated"))
    create.add_argument("--description", metavar="TEXT")
    create.add_argument("--house-fills", action="store_true", help="house bots fill up the tables")
    create.add_argument("--listed", dest="is_listed", action="store_true", help="admins alone may")
    create.add_argument("--draft", action="store_true", help="registration is opened later")
    create.add_argument("--estimate", action="store_true", help="only say what it would take")


def _underscored(text: str) -> str:
    return text.replace("-", "_")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3_600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1")
    return seconds


def _width(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 20 <= int(text) <= 1_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of columns from 20")
    return int(text)
