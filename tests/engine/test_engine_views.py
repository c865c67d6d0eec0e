"""What seats, people and search bots are shown, on every registered game, mode and seat count."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.core import CHANCE, OVER, Event, Game, State
from engine.playout import play_on
from engine.registry import GAMES as REGISTERED
from engine.registry import make_game
from tests.engine.walking import GAMES, IDS, play, spread
from tests.random_games import COLUMNS

LANGUAGES = {"en", "ja"}
OF_EACH_KIND = 2
"""Events of one kind that are held against the schema."""


@pytest.fixture(params=GAMES, ids=IDS)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


def viewers(game: Game) -> tuple[int | None, ...]:
    return (None, *range(game.seats))


def as_sent(value: Any) -> Any:
    """What arrives of a JSON value at the other end."""
    return json.loads(json.dumps(value))


# --- observations and events ---


def test_observations_belong_to_the_caller(game: Game) -> None:
    def spoil(value: Any) -> None:
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            spoil(inner)
        if isinstance(value, dict | list):
            value.clear()

    for state in spread(game, 0):
        before = json.dumps(state.observe(0))
        spoil(state.observe(0))
        assert json.dumps(state.observe(0)) == before
        assert json.dumps(state.clone().observe(0)) == before


def test_an_observation_written_at_once_is_byte_for_byte_the_one_built(game: Game) -> None:
    for number, state in enumerate(spread(game, 1)):
        for viewer in {None, number % game.seats, max(0, state.actor())}:
            written = state.observe_json(viewer)
            assert written == msgspec.json.encode(state.observe(viewer)) == State.observe_json(state, viewer)


def test_an_observation_says_whose_it_is_and_who_decides(game: Game) -> None:
    for state in spread(game, 1):
        for viewer in viewers(game):
            seen = state.observe(viewer)
            assert seen["seat"] == viewer
            assert seen["actor"] == (state.actor() if state.actor() >= 0 else None)
            assert isinstance(seen["phase"], str)


def test_observations_and_events_fit_their_schemas(game: Game) -> None:
    observations = Draft202012Validator(game.observation_schema())
    happenings = Draft202012Validator(game.event_schema())
    for number, state in enumerate(spread(game, 1, many=10)):
        viewer = (
            None if number % 4 == 0 else number % game.seats if number % 4 == 1 else max(0, state.actor())
        )
        observations.validate(as_sent(state.observe(viewer)))
    seen: Counter[str] = Counter()
    for event in play(game, "schema")[2]:
        seen[event.kind] += 1
        if seen[event.kind] <= OF_EACH_KIND:
            for viewer in {None, *event.private}:
                happenings.validate(as_sent(event.seen_by(viewer)))


@pytest.mark.parametrize("name", REGISTERED)
def test_schemas_refuse_what_the_engine_never_builds(name: str) -> None:
    """A schema that lets anything through tells nothing. One serves all modes at a number of seats."""
    modes = [game for game in GAMES if game.name == name and game.seats == game.min_seats]
    assert len({json.dumps([game.observation_schema(), game.event_schema()]) for game in modes}) == 1
    observations = Draft202012Validator(modes[0].observation_schema())
    happenings = Draft202012Validator(modes[0].event_schema())
    for validator in (observations, happenings):
        validator.check_schema(validator.schema)
    starts = [as_sent(game.initial_state().observe(0)) for game in modes]
    seen = starts[0]
    for wrong in ({}, {**seen, "no_such_field": 1}, {**seen, "phase": "no such phase"}, {**seen, "seat": 99}):
        assert not observations.is_valid(wrong), wrong
    for field in set.intersection(*map(set, starts)):
        assert not observations.is_valid({key: seen[key] for key in seen if key != field}), field
    event = as_sent(play(modes[0], "schema")[2][0].seen_by(None))
    for wrong in ({}, {**event, "no_such_field": 1}, {**event, "kind": "no such kind"}):
        assert not happenings.is_valid(wrong), wrong


def test_private_parts_reach_their_seat_alone(game: Game) -> None:
    for event in play(game, "private")[2]:
        assert set(event.private) <= set(range(game.seats))
        for seat in viewers(game):
            extra = {} if seat is None else dict(event.private.get(seat, {}))
            assert event.seen_by(seat) == {"kind": event.kind, **event.public, **extra}


# --- what is hidden ---


def after(game: Game, state: State, action: int) -> tuple[State, list[Event]]:
    child, events = state.clone(), []
    game.play(child, action, events.append)
    return child, events


def told(events: list[Event], viewer: int | None) -> list[dict[str, Any]]:
    return [event.seen_by(viewer) for event in events]


def test_what_no_event_told_nobody_sees(game: Game) -> None:
    """Two moves or outcomes of which a seat heard the same leave it the same view, moves and later events.

    So nothing secret reaches an observation or a list of moves by another way than an event that told it.
    """
    rng = random.Random(17)
    for state in spread(game, 2, many=100):
        legal = state.legal_actions()
        if len(legal) > 1:
            (one, first), (two, second) = (after(game, state, action) for action in rng.sample(legal, 2))
            for viewer in viewers(game):
                if viewer != state.actor() and told(first, viewer) == told(second, viewer):
                    follow(game, (one.clone(), two.clone()), viewer, rng, mover=state.actor())


def follow(
    game: Game, twins: tuple[State, State], viewer: int | None, rng: random.Random, mover: int
) -> None:
    """Play both on alike for a while, as long as `viewer` hears the same of both.

    Views are held against each other when a seat other than `mover` is to decide: an event may tell several
    cards at once, and a choice made of several moves when it is complete.
    """
    one, two = twins
    for _ in range(25):
        if one.actor() == two.actor() and one.actor() not in (CHANCE, mover):
            assert one.observe(viewer) == two.observe(viewer), (one.to_text(), two.to_text())
            if one.actor() == viewer:
                assert two.legal_actions() == one.legal_actions(), (one.to_text(), two.to_text())
        both = sorted({*one.legal_actions()} & {*two.legal_actions()})
        if one.actor() != two.actor() or not both:
            return
        action = rng.choice(both)
        (one, first), (two, second) = after(game, one, action), after(game, two, action)
        if told(first, viewer) != told(second, viewer):
            return


def test_samples_show_the_same_table(game: Game) -> None:
    rng = random.Random(6)
    for state in spread(game, 0, many=20):
        for seat in range(game.seats):
            sampled = game.sample(as_sent(state.observe(seat)), seat, rng)
            assert sampled.observe(seat) == state.observe(seat)
            assert sampled.actor() == state.actor()
            if state.actor() == seat:
                assert sampled.legal_actions() == state.legal_actions()
            assert game.from_text(sampled.to_text()).to_text() == sampled.to_text()


def test_a_sampled_match_can_be_played_to_its_end(game: Game) -> None:
    rng = random.Random(12)
    for number, state in enumerate(spread(game, 1, many=10)):
        seat = number % game.seats
        sampled = game.sample(as_sent(state.observe(seat)), seat, rng)
        while sampled.actor() != OVER:
            if sampled.actor() != CHANCE:
                break
            legal = sampled.legal_actions()
            assert sampled.draw_chance(rng) in legal
            sampled.apply(rng.choice(legal))
        play_on(sampled, rng)
        assert len(sampled.ranks()) == game.seats


# --- for people ---


KEY = re.compile(r"[a-z][a-z0-9_]+")
PROGRAMS_OWN = {"kind", "phase"}
"""Fields whose values steer programs; people are shown sentences for them."""


def keys_in(value: Any) -> Iterator[str]:
    """Words in JSON that people must be told by a name: "witchs_brews", but not "B", "H1" or a number."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in PROGRAMS_OWN:
                yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)
    elif isinstance(value, str) and KEY.fullmatch(value):
        yield value


def keys_allowed_by(schema: Any) -> Iterator[str]:
    """Words that a schema lists: of an enum, a const, or names of properties that are not fixed."""
    if isinstance(schema, dict):
        for name, inner in schema.items():
            if name in ("enum", "const"):
                yield from keys_in(inner)
            elif name == "properties":
                own = {key: kept for key, kept in inner.items() if key not in PROGRAMS_OWN}
                yield from keys_allowed_by(list(own.values()))
            else:
                yield from keys_allowed_by(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from keys_allowed_by(inner)


@pytest.mark.parametrize("kind", REGISTERED.values(), ids=list(REGISTERED))
def test_every_part_has_a_name_in_each_language(kind: type[Game]) -> None:
    wanted: set[str] = set()
    for made in (game for game in GAMES if game.name == kind.name):
        moves = [made.actions.decode(action) for action in range(len(made.actions))]
        wanted |= {key for move in moves for name in move if name != "type" for key in keys_in(move[name])}
        for schema in (made.observation_schema(), made.event_schema()):
            wanted |= set(keys_allowed_by(schema))
        wanted |= {key for event in play(made, "names")[2] for key in keys_in(event.seen_by(None))}
        wanted |= {key for state in spread(made, 1, many=10) for key in keys_in(state.observe(0))}
    assert wanted - set(kind.names) == set()
    for key, names in kind.names.items():
        assert set(names) == LANGUAGES, key
        assert all(name.strip() == name and name for name in names.values()), key
        assert not names["ja"].isascii(), f"{key}: {names['ja']!r} is not Japanese"
        assert "_" not in names["en"], key


def test_the_board_can_be_drawn_for_every_seat_from_its_observation_alone(game: Game) -> None:
    """By another object of the game, which never saw the match: nothing but the observation can be in it."""
    stranger = make_game(game.name, game.seats, game.mode)
    texts = set()
    for number, state in enumerate(spread(game, 0, many=20)):
        for viewer in {None, number % game.seats, max(0, state.actor())}:
            seen = as_sent(state.observe(viewer))
            text = stranger.board_text(seen)
            assert seen == state.observe(viewer), "drawing changed the observation"
            assert max(map(len, text.splitlines())) <= COLUMNS, text
            assert all(character.isprintable() or character == "\n" for character in text), text
            texts.add((viewer, text))
    assert len(texts) > 20, "hardly anything of the match is in the text"


def test_a_person_can_tell_moves_apart(game: Game) -> None:
    for seed in (0, 1):
        for state in spread(game, seed):
            if state.actor() >= 0:
                moves = [game.actions.decode(action) for action in state.legal_actions()]
                words = [game.move_text(move) for move in moves]
                assert len({*words}) == len(words), words
                for text in words:
                    assert text.strip() == text
                    assert text.isprintable()
                    assert 0 < len(text) <= COLUMNS
                    assert "_" not in text


def test_further_figures_are_json(game: Game) -> None:
    state = play(game, "figures")[0]
    figures = state.figures()
    assert as_sent(figures) == figures
    assert all(KEY.fullmatch(name) for name in figures)
    if game.cooperative:
        assert figures, "a team has nothing but won or lost to compare its matches by"
        assert set(state.scores()) <= {0.0, 1.0}
