"""One contract, run on every registered game, mode and seat count: positions, moves and chance.

What people and bots are shown is in test_engine_views.py, whole matches in test_engine_random.py. Long
matches are looked at in `spread` positions, so that the time of a test does not grow with them.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

import pytest

from engine.chance import Dealer
from engine.core import CHANCE, OVER, Game, State, best_first
from engine.errors import IllegalMoveError, InvalidMoveError, OptionError
from engine.playout import random_playout
from engine.registry import GAMES as REGISTERED
from engine.registry import make_game
from tests.engine.walking import GAMES, IDS, play, spread, walk


@pytest.fixture(params=GAMES, ids=IDS)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


@pytest.mark.parametrize("seed", range(2))
def test_every_position_keeps_the_contract(game: Game, seed: int) -> None:
    for state in walk(game, seed):
        actor, legal = state.actor(), state.legal_actions()
        assert actor in (CHANCE, OVER, *range(game.seats))
        assert legal == sorted(set(legal))
        assert all(type(action) is int and action >= 0 for action in legal)
        assert bool(legal) == (actor != OVER)
        if actor == CHANCE:
            weights = state.chance_weights()
            assert len(weights) == len(legal)
            assert all(type(weight) is int and weight > 0 for weight in weights)
            assert state.chance_stream()
        elif actor != OVER:
            assert legal[-1] < len(game.actions)
            assert game.default_move(state) in legal


def test_the_text_is_the_whole_truth(game: Game) -> None:
    """What is read from it is the same position in all that can be asked of it, now and later."""
    for number, state in enumerate(spread(game, 0)):
        text = state.to_text()
        assert "\n" not in text
        again = game.from_text(text)
        assert again.to_text() == text
        rngs = random.Random(number), random.Random(number)
        for _ in range(8):
            assert (again.actor(), again.legal_actions()) == (state.actor(), state.legal_actions())
            if state.actor() == OVER:
                assert (again.scores(), again.ranks(), again.figures()) == (
                    state.scores(), state.ranks(), state.figures(),
                )  # fmt: skip
                break
            if state.actor() == CHANCE:
                assert again.chance_stream() == state.chance_stream()
                assert again.chance_weights() == state.chance_weights()
            else:
                assert game.default_move(again) == game.default_move(state)
            for twin, rng in zip((state, again), rngs, strict=True):
                twin.apply(rng.choice(twin.legal_actions()))
            assert again.to_text() == state.to_text()


def test_a_clone_is_another_state(game: Game) -> None:
    rng = random.Random(7)
    for state in spread(game, 1):
        text = state.to_text()
        copy = state.clone()
        assert copy.to_text() == text
        for _ in range(12):
            if copy.actor() == OVER:
                break
            copy.apply(rng.choice(copy.legal_actions()))
        assert state.to_text() == text
        if state.actor() != OVER:
            assert state.child(state.legal_actions()[0]).to_text() != text
            assert state.to_text() == text


def test_legal_lists_belong_to_the_caller(game: Game) -> None:
    for state in spread(game, 0):
        first = state.legal_actions()
        state.legal_actions().clear()
        if state.actor() == CHANCE:
            state.chance_weights().clear()
            assert len(state.chance_weights()) == len(first)
        assert state.legal_actions() == first
        assert state.clone().legal_actions() == first


def test_every_move_has_one_id(game: Game) -> None:
    moves = [game.actions.decode(action) for action in range(len(game.actions))]
    assert len({json.dumps(move, sort_keys=True) for move in moves}) == len(moves)
    for action, move in enumerate(moves):
        assert game.actions.encode(json.loads(json.dumps(move))) == action


def junk(game: Game) -> Iterator[object]:
    """What a careless or wicked program sends for a move: nothing like one, and near misses of each type."""
    yield from ({}, None, 7, True, "keep", [], [["type", "keep"]])
    yield from ({"type": value} for value in ("no such move", None, 1, [], {}))
    for start in game.actions.starts.values():
        move = game.actions.decode(start)
        yield {**move, "no_such_field": 1}
        yield move["type"]
        for name, value in move.items():
            yield {key: kept for key, kept in move.items() if key != name}
            yield from ({**move, name: other} for other in (None, [], {}, -1, 10**6, 0.5, "", f"{value}?"))
            yield from (
                {**move, name: alike}
                for alike in (float(value) if type(value) is int else None, str(value), bool(value))
                if type(alike) is not type(value)
            )


def test_junk_moves_are_invalid(game: Game) -> None:
    for move in junk(game):
        with pytest.raises(InvalidMoveError):
            pytest.fail(f"{move!r} was read as move {game.actions.encode(move)}")


def test_the_checked_door_refuses_and_leaves_the_state(game: Game) -> None:
    for state in spread(game, 1, many=10):
        text, legal = state.to_text(), state.legal_actions()
        beside = [action for action in range(len(game.actions)) if action not in legal]
        for action in (-1, 10**6, True, 1.0, None, "1", *beside[:2], *beside[-2:]):
            with pytest.raises(IllegalMoveError):
                game.play(state, action)  # type: ignore[arg-type]
        assert state.to_text() == text


def test_the_same_seed_gives_the_same_match(game: Game) -> None:
    first, second, other = play(game, "one"), play(game, "one"), play(game, "two")
    assert first[0].to_text() == second[0].to_text()
    assert first[1:] == second[1:]
    assert first[1] != other[1]


def test_listening_changes_nothing(game: Game) -> None:
    state, actions, events = play(game, "listen")
    assert events
    silent = game.initial_state()
    for action in actions:
        silent.apply(action)
    assert silent.to_text() == state.to_text()


def test_playouts_count_their_steps(game: Game) -> None:
    decisions, chance_steps = random_playout(game, random.Random(1))
    assert decisions > 0
    assert chance_steps > 0
    state, actions = game.initial_state(), 0
    rng = random.Random(1)
    while state.actor() != OVER:
        if state.actor() == CHANCE:
            state.apply(state.draw_chance(rng))
        else:
            legal = state.legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])
        actions += 1
    assert actions == decisions + chance_steps


def improbable(hits: Counter[int], legal: Sequence[int], weights: Sequence[int]) -> bool:
    """Whether draws are off these weights by a chi-squared of less than one in a million.

    Outcomes expected less than five times count as one. The bound is Laurent and Massart's.
    """
    trials = hits.total()
    expected: dict[int, float] = defaultdict(float)
    found: dict[int, int] = defaultdict(int)
    for outcome, weight in zip(legal, weights, strict=True):
        wanted = trials * weight / sum(weights)
        key = outcome if wanted >= 5 else -1
        expected[key] += wanted
        found[key] += hits[outcome]
    chi = sum((found[key] - wanted) ** 2 / wanted for key, wanted in expected.items())
    freedom, doubt = len(expected) - 1, 14.0
    return chi > freedom + 2 * (freedom * doubt) ** 0.5 + 2 * doubt


def test_fast_chance_follows_the_weights(game: Game) -> None:
    """At a few nodes of each stream, draw_chance hits each outcome as often as its weight says."""
    rng = random.Random(8)
    nodes: dict[str, list[State]] = defaultdict(list)
    for state in spread(game, 2, many=100):
        if state.actor() == CHANCE:
            nodes[state.chance_stream()].append(state)
    assert nodes
    for found in nodes.values():
        for state in {id(state): state for state in (found[0], found[len(found) // 2], found[-1])}.values():
            text, legal, weights = state.to_text(), state.legal_actions(), state.chance_weights()
            hits = Counter(state.draw_chance(rng) for _ in range(2000))
            assert set(hits) <= set(legal)
            assert not improbable(hits, legal, weights), (text, hits)
            assert state.to_text() == text


def chance_steps(game: Game, chooser: int) -> dict[str, list[tuple[list[int], list[int], int]]]:
    """By stream the outcomes, weights and result of each step of a match on one seed."""
    rng, dealer = random.Random(chooser), Dealer("bundle")
    state = game.initial_state()
    steps = defaultdict(list)
    while state.actor() != OVER:
        if state.actor() == CHANCE:
            stream, ways = state.chance_stream(), (state.legal_actions(), state.chance_weights())
            action = dealer.choose(state)
            steps[stream].append((*ways, action))
        else:
            action = rng.choice(state.legal_actions())
        state.apply(action)
    return steps


def test_the_dealer_counts_each_stream_on_its_own(game: Game) -> None:
    """The k-th outcome is the same however the seats play, as long as the same k were possible before it."""
    one, two = chance_steps(game, 0), chance_steps(game, 1)
    alike = {
        stream: list(takewhile(lambda pair: pair[0][:2] == pair[1][:2], zip(one[stream], two[stream])))  # noqa: B905
        for stream in one
        if stream in two
    }
    assert any(len(pairs) > 2 for pairs in alike.values())
    for pairs in alike.values():
        assert all(mine == other for mine, other in pairs)


@pytest.mark.parametrize("text", ["", "x", "over", ";" * 14, "place;0"])
def test_other_text_is_no_position(game: Game, text: str) -> None:
    with pytest.raises(ValueError):
        game.from_text(text)


def test_damaged_text_is_refused_or_means_what_it_says(game: Game) -> None:
    rng = random.Random(2)
    for state in spread(game, 1):
        text = state.to_text()
        at = rng.randrange(len(text))
        swapped = rng.choice(text + "0123456789-,;. ")
        for damaged in (text[:at] + swapped + text[at + 1 :], text[:at] + text[at + 1 :], text + swapped):
            try:
                read = game.from_text(damaged)
            except ValueError:
                continue
            assert read.to_text() == damaged


@pytest.mark.parametrize("kind", REGISTERED.values(), ids=list(REGISTERED))
def test_games_say_what_they_are(kind: type[Game]) -> None:
    assert REGISTERED[kind.name] is kind
    assert kind.title
    assert kind.score_order in ("higher", "lower")
    assert kind.rules_version >= 1
    assert 1 < kind.min_seats <= kind.max_seats
    names = {frozenset(options) for options in kind.modes.values()}
    assert len(names) == 1, "each mode is a complete set of options"
    assert make_game(kind.name, kind.min_seats).mode == next(iter(kind.modes))
    for mode, options in kind.modes.items():
        made = make_game(kind.name, kind.min_seats, mode)
        assert json.loads(json.dumps(dict(made.options))) == dict(options)
        assert made.mode == mode


@pytest.mark.parametrize("kind", REGISTERED.values(), ids=list(REGISTERED))
def test_what_does_not_exist_cannot_be_made(kind: type[Game]) -> None:
    seats = kind.min_seats
    option = next(iter(kind.modes[next(iter(kind.modes))]))
    wrong: list[tuple[Any, Any, Any]] = [
        (seats - 1, None, None), (kind.max_seats + 1, None, None), (True, None, None), (2.0, None, None),
        (seats, "no-such-mode", None), (seats, None, {"no_such_option": 1}),
        *((seats, None, {option: value}) for value in ("no such value", 1.5, None, {})),
    ]  # fmt: skip
    for asked in wrong:
        with pytest.raises(OptionError):
            pytest.fail(f"{asked} made a game: {make_game(kind.name, *asked)}")
    with pytest.raises(OptionError):
        make_game("chess", 2)


def test_equal_keys_share_a_rank() -> None:
    assert best_first([3, 1, 3, 2]) == (3, 1, 3, 2)
    assert best_first([(1, 2), (1, 2), (0, 9)]) == (2, 2, 1)
