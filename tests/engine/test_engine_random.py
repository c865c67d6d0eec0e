"""200 random matches of every game, mode and seat count all end, with a result that makes sense."""

from __future__ import annotations

import random

import pytest

from engine.core import OVER
from engine.registry import make_game
from tests import random_games
from tests.engine.walking import CASES, GAMES, IDS, walk
from tests.random_games import Case, judge, look, play_some, play_watched

MATCHES = 200


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_random_matches_end(case: Case) -> None:
    tally = play_some(case, range(MATCHES))
    assert tally.errors == []
    assert tally.games == MATCHES
    assert 0 < tally.longest_decisions < tally.longest_plies < random_games.ENDLESS


def test_a_match_is_a_function_of_its_number() -> None:
    whole = play_some(CASES[0], range(6))
    parts = play_some(CASES[0], range(4))
    parts.add(play_some(CASES[0], range(4, 6)))
    assert parts == whole


def test_an_error_is_told_with_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "ENDLESS", 1)
    tally = play_some(CASES[0], range(3))
    assert [f"match {number}" in error for number, error in enumerate(tally.errors)] == [True] * 3
    assert "no end after 1 plies" in tally.errors[0]
    assert tally.row(CASES[0])["errors"] == 3


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("scores", (1.0,)),
        ("scores", (1, 2, 3)),
        ("ranks", (1, 1, 2)),
        ("ranks", (2, 3, 4)),
        ("ranks", (3, 2, 1)),
        ("legal_actions", [0]),
    ],
)
def test_a_result_that_makes_no_sense_is_found(
    monkeypatch: pytest.MonkeyPatch, member: str, value: object
) -> None:
    game = make_game("dont-go-in-there", 3)
    state = next(state for state in walk(game, 1) if state.actor() == OVER)
    monkeypatch.setattr(type(state), "scores", lambda self: (1.0, 2.0, 3.0))
    monkeypatch.setattr(type(state), "ranks", lambda self: (1, 2, 3))
    judge(game, state)
    monkeypatch.setattr(type(state), member, lambda self: value)
    with pytest.raises(AssertionError):
        judge(game, state)


def test_a_team_shares_its_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("dont-go-in-there", 3)
    monkeypatch.setattr(type(game), "cooperative", True)
    state = next(state for state in walk(game, 1) if state.actor() == OVER)
    monkeypatch.setattr(type(state), "scores", lambda self: (0.0,) * 3)
    monkeypatch.setattr(type(state), "ranks", lambda self: (1,) * 3)
    judge(game, state)
    monkeypatch.setattr(type(state), "scores", lambda self: (0.0, 0.0, 1.0))
    with pytest.raises(AssertionError):
        judge(game, state)


def test_a_text_that_is_not_the_position_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[0]
    start, later = (
        game.initial_state(),
        next(state.clone() for n, state in enumerate(walk(game, 1)) if n == 5),
    )
    look(game, start)
    monkeypatch.setattr(type(game), "from_text", lambda self, text: later)
    with pytest.raises(AssertionError):
        look(game, start)
    with pytest.raises(AssertionError):
        play_watched(game, random.Random(1))
