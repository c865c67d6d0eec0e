"""One contract, run on every registered game and seat count."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.chance import Dealer
from engine.core import CHANCE, OVER, Game, State, best_first
from engine.errors import IllegalMoveError, InvalidMoveError, OptionError
from engine.playout import play_on, random_playout
from engine.registry import GAMES as REGISTERED
from engine.registry import make_game
from tests.engine.walking import GAMES, IDS, play, walk


@pytest.fixture(params=GAMES, ids=IDS)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


@pytest.mark.parametrize("seed", range(4))
def test_every_position_keeps_the_contract(game: Game, seed: int) -> None:
    for state in walk(game, seed):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert bool(legal) == (state.actor() != OVER)
        assert state.actor() in (CHANCE, OVER, *range(game.seats))
        text = state.to_text()
        assert "\n" not in text
        again = game.from_text(text)
        assert (again.to_text(), again.legal_actions(), again.actor()) == (text, legal, state.actor())
        if state.actor() == CHANCE:
            weights = state.chance_weights()
            assert len(weights) == len(legal)
            assert all(type(weight) is int and weight > 0 for weight in weights)
            assert state.chance_stream()
        elif state.actor() != OVER:
            assert all(
                game.actions.encode(json.loads(json.dumps(game.actions.decode(a)))) == a for a in legal
            )
            assert game.default_move(state) in legal
            assert game.default_move(again) == game.default_move(state)


def test_a_clone_is_another_state(game: Game) -> None:
    rng = random.Random(7)
    for state in walk(game, 11):
        text = state.to_text()
        copy = state.clone()
        assert copy.to_text() == text
        for _ in range(6):
            if copy.actor() == OVER:
                break
            copy.apply(rng.choice(copy.legal_actions()))
        assert state.to_text() == text
        if state.actor() != OVER:
            assert state.child(state.legal_actions()[0]).to_text() != text
            assert state.to_text() == text


def test_legal_lists_belong_to_the_caller(game: Game) -> None:
    for state in walk(game, 3):
        first = state.legal_actions()
        state.legal_actions().clear()
        if state.actor() == CHANCE:
            state.chance_weights().clear()
            assert len(state.chance_weights()) == len(first)
        assert state.legal_actions() == first


def test_observations_belong_to_the_caller(game: Game) -> None:
    def spoil(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                spoil(inner)
            value.clear()
        elif isinstance(value, list):
            for inner in value:
                spoil(inner)
            value.clear()

    for state in walk(game, 5):
        before = json.dumps(state.observe(0))
        spoil(state.observe(0))
        assert json.dumps(state.observe(0)) == before


@pytest.mark.parametrize("seed", range(3))
def test_an_observation_written_at_once_is_byte_for_byte_the_one_built(game: Game, seed: int) -> None:
    for state in walk(game, seed):
        for viewer in (None, *range(game.seats)):
            written = state.observe_json(viewer)
            assert written == msgspec.json.encode(state.observe(viewer)) == State.observe_json(state, viewer)


def test_every_move_has_one_id(game: Game) -> None:
    moves = {json.dumps(game.actions.decode(action), sort_keys=True) for action in range(len(game.actions))}
    assert len(moves) == len(game.actions)


JUNK = [
    {}, None, 7, "keep", [], {"type": "keep", "x": 1}, {"type": "place", "room": "attic", "space": 1.0},
    {"type": "x"}, {"type": "place"}, {"type": "place", "room": "attic", "space": True},
    {"type": "place", "room": "attic", "space": 99}, {"type": "pick", "slot": "1"}, {"type": None},
    {"type": []}, {"type": {}}, [["type", "keep"]],
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_moves_are_invalid(game: Game, junk: object) -> None:
    with pytest.raises(InvalidMoveError):
        game.actions.encode(junk)


@pytest.mark.parametrize("action", [-1, 10**6, True, 1.0, None, "1"])
def test_the_checked_door_refuses_and_leaves_the_state(game: Game, action: Any) -> None:
    for state in walk(game, 1):
        if state.actor() == OVER:
            break
        text = state.to_text()
        with pytest.raises(IllegalMoveError):
            game.play(state, action)
        assert state.to_text() == text


def test_the_same_seed_gives_the_same_match(game: Game) -> None:
    first, second, other = play(game, "one"), play(game, "one"), play(game, "two")
    assert first[0].to_text() == second[0].to_text()
    assert first[1:] == second[1:]
    assert first[1] != other[1]


def test_listening_changes_nothing(game: Game) -> None:
    state, actions, _ = play(game, "listen")
    silent = game.initial_state()
    for action in actions:
        silent.apply(action)
    assert silent.to_text() == state.to_text()


def test_observations_and_events_fit_their_schemas(game: Game) -> None:
    observations = Draft202012Validator(game.observation_schema())
    happenings = Draft202012Validator(game.event_schema())
    for schema in (game.observation_schema(), game.event_schema()):
        Draft202012Validator.check_schema(schema)
    viewers = (None, *range(game.seats))
    for number, state in enumerate(walk(game, 2)):
        for viewer in viewers:
            if number % game.seats == (viewer or 0):  # each viewer's turn comes: a match is long
                observations.validate(json.loads(json.dumps(state.observe(viewer))))
    for event in play(game, "schema")[2]:
        for viewer in {None, *event.private}:
            happenings.validate(json.loads(json.dumps(event.seen_by(viewer))))


def test_private_parts_reach_their_seat_alone(game: Game) -> None:
    for event in play(game, "private")[2]:
        for seat in (None, *range(game.seats)):
            extra = {} if seat is None else dict(event.private.get(seat, {}))
            assert event.seen_by(seat) == {"kind": event.kind, **event.public, **extra}


def test_random_matches_end(game: Game) -> None:
    rng = random.Random(3)
    for _ in range(200):
        state = game.initial_state()
        play_on(state, rng)
        scores, ranks = state.scores(), state.ranks()
        assert len(scores) == len(ranks) == game.seats
        assert all(type(score) is float for score in scores)
        assert min(ranks) == 1
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


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


def test_fast_chance_follows_the_weights(game: Game) -> None:
    """At one node of each stream, draw_chance hits each outcome as often as its weight says."""
    rng = random.Random(8)
    seen: dict[str, State] = {}
    for state in walk(game, 4):
        if state.actor() == CHANCE:
            seen.setdefault(state.chance_stream(), state.clone())
    assert seen
    for state in seen.values():
        legal, weights = state.legal_actions(), state.chance_weights()
        trials = 4000
        hits = Counter(state.draw_chance(rng) for _ in range(trials))
        assert set(hits) <= set(legal)
        expected = [trials * weight / sum(weights) for weight in weights]
        chi = sum((hits[a] - e) ** 2 / e for a, e in zip(legal, expected, strict=True))
        freedom = max(1, len(legal) - 1)
        assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_samples_show_the_same_table(game: Game) -> None:
    rng = random.Random(6)
    for state in walk(game, 9):
        for seat in range(game.seats):
            seen = json.loads(json.dumps(state.observe(seat)))
            sampled = game.sample(seen, seat, rng)
            assert sampled.observe(seat) == state.observe(seat)
            assert sampled.actor() == state.actor()
            if state.actor() == seat:
                assert sampled.legal_actions() == state.legal_actions()


def test_a_sampled_match_can_be_played_to_its_end(game: Game) -> None:
    rng = random.Random(12)
    for number, state in enumerate(walk(game, 13)):
        if number % 9 == 0:
            sampled = game.sample(state.observe(0), 0, rng)
            play_on(sampled, rng)
            assert sampled.actor() == OVER


@pytest.mark.parametrize("text", ["", "x", "over", ";" * 14, "place;0"])
def test_other_text_is_no_position(game: Game, text: str) -> None:
    with pytest.raises(ValueError):
        game.from_text(text)


def test_damaged_text_is_refused_or_means_what_it_says(game: Game) -> None:
    rng = random.Random(2)
    for number, state in enumerate(walk(game, 21)):
        if number % 5:
            continue
        text = state.to_text()
        at = rng.randrange(len(text))
        damaged = text[:at] + rng.choice("0123456789-,;.") + text[at + 1 :]
        try:
            read = game.from_text(damaged)
        except ValueError:
            continue
        assert read.to_text() == damaged


def test_games_say_what_they_are() -> None:
    for name, kind in REGISTERED.items():
        assert kind.name == name
        assert kind.score_order in ("higher", "lower")
        assert kind.rules_version >= 1
        for mode, options in kind.modes.items():
            made = make_game(name, kind.min_seats, mode)
            assert dict(made.options) == dict(options)
            assert made.mode == mode
        assert make_game(name, kind.min_seats).mode == next(iter(kind.modes))


@pytest.mark.parametrize(
    ("name", "seats", "mode", "options"),
    [
        ("chess", 2, None, None),
        ("dont-go-in-there", 1, None, None),
        ("dont-go-in-there", 6, None, None),
        ("dont-go-in-there", True, None, None),
        ("dont-go-in-there", 2, "no-such-mode", None),
        ("dont-go-in-there", 2, None, {"no_such_option": 1}),
    ],
)
def test_what_does_not_exist_cannot_be_made(name: str, seats: int, mode: Any, options: Any) -> None:
    with pytest.raises(OptionError):
        make_game(name, seats, mode, options)


def test_equal_keys_share_a_rank() -> None:
    assert best_first([3, 1, 3, 2]) == (3, 1, 3, 2)
    assert best_first([(1, 2), (1, 2), (0, 9)]) == (2, 2, 1)


def test_the_dealer_counts_each_stream_on_its_own(game: Game) -> None:
    """The k-th card is the same however the seats play, as long as the deck is asked k times."""
    cards = []
    for chooser in range(2):
        rng, dealer = random.Random(chooser), Dealer("bundle")
        state, drawn = game.initial_state(), []
        while state.actor() != OVER:
            if state.actor() == CHANCE:
                action = dealer.choose(state)
                if state.chance_stream() == "deck":
                    drawn.append(action)
            else:
                action = rng.choice(state.legal_actions())
            state.apply(action)
        cards.append(drawn)
    assert cards[0] == cards[1]
