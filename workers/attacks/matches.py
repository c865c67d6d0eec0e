"""Bots that attack: rows of programs/*.toml, each played in a match against a quiet opponent."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from bots.house import house_path
from bots.job import Clock
from engine.errors import RecordError
from engine.record import verify
from engine.registry import make_game
from workers.attacks import checks
from workers.attacks.attack import GROUPS, Attack, Bench, Finding, Verdict
from workers.player import MatchLimits
from workers.referee import MatchOutcome, SeatProgram, play_match
from workers.sandbox.folder import write_tree
from workers.sandbox.launcher import Launcher
from workers.sandbox.policy import MIB
from workers.sandbox.scratch import scratch

PROGRAMS: Final = Path(__file__).parent / "programs"
PLAYS_ON: Final = "none"
"""Stands among the faults of a bot that may keep its seat to the end."""

QUICK: Final = Clock(bank_ms=300, increment_ms=10)
GENEROUS: Final = Clock(bank_ms=5_000, increment_ms=100)
SHORT: Final = MatchLimits(start_wall_s=30.0, start_cpu_s=1.5, move_wall_s=12.0, wall_base_s=10.0, end_s=0.3)
"""Limits that an attack runs into soon, but for those in wall time: rows that run into these name them."""

_LIMITS: Final = ("start_wall_s", "start_cpu_s", "move_wall_s", "wall_base_s")
_HELPER: Final = "attacker.py"
_ENTRY: Final = {"python": "main.py", "javascript": "main.js"}


@dataclass(frozen=True, kw_only=True)
class BotAttack(Attack):
    """A program on the first seat. It writes `contained ...` or `ESCAPED ...` of each thing that it tried."""

    files: Mapping[str, bytes]
    language: str
    faults: tuple[str, ...]
    """What may end its part or cost it a strike; PLAYS_ON among them where nothing may."""
    without_groups: tuple[str, ...]
    """The same where no control group holds it."""
    tried: int = 0
    """So many things it must report as contained."""
    exit: str = ""
    """How its process must end, if that is known."""
    matches: int = 1
    """Played so often, one after the other."""
    clock: Clock = QUICK
    limits: MatchLimits = SHORT
    check: Callable[[MatchOutcome], str] = field(default=checks.nothing)
    """What is wrong with an outcome beside all that."""

    def run(self, bench: Bench) -> Finding:
        with scratch("check") as folder:
            write_tree(folder, self.files)
            for _ in range(self.matches):
                finding = self._judged(self.play(folder, bench.launcher), grouped=bench.grouped)
                if finding.verdict is not Verdict.CONTAINED:
                    break
        return finding

    def play(self, folder: Path, launcher: Launcher) -> MatchOutcome:
        """One match of the program in `folder`."""
        entry = _ENTRY[self.language]
        seats = [bot(self.name, folder, language=self.language, entry=entry), quiet()]
        return match(seats, launcher, clock=self.clock, limits=self.limits)

    def _judged(self, outcome: MatchOutcome, *, grouped: bool) -> Finding:
        tries = max(1, self.tried)
        if escaped := escapes(outcome):
            return Finding(Verdict.ESCAPED, escaped, tries)
        allowed = self.faults if grouped else self.without_groups
        wrong = _wrong(outcome, allowed) or self._unsaid(outcome) or self.check(outcome)
        return Finding(Verdict.WRONG if wrong else Verdict.CONTAINED, wrong, tries)

    def _unsaid(self, outcome: MatchOutcome) -> str:
        reports = [line for line in log_of(outcome, 0).splitlines() if line.startswith("contained ")]
        if len(reports) != self.tried:
            return f"told of {len(reports)} things that it tried, of {self.tried}"
        if self.exit and outcome.seats[0].exit != self.exit:
            return f"ended with {outcome.seats[0].exit!r}, not {self.exit!r}"
        return ""


def escapes(outcome: MatchOutcome) -> str:
    """What a seat said that it got, or what befell the quiet seat."""
    said = [
        line
        for seat in range(len(outcome.seats))
        for line in log_of(outcome, seat).splitlines()
        if line.startswith("ESCAPED")
    ]
    if outcome.record is not None:
        said += [f"its opponent was given {one.code}" for one in outcome.record.faults if one.seat > 0]
    return "; ".join(said)


def _wrong(outcome: MatchOutcome, allowed: tuple[str, ...]) -> str:
    """What is wrong with the verdict on the first seat, if anything is."""
    if outcome.record is None:
        return f"the match was void: {outcome.void_reason}"
    try:
        verify(outcome.record)
    except RecordError as error:
        return f"its record proves nothing: {error}"
    codes = sorted({fault.code for fault in outcome.record.faults}) or [PLAYS_ON]
    if not set(codes) <= set(allowed):
        return f"the verdict was {', '.join(codes)}, not {' or '.join(allowed)}: {log_of(outcome, 0)[-500:]}"
    return ""


def log_of(outcome: MatchOutcome, seat: int) -> str:
    return "".join(chunk.text for chunk in outcome.seats[seat].stderr)


def bot(name: str, folder: Path, *, language: str = "python", entry: str = "main.py") -> SeatProgram:
    return SeatProgram(
        version=name.encode().hex().ljust(64, "0")[:64],
        name=name,
        language=language,
        entry=entry,
        folder=folder,
    )


def quiet() -> SeatProgram:
    """Who plays on, whatever the other does."""
    return bot("random", house_path("random"))


def match(
    seats: list[SeatProgram],
    launcher: Launcher,
    *,
    clock: Clock = QUICK,
    limits: MatchLimits = SHORT,
    game: str = "dont-go-in-there",
) -> MatchOutcome:
    return play_match(
        game=make_game(game, len(seats)),
        seats=seats,
        seed="an attack",
        clock=clock,
        private_seeds=[f"seed {seat}" for seat in range(len(seats))],
        launcher=launcher,
        limits=limits,
    )


def attacks() -> list[BotAttack]:
    """The rows of all groups that have a file."""
    found = []
    for group in GROUPS:
        path = PROGRAMS / f"{group}.toml"
        if path.is_file():
            rows = tomllib.loads(path.read_text(encoding="utf-8"))
            found += [_attack(group, name, row) for name, row in rows.items()]
    return found


def named(name: str) -> BotAttack:
    """One of them. Raises KeyError."""
    return {attack.name: attack for attack in attacks()}[name]


def program_files(*names: str) -> dict[str, bytes]:
    """Files of programs/, and what its Python programs import."""
    return {name: (PROGRAMS / name).read_bytes() for name in (*names, _HELPER)}


def _attack(group: str, name: str, row: dict[str, Any]) -> BotAttack:
    """A row as an attack. Raises TypeError for a key that means nothing, KeyError for one that is missing."""
    language = row.pop("language", "python")
    faults = tuple(row.pop("faults", [PLAYS_ON]))
    limits = {key: row.pop(key) for key in _LIMITS if key in row}
    return BotAttack(
        group=group,
        name=name,
        language=language,
        files=_files(language, row),
        needs=(language, *row.pop("needs", ())),
        faults=faults,
        without_groups=tuple(row.pop("without_groups", faults)),
        clock=Clock(bank_ms=row.pop("bank_ms", QUICK.bank_ms), increment_ms=QUICK.increment_ms),
        limits=replace(SHORT, **limits),
        memory=row.pop("memory_mib", 512) * MIB,
        check=getattr(checks, row.pop("check", "nothing")),
        **row,
    )


def _files(language: str, row: dict[str, Any]) -> dict[str, bytes]:
    """The program, which stands in the row or in a file of its own, and what lies beside it."""
    beside = {name: text.encode() for name, text in row.pop("beside", {}).items()}
    text = row.pop("program", None)
    program = text.encode() if text is not None else (PROGRAMS / row.pop("file")).read_bytes()
    helper = program_files() if language == "python" else {}
    return {_ENTRY[language]: program, **helper, **beside}
