"""`haunt play`: matches on this machine, with the worker's referee, sandbox and clock."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.progress import Progress

from engine.bundle import seatings
from engine.chance import new_seed
from engine.core import Game
from engine.errors import OptionError
from engine.record import Record, canonical
from engine.registry import make_game
from workers.cli.local import find_bot
from workers.cli.output import GOOD, CliError, Output, bad_news, wrong_use
from workers.cli.table import Order, Setup, Table, launcher_for, prepared


def option_value(text: str) -> Any:
    """V of `--option K=V`: JSON where it is JSON, a word where it is not, a list where it has commas."""
    try:
        return json.loads(text)
    except ValueError:
        return text.split(",") if "," in text else text


def play(args: argparse.Namespace, out: Output) -> int:
    """Play, print the record or the records with their summary, and write them where --out says."""
    game = _game(args)
    with _setup(args, game) as setup:
        orders = _orders(args, len(args.bots))
        with Progress(console=out.progress, transient=True) as progress:
            task = progress.add_task("playing", total=len(orders))
            records = []
            for record in _played(setup, orders, args.j):
                records.append(record)
                progress.advance(task)
    summary = _summary(setup, orders, records)
    is_single = args.n == 1 and not args.bundle
    document = records[0].to_json() if is_single else _document(records, summary)
    if args.out:
        _write(args.out, document)
    if out.is_json:
        out.raw(document)
    _print(out, records, summary, is_single=is_single)
    return GOOD


def _game(args: argparse.Namespace) -> Game:
    """The game as asked for. Raises CliError where the command line does not fit it."""
    if args.html:
        raise wrong_use(
            "--html is not there yet; write the record with --out, and look at it with haunt show."
        )
    if "human" in args.bots:
        raise wrong_use("A seat for a human is not there yet.")
    seats = len(args.bots)
    if args.seats not in (None, seats):
        raise wrong_use(f"{seats} bots cannot fill {args.seats} seats: name one BOT for each seat.")
    try:
        return make_game(args.game, seats, args.mode, dict(args.option))
    except OptionError as error:
        raise wrong_use(f"{error}.") from None


@contextmanager
def _setup(args: argparse.Namespace, game: Game) -> Iterator[Setup]:
    """The bots, built and laid out where a sandbox can take them from."""
    bots = [find_bot(word) for word in args.bots]
    launcher = launcher_for(sandboxed=not args.no_sandbox)
    with TemporaryDirectory(prefix="haunt-play-") as folder:
        yield Setup(
            game=game.name,
            mode=args.mode,
            options=dict(args.option),
            clock=args.clock,
            bots=prepared(bots, launcher, Path(folder)),
            sandboxed=not args.no_sandbox,
        )


def _orders(args: argparse.Namespace, seats: int) -> list[Order]:
    """Who sits where on which seed, in the order in which they are told."""
    seed = args.seed if args.seed is not None else new_seed()
    seeds = [seed] if args.n == 1 else [f"{seed}/{number}" for number in range(1, args.n + 1)]
    if not args.bundle:
        return [Order(one, tuple(range(seats))) for one in seeds]
    return [Order(one, seating) for one in seeds for seating in seatings(one, seats)]


def _played(setup: Setup, orders: list[Order], jobs: int) -> Iterator[Record]:
    """Records in the order of `orders`. Raises CliError for a bot that does not start."""
    if jobs == 1:
        table = Table(setup)
        for order in orders:
            yield _checked(setup, order, table.play(order))
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(
        min(jobs, len(orders)), mp_context=context, initializer=_sit_down, initargs=(setup,)
    ) as pool:
        try:
            for order, text in zip(orders, pool.map(_play_here, orders), strict=True):
                yield _checked(setup, order, Record.from_json(text))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


_table: Table | None = None


def _sit_down(setup: Setup) -> None:
    """In a process of --jobs, once: matches are started from its main thread."""
    global _table
    _table = Table(setup)


def _play_here(order: Order) -> str:
    if _table is None:
        raise RuntimeError("the pool has made no table")
    return _table.play(order).to_json()


def _checked(setup: Setup, order: Order, record: Record) -> Record:
    """A record in which every bot did start."""
    for fault in record.faults:
        if fault.ply == 0 and fault.hard:
            bot = setup.bots[order.seating[fault.seat]]
            raise bad_news("cannot_start", bot=bot.name, why=fault.code)
    return record


def _summary(setup: Setup, orders: list[Order], records: list[Record]) -> list[dict[str, Any]]:
    """How each BOT of the command line fared, in their order."""
    rows = []
    for number, bot in enumerate(setup.bots):
        ranks, wins, ties, faults = [], 0, 0, 0
        for order, record in zip(orders, records, strict=True):
            seat = order.seating.index(number)
            ranks.append(record.ranks[seat])
            if record.ranks[seat] == 1:
                wins += record.ranks.count(1) == 1
                ties += record.ranks.count(1) > 1
            faults += sum(fault.seat == seat for fault in record.faults)
        losses = len(records) - wins - ties
        mean_rank = round(sum(ranks) / len(ranks), 3)
        rows.append(
            {
                "name": bot.name,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "mean_rank": mean_rank,
                "faults": faults,
            }
        )
    return rows


def _document(records: list[Record], summary: list[dict[str, Any]]) -> str:
    matches = ",".join(record.to_json() for record in records)
    return f'{{"matches":[{matches}],"summary":{canonical({"bots": summary})}}}'


def _write(path: Path, document: str) -> None:
    try:
        path.write_text(document + "\n", encoding="ascii")
    except OSError as error:
        raise CliError("unwritable", f"{path} cannot be written: {error.strerror}.") from None


def _print(out: Output, records: list[Record], summary: list[dict[str, Any]], *, is_single: bool) -> None:
    if is_single:
        record = records[0]
        rows = sorted(zip(record.ranks, range(len(record.seats)), record.scores, record.seats, strict=True))
        out.line(f"{record.game}, seed {record.seed}")
        out.table(
            ["rank", "seat", "bot", "score"],
            [[str(rank), str(seat), place.name, f"{score:g}"] for rank, seat, score, place in rows],
        )
        for fault in record.faults:
            out.line(f"{record.seats[fault.seat].name}, seat {fault.seat}: {fault.code}", "red")
        return
    names = ["name", "wins", "ties", "losses", "mean_rank", "faults"]
    out.table(
        ["bot", "wins", "ties", "losses", "mean rank", "faults"],
        [[str(row[name]) for name in names] for row in summary],
        title=f"{len(records)} matches",
    )
