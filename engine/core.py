"""The contract every game keeps: Game (fixed facts) and State (one position)."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self, TypeAlias

from engine.actions import ActionSpace
from engine.errors import IllegalMoveError, OptionError

Json: TypeAlias = Any  # None | bool | int | float | str | list | dict, as `json` reads them
Seat: TypeAlias = int
Action: TypeAlias = int
Sentence: TypeAlias = tuple[str | Seat, ...]
"""Pieces of a sentence: texts, and seats whose names are for the reader of it to fill in."""

SWITCH: Final = ("on", "off")
"""What an option takes that is a switch."""

CHANCE: Final = -1
OVER: Final = -2


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, with what each kind of onlooker may see of it."""

    kind: str
    public: Mapping[str, Json]
    private: Mapping[Seat, Mapping[str, Json]] = field(default_factory=dict)

    def seen_by(self, seat: Seat | None) -> dict[str, Json]:
        """JSON of the event as `seat` (None = an onlooker) saw it."""
        extra = {} if seat is None else self.private.get(seat, {})
        return {"kind": self.kind, **self.public, **extra}


EventSink: TypeAlias = Callable[[Event], None]


class State(ABC):
    """One position. Mutable; copy with clone(). Holds no history and no generator."""

    __slots__ = ()

    @abstractmethod
    def actor(self) -> int:
        """Seat to decide (0-based), CHANCE, or OVER."""

    @abstractmethod
    def legal_actions(self) -> list[Action]:
        """Ids the actor may choose now, ascending; empty only when OVER.

        At a CHANCE node the ids are outcomes, numbered by the game in a space of their own.
        """

    @abstractmethod
    def chance_weights(self) -> list[int]:
        """Integer weight of each legal action, same order, at a CHANCE node."""

    @abstractmethod
    def chance_stream(self) -> str:
        """Name of the stream that decides this CHANCE node, such as "deck" or "dice"."""

    def draw_chance(self, rng: random.Random) -> Action:
        """An outcome of this CHANCE node for playouts; a game may override it with a faster equal."""
        return rng.choices(self.legal_actions(), self.chance_weights())[0]

    @abstractmethod
    def apply(self, action: Action, emit: EventSink | None = None) -> None:
        """Change this state. Does not check legality; Game.play() does."""

    @abstractmethod
    def clone(self) -> Self: ...

    @abstractmethod
    def observe(self, seat: Seat | None) -> dict[str, Json]:
        """All that one seat (None = an onlooker) may know now, as JSON; built, never stripped."""

    def observe_json(self, seat: Seat | None) -> bytes:
        """What `observe` builds, as `compact_json`; a game may override it with a faster equal."""
        return compact_json(self.observe(seat))

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """One score a seat, as the game counts them; see Game.score_order. Only when OVER."""

    @abstractmethod
    def ranks(self) -> tuple[int, ...]:
        """One rank a seat, 1 = best, equal = shared (1, 1, 3). Only when OVER."""

    def figures(self) -> dict[str, Json]:
        """What people compare finished matches by beside scores, such as turns; ranks never use it."""
        return {}

    @abstractmethod
    def to_text(self) -> str:
        """Whole truth on one line; equal text means equal state. Game.from_text inverts it."""

    def child(self, action: Action) -> Self:
        """The next state; leaves this one alone."""
        state = self.clone()
        state.apply(action)
        return state


class Game(ABC):
    """Rules plus options, shared by all states of a match. Immutable after __init__."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    modes: ClassVar[Mapping[str, Mapping[str, Json]]]
    """Named sets of options, each complete; the first is the default."""
    later_options: ClassVar[frozenset[str]] = frozenset()
    """Options that came to these rules later. A record without them is as whole as it was: it was played by
    what the first mode has."""
    cooperative: ClassVar[bool] = False
    score_order: ClassVar[str] = "higher"
    """Whether a "higher" or a "lower" score is better, for people who read it."""
    names: ClassVar[Mapping[str, Mapping[str, str]]]
    """Display names of the game's parts and words: key, as it stands in moves and observations, -> language
    ("en", "ja") -> name."""
    sentences: ClassVar[Mapping[str, Callable[[Mapping[str, Json]], Sentence]]] = {}
    """Kind of event -> what people are told of it, out of the event as its reader saw it."""

    seats: int
    mode: str | None
    options: Mapping[str, Json]
    """The complete options of this match, as they stand in its record."""
    actions: ActionSpace

    def __init__(
        self, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
    ) -> None:
        """Check seats, mode and options; options given override those of the mode.

        `mode` stays the mode's name only where nothing was overridden, else it is None.
        Raises OptionError with a sentence that names what is wrong.
        """
        if type(seats) is not int or not self.min_seats <= seats <= self.max_seats:
            raise OptionError(f"{self.name} takes {self.min_seats} to {self.max_seats} seats, not {seats!r}")
        given = dict(options or {})
        base_mode = next(iter(self.modes)) if mode is None else mode
        if base_mode not in self.modes:
            raise OptionError(f"{self.name} has no mode {mode!r}; it has: {', '.join(self.modes)}")
        base = self.modes[base_mode]
        if unknown := sorted(set(given) - set(base)):
            raise OptionError(f"{self.name} has no option {unknown[0]!r}; it has: {', '.join(sorted(base))}")
        self.seats = seats
        self.options = self.checked_options({**base, **given})
        self.mode = base_mode if dict(self.options) == dict(base) else None

    def checked_options(self, options: dict[str, Json]) -> dict[str, Json]:
        """The options, each value checked and brought to one form. Raises OptionError."""
        return options

    def check_choice(self, option: str, value: Json, choices: Sequence[str]) -> None:
        """Raises OptionError for a value that is none of the words that an option takes."""
        if value not in choices:
            either = " or ".join(map(repr, choices))
            raise OptionError(f"{self.name}: option {option} is {either}, not {value!r:.40}")

    @abstractmethod
    def initial_state(self) -> State: ...

    @abstractmethod
    def from_text(self, text: str) -> State:
        """The state that `to_text` wrote. Raises ValueError for anything else."""

    @abstractmethod
    def default_move(self, state: State) -> Action:
        """The legal move played for a seat that gave none; a function of the state alone."""

    @abstractmethod
    def sample(self, observation: Mapping[str, Json], seat: Seat, rng: random.Random) -> State:
        """A random full state that shows `seat` this very observation and the same legal moves."""

    @abstractmethod
    def board_text(self, observation: Mapping[str, Json]) -> str:
        """The table as text, at most 100 columns wide, for a person to play from; drawn from one
        observation, so that it shows no more than its seat may know."""

    def move_text(self, move: Mapping[str, Json]) -> str:
        """A move for a person to choose from: what it does, then its fields by their English names."""
        fields = [
            f"{name.replace('_', ' ')} {self._said(value)}" for name, value in move.items() if name != "type"
        ]
        return " ".join([str(move["type"]).replace("_", " "), ", ".join(fields)]).strip()

    @classmethod
    def event_parts(cls, event: Mapping[str, Json]) -> Sentence:
        """An event as a sentence; by its fields, where the game has no words for its kind."""
        if say := cls.sentences.get(event["kind"]):
            return say(event)
        who = (event["seat"], ": ") if type(event.get("seat")) is int else ()
        fields = [
            f"{name.replace('_', ' ')} {cls._said(value)}"
            for name, value in event.items()
            if name not in ("kind", "seat")
        ]
        return (*who, " ".join([event["kind"].replace("_", " "), ", ".join(fields)]).strip())

    @classmethod
    def event_text(cls, event: Mapping[str, Json], seats: Sequence[str]) -> str:
        """The same as a line of text, its seats by the names given."""
        return "".join(part if isinstance(part, str) else str(seats[part]) for part in cls.event_parts(event))

    @classmethod
    def _said(cls, value: Json) -> str:
        if isinstance(value, list):
            return ", ".join(map(cls._said, value))
        return cls.names[value]["en"] if isinstance(value, str) and value in cls.names else str(value)

    @abstractmethod
    def observation_schema(self) -> dict[str, Json]:
        """JSON Schema (2020-12) of what `State.observe` builds."""

    @abstractmethod
    def event_schema(self) -> dict[str, Json]:
        """JSON Schema (2020-12) of what `Event.seen_by` builds."""

    def play(self, state: State, action: Action, emit: EventSink | None = None) -> None:
        """Apply with the legality check; the door for anything not trusted.

        Raises IllegalMoveError and leaves the state as it was.
        """
        if type(action) is not int or action not in state.legal_actions():
            raise IllegalMoveError(f"{self.name}: action {action!r:.40} is not legal here")
        state.apply(action, emit)


_compact: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def compact_json(value: Json) -> bytes:
    """JSON without spaces in UTF-8, as lines to bots are written."""
    return _compact(value).encode("utf-8")


def best_first(keys: Sequence[object]) -> tuple[int, ...]:
    """Competition ranks (1, 1, 3) of seats by sort key, the smallest key best."""
    ordered = sorted(keys)  # type: ignore[type-var]
    return tuple(ordered.index(key) + 1 for key in keys)
