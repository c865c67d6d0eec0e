"""`haunt check BOT`: what the server does with an upload, step by step, in the same words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bots.house import HOUSE
from bots.job import FAST
from bots.messages import sentence
from engine.record import Fault
from engine.registry import GAMES
from workers.cli.local import LocalBot, find_bot
from workers.cli.output import BAD_NEWS, GOOD, WRONG_USE, CliError, Output
from workers.cli.table import Order, Setup, Table, built, launcher_for, lay_out
from workers.referee import MatchOutcome, SeatProgram
from workers.sandbox.launcher import Launcher
from workers.sandbox.scratch import scratch

LADDERS: Final[Mapping[str, tuple[int, ...]]] = {"dont-go-in-there": (2, 4), "haunt-the-house": (3,)}
"""By game, the seats of the ladders of a new house. A pre-flight plays on each, in the game's first mode."""
_SEED: Final = "preflight"
_LOG_LINES: Final = 8


def check(args: argparse.Namespace, out: Output) -> int:
    """All steps up to the first that fails; 1 when one did."""
    launcher = launcher_for(sandboxed=not args.no_sandbox)
    steps = []
    with scratch("check") as folder:
        for step in _steps(args, launcher, folder):
            steps.append(step)
            out.line(f"{step['step']}: {step['message']}", "green" if step["ok"] else "bold red")
            if not step["ok"]:
                break
    ok = all(step["ok"] for step in steps)
    out.document({"ok": ok, "steps": steps})
    return GOOD if ok else BAD_NEWS


def _step(name: str, code: str, message: str, *, ok: bool = True) -> dict[str, Any]:
    return {"step": name, "ok": ok, "code": code, "message": message}


def _steps(args: argparse.Namespace, launcher: Launcher, folder: Path) -> Iterator[dict[str, Any]]:
    """Intake, build, and a pre-flight match in every seat."""
    try:
        bot = find_bot(args.bot)
    except CliError as error:
        if error.status == WRONG_USE:
            raise
        yield _step("intake", error.code, error.message, ok=False)
        return
    program = bot.program
    facts = {"files": len(program.files), "language": program.language, "entry": program.entry}
    yield _step("intake", "intake_ok", sentence("intake_ok", **facts))
    try:
        artefact = built(bot, launcher)
    except CliError as error:
        yield _step("build", error.code, error.message, ok=False)
        return
    yield _step("build", "build_ok", sentence("build_ok"))
    own = lay_out(bot, artefact, folder / "own")
    house = [find_bot(name) for name in HOUSE if name != "random"]
    laid_out = [_laid_out(each, launcher, folder / each.name) for each in house]
    opponents = list(zip(house, laid_out, strict=True))
    yield from _preflight(bot, own, opponents, sandboxed=not args.no_sandbox)


def _laid_out(bot: LocalBot, launcher: Launcher, folder: Path) -> SeatProgram:
    return lay_out(bot, built(bot, launcher), folder)


def _preflight(
    bot: LocalBot,
    own: SeatProgram,
    house: list[tuple[LocalBot, SeatProgram]],
    *,
    sandboxed: bool,
) -> Iterator[dict[str, Any]]:
    """On every ladder that the bot plays; it fills the seats itself where the house has no bot for a game."""
    found = False
    for game, tables in LADDERS.items():
        mode = next(iter(GAMES[game].modes))
        if not bot.program.plays(game, mode):
            continue
        found = True
        opponents = [laid_out for one, laid_out in house if one.program.plays(game, mode)] or [own]
        for seats in tables:
            others = [opponents[number % len(opponents)] for number in range(seats - 1)]
            setup = Setup(
                game=game,
                mode=mode,
                options={},
                clock=FAST,
                bots=[own, *others],
                sandboxed=sandboxed,
            )
            yield from _every_seat(setup, seats)
    if not found:
        games = ", ".join(bot.program.games)
        yield _step("pre-flight", "no_ladder", sentence("no_ladder", games=games))


def _every_seat(setup: Setup, seats: int) -> Iterator[dict[str, Any]]:
    """One match with the bot in each seat; a seat lost by faults ends it."""
    table = Table(setup)
    for seat in range(seats):
        others = iter(range(1, seats))
        seating = tuple(0 if number == seat else next(others) for number in range(seats))
        outcome = table.outcome(Order(_SEED, seating))
        name = f"pre-flight {setup.game}, seat {seat + 1} of {seats}"
        if outcome.record is None:
            reason = outcome.void_reason or "sandbox_failed"
            yield _step(name, reason, sentence(reason), ok=False)
        elif faults := [fault for fault in outcome.record.faults if fault.seat == seat]:
            yield _failed(name, seat, faults[-1], outcome)
        else:
            yield _step(name, "preflight_ok", sentence("preflight_ok"))


def _failed(name: str, seat: int, fault: Fault, outcome: MatchOutcome) -> dict[str, Any]:
    """The fault in the catalogue's words, and the end of what the bot wrote to its log."""
    where = sentence("preflight_fault", seat=seat + 1, seats=len(outcome.seats))
    message = f"{where} {sentence(fault.code)}"
    report = outcome.seats[seat]
    if report.exit:
        message += f" It ended with {report.exit}."
    if written := "".join(chunk.text for chunk in report.stderr).strip():
        message += "\n" + "\n".join(written.splitlines()[-_LOG_LINES:])
    return _step(name, fault.code, message, ok=False)
