"""Speed of the rules: random playouts, views and copies, beside OpenSpiel and rlcard driven from Python."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from engine.core import CHANCE, OVER, Game, State
from engine.playout import random_playout
from engine.registry import GAMES, make_game
from tests.bench.figure import Figure, cpu_rate, median_of

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / "var" / "bench-venv" / "bin" / "python"
SEATS = 4
REPEATS = 5
SECONDS = 1.0
HANABI = "OpenSpiel hanabi 4"
PER_SECOND = "decisions / CPU s"
PLAYOUT_PEERS = (
    "openspiel-hearts",
    "openspiel-python-kuhn-poker",
    "openspiel-python-tic-tac-toe",
    "rlcard-leduc-holdem",
    "rlcard-limit-holdem",
    "rlcard-uno",
)


def moves(name: str) -> Iterator[Figure]:
    """Random playouts, rules only: the default mode beside the peers, then the other modes."""
    ours, theirs = in_turns(partial(playouts_per_s, made(name)), "openspiel-hanabi-4")
    hanabi = {"unit": PER_SECOND, "better": "higher", "peer": HANABI, "peer_value": theirs}
    key = f"engine.moves_per_s.{name}"
    yield Figure(key=key, value=ours, aim=200_000, ratio_aim=1.5, **hanabi)
    for peer in PLAYOUT_PEERS:
        yield beside(peer, key, ours)
    for mode in list(GAMES[name].modes)[1:]:
        game = made(name, mode)
        yield Figure(key=f"{key}.{mode}", value=median_of(3, partial(playouts_per_s, game)), **hanabi)


def observed(name: str) -> Iterator[Figure]:
    """Random playouts in which each seat is given its observation, written as JSON, before it decides."""
    peer = "openspiel-hanabi-4-string"
    ours, theirs = in_turns(partial(observed_per_s, made(name)), peer)
    key = f"engine.observed_moves_per_s.{name}"
    yield Figure(
        key=key,
        value=ours,
        unit=PER_SECOND,
        better="higher",
        peer=f"{HANABI}, as text",
        peer_value=theirs,
        aim=40_000,
    )
    for other in ("openspiel-hanabi-4-tensor", "rlcard-limit-holdem"):
        yield beside(other, key, ours)


def copies(name: str) -> Iterator[Figure]:
    """A copy of a position in the middle of a match."""
    yield Figure(
        key=f"engine.clone_us.{name}",
        value=median_of(REPEATS, partial(clone_us, made(name))),
        unit="CPU us",
        better="lower",
        peer=HANABI,
        peer_value=1e6 / rate_once("openspiel-hanabi-4-clone"),
        aim=2.0,
    )


KINDS: dict[str, Callable[[str], Iterator[Figure]]] = {
    "moves_per_s": moves,
    "observed_moves_per_s": observed,
    "clone_us": copies,
}


def made(name: str, mode: str | None = None) -> Game:
    """With four seats, or as many as the game takes."""
    return make_game(name, min(SEATS, GAMES[name].max_seats), mode)


def in_turns(measure: Callable[[], float], peer: str) -> tuple[float, float]:
    """Medians of ours and a peer's. A peer's turn follows each of ours: both see the same noise."""
    pairs = [(measure(), peer_rate(peer)) for _ in range(REPEATS)]
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours), statistics.median(theirs)


def beside(peer: str, key: str, value: float) -> Figure:
    """The same figure of ours with another peer."""
    return Figure(
        key=f"{key}.beside.{peer}",
        value=value,
        unit=PER_SECOND,
        better="higher",
        peer=peer,
        peer_value=rate_once(peer),
    )


def playouts_per_s(game: Game) -> float:
    """Decisions of seats a second; chance steps are taken and not counted."""
    rng = random.Random(1)
    return cpu_rate(lambda: random_playout(game, rng)[0], SECONDS)


def observed_per_s(game: Game) -> float:
    """The same with `observe_json` of the seat that is to decide."""
    rng = random.Random(1)
    return cpu_rate(lambda: observed_playout(game, rng), SECONDS)


def observed_playout(game: Game, rng: random.Random) -> int:
    state = game.initial_state()
    decisions = 0
    while (seat := state.actor()) != OVER:
        if seat == CHANCE:
            state.apply(state.draw_chance(rng))
        else:
            state.observe_json(seat)
            legal = state.legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])
            decisions += 1
    return decisions


def clone_us(game: Game) -> float:
    """One copy of a position in the middle of a match."""
    state = middle_of(game)

    def copy() -> int:
        for _ in range(1000):
            state.clone()
        return 1000

    return 1e6 / cpu_rate(copy, SECONDS / 2)


def middle_of(game: Game) -> State:
    """The position before the 24th decision of a random match."""
    rng = random.Random(1)
    state = game.initial_state()
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


rate_once = cache(peer_rate)
"""The same, measured once in a run: for peers that stand beside several of our figures."""
