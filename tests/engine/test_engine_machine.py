"""A state machine over apply, clone and the text form: whatever the order, they agree."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from engine.core import OVER, State
from tests.engine.walking import GAMES


class Positions(RuleBasedStateMachine):
    """Holds several states of one game, each beside the text that it must still have."""

    states = Bundle("states")

    @initialize(target=states, game=st.sampled_from(GAMES))
    def start(self, game):
        self.game = game
        self.texts: dict[int, tuple[State, str]] = {}
        return self._hold(game.initial_state())

    def _hold(self, state):
        self.texts[id(state)] = (state, state.to_text())
        return state

    @rule(state=states, choices=st.lists(st.integers(0, 10_000), min_size=1, max_size=25))
    def apply(self, state, choices):
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

    @rule(target=states, state=states)
    def clone(self, state):
        return self._hold(state.clone()) if len(self.texts) < 12 else multiple()

    @rule(target=states, state=states)
    def round_trip(self, state):
        return self._hold(self.game.from_text(state.to_text())) if len(self.texts) < 12 else multiple()

    @invariant()
    def nobody_else_moved(self):
        for state, text in getattr(self, "texts", {}).values():
            assert state.to_text() == text


Positions.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestPositions = Positions.TestCase
