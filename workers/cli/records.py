"""`haunt verify`, `haunt show`, `haunt games`: what needs the engine alone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import EngineError, RecordError
from engine.record import Record, verify
from engine.registry import GAMES
from engine.replay import expand
from workers.cli.output import BAD_NEWS, GOOD, CliError, Output, wrong_use
from workers.cli.results import figures_of, print_match


def games(_: argparse.Namespace, out: Output) -> int:
    """The games that this release plays."""
    rows = []
    for game in GAMES.values():
        seats = {"min": game.min_seats, "max": game.max_seats}
        modes = [{"name": mode, "seats": seats} for mode in game.modes]
        rows.append({"name": game.name, "rules_version": game.rules_version, "seats": seats, "modes": modes})
    out.document({"games": rows})
    out.table(
        ["game", "seats", "rules version", "modes"],
        [
            [
                game.name,
                f"{game.min_seats} to {game.max_seats}",
                str(game.rules_version),
                ", ".join(game.modes),
            ]
            for game in GAMES.values()
        ],
    )
    return GOOD


def verify_files(args: argparse.Namespace, out: Output) -> int:
    """Prove each file; 1 when one of them is not proved."""
    results = [_verified(Path(name)) for name in args.files]
    out.document({"files": results})
    for result in results:
        if result["ok"]:
            out.line(f"{result['file']}: good", "green")
        else:
            out.line(f"{result['file']}: bad: {result['error']}", "bold red")
    return GOOD if all(result["ok"] for result in results) else BAD_NEWS


def _verified(path: Path) -> dict[str, Any]:
    """A row of the answer; `error` is None, or a sentence with the code of the first thing wrong."""
    error = None
    try:
        for record in read_records(path):
            verify(record)
    except RecordError as caught:
        error = f"{caught} ({caught.code})"
    except (OSError, EngineError) as caught:
        error = str(caught)
    return {"file": str(path), "ok": error is None, "error": error}


def read_records(path: Path) -> Iterator[Record]:
    """The record of a file, or all of those that `haunt play -n` wrote into one.

    Raises OSError and RecordError("malformed").
    """
    text = path.read_bytes()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("matches"), list):
        yield Record.from_json(text)
        return
    if not document["matches"]:
        raise RecordError("malformed", "there is no match in it")
    for match in document["matches"]:
        yield Record.from_json(json.dumps(match))


def show(args: argparse.Namespace, out: Output) -> int:
    """A match step by step, as one seat or an onlooker saw it."""
    try:
        records = list(read_records(Path(args.file)))
        shown = [_shown(record, args.seat) for record in records]
    except OSError as error:
        raise CliError("unreadable", f"{args.file} cannot be read: {error.strerror}.") from None
    except EngineError as error:
        code = error.code if isinstance(error, RecordError) else "illegal_action"
        raise CliError(code, f"{args.file} is not a record that can be shown: {error}") from None
    out.document(shown[0] if len(shown) == 1 else {"matches": shown})
    for record, match in zip(records, shown, strict=True):
        _print(record, match, out)
    return GOOD


def _shown(record: Record, seat: int | None) -> dict[str, Any]:
    if seat is not None and not 0 <= seat < len(record.seats):
        raise wrong_use(f"There is no seat {seat}: the match has seats 0 to {len(record.seats) - 1}.")
    steps = [
        {"step": number, "ply": step.ply, "event": step.event.seen_by(seat)}
        for number, step in enumerate(expand(record), 1)
    ]
    return {
        "game": record.game,
        "seats": [place.name for place in record.seats],
        "seat": seat,
        "steps": steps,
        "scores": list(record.scores),
        "ranks": list(record.ranks),
        "figures": figures_of(record),
    }


def _print(record: Record, match: dict[str, Any], out: Output) -> None:
    names = [_called(match["seats"], seat) for seat in range(len(match["seats"]))]
    game = GAMES[record.game]
    out.line(f"{record.game}, seed {record.seed}, {', '.join(names)}", "bold")
    for step in match["steps"]:
        out.line(f"{step['step']:>4}  {game.event_text(step['event'], names)}")
    print_match(out, record)


def _called(names: list[str], seat: int) -> str:
    """A seat by who sat there; with its number where several have the same name, as in a team of one bot."""
    return names[seat] if names.count(names[seat]) == 1 else f"{names[seat]} (P{seat + 1})"
