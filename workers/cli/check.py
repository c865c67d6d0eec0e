"""`haunt check BOT`: what the server does with an upload, step by step, in the same words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
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

_SEATS: Final = (2, 4)
"""Numbers of seats of the pre-flight, where the game takes them: those of the ladders of a new house."""
_SEED: Final = "preflight"
_LOG_LINES: Final = 8


def check(args: argparse.Namespace, out: Output) -> int:
    """All steps up to the first that fails; 1 when one did."""
    launcher = launcher_for(sandboxed=not args.no_sandbox)
    steps = []
    with TemporaryDirectory(prefix="haunt-check-") as folder:
        for step in _steps(args, launcher, Path(folder)):
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
    names = [name for name in HOUSE if name != "random"]
    house = [_laid_out(find_bot(name), launcher, folder / name) for name in names]
    yield from _preflight(bot, own, house, sandboxed=not args.no_sandbox)


def _laid_out(bot: LocalBot, launcher: Launcher, folder: Path) -> SeatProgram:
    return lay_out(bot, built(bot, launcher), folder)


def _preflight(
    bot: LocalBot, own: SeatProgram, house: list[SeatProgram], *, sandboxed: bool
) -> Iterator[dict[str, Any]]:
    for name in bot.program.games or tuple(GAMES):
        game, _, mode = name.partition(":")
        for seats in _SEATS:
            if not GAMES[game].min_seats <= seats <= GAMES[game].max_seats:
                continue
            others = [house[number % len(house)] for number in range(seats - 1)]
            setup = Setup(
                game=game,
                mode=mode or None,
                options={},
                clock=FAST,
                bots=[own, *others],
                sandboxed=sandboxed,
            )
            yield from _every_seat(setup, seats)


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
