"""`haunt play`: matches on this machine, with the worker's referee, sandbox and clock."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.progress import Progress

from bots.messages import sentence
from engine.bundle import seatings
from engine.chance import new_seed
from engine.core import Game
from engine.errors import OptionError
from engine.record import Record
from engine.registry import GAMES, make_game
from workers.cli.local import LocalBot, find_bot
from workers.cli.output import GOOD, WRONG_USE, CliError, Output, bad_news, wrong_use
from workers.cli.person import HUMAN, Desk, Person
from workers.cli.results import document_of, print_match, print_summary, summary_of
from workers.cli.table import Order, Setup, Table, launcher_for, prepared
from workers.cli.terminal import Terminal
from workers.sandbox.scratch import scratch


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
        orders = _orders(args, game.seats)
        with Progress(console=out.progress, transient=True, disable=setup.desk is not None) as progress:
            task = progress.add_task("playing", total=len(orders))
            records = []
            for record in _played(setup, orders, args.j):
                records.append(record)
                progress.advance(task)
    is_single = args.n == 1 and not args.bundle
    summary = {} if is_single else summary_of([bot.name for bot in setup.bots], orders, records)
    document = records[0].to_json() if is_single else document_of(records, summary)
    if args.out:
        _write(args.out, document)
    if out.is_json:
        out.raw(document)
    elif is_single:
        out.line(f"{game.name}, seed {records[0].seed}")
        print_match(out, records[0])
    else:
        print_summary(out, game.name, len(records), summary)
    return GOOD


def _game(args: argparse.Namespace) -> Game:
    """The game as asked for. Raises CliError where the command line does not fit it."""
    if args.html:
        raise wrong_use(
            "--html is not there yet; write the record with --out, and look at it with haunt show."
        )
    if HUMAN in args.bots and args.j > 1:
        raise wrong_use(f"People play one match at a time: leave -j out where {HUMAN} is a BOT.")
    try:
        return make_game(args.game, _seats(args), args.mode, dict(args.option))
    except OptionError as error:
        raise wrong_use(f"{error}.") from None


def _seats(args: argparse.Namespace) -> int:
    """One BOT sits on each seat; in a co-operative game one BOT alone fills them all."""
    count: int = len(args.bots)
    if count == 1 and args.game in GAMES and GAMES[args.game].cooperative:
        if args.bundle:
            raise wrong_use("--bundle turns the BOTs round the seats: name one BOT for each seat.")
        if args.seats is None:
            raise wrong_use(
                f"{args.game} is played by a team: say --seats N, and {args.bots[0]} fills them all, "
                "or name one BOT for each seat."
            )
        return int(args.seats)
    if args.seats not in (None, count):
        bots = "One bot" if count == 1 else f"{count} bots"
        raise wrong_use(f"{bots} cannot fill {args.seats} seats: name one BOT for each seat.")
    return count


@contextmanager
def _setup(args: argparse.Namespace, game: Game) -> Iterator[Setup]:
    """The bots, built and laid out where a sandbox can take them from, and the people at their desk."""
    bots = [_player(word, game) for word in args.bots if word != HUMAN]
    sandboxed = bool(bots) and not args.no_sandbox
    launcher = launcher_for(sandboxed=sandboxed)
    desk = _desk(args, game)
    with scratch("play") as folder:
        programs = iter(prepared(bots, launcher, folder))
        yield Setup(
            game=game.name,
            mode=args.mode,
            options=dict(args.option),
            clock=args.clock,
            bots=[
                Person(desk) if desk is not None and word == HUMAN else next(programs) for word in args.bots
            ],
            sandboxed=sandboxed,
            desk=desk,
        )


def _player(word: str, game: Game) -> LocalBot:
    """The bot that a word names. Raises CliError where its bot.toml says that it plays other games alone."""
    bot = find_bot(word)
    if not bot.program.plays(game.name, game.mode):
        facts = {"bot": bot.name, "game": game.name, "games": ", ".join(bot.program.games)}
        raise CliError("not_its_game", sentence("not_its_game", **facts), status=WRONG_USE)
    return bot


def _desk(args: argparse.Namespace, game: Game) -> Desk | None:
    """Where people play, if any do; a team has nothing to hide from itself."""
    people = args.bots.count(HUMAN)
    if not people:
        return None
    return Desk(Terminal(on_stderr=args.json), hides=people > 1 and not game.cooperative)


def _orders(args: argparse.Namespace, seats: int) -> list[Order]:
    """Who sits where on which seed, in the order in which they are told."""
    seed = args.seed if args.seed is not None else new_seed()
    seeds = [seed] if args.n == 1 else [f"{seed}/{number}" for number in range(1, args.n + 1)]
    if not args.bundle:
        seating = tuple(seat % len(args.bots) for seat in range(seats))
        return [Order(one, seating) for one in seeds]
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


def _write(path: Path, document: str) -> None:
    try:
        path.write_text(document + "\n", encoding="ascii")
    except OSError as error:
        raise CliError("unwritable", f"{path} cannot be written: {error.strerror}.") from None
