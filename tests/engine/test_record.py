"""A record proves its match, and nothing that was changed gets through."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.chance import Dealer, commit
from engine.core import CHANCE, OVER, Game
from engine.errors import RecordError
from engine.record import (
    Fault,
    Record,
    build_record,
    digest_of,
    lost_at,
    ranks_with_faults,
    replay,
    verify,
)
from engine.registry import make_game
from engine.replay import expand
from tests.engine.walking import CLOCK, GAMES, IDS, decisions, play, play_with_faults, record_of, seats_of

GAME = make_game("dont-go-in-there", 3)


def sealed(record: Record, **changes: object) -> Record:
    """The record with changes and a digest that fits them, as a forger would write it."""
    changed = replace(record, **changes)
    return replace(changed, digest=digest_of(changed))


def code_of(record: Record) -> str:
    with pytest.raises(RecordError) as caught:
        verify(record)
    assert len(str(caught.value)) > 10
    return caught.value.code


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_record_replay_same_text_and_same_events(game: Game):
    state, actions, events = play(game, "abc")
    record = build_record(
        game, seats=seats_of(game), clock=CLOCK, seed="abc", actions=actions, faults=[], state=state
    )
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.to_json() == record.to_json()
    heard = []
    assert replay(again, heard.append).to_text() == state.to_text()
    assert heard == events
    assert verify(again).to_text() == state.to_text()


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_expanded_steps_hold_all_events_with_the_board_after_each(game: Game):
    record = record_of(game, "steps")
    _, _, events = play(game, "steps")
    steps = expand(record)
    assert [step.event for step in steps] == events
    assert [step.ply for step in steps] == sorted(step.ply for step in steps)
    state = game.initial_state()
    boards = {}
    for ply, action in enumerate(record.actions):
        state.apply(action)
        boards[ply] = state.observe(None)
    assert all(step.board == boards[step.ply] for step in steps)


def test_the_text_is_canonical():
    text = record_of(GAME, "canon").to_json()
    fields = json.loads(text)
    assert text == json.dumps(fields, sort_keys=True, separators=(",", ":"))
    assert list(fields) == [
        "actions", "clock", "commitment", "digest", "faults", "format", "game", "mode", "options", "ranks",
        "rules_version", "scores", "seats", "seed",
    ]  # fmt: skip
    assert all(type(score) is int for score in fields["scores"])
    assert fields["options"] == {"dispel": "auto", "expansion": "off", "types": "random"}
    assert text.isascii()


def test_names_need_not_be_ascii():
    record = record_of(GAME, "names")
    named = sealed(record, seats=(replace(record.seats[0], name="おばけ \U0001f47b"), *record.seats[1:]))
    assert named.to_json().isascii()
    assert Record.from_json(named.to_json().encode()) == named
    verify(named)


def test_given_types_stand_in_the_record():
    options = {"types": ["tome", "cat", "mask", "ring", "twin"]}
    record = record_of(make_game("dont-go-in-there", 2, None, options), "given")
    assert record.mode is None
    types = ["cat", "mask", "ring", "tome", "twin"]
    assert record.options == {"types": types, "dispel": "auto", "expansion": "off"}
    verify(record)


# --- each kind of tampering has its code ---


def test_a_changed_field_breaks_the_digest():
    assert code_of(replace(record_of(GAME, "x"), seed="y")) == "digest"


def test_a_commitment_of_another_seed():
    assert code_of(sealed(record_of(GAME, "x"), commitment=commit("y"))) == "commitment"


def test_another_seed_gives_other_chance():
    assert code_of(sealed(record_of(GAME, "x"), seed="y", commitment=commit("y"))) == "chance"


def plies_of(record: Record, wanted: str) -> list[int]:
    state = GAME.initial_state()
    plies = []
    for ply, action in enumerate(record.actions):
        if state.actor() == CHANCE and state.chance_stream() == wanted:
            plies.append(ply)
        state.apply(action)
    return plies


@pytest.mark.parametrize("stream", ["types", "rooms", "deck", "dice"])
def test_each_stream_is_held_against_the_seed(stream: str):
    record = record_of(GAME, "x")
    ply = plies_of(record, stream)[-1]
    state = GAME.initial_state()
    for action in record.actions[:ply]:
        state.apply(action)
    other = next(action for action in state.legal_actions() if action != record.actions[ply])
    actions = (*record.actions[:ply], other, *record.actions[ply + 1 :])
    with pytest.raises(RecordError) as caught:
        verify(sealed(record, actions=actions))
    assert caught.value.code == "chance"
    assert f"ply {ply}" in str(caught.value)
    assert stream in str(caught.value)


def test_an_illegal_move():
    record = record_of(GAME, "x")
    ply = decisions(record, GAME, 1)[0]
    actions = (*record.actions[:ply], 35, *record.actions[ply + 1 :])
    with pytest.raises(RecordError) as caught:
        verify(sealed(record, actions=actions))
    assert caught.value.code == "illegal_action"
    assert f"ply {ply}" in str(caught.value)
    assert "seat 1" in str(caught.value)
    with pytest.raises(RecordError) as caught:
        replay(sealed(record, actions=actions))
    assert caught.value.code == "illegal_action"


def test_an_illegal_chance_outcome_replayed_without_the_seed():
    record = record_of(GAME, "x")
    with pytest.raises(RecordError) as caught:
        replay(replace(record, actions=(999, *record.actions[1:])))
    assert caught.value.code == "illegal_action"
    assert "chance" in str(caught.value)


@pytest.mark.parametrize("length", [0, 10, -1])
def test_a_match_cut_short(length: int):
    record = record_of(GAME, "x")
    assert code_of(sealed(record, actions=record.actions[:length])) == "unfinished"


def test_actions_after_the_end():
    record = record_of(GAME, "x")
    longer = sealed(record, actions=(*record.actions, 0))
    assert code_of(longer) == "trailing_actions"
    with pytest.raises(RecordError) as caught:
        replay(longer)
    assert caught.value.code == "trailing_actions"


def test_false_scores_and_ranks():
    record = record_of(GAME, "x")
    assert code_of(sealed(record, scores=(0.0, *record.scores[1:]))) == "scores"
    assert code_of(sealed(record, scores=record.scores[:2])) == "scores"
    others = ((1, 2, 3), (3, 2, 1))
    assert code_of(sealed(record, ranks=next(ranks for ranks in others if ranks != record.ranks))) == "ranks"


def test_a_record_from_before_an_option_came_is_still_proved() -> None:
    text = (Path(__file__).parent / "records" / "dont-go-in-there.before-the-expansion.json").read_text()
    record = Record.from_json(text.strip())
    assert "expansion" not in record.options
    verify(record)
    assert code_of(sealed(record, options={"types": "random"})) == "options"


def test_game_rules_version_and_options():
    record = record_of(GAME, "x")
    assert code_of(sealed(record, game="chess")) == "unknown_game"
    assert code_of(sealed(record, rules_version=999)) == "rules_version"
    for changes in (
        {"options": {"types": "random"}},
        {"options": {"types": "random", "dispel": "ask", "expansion": "off"}},
        {"options": {**record.options, "luck": 1}},
        {"mode": "no-such-mode"},
        {"mode": None},
        {"seats": record.seats[:1]},
    ):
        assert code_of(sealed(record, **changes)) == "options"


# --- faults ---


def test_a_seat_is_lost_by_one_hard_or_three_soft_faults():
    soft = [Fault(1, ply, "illegal_move", False) for ply in (30, 40, 50, 60)]
    assert lost_at([], 1) is None
    assert lost_at(soft[:2], 1) is None
    assert lost_at(soft[:3], 1) == 50
    assert lost_at([soft[0], Fault(1, 35, "crash", True)], 1) == 35
    assert lost_at(soft[:3], 0) is None
    assert lost_at([Fault(0, 0, "crash", True)], 0) == 0


def test_lost_seats_rank_below_all_others_the_earliest_lowest():
    crash = [Fault(0, 20, "crash", True)]
    assert ranks_with_faults((1, 2, 3), []) == (1, 2, 3)
    assert ranks_with_faults((1, 2, 3), crash) == (3, 1, 2)
    assert ranks_with_faults((1, 2, 2), crash) == (3, 1, 1)
    assert ranks_with_faults((1, 2, 3), [*crash, Fault(1, 10, "timeout", True)]) == (2, 3, 1)
    assert ranks_with_faults((1, 2, 3), [Fault(0, 5, "bad_message", False)]) == (1, 2, 3)
    both = [Fault(seat, 0, "crash", True) for seat in (0, 2)]
    assert ranks_with_faults((1, 2, 3), both) == (2, 1, 2)


def first_plies(seed: str) -> list[int]:
    return decisions(record_of(GAME, seed), GAME, 0)


def test_a_match_with_faults_verifies():
    ply = first_plies("f")[0]
    start = play_with_faults(GAME, "f", [Fault(1, 0, "crash", True)])
    assert start.ranks[1] == 3
    verify(start)
    verify(play_with_faults(GAME, "f", [Fault(0, ply, "illegal_move", False)]))
    everyone = [Fault(seat, 0, "crash", True) for seat in range(3)]
    assert play_with_faults(GAME, "f", everyone).ranks == (1, 1, 1)
    verify(play_with_faults(GAME, "f", everyone))


def test_a_move_chosen_by_a_seat_at_fault():
    """After a hard fault, and where a strike stands, only the default move may be found."""
    record = record_of(GAME, "f")
    state = GAME.initial_state()
    free = next(
        ply
        for ply, action in enumerate(record.actions)
        if (state.actor() == 0 and action != GAME.default_move(state)) or state.apply(action)
    )
    for hard in (True, False):
        assert code_of(sealed(record, faults=(Fault(0, free, "illegal_move", hard),))) == "faults"
    assert code_of(sealed(record, faults=(Fault(0, 0, "crash", True),))) == "faults"


def test_ranks_that_forget_the_faults():
    record = play_with_faults(GAME, "f", [Fault(0, 0, "crash", True)])
    state = replay(record)
    assert record.ranks != state.ranks() or record.ranks[0] == 3
    forgot = (1, 2, 3)
    assert record.ranks != forgot
    assert code_of(sealed(record, ranks=forgot)) == "ranks"


@pytest.mark.parametrize(
    "faults",
    [
        [Fault(3, 0, "crash", True)],
        [Fault(0, 10**6, "crash", True)],
        [Fault(0, 0, "illegal_move", False)],
        [Fault(0, 3, "crash", True)],
        [Fault(0, 0, "crash", True), Fault(0, 0, "crash", True)],
    ],
    ids=["no such seat", "no such ply", "a strike at the start", "a chance ply", "twice"],
)
def test_faults_that_cannot_be(faults: list[Fault]):
    record = play_with_faults(GAME, "f", [Fault(0, 0, "crash", True)])
    assert code_of(sealed(record, faults=tuple(faults))) == "faults"


def test_no_fault_after_the_seat_was_lost():
    record = play_with_faults(GAME, "f", [Fault(0, 0, "crash", True)])
    later = Fault(0, decisions(record, GAME, 0)[4], "timeout", False)
    assert code_of(sealed(record, faults=(*record.faults, later))) == "faults"


def test_in_a_cooperative_game_faults_change_no_rank(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(type(GAME), "cooperative", True)
    record = play_with_faults(GAME, "f", [Fault(0, 0, "crash", True)])
    assert record.ranks == replay(record).ranks()
    verify(record)


# --- strict reading ---


def test_whitespace_and_order_are_free_but_nothing_else():
    record = record_of(GAME, "read")
    pretty = json.dumps(json.loads(record.to_json()), indent=2)
    assert Record.from_json(pretty) == record


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2), (("format",), True), (("format",), 1.0), (("extra",), 1), (("game",), 7),
        (("rules_version",), "1"), (("mode",), 1), (("options",), []), (("clock", "bank_ms"), -1),
        (("clock", "bank_ms"), 1.5), (("clock", "more"), 1), (("seats",), {}), (("seats", 0), {"name": "x"}),
        (("seats", 0, "version"), "ABC"), (("seats", 0, "name"), "x" * 300), (("seed",), None),
        (("commitment",), "0" * 63), (("digest",), "g" * 64), (("actions", 0), True), (("actions", 0), "1"),
        (("actions", 0), -1), (("actions", 0), 1.0), (("actions",), "1"), (("faults",), [{}]),
        (("faults",), [{"seat": 0, "ply": 0, "code": "Crash!", "hard": True}]),
        (("faults",), [{"seat": 0, "ply": 0, "code": "crash", "hard": 1}]),
        (("scores", 0), "1"), (("scores", 0), True), (("scores", 0), 1e300), (("scores",), [1]),
        (("ranks", 0), 1.0), (("ranks",), []),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_not_exactly_a_record_is_malformed(path, value):
    fields = json.loads(record_of(GAME, "read").to_json())
    inner = fields
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(fields))
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        b"\xff",
        '{"a":NaN}',
        "[" * 100_000,
        '{"a":1,"a":1}',
        "9" * 5000,
        " " * (5 << 20),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_rubbish_is_malformed(text):
    with pytest.raises(RecordError) as caught:
        Record.from_json(text)
    assert caught.value.code == "malformed"


@pytest.mark.parametrize("key", ["format", "seed", "faults", "digest"])
def test_a_missing_key_is_malformed(key):
    fields = json.loads(record_of(GAME, "read").to_json())
    del fields[key]
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(fields))
    assert caught.value.code == "malformed"


def test_every_single_changed_action_is_found():
    """Whatever one action is changed to, the record does not verify any more."""
    record = record_of(make_game("dont-go-in-there", 2), "one")
    for ply in range(0, len(record.actions), 3):
        changed = record.actions[ply] + 1 if record.actions[ply] == 0 else record.actions[ply] - 1
        actions = (*record.actions[:ply], changed, *record.actions[ply + 1 :])
        with pytest.raises(RecordError):
            verify(replace(record, actions=actions))


def test_the_dealer_reaches_the_end_of_every_verified_match():
    record = record_of(GAME, "dealer")
    dealer, state = Dealer(record.seed), GAME.initial_state()
    for action in record.actions:
        if state.actor() == CHANCE:
            assert dealer.choose(state) == action
        state.apply(action)
    assert state.actor() == OVER
