"""Bots on this machine: what a BOT on the command line names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bots.house import BOTS, house_program
from bots.languages import SUFFIXES
from bots.messages import sentence
from bots.program import Program, ProgramError, read_path
from workers.cli.output import WRONG_USE, CliError, wrong_use


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A program that passed intake, under the name that a record gives it."""

    name: str
    program: Program


def is_path(word: str) -> bool:
    """A BOT is a path when it holds a slash or a dot, else the name of a house bot."""
    return "/" in word or "." in word


def find_bot(word: str) -> LocalBot:
    """The bot that a word names. Raises CliError when there is none, or intake refuses it."""
    if not is_path(word):
        if word not in BOTS:
            raise CliError("no_bot", sentence("no_bot", bot=word, known=", ".join(BOTS)), status=WRONG_USE)
        return LocalBot(word, house_program(word))
    return LocalBot(bot_name(Path(word)), read_program(Path(word)))


def bot_name(path: Path) -> str:
    """The name of a folder or file, without what says its kind."""
    name = path.resolve().name
    for suffix in (".tar.gz", ".tgz", ".zip", *SUFFIXES):
        name = name.removesuffix(suffix)
    return name[:40] or "bot"


def read_program(path: Path) -> Program:
    """Intake of a path, with its refusal as a CliError."""
    try:
        return read_path(path)
    except ProgramError as error:
        raise CliError(error.code, error.message) from None
    except FileNotFoundError:
        raise wrong_use(f"There is nothing at {path}.") from None
    except OSError as error:
        raise CliError("unreadable", f"{path} cannot be read: {error.strerror}.") from None
