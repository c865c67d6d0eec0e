"""Bot protocol 1: the messages, their strict reading, and their schemas. The text is docs/protocol.md.

One JSON object a line in UTF-8. Lines to bots are put together in bots/lines.py out of parts encoded
once; the types here say what they look like, and tests hold one against the other.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Final, Literal

import msgspec

from bots.faults import FaultCode

PROTOCOL: Final = 1
MAX_LINE: Final = 64 * 1024
"""Bytes of one line, its newline not counted."""
MAX_DEPTH: Final = 32
"""Levels of objects and lists in one line."""
MAX_NOTE: Final = 500
"""Characters of a note."""
MAX_TURN: Final = 2**31 - 1


class MessageError(Exception):
    """A line that protocol 1 does not read; the text says why. `turn` is the turn it names, if any."""

    def __init__(self, why: str, turn: int | None = None) -> None:
        super().__init__(why)
        self.turn = turn


class ToBot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of the lines that a bot is sent."""


class BotClock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock that the match is played by: CPU time in milliseconds."""

    bank_ms: int
    increment_ms: int


class Bank(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is left to the bot, this question's increment included."""

    bank_ms: int


class Hello(ToBot, frozen=True, kw_only=True, tag="hello"):
    """The first line. The bot answers `{"type":"ready"}`."""

    protocol: Literal[1]
    game: str
    rules_version: int
    mode: str | None
    options: dict[str, Any]
    seats: int
    seat: int
    clock: BotClock
    seed: str
    """For the bot's own dice; equal for one version in all matches of a bundle."""


class Choice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One legal move under both of its names."""

    id: int
    move: dict[str, Any]


class MoveQuestion(ToBot, frozen=True, kw_only=True, tag="move"):
    """A question; `turn` is the number of questions put to this seat, from 1."""

    turn: int
    observation: dict[str, Any]
    legal: list[Choice]
    events: list[dict[str, Any]]
    """What this seat saw happen since its last question."""
    clock: Bank


class FaultNotice(ToBot, frozen=True, kw_only=True, tag="fault"):
    """The answer to `turn` was a soft fault; the house's move was played."""

    turn: int
    code: FaultCode
    message: str
    strikes: int


class End(ToBot, frozen=True, kw_only=True, tag="end"):
    """The last line."""

    scores: list[float]
    ranks: list[int]
    events: list[dict[str, Any]]


Line = Hello | MoveQuestion | FaultNotice | End


class Ready(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot's answer to hello."""

    type: Literal["ready"]


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot's answer to a question: exactly one of `id` and `move`."""

    turn: Annotated[int, msgspec.Meta(ge=1, le=MAX_TURN)]
    id: Annotated[int, msgspec.Meta(ge=0, le=MAX_TURN)] | msgspec.UnsetType = msgspec.UNSET
    move: dict[str, int | str | bool] | msgspec.UnsetType = msgspec.UNSET
    note: Annotated[str, msgspec.Meta(max_length=MAX_NOTE)] | msgspec.UnsetType = msgspec.UNSET


_ANSWER: Final = msgspec.json.Decoder(Answer, strict=True)
_READY: Final = msgspec.json.Decoder(Ready, strict=True)
_LINE: Final = msgspec.json.Decoder(Line, strict=True)
_SHORT: Final = re.compile(rb'\{"turn": ?([1-9][0-9]{0,8}), ?"id": ?(0|[1-9][0-9]{0,8})\}')
"""The usual answer, of which nothing is left to check: both numbers are below `MAX_TURN`."""


def read_answer(line: bytes) -> Answer:
    """Strictly read one answer, without its newline. Raises MessageError."""
    if (short := _SHORT.fullmatch(line)) is not None:
        return Answer(turn=int(short[1]), id=int(short[2]))
    _check_text(line)
    try:
        answer = _ANSWER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MessageError(str(error), _turn_of(line)) from None
    if (answer.id is msgspec.UNSET) == (answer.move is msgspec.UNSET):
        raise MessageError("an answer holds either `id` or `move`", answer.turn)
    return answer


def read_ready(line: bytes) -> None:
    """Strictly read the answer to hello. Raises MessageError."""
    _check_text(line)
    try:
        _READY.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MessageError(str(error)) from None


def read_line(line: bytes) -> Line:
    """Read a line as a bot gets it, for tests and tools. Raises msgspec.MsgspecError."""
    return _LINE.decode(line)


def _check_text(line: bytes) -> None:
    """What msgspec does not refuse by itself: doubled keys, lone surrogates, NUL, depth, length."""
    if len(line) > MAX_LINE:
        raise MessageError(f"a line holds at most {MAX_LINE} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise MessageError("the line is not UTF-8") from None
    if depth_of(text) > MAX_DEPTH:
        raise MessageError(f"a line holds at most {MAX_DEPTH} levels")
    try:
        value = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
    except ValueError as error:
        raise MessageError(f"not JSON: {error}") from None
    if type(value) is not dict:
        raise MessageError("a line holds one JSON object")
    turn = value.get("turn")
    _check_strings(value, turn if type(turn) is int else None)


def depth_of(text: str) -> int:
    """Levels of brackets outside of strings; works on text that is no JSON, too."""
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check_strings(value: object, turn: int | None) -> None:
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise MessageError("a text holds a NUL or half a character (a lone surrogate)", turn)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_strings(key, turn)
            _check_strings(item, turn)
    elif isinstance(value, list):
        for item in value:
            _check_strings(item, turn)


def _turn_of(line: bytes) -> int | None:
    """The turn that a faulty answer names; its text was checked before."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    turn = value.get("turn") if type(value) is dict else None
    return turn if type(turn) is int else None


def schemas() -> dict[str, dict[str, Any]]:
    """JSON Schema (2020-12) of each message of the protocol, by the name of its file."""
    kinds: tuple[type[msgspec.Struct], ...] = (Hello, Ready, MoveQuestion, Answer, FaultNotice, End)
    names = ("hello", "ready", "move", "answer", "fault", "end")
    found = {f"protocol-{name}": msgspec.json.schema(kind) for name, kind in zip(names, kinds, strict=True)}
    found["protocol-answer"]["oneOf"] = [{"required": ["id"]}, {"required": ["move"]}]
    for schema in found.values():
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return found
