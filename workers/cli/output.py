"""How a command speaks: tables and sentences for people, or one JSON document and nothing else."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bots.messages import sentence
from workers.errors import WorkerError
from workers.stderr import printable

GOOD: Final = 0
BAD_NEWS: Final = 1
WRONG_USE: Final = 2


class CliError(WorkerError):
    """Ends a command with a sentence and an exit status: 1 bad news, 2 wrong use."""

    def __init__(self, code: str, message: str, *, status: int = BAD_NEWS) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


def bad_news(code: str, **facts: object) -> CliError:
    """A CliError with its sentence from the catalogue."""
    return CliError(code, sentence(code, **facts))


def wrong_use(message: str) -> CliError:
    """A CliError for a command line that asks for what there is not."""
    return CliError("wrong_use", message, status=WRONG_USE)


class Output:
    """Where a command writes. What strangers wrote is never taken for markup or for a terminal's orders."""

    def __init__(self, *, is_json: bool) -> None:
        self.is_json = is_json
        self._people = Console(highlight=False, soft_wrap=True)
        self.progress = Console(stderr=True, highlight=False, quiet=is_json)
        """For what passes while a command works: on stderr, silent under --json."""

    @property
    def width(self) -> int:
        """Columns of the terminal; 80 where there is none."""
        return self._people.width

    def document(self, value: Any) -> None:
        """The one JSON document; nothing where people read."""
        if self.is_json:
            self.raw(json.dumps(value))

    def raw(self, text: str) -> None:
        """One JSON document that is already written."""
        sys.stdout.write(text + "\n")

    def line(self, text: str, style: str = "") -> None:
        """A line for people."""
        if not self.is_json:
            self._people.print(Text(printable(text), style=style))

    def table(self, columns: list[str], rows: list[list[str]], title: str | None = None) -> None:
        """A table for people; columns that hold numbers stand to the right."""
        if self.is_json:
            return
        table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
        for number, column in enumerate(columns):
            is_numeric = bool(rows) and all(_is_number(row[number]) for row in rows)
            table.add_column(column, justify="right" if is_numeric else "left")
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self._people.print(table)

    def failure(self, error: CliError) -> None:
        """The sentence of an error, with its code small at the end."""
        if self.is_json:
            self.document({"error": {"code": error.code, "message": error.message}})
        else:
            Console(stderr=True, highlight=False, soft_wrap=True).print(
                Text.assemble((printable(error.message), "bold"), (f"  ({error.code})", "dim"))
            )


def _is_number(cell: str) -> bool:
    return cell.strip("+-% ").replace(".", "", 1).replace(" / ", "", 1).isdigit()
