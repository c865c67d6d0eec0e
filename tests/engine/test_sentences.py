"""Every event of every game is told in a sentence, to everybody who may see it."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from engine.core import CHANCE, OVER, Event
from engine.registry import GAMES, make_game

CASES = [(name, mode) for name, game in GAMES.items() for mode in game.modes]


def kinds(schema: Any) -> set[str]:
    """Each `kind` that an event schema allows."""
    if isinstance(schema, dict):
        kind = schema.get("properties", {}).get("kind", {}).get("const")
        return {kind} if kind else set().union(*map(kinds, schema.values()))
    return set().union(*map(kinds, schema)) if isinstance(schema, list) else set()


def events_of(name: str, mode: str, seats: int, seed: int) -> list[Event]:
    game, rng = make_game(name, seats, mode), random.Random(seed)
    state, events = game.initial_state(), []
    while (actor := state.actor()) != OVER:
        action = state.draw_chance(rng) if actor == CHANCE else rng.choice(state.legal_actions())
        state.apply(action, events.append)
    return events


@pytest.mark.parametrize("name", GAMES)
def test_there_is_a_sentence_for_each_kind_of_event_and_no_other(name: str) -> None:
    game = make_game(name, GAMES[name].min_seats)
    assert set(game.sentences) == kinds(game.event_schema())


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_sentences_name_seats_and_hold_no_raw_values(name: str, mode: str) -> None:
    game = GAMES[name]
    for seats in (game.min_seats, game.max_seats):
        names = [f"<P{seat + 1}>" for seat in range(seats)]
        for event in events_of(name, mode, seats, seed=seats):
            for viewer in (None, *range(seats)):
                seen = event.seen_by(viewer)
                parts = game.event_parts(seen)
                assert all(
                    isinstance(part, str) or (type(part) is int and 0 <= part < seats) for part in parts
                )
                text = game.event_text(seen, names)
                assert 3 < len(text) < 2000
                assert not re.search(r"[{}\[\]_]|None|True|False", text), text
                if isinstance(seen.get("seat"), int):
                    assert names[seen["seat"]] in text, text


def test_what_only_one_seat_may_know_is_told_to_it_alone() -> None:
    event = Event("peek", {"seat": 1, "room": "attic", "slot": 2}, {1: {"card": {"type": "cat", "curse": 3}}})
    game = GAMES["dont-go-in-there"]
    assert "Cat 3" in game.event_text(event.seen_by(1), ["A", "B"])
    assert "Cat" not in game.event_text(event.seen_by(0), ["A", "B"])


def test_an_event_without_words_is_told_by_its_fields() -> None:
    game = GAMES["dont-go-in-there"]
    event = {"kind": "odd_noise", "seat": 1, "room": "attic", "number_of": 3, "types": ["cat", "ring"]}
    assert game.event_text(event, ["A", "B"]) == "B: odd noise room Attic, number of 3, types Cat, Ring"
