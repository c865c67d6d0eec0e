"""Random matches of every game, mode and seat count, looked at on the way, and how long they are.

`python -m tests.random_games [--games N] [--game G] [--mode M] [--jobs J] [--json FILE]` prints the table.
A match is a function of its case and number, so that one that went wrong can be played again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engine.core import CHANCE, OVER, Game, State
from engine.golden import cases
from engine.registry import GAMES, make_game

GAMES_BY_HAND = 10_000
CHUNK = 250
"""Matches that one process plays before it reports."""
LOOK_EVERY = 199
"""Plies from one position that is looked at closely to the next."""
ENDLESS = 20_000
"""No match of ours comes near so many plies."""
COLUMNS = 100
"""A board in a terminal is no wider."""
SHOWN_ERRORS = 5
WIDTH = 120

Case = tuple[str, str, int]
"""Game, mode, seats."""


@dataclass(slots=True)
class Tally:
    """What some matches of one case came to. A *decision* is a seat's, a *ply* also a step of chance."""

    games: int = 0
    decisions: int = 0
    plies: int = 0
    longest_decisions: int = 0
    longest_plies: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.plies += other.plies
        self.longest_decisions = max(self.longest_decisions, other.longest_decisions)
        self.longest_plies = max(self.longest_plies, other.longest_plies)
        self.errors += other.errors

    def row(self, case: Case) -> dict[str, Any]:
        """As it stands in the table and in the file."""
        ended = max(1, self.games - len(self.errors))
        return {
            **dict(zip(("game", "mode", "seats"), case, strict=True)),
            "games": self.games,
            "mean_decisions": round(self.decisions / ended, 1),
            "longest_decisions": self.longest_decisions,
            "mean_plies": round(self.plies / ended, 1),
            "longest_plies": self.longest_plies,
            "errors": len(self.errors),
        }


def play_some(case: Case, numbers: range) -> Tally:
    """Play these matches of a case. An error ends its match and is told with the match's number."""
    name, mode, seats = case
    game = make_game(name, seats, mode)
    tally = Tally()
    for number in numbers:
        tally.games += 1
        try:
            decisions, plies = play_watched(game, random.Random(f"{name}/{mode}/{seats}/{number}"))
        except Exception as error:  # noqa: BLE001 - whatever it is, the table must tell it
            tally.errors.append(f"{name} {mode} {seats} seats, match {number}: {error!r:.300}")
            continue
        tally.decisions += decisions
        tally.plies += plies
        tally.longest_decisions = max(tally.longest_decisions, decisions)
        tally.longest_plies = max(tally.longest_plies, plies)
    return tally


def play_watched(game: Game, rng: random.Random) -> tuple[int, int]:
    """One random match to its end; decisions and plies. Raises AssertionError where the contract breaks."""
    state = game.initial_state()
    seats = range(game.seats)
    decisions = plies = 0
    look_at = int(rng.random() * LOOK_EVERY)
    while (actor := state.actor()) != OVER:
        if plies % LOOK_EVERY == look_at:
            look(game, state)
        if actor == CHANCE:
            action = state.draw_chance(rng)
        else:
            assert actor in seats, f"ply {plies}: nobody sits on seat {actor}"
            legal = state.legal_actions()
            assert legal, f"ply {plies}: seat {actor} has no move"
            action = legal[int(rng.random() * len(legal))]
            decisions += 1
        state.apply(action)
        plies += 1
        assert plies < ENDLESS, f"no end after {plies} plies"
    look(game, state)
    judge(game, state)
    return decisions, plies


def look(game: Game, state: State) -> None:
    """One position closely: text that means it, outcomes with weights, a default move, a board that fits."""
    text = state.to_text()
    again = game.from_text(text)
    legal = state.legal_actions()
    assert again.to_text() == text, f"read as another position: {text}"
    assert again.legal_actions() == legal, f"other moves after reading: {text}"
    assert legal == sorted(set(legal)), f"ids not ascending: {text}"
    if state.actor() == CHANCE:
        weights = state.chance_weights()
        assert len(weights) == len(legal) > 0, f"outcomes without weights: {text}"
        assert min(weights) > 0, f"an outcome that cannot be: {text}"
    elif state.actor() != OVER:
        assert game.default_move(state) in legal, f"the default is no move: {text}"
    board = game.board_text(state.observe(state.actor() if state.actor() >= 0 else None))
    assert max(map(len, board.splitlines())) <= COLUMNS, f"a board wider than {COLUMNS} columns: {text}"


def judge(game: Game, state: State) -> None:
    """The result of a finished match: a score and a rank a seat, and ranks that follow the scores."""
    scores, ranks = state.scores(), state.ranks()
    said = f"scores {scores}, ranks {ranks}"
    assert not state.legal_actions(), "moves after the end"
    assert len(scores) == len(ranks) == game.seats, said
    assert all(type(score) is float for score in scores), said
    assert all(type(rank) is int for rank in ranks), said
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks), said
    if game.cooperative:
        assert len({*scores}) == len({*ranks}) == 1, said
        return
    best = max if game.score_order == "higher" else min
    for score, rank in zip(scores, ranks, strict=True):
        for other_score, other_rank in zip(scores, ranks, strict=True):
            better = score != other_score and best(score, other_score) == score
            assert not better or rank < other_rank, said


def chosen(game: str | None, mode: str | None) -> list[Case]:
    return [case for case in cases() if game in (None, case[0]) and mode in (None, case[1])]


def play_all(wanted: Sequence[Case], games: int, jobs: int, console: Console) -> dict[Case, Tally]:
    """Every case, in several processes, under a bar."""
    tallies = {case: Tally() for case in wanted}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar, ProcessPoolExecutor(jobs) as pool:
        task = bar.add_task("matches", total=games * len(wanted))
        running = {pool.submit(play_some, case, numbers): case for case, numbers in _chunks(wanted, games)}
        for done in as_completed(running):
            tally = done.result()
            tallies[running[done]].add(tally)
            bar.advance(task, tally.games)
    return tallies


def _chunks(wanted: Sequence[Case], games: int) -> Iterator[tuple[Case, range]]:
    for case in wanted:
        for first in range(0, games, CHUNK):
            yield case, range(first, min(first + CHUNK, games))


def table(rows: Sequence[dict[str, Any]]) -> Table:
    shown = Table(box=None)
    for name in rows[0]:
        shown.add_column(name.replace("_", " "), justify="left" if name in ("game", "mode") else "right")
    for row in rows:
        cells = [f"{value:,}" if isinstance(value, int | float) else value for value in row.values()]
        shown.add_row(*cells, style="red" if row["errors"] else "")
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.random_games", description="Random matches, all of them.")
    parser.add_argument("--games", type=int, default=GAMES_BY_HAND, metavar="N", help="matches of each case")
    parser.add_argument("--game", choices=list(GAMES), help="of this game only")
    parser.add_argument("--mode", metavar="M", help="in this mode only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table there too")
    arguments = parser.parse_args()
    wanted = chosen(arguments.game, arguments.mode)
    if not wanted or arguments.games < 1:
        parser.error("no such matches: `haunt games` lists games and modes, and N is 1 or more")
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    tallies = play_all(wanted, arguments.games, arguments.jobs, console)
    rows = [tally.row(case) for case, tally in tallies.items()]
    console.print(table(rows))
    errors = [error for tally in tallies.values() for error in tally.errors]
    for error in errors[:SHOWN_ERRORS]:
        console.print(error, style="red", markup=False)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
