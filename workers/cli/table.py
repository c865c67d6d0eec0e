"""Where matches are played at home: bots built and laid out, a launcher, and the worker's referee."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bots.job import Clock
from bots.languages import LANGUAGES
from bots.messages import sentence
from bots.program import from_tar
from engine.chance import derive
from engine.record import Record
from engine.registry import make_game
from workers.build import build
from workers.cli.local import LocalBot
from workers.cli.output import CliError, bad_news
from workers.cli.person import Desk
from workers.player import LIMITS
from workers.referee import Entrant, MatchOutcome, SeatProgram, play_match
from workers.runtimes import RUNTIMES
from workers.sandbox.bare import BareLauncher
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher, SandboxLauncher

_UNHURRIED: Final = replace(LIMITS, own_s=math.inf)
"""Where people play, a match lasts as long as they like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What all matches of one command have in common. Goes to other processes as it is, without people."""

    game: str
    mode: str | None
    options: Mapping[str, Any]
    clock: Clock
    bots: Sequence[Entrant]
    sandboxed: bool
    desk: Desk | None = None
    """Where the people among the entrants sit."""


@dataclass(frozen=True, slots=True)
class Order:
    """One match to play: its seed (its bundle's, too), and which of the bots sits on each seat."""

    seed: str
    seating: tuple[int, ...]


class Table:
    """Plays matches of one setup, one after the other, in this process."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._launcher = launcher_for(sandboxed=setup.sandboxed)

    def play(self, order: Order) -> Record:
        """One match to its end. Raises CliError for a fault of this machine."""
        outcome = self.outcome(order)
        if outcome.record is None:
            reason = outcome.void_reason or SandboxError.code
            raise CliError(reason, sentence(reason))
        return outcome.record

    def outcome(self, order: Order) -> MatchOutcome:
        """The same, with what each seat wrote to its log."""
        setup = self._setup
        seats = [setup.bots[entrant] for entrant in order.seating]
        if setup.desk is not None:
            setup.desk.open([seat.name for seat in seats])
        return play_match(
            game=make_game(setup.game, len(seats), setup.mode, setup.options),
            seats=seats,
            seed=order.seed,
            clock=setup.clock,
            private_seeds=[derive(order.seed, f"bot/{seat.version}") for seat in seats],
            launcher=self._launcher,
            limits=LIMITS if setup.desk is None else _UNHURRIED,
        )


def launcher_for(*, sandboxed: bool) -> Launcher:
    """The sandbox of this machine, or none where that was asked for. Raises CliError."""
    if not sandboxed:
        return BareLauncher()
    try:
        return SandboxLauncher()
    except SandboxError as error:
        raise bad_news("no_sandbox", why=str(error)) from None


def prepared(bots: Sequence[LocalBot], launcher: Launcher, folder: Path) -> list[SeatProgram]:
    """Each bot built, as the server does it, and laid out below `folder`. Raises CliError."""
    return [lay_out(bot, built(bot, launcher), folder / str(number)) for number, bot in enumerate(bots)]


def built(bot: LocalBot, launcher: Launcher) -> bytes:
    """The artefact of a bot. Raises CliError with the build's own words."""
    program = bot.program
    row = RUNTIMES[program.language]
    if row.program() is None:
        name = LANGUAGES[program.language].name
        raise bad_news("no_compiler", language=name, package=row.package)
    try:
        result = build(
            language=program.language,
            entry=program.entry,
            files=program.files,
            launcher=launcher,
            own=program.build,
        )
    except SandboxError as error:
        raise bad_news("no_sandbox", why=str(error)) from None
    if result.code is not None:
        log = "\n" + result.log.strip() if result.log.strip() else ""
        raise CliError(result.code, f"{bot.name}: {sentence(result.code)}{log}")
    return result.artefact


def lay_out(bot: LocalBot, artefact: bytes, folder: Path) -> SeatProgram:
    """A built bot as a folder that can be put on a seat."""
    write_tree(folder, from_tar(artefact))
    return SeatProgram(
        version=bot.program.digest,
        name=bot.name,
        language=bot.program.language,
        entry=bot.program.entry,
        folder=folder,
    )
