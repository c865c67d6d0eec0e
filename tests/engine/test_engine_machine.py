"""A state machine over apply, clone, the text form and samples: whatever the order, they agree.

`HYPOTHESIS_EXAMPLES=2000 .venv/bin/python -m pytest tests/engine/test_engine_machine.py` searches deeper.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from engine.core import CHANCE, OVER, Game, State
from engine.registry import GAMES as REGISTERED
from tests.engine.walking import GAMES

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "12"))
HELD = 10


class Positions(RuleBasedStateMachine):
    """Holds several states of one match, each beside the text that it must still have."""

    states = Bundle("states")

    def __init__(self, name: str) -> None:
        super().__init__()
        self.cases = [game for game in GAMES if game.name == name]
        self.texts: dict[int, tuple[State, str]] = {}

    @initialize(target=states, number=st.integers(0, 10_000))
    def start(self, number: int) -> State:
        self.game: Game = self.cases[number % len(self.cases)]
        return self._hold(self.game.initial_state())

    def _hold(self, state: State) -> State:
        self.texts[id(state)] = (state, state.to_text())
        return state

    def _held(self, state: State) -> object:
        return self._hold(state) if len(self.texts) < HELD else multiple()

    @rule(state=states, choices=st.lists(st.integers(0, 10_000), min_size=1, max_size=25))
    def apply(self, state: State, choices: list[int]) -> None:
        for choice in choices:
            legal = state.legal_actions()
            if not legal:
                assert state.actor() == OVER
                break
            before = state.to_text()
            child = state.child(legal[choice % len(legal)])
            assert state.to_text() == before
            self.game.play(state, legal[choice % len(legal)])
            assert state.to_text() == child.to_text()
        self._hold(state)

    @rule(state=states, seed=st.integers(0, 10_000), plies=st.integers(1, 400))
    def play_on(self, state: State, seed: int, plies: int) -> None:
        """Far into a match, where `apply` alone would hardly come."""
        rng = random.Random(seed)
        for _ in range(plies):
            if state.actor() == OVER:
                break
            chance = state.actor() == CHANCE
            state.apply(state.draw_chance(rng) if chance else rng.choice(state.legal_actions()))
        self._hold(state)

    @rule(target=states, state=states)
    def clone(self, state: State) -> object:
        return self._held(state.clone())

    @rule(target=states, state=states)
    def round_trip(self, state: State) -> object:
        return self._held(self.game.from_text(state.to_text()))

    @rule(target=states, state=states, seat=st.integers(0, 9), seed=st.integers(0, 10_000))
    def sample(self, state: State, seat: int, seed: int) -> object:
        seat %= self.game.seats
        sampled = self.game.sample(state.observe(seat), seat, random.Random(seed))
        assert sampled.observe(seat) == state.observe(seat)
        return self._held(sampled)

    @invariant()
    def nobody_else_moved(self) -> None:
        for state, text in self.texts.values():
            assert state.to_text() == text


@pytest.mark.parametrize("name", REGISTERED)
def test_whatever_the_order_all_agree(name: str) -> None:
    run_state_machine_as_test(
        lambda: Positions(name),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
