"""What a record is, and its strict reading: what is not exactly one is refused before anyone plays it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core import Json
from engine.errors import RecordError

FORMAT: Final = 1
MAX_BYTES: Final = 4 << 20
"""A record is a few kilobytes; what is longer than this is none."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class RecordSeat:
    """Who sat there: digest of the version's program, and its name for people."""

    version: str
    name: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat did wrong; `ply` is the index in `actions` of the decision that it concerns.

    A hard fault at ply 0 may stand for "from the beginning": the program never started.
    """

    seat: int
    ply: int
    code: str
    hard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One match. `digest` is the SHA-256 of the canonical JSON of all other fields."""

    format: int
    game: str
    rules_version: int
    mode: str | None
    options: Mapping[str, Json]
    clock: Mapping[str, int]
    seats: tuple[RecordSeat, ...]
    seed: str
    commitment: str
    actions: tuple[int, ...]
    faults: tuple[Fault, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    digest: str

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, no spaces, ASCII, integral numbers as integers."""
        return canonical({**_body(self), "digest": self.digest})

    @staticmethod
    def from_json(text: str | bytes) -> Record:
        """Strictly read one record. Raises RecordError("malformed"); proves nothing, see `verify`."""
        return _read_record(text)


def canonical(value: Json) -> str:
    """The one way that we write a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _body(record: Record) -> dict[str, Json]:
    """All fields but the digest, as JSON."""
    return {
        "format": record.format,
        "game": record.game,
        "rules_version": record.rules_version,
        "mode": record.mode,
        "options": dict(record.options),
        "clock": dict(record.clock),
        "seats": [{"version": seat.version, "name": seat.name} for seat in record.seats],
        "seed": record.seed,
        "commitment": record.commitment,
        "actions": list(record.actions),
        "faults": [
            {"seat": fault.seat, "ply": fault.ply, "code": fault.code, "hard": fault.hard}
            for fault in record.faults
        ],
        "scores": [int(score) if score == math.floor(score) else score for score in record.scores],
        "ranks": list(record.ranks),
    }


def digest_of(record: Record) -> str:
    """SHA-256 (hex) of the canonical JSON of all fields but `digest`."""
    return hashlib.sha256(canonical(_body(record)).encode("ascii")).hexdigest()


def _read_record(text: str | bytes) -> Record:
    """The record written in `text`. Raises RecordError("malformed") with what is wrong and where."""
    fields = _object(_parse(text), frozenset(Record.__dataclass_fields__), "the record")
    if _integer(fields["format"], "format", 0) != FORMAT:
        raise _malformed(f"format is {fields['format']}; this release reads format {FORMAT}")
    seats = tuple(_seat(seat, f"seats[{i}]") for i, seat in enumerate(_array(fields["seats"], "seats")))
    clock = _object(fields["clock"], {"bank_ms", "increment_ms"}, "clock")
    mode = fields["mode"]
    record = Record(
        format=FORMAT,
        game=_string(fields["game"], "game"),
        rules_version=_integer(fields["rules_version"], "rules_version", 0),
        mode=None if mode is None else _string(mode, "mode"),
        options=_options(fields["options"]),
        clock={name: _integer(value, f"clock.{name}", 0) for name, value in clock.items()},
        seats=seats,
        seed=_string(fields["seed"], "seed"),
        commitment=_hex(fields["commitment"], "commitment"),
        actions=_integers(fields["actions"], "actions"),
        faults=tuple(_fault(row, f"faults[{i}]") for i, row in enumerate(_array(fields["faults"], "faults"))),
        scores=tuple(_number(score, "scores") for score in _array(fields["scores"], "scores")),
        ranks=_integers(fields["ranks"], "ranks"),
        digest=_hex(fields["digest"], "digest"),
    )
    if not len(record.seats) == len(record.scores) == len(record.ranks):
        raise _malformed("seats, scores and ranks differ in number")
    return record


def _malformed(what: str) -> RecordError:
    return RecordError("malformed", f"not a record: {what}")


def _parse(text: str | bytes) -> Json:
    if len(text) > MAX_BYTES:
        raise _malformed(f"longer than {MAX_BYTES} bytes")
    try:
        return json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constants)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise _malformed(f"{error!s:.120}") from None


def _no_twins(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _malformed("an object names a key twice")
    return fields


def _no_constants(name: str) -> Json:
    raise _malformed(f"{name} is no JSON")


def _object(value: Json, keys: frozenset[str] | set[str], where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != keys:
        raise _malformed(f"{where} must be an object with the keys {', '.join(sorted(keys))}")
    return value


def _array(value: Json, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _malformed(f"{where} must be a list")
    return value


def _string(value: Json, where: str) -> str:
    if not isinstance(value, str) or len(value) > 200:
        raise _malformed(f"{where} must be a string of at most 200 characters")
    return value


def _hex(value: Json, where: str) -> str:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise _malformed(f"{where} must be 64 lower-case hex digits")
    return value


def _integer(value: Json, where: str, least: int) -> int:
    if type(value) is not int or value < least:
        raise _malformed(f"{where} must be an integer from {least}")
    return value


def _integers(value: Json, where: str) -> tuple[int, ...]:
    return tuple(_integer(item, f"each of {where}", 0) for item in _array(value, where))


def _number(value: Json, where: str) -> float:
    if type(value) not in (int, float) or abs(value) > 1e9 or not math.isfinite(value):
        raise _malformed(f"each of {where} must be a number")
    return float(value)


def _options(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise _malformed("options must be an object")
    return value


def _seat(value: Json, where: str) -> RecordSeat:
    fields = _object(value, {"version", "name"}, where)
    return RecordSeat(_hex(fields["version"], f"{where}.version"), _string(fields["name"], f"{where}.name"))


def _fault(value: Json, where: str) -> Fault:
    fields = _object(value, {"seat", "ply", "code", "hard"}, where)
    if not isinstance(fields["code"], str) or not _CODE.fullmatch(fields["code"]):
        raise _malformed(f"{where}.code must be a fault code")
    if not isinstance(fields["hard"], bool):
        raise _malformed(f"{where}.hard must be true or false")
    seat = _integer(fields["seat"], f"{where}.seat", 0)
    return Fault(seat, _integer(fields["ply"], f"{where}.ply", 0), fields["code"], fields["hard"])
