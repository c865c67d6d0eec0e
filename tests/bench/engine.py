"""Speed of the rules: random playouts and copies, beside OpenSpiel and rlcard driven from Python."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

from engine.core import CHANCE, OVER, State
from engine.playout import random_playout
from engine.registry import GAMES, make_game
from tests.bench.figure import Figure, cpu_rate

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / "var" / "bench-venv" / "bin" / "python"
SEATS = 4
REPEATS = 5
SECONDS = 1.0
PLAYOUT_PEERS = (
    "openspiel-hanabi-4",
    "openspiel-hearts",
    "rlcard-leduc-holdem",
    "rlcard-limit-holdem",
    "rlcard-uno",
)


def figures(game: str) -> Iterator[Figure]:
    """Playouts and copies of one game. A peer's turn follows each of ours: both see the same noise."""
    ours, theirs = [], []
    for number in range(REPEATS):
        ours.append(playouts_per_s(game, random.Random(number)))
        theirs.append(peer_rate("openspiel-hanabi-4"))
    moves = statistics.median(ours)
    yield Figure(
        key=f"engine.moves_per_s.{game}",
        value=moves,
        unit="decisions / CPU s",
        better="higher",
        peer="OpenSpiel hanabi, 4 players",
        peer_value=statistics.median(theirs),
        aim=200_000,
    )
    for peer in PLAYOUT_PEERS[1:]:
        yield Figure(
            key=f"engine.moves_per_s.{game}.beside.{peer}",
            value=moves,
            unit="decisions / CPU s",
            better="higher",
            peer=peer,
            peer_value=peer_rate(peer),
        )
    yield Figure(
        key=f"engine.clone_us.{game}",
        value=statistics.median(clone_us(game) for _ in range(REPEATS)),
        unit="CPU us",
        better="lower",
        peer="OpenSpiel hanabi, 4 players",
        peer_value=1e6 / peer_rate("openspiel-hanabi-4-clone"),
        aim=2.0,
    )


def playouts_per_s(name: str, rng: random.Random) -> float:
    """Decisions of seats a second; chance steps are taken and not counted."""
    game = make_game(name, _seats(name))
    return cpu_rate(lambda: random_playout(game, rng)[0], SECONDS)


def clone_us(name: str) -> float:
    """One copy of a position in the middle of a match."""
    state = middle_of(name)

    def copy() -> int:
        for _ in range(1000):
            state.clone()
        return 1000

    return 1e6 / cpu_rate(copy, SECONDS / 2)


def middle_of(name: str) -> State:
    """The position before the 24th decision of a random match."""
    rng = random.Random(1)
    state = make_game(name, _seats(name)).initial_state()
    decisions = 0
    while decisions < 24 and state.actor() != OVER:
        if state.actor() == CHANCE:
            state.apply(state.draw_chance(rng))
        else:
            state.apply(rng.choice(list(state.legal_actions())))
            decisions += 1
    return state


def peer_rate(name: str) -> float:
    """A figure of a peer, measured now in an interpreter of its own."""
    done = subprocess.run(
        [PYTHON, Path(__file__).with_name("peers.py"), name, str(SECONDS)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout.splitlines()[-1])["rate"])


def _seats(name: str) -> int:
    return min(SEATS, GAMES[name].max_seats)
