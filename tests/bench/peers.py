"""The peers, in an interpreter of their own: `python peers.py NAME SECONDS` prints a figure as JSON.

It imports nothing of ours, for it runs in the virtual environment that `make bench` makes for the peers.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any


def rate(step: Callable[[], int], seconds: float) -> float:
    """What `step` counts, per second of CPU time."""
    began = time.process_time()
    done = 0
    while (spent := time.process_time() - began) < seconds:
        done += step()
    return done / spent


def spiel_playout(name: str, observe: str | None = None) -> Callable[[], int]:
    """A random playout of an OpenSpiel game; counts the decisions of players.

    `observe` is the method of a state, if any, that is asked for the player's view before each decision.
    """
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    if name.startswith("python_"):
        import open_spiel.python.games  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    game = pyspiel.load_game(name)
    rng = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        view = getattr(state, observe) if observe else None
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                if view is not None:
                    view(state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def spiel_clone(name: str) -> Callable[[], int]:
    """A copy of a position in the middle of an OpenSpiel game."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    state = pyspiel.load_game(name).new_initial_state()
    rng = random.Random(1)
    decisions = 0
    while decisions < 8:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1

    def copy() -> int:
        for _ in range(1000):
            state.clone()
        return 1000

    return copy


def rlcard_playout(name: str) -> Callable[[], int]:
    """A random playout of an rlcard environment, which builds a view at each step; counts decisions."""
    import rlcard  # type: ignore[import-not-found, unused-ignore]

    env = rlcard.make(name, config={"seed": 1})
    rng = random.Random(1)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


HANABI = "hanabi(players=4)"
PEERS: dict[str, Callable[[], Callable[[], int]]] = {
    "openspiel-hanabi-4": lambda: spiel_playout(HANABI),
    "openspiel-hanabi-4-clone": lambda: spiel_clone(HANABI),
    "openspiel-hanabi-4-string": lambda: spiel_playout(HANABI, "observation_string"),
    "openspiel-hanabi-4-tensor": lambda: spiel_playout(HANABI, "observation_tensor"),
    "openspiel-hearts": lambda: spiel_playout("hearts"),
    "openspiel-python-kuhn-poker": lambda: spiel_playout("python_kuhn_poker"),
    "openspiel-python-tic-tac-toe": lambda: spiel_playout("python_tic_tac_toe"),
    "rlcard-leduc-holdem": lambda: rlcard_playout("leduc-holdem"),
    "rlcard-limit-holdem": lambda: rlcard_playout("limit-holdem"),
    "rlcard-uno": lambda: rlcard_playout("uno"),
}


def main(arguments: list[str]) -> dict[str, Any]:
    name, seconds = arguments
    return {"name": name, "rate": rate(PEERS[name](), float(seconds))}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
