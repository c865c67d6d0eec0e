"""A person on a seat: sent the very lines that a bot is sent, and shown them as text.

A person has no clock: an answer costs neither CPU time nor waiting, and faults cannot be made, for what is
no legal move is asked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bots.job import Clock
from engine.core import Game
from engine.registry import make_game
from workers.cli.choosing import meant
from workers.cli.terminal import Terminal
from workers.sandbox.child import Exit
from workers.sandbox.launcher import Launcher
from workers.seat import Reply
from workers.stderr import Stderr

HUMAN: Final = "human"
"""The BOT that stands for a person, and the name that records give it."""
_VERSION: Final = hashlib.sha256(HUMAN.encode()).hexdigest()
"""A record asks for the digest of a program; a person has that of the word."""
_MANY: Final = 9
_HELP: Final = """\
Choose a move by its number, by its words, or as JSON. Words may be cut short and left out, as long as
one move alone fits. Enter chooses where there is one move. ? shows this and the table again; q or Ctrl-D
gives up. The rules: docs/games/{game}.md"""


class Desk:
    """The terminal, and the people of one match who share it."""

    def __init__(self, terminal: Terminal, *, hides: bool) -> None:
        """`hides`: several people share it, and what one of them sees is not for the others."""
        self.terminal = terminal
        self._hides = hides
        self._at: int | None = None
        self._told = 0

    def open(self, names: Sequence[str]) -> None:
        """A match begins: who sits where."""
        self._at, self._told = None, 0
        self.terminal.say("\n" + ", ".join(f"P{seat} {name}" for seat, name in enumerate(names, 1)), "bold")

    def turn_to(self, seat: int) -> None:
        """The person of `seat` is to look at the terminal."""
        if self._hides and self._at != seat:
            self.terminal.hand_over(seat)
        self._at = seat

    def known(self, first: int, count: int, *, to_all: bool) -> int:
        """Of `count` events from number `first` of the match on, how many the reader has been told.

        Who looks at the terminal alone is told all of them; who shares it has read what was told before.
        """
        known = min(count, max(0, self._told - first)) if to_all or not self._hides else 0
        self._told = max(self._told, first + count)
        return known


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the desk who takes a seat."""

    desk: Desk
    version: str = _VERSION
    name: str = HUMAN
    start_cpu_s: int = 0
    party: int = 0
    benched: bool = False

    def sit(
        self,
        launcher: Launcher,
        clock: Clock,
        *,
        now: Callable[[], float],
        tick: Callable[[], None],
        late: Callable[[float], float],
    ) -> PersonSeat:
        """There is nothing to start, and no clock to watch."""
        del launcher, clock, now, tick, late
        return PersonSeat(self.desk)


class PersonSeat:
    """One seat of one match; speaks protocol 1 to the referee and shows it at the desk."""

    def __init__(self, desk: Desk) -> None:
        self.stderr = Stderr()
        self.exit: Exit | None = None
        self.void_reason = None
        self._desk = desk
        self._terminal = desk.terminal
        self._game: Game | None = None
        self._names: list[str] = []
        self._seat = 0
        self._events = 0
        """How many events of the match this seat was sent."""
        self._asked: Mapping[str, Any] = {}

    def send(self, line: bytes) -> None:
        message = json.loads(line)
        if message["type"] == "hello":
            self._game = make_game(message["game"], message["seats"], message["mode"], message["options"])
            self._seat = message["seat"]
            self._names = [f"P{seat + 1}" for seat in range(message["seats"])]
            self._names[self._seat] += " (you)"
        elif message["type"] == "end":
            self._tell(message["events"], to_all=True)
        else:
            self._asked = message

    def receive(self, *, cpu_us: int, wall_us: int, credit_us: int = 0) -> Reply:
        """`ready`, or the move that the person chooses. Raises VoidError("gave_up")."""
        del cpu_us, wall_us, credit_us
        answer = {"turn": self._asked["turn"], "id": self._chosen()} if self._asked else {"type": "ready"}
        return Reply(json.dumps(answer).encode("ascii"), None, 0, 0)

    def _chosen(self) -> int:
        self._desk.turn_to(self._seat)
        game, legal = self._playing(), self._asked["legal"]
        moves = [choice["move"] for choice in legal]
        texts = [game.move_text(move) for move in moves]
        self._tell(self._asked["events"], to_all=False)
        self._show(texts)
        while True:
            typed = self._terminal.ask(f"P{self._seat + 1}, your move (? for help): ")
            if typed == "?":
                self._terminal.say(_HELP.format(game=game.name))
                self._show(texts)
                continue
            found = meant(typed, moves, texts) if typed else list(range(len(moves)))
            if len(found) == 1:
                self._terminal.say(f"> {texts[found[0]]}")
                return int(legal[found[0]]["id"])
            self._ask_again(typed, found, texts)

    def _ask_again(self, typed: str, found: Sequence[int], texts: Sequence[str]) -> None:
        if not typed:
            self._terminal.say("There are several moves: choose one by its number or its words.")
        elif not found:
            self._terminal.say(f"No move is called {typed[:60]!r}. The numbers go from 1 to {len(texts)}.")
        else:
            several = "; ".join(f"{number + 1} {texts[number]}" for number in found[:_MANY])
            more = f"; and {len(found) - _MANY} more" if len(found) > _MANY else ""
            self._terminal.say(f"That may be {several}{more}.")

    def _show(self, texts: Sequence[str]) -> None:
        self._terminal.say("\n" + self._playing().board_text(self._asked["observation"]) + "\n")
        self._terminal.list(texts)

    def _tell(self, events: Sequence[Mapping[str, Any]], *, to_all: bool) -> None:
        """What this seat saw happen since it was last asked."""
        game = self._playing()
        known = self._desk.known(self._events, len(events), to_all=to_all)
        self._events += len(events)
        for event in events[known:]:
            self._terminal.say(f"  {game.event_text(event, self._names)}", "dim")

    def _playing(self) -> Game:
        if self._game is None:
            raise RuntimeError("the referee has not said hello")
        return self._game

    def early_lines(self) -> list[bytes]:
        return []

    def rest_if_heard(self) -> None:
        """A person rests when it suits him."""

    def charge(self) -> int:
        return 0

    def wait_for_end(self, until: float) -> None:
        """A person has read the end when it was shown."""

    def close(self) -> None:
        """A person stays."""
