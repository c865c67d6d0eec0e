"""`haunt tournament watch`: a live table of round, tables and standings until it ends.

It asks again and again, and the server answers in full only where something has changed. Without a terminal
each change is a line; with --json one document comes at the end.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from workers.cli.api import Api, reading_login
from workers.cli.output import BAD_NEWS, GOOD, CliError, Output
from workers.cli.tournament import duration, figure, hour, path_of, standing
from workers.stderr import printable

_OVER: Final = ("finished", "cancelled")
_PASSING: Final = ("no_server", "throttled", "http_502", "http_503")
"""What may be better in a moment: a server that starts again, a limit."""
_TRIES: Final = 10
_HEAD: Final = 8
"""Lines of the terminal that are no rows of a table."""


@dataclass(frozen=True, slots=True)
class News:
    """What is known of a tournament at one moment."""

    tournament: Mapping[str, Any]
    rounds: list[Mapping[str, Any]]
    standings: Mapping[str, Any] | None
    """None while results are hidden."""


def watch(args: argparse.Namespace, out: Output) -> int:
    """Watch until it ends: 0 when it has finished, 1 when it was cancelled."""
    with Api(reading_login()) as api:
        news = _ask(api, args.tournament)
        console = Console(highlight=False)
        if out.is_json or not console.is_terminal:
            news = _tell(api, args, news, out.line)
        else:
            news = _show(api, args, news, console)
    out.document({"tournament": news.tournament, "standings": news.standings})
    return GOOD if news.tournament["state"] == "finished" else BAD_NEWS


def _ask(api: Api, slug: str) -> News:
    found = api.news(path_of(slug))
    if not found["shows_results"]:
        return News(found, [], None)
    return News(found, api.news(path_of(slug, "/rounds"))["rounds"], api.news(path_of(slug, "/standings")))


def _next(api: Api, args: argparse.Namespace) -> News:
    """The news after a while; a server that is away for a moment is waited for."""
    for attempt in range(1, _TRIES + 1):
        time.sleep(args.every)
        try:
            return _ask(api, args.tournament)
        except CliError as error:
            if error.code not in _PASSING or attempt == _TRIES:
                raise
    raise AssertionError("the last attempt returned or raised")


def _is_over(news: News) -> bool:
    return news.tournament["state"] in _OVER


def _tell(api: Api, args: argparse.Namespace, news: News, line: Callable[[str], None]) -> News:
    """A line for each change."""
    told: set[str] = set()
    while True:
        for text in _lines(news):
            if text not in told:
                told.add(text)
                line(text)
        if _is_over(news):
            return news
        news = _next(api, args)


def _lines(news: News) -> Iterable[str]:
    """Everything that has happened, as lines that stay true."""
    found = news.tournament
    if found["state"] in ("draft", "open", "frozen"):
        yield _head(found)
    for stage in news.rounds:
        for table in stage["tables"]:
            names = ", ".join(_name(slot) for slot in table["slots"])
            if table["status"] in ("playing", "decided"):
                yield f"{table['key']} plays: {', '.join(sorted(_name(slot) for slot in table['slots']))}"
            if table["status"] == "decided":
                yield f"{table['key']} is decided: {names}"
    if _is_over(news):
        winner = news.standings["rows"][0]["name"] if news.standings and news.standings["rows"] else ""
        won = f" {winner} won." if winner and found["state"] == "finished" else f" {found['reason']}"
        yield f"{found['title']}: {found['state']}.{won}".rstrip()


def _name(slot: Mapping[str, Any]) -> str:
    return f"{slot['name'] or 'nobody'}{' (forfeit)' if slot['is_forfeit'] else ''}"


def _show(api: Api, args: argparse.Namespace, news: News, console: Console) -> News:
    """One picture that changes in its place; Ctrl-C leaves the last one standing."""
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            live.update(picture(news, height=console.height), refresh=True)
            if _is_over(news):
                return news
            news = _next(api, args)


def picture(news: News, *, height: int) -> RenderableType:
    """State, the round that is played, the standings: as many rows as the terminal has."""
    parts: list[RenderableType] = [Text(printable(_head(news.tournament)), style="bold")]
    rows = max(4, height - _HEAD)
    stage = _stage(news)
    if stage is not None:
        tables = stage["tables"][: rows // 2]
        number = f"Round {stage['number']}"
        title = number if stage["title"] == number else f"{number}: {stage['title']}"
        parts.append(_tables(title, tables, len(stage["tables"])))
        rows -= len(tables)
    if news.standings is not None and news.standings["rows"]:
        parts.append(_standings(news.standings["rows"][: max(2, rows)]))
    return Group(*parts)


def _head(found: Mapping[str, Any]) -> str:
    text = f"{found['title']}: {'paused' if found['is_paused'] else found['state']}"
    estimate = found["estimate"]
    if found["state"] == "running" and estimate:
        text += f", {estimate['played']} of {estimate['matches']} matches"
        if estimate["remaining_s"] is not None:
            text += f", about {duration(estimate['remaining_s'])} left"
    elif found["state"] in ("draft", "open", "frozen"):
        text += f", {found['entries']} entries, starts {hour(found['starts_at'])}"
    if found["reason"]:
        text += f". {found['reason']}"
    if not found["shows_results"]:
        text += f"\nTables and results are hidden until {hour(found['hidden_until'])}."
    return text


def _stage(news: News) -> Mapping[str, Any] | None:
    """The first round that is being played, else the last one that was."""
    playing = [one for one in news.rounds if any(table["status"] == "playing" for table in one["tables"])]
    decided = [one for one in news.rounds if any(table["status"] == "decided" for table in one["tables"])]
    return playing[0] if playing else decided[-1] if decided else None


def _tables(title: str, tables: list[Mapping[str, Any]], count: int) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column("table")
    table.add_column("guests")
    table.add_column("state")
    for one in tables:
        guests = "  ".join(
            f"{_name(slot)}{'' if slot['points'] is None else ' ' + figure(slot['points'])}"
            for slot in one["slots"]
        )
        table.add_row(one["key"], Text(printable(guests)), one["status"])
    if count > len(tables):
        table.add_row("…", Text(f"and {count - len(tables)} more"), "")
    return table


def _standings(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Standings", title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in ("rank", "bot", "version", "points"):
        table.add_column(name, justify="right" if name in ("rank", "points") else "left")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in standing(row)[:4]))
    return table
