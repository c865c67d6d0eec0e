"""Protocol 1: what is read, what is refused, and that page and schemas say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.faults import CODES, STRIKES, is_hard
from bots.job import FAST
from bots.lines import EventLog, LegalMoves, SeatLines
from bots.messages import MESSAGES
from bots.protocol import MAX_LINE, MessageError, read_answer, read_line, read_ready, schemas
from engine import record
from engine.chance import Dealer
from engine.core import CHANCE, OVER
from engine.registry import GAMES, make_game

DOCS = Path(__file__).parents[2] / "docs"

GOOD = [
    b'{"turn":1,"id":0}',
    b'{"turn": 17, "id": 37}',
    b' {"id":37,"turn":17} \r',
    b'{"turn":1,"move":{"type":"place","space":1}}',
    '{"turn":1,"id":3,"note":"l\u00e4uft \U0001f47b"}'.encode(),
    b'{"turn":1,"id":3,"note":"\\ud83d\\udc7b"}',
]
BAD = [
    b"",
    b"null",
    b"[]",
    b'"x"',
    b"{}",
    b'{"turn":1}',
    b'{"id":1}',
    b'{"turn":1,"id":1,"move":{}}',
    b'{"turn":1,"id":1,"extra":1}',
    b'{"turn":true,"id":1}',
    b'{"turn":1,"id":true}',
    b'{"turn":1.0,"id":1}',
    b'{"turn":1,"id":1.0}',
    b'{"turn":1,"id":1e0}',
    b'{"turn":1,"id":"1"}',
    b'{"turn":1,"id":null}',
    b'{"turn":0,"id":1}',
    b'{"turn":-1,"id":1}',
    b'{"turn":1,"id":-1}',
    b'{"turn":01,"id":1}',
    b'{"turn":1,"id":NaN}',
    b'{"turn":1,"id":Infinity}',
    b'{"turn":1,"id":1e400}',
    b'{"turn":1,"id":' + b"9" * 5_000 + b"}",
    b'{"turn":1,"id":4294967296}',
    b'{"turn":1,"id":1,"id":1}',
    b'{"turn":1,"move":{"a":1,"a":2}}',
    b'{"turn":1,"move":{"a":1.5}}',
    b'{"turn":1,"move":{"a":[1]}}',
    b'{"turn":1,"move":[]}',
    b'{"turn":1,"id":1,"note":"\\ud800"}',
    b'{"turn":1,"move":{"\\udfff":1}}',
    b'{"turn":1,"id":1,"note":"\\u0000"}',
    b'{"turn":1,"id":1,"note":"\xff"}',
    b'{"turn":1,"id":1,"note":"\xed\xa0\x80"}',
    b'{"turn":1,"id":1,"note":1}',
    b'{"turn":1,"id":1,"note":"' + b"x" * 501 + b'"}',
    b'\xef\xbb\xbf{"turn":1,"id":1}',
    '{"turn":1,"id":1}'.encode("utf-16"),
    b'{"turn":1,"id":1}{"turn":2,"id":1}',
    b'{"turn":1,"id":1} x',
    b"{'turn':1,'id':1}",
    b'{"turn":1,"id":1,}',
    b'{"turn":1,"id":1,"note":"' + b"x" * MAX_LINE + b'"}',
    b'{"turn":1,"move":{"a":' + b"[" * 40 + b"]" * 40 + b"}}",
    b"[" * 30_000,
    b'{"a":' * 30_000,
]


@pytest.mark.parametrize("numbers", [(1, 0), (17, 37), (999_999_999, 999_999_999), (10**9, 10**9)])
def test_the_usual_answer_is_read_like_any_other(numbers: tuple[int, int]) -> None:
    turn, action = numbers
    usual = b'{"turn":%d,"id":%d}' % numbers
    assert read_answer(usual) == read_answer(b" " + usual)
    assert (read_answer(usual).turn, read_answer(usual).id) == (turn, action)


@pytest.mark.parametrize("line", GOOD)
def test_an_answer_is_read(line: bytes) -> None:
    answer = read_answer(line)
    assert answer.turn >= 1


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_bad_answer_is_refused(line: bytes) -> None:
    with pytest.raises(MessageError):
        read_answer(line)


def test_a_bad_answer_tells_its_turn_where_it_has_one() -> None:
    with pytest.raises(MessageError) as caught:
        read_answer(b'{"turn":7,"id":"x"}')
    assert caught.value.turn == 7
    with pytest.raises(MessageError) as caught:
        read_answer(b'{"turn":true,"id":1}')
    assert caught.value.turn is None


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(line: bytes) -> None:
    try:
        read_answer(line)
    except MessageError:
        return
    assert json.loads(line)["turn"] >= 1


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["turn", "id", "move", "note", "x"]), _values))
def test_what_is_read_keeps_the_schema(value: dict[str, object]) -> None:
    line = json.dumps(value).encode()
    try:
        read_answer(line)
    except MessageError:
        return
    jsonschema.validate(json.loads(line), schemas()["protocol-answer"])


@pytest.mark.parametrize("line", [b"", b"{}", b'{"type":"go"}', b'{"type":"ready","x":1}', b"ready"])
def test_only_ready_is_ready(line: bytes) -> None:
    read_ready(b'{"type": "ready"}')
    with pytest.raises(MessageError):
        read_ready(line)


def test_every_example_of_the_page_is_read() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    examples = re.findall(r"^(->|<-) (\{.*\})$", page, flags=re.MULTILINE)
    kinds = set()
    for arrow, text in examples:
        line = text.encode()
        if arrow == "->":
            kinds.add(type(read_line(line)).__name__)
        elif '"ready"' in text:
            read_ready(line)
            kinds.add("Ready")
        else:
            read_answer(line)
            kinds.add("Answer")
    assert kinds == {"Hello", "Ready", "MoveQuestion", "Answer", "FaultNotice", "End"}


def test_the_page_names_every_fault() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in page] == []


def test_every_fault_has_a_message_and_a_cost() -> None:
    assert [code for code in CODES if MESSAGES[code].topic != "fault"] == []
    assert [code for code in CODES if not is_hard(code)] == ["timeout", "illegal_move", "bad_message"]
    assert is_hard("timeout", timeouts_before=1)
    assert all(is_hard(code, at_start=True) for code in CODES)
    assert STRIKES == record.STRIKES


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_line_to_a_bot_keeps_its_schema(name: str, seats: int) -> None:
    game = make_game(name, seats)
    events = EventLog()
    lines = [SeatLines(game, seat, events, LegalMoves(game)) for seat in range(seats)]
    found = schemas()
    jsonschema.validate(json.loads(lines[0].hello(FAST, "0" * 32)), found["protocol-hello"])
    state = game.initial_state()
    dealer = Dealer("lines")
    seen: list[list[object]] = [[] for _ in range(seats)]
    happened: list[object] = []
    turn = 0
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        else:
            turn += 1
            legal = state.legal_actions()
            line = lines[actor].move(state, legal, turn, 1234)
            question = json.loads(line)
            if turn % 7 == 1:
                jsonschema.validate(question, found["protocol-move"])
                assert msgspec.json.encode(read_line(line)) == line.rstrip(b"\n")
            assert question["observation"] == state.observe(actor)
            assert [choice["id"] for choice in question["legal"]] == legal
            assert [game.actions.encode(choice["move"]) for choice in question["legal"]] == legal
            seen[actor] += question["events"]
            action = legal[-1]
        state.apply(action, lambda event: (events.emit(event), happened.append(event)))
    for seat in range(seats):
        last = json.loads(lines[seat].end(state.scores(), state.ranks()))
        jsonschema.validate(last, found["protocol-end"])
        assert seen[seat] + last["events"] == [event.seen_by(seat) for event in happened]  # type: ignore[attr-defined]
    notice = json.loads(lines[0].fault(3, "illegal_move", 1))
    jsonschema.validate(notice, found["protocol-fault"])
