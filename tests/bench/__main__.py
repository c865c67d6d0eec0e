"""`python -m tests.bench [--only PREFIX] [--json FILE]`: measure, print a table, write var/bench.json."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from engine.registry import GAMES
from tests.bench import engine, languages, matches, ratings, referee, sandbox, side_by_side, tournaments
from tests.bench.figure import Figure

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH = 180
OUT = ROOT / "var" / "bench.json"


def groups() -> dict[str, Callable[[], Iterator[Figure]]]:
    """Beginning of the keys -> what measures them."""
    found: dict[str, Callable[[], Iterator[Figure]]] = {}
    for game in GAMES:
        for kind, measure in engine.KINDS.items():
            found[f"engine.{kind}.{game}"] = partial(measure, game)
    return found | {
        "referee": referee.figures,
        "sandbox": sandbox.figures,
        "language": languages.figures,
        "match": matches.figures,
        "match.per_minute.": side_by_side.figures,
        "ratings": ratings.figures,
        "tournament": tournaments.figures,
    }


def wanted(group: str, only: str) -> bool:
    """Whether a group can hold keys with this prefix."""
    return only.startswith(group) or group.startswith(only)


def table(figures: list[Figure]) -> Table:
    shown = Table("figure", "value", "unit", "beside", "their value", "ratio", "aim", box=None)
    shown.columns[0].no_wrap = True
    for figure in figures:
        colour = {True: "green", False: "red", None: ""}[figure.reached]
        sign = ">=" if figure.better == "higher" else "<="
        aims = [] if figure.aim is None else [f"{sign} {figure.aim:,g}"]
        aims += [] if figure.ratio_aim is None else [f"ratio {sign} {figure.ratio_aim:g}"]
        shown.add_row(
            figure.key,
            f"{figure.value:,.4g}" if figure.value < 1000 else f"{figure.value:,.0f}",
            figure.unit,
            figure.peer,
            "" if figure.peer_value is None else f"{figure.peer_value:,.4g}",
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            ", ".join(aims),
            style=colour,
        )
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench", description="Figures, beside their peers.")
    parser.add_argument("--only", default="", metavar="PREFIX", help="keys that begin with this")
    parser.add_argument("--json", type=Path, default=OUT, metavar="FILE", help="where they are written")
    arguments = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    figures: list[Figure] = []
    for group, measure in groups().items():
        if wanted(group, arguments.only):
            for figure in measure():
                if figure.key.startswith(arguments.only):
                    console.print(f"[dim]{figure.key}: {figure.value:,.4g}[/dim]", highlight=False)
                    figures.append(figure)
    console.print(table(figures))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(
        json.dumps({figure.key: figure.document() for figure in figures}, indent=2) + "\n"
    )


if __name__ == "__main__":
    main()
