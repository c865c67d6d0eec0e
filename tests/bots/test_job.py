"""The workers' door: its schemas say what the code reads."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from bots import job as wire

REPORT = wire.MatchReport(
    attempt_id="a",
    fence=1,
    outcome="void",
    void_reason="worker_died",
    turn_of=1,
    host=wire.HostFigures(late_us=1, longest_late_us=1, steal_us=None, pressure_us=2, core=0),
)
BEAT = wire.Heartbeat(worker="w", slots=1, languages={"c": "gcc"}, rules={"chess": 1}, layers=["seccomp"])


@pytest.mark.parametrize(("name", "message"), [("match-report", REPORT), ("heartbeat", BEAT)])
def test_a_message_is_what_its_schema_says_and_nothing_more(name: str, message: wire.Wire) -> None:
    schema = wire.schemas()[f"worker-{name}"]
    said = json.loads(wire.write(message))
    jsonschema.validate(said, schema)
    assert wire.read(json.dumps(said), type(message)) == message
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**said, "more": 1}, schema)
    with pytest.raises(msgspec.ValidationError):
        wire.read(json.dumps({**said, "more": 1}), type(message))
