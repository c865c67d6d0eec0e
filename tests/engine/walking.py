"""Matches and positions for the engine's tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from engine.chance import Dealer
from engine.core import CHANCE, OVER, Event, Game, State
from engine.golden import cases
from engine.record import Fault, Record, RecordSeat, build_record
from engine.registry import make_game

CASES = list(cases())
GAMES = [make_game(name, seats, mode) for name, mode, seats in CASES]
IDS = [f"{name}.{mode}.{seats}" for name, mode, seats in CASES]
CLOCK = {"bank_ms": 2000, "increment_ms": 20}


def walk(game: Game, seed: int, whim: float = 0.0) -> Iterator[State]:
    """Every position of one random match; the same state object each time.

    `whim` is how often a stream of chance gives its first outcome, or its last, whichever it likes: so
    matches come where they hardly ever come.
    """
    rng = random.Random(seed)
    likes: dict[str, int] = {}
    state = game.initial_state()
    yield state
    while (actor := state.actor()) != OVER:
        if actor != CHANCE:
            state.apply(rng.choice(state.legal_actions()))
        elif whim and rng.random() < whim:
            liked = likes.setdefault(state.chance_stream(), rng.choice((0, -1)))
            state.apply(state.legal_actions()[liked])
        else:
            state.apply(state.draw_chance(rng))
        yield state


def spread(game: Game, seed: int, many: int = 40) -> list[State]:
    """About `many` positions of two matches, one of them whimsical, and one of each kind not among them.

    Evenly spread: what a test costs does not grow with the length of a match. The states are the caller's.
    """
    return [state.clone() for state in _spread(game, seed, many)]


@cache
def _spread(game: Game, seed: int, many: int) -> list[State]:
    lines = [[state.clone() for state in walk(game, seed, whim)] for whim in (0.0, 0.6)]
    chosen = [state for line in lines for state in (*line[: -1 : max(1, 2 * len(line) // many)], line[-1])]
    kinds = {kind_of(game, state) for state in chosen}
    for state in (*lines[0], *lines[1]):
        if (kind := kind_of(game, state)) not in kinds:
            kinds.add(kind)
            chosen.append(state)
    return chosen


def kind_of(game: Game, state: State) -> object:
    """What is asked here: the stream of a chance step, else the types of moves there are."""
    if state.actor() == CHANCE:
        return state.chance_stream()
    return frozenset(game.actions.decode(action)["type"] for action in state.legal_actions())


def play(game: Game, seed: str) -> tuple[State, list[int], list[Event]]:
    """A match on a seed with random seats: final state, actions, events."""
    rng = random.Random(seed)
    dealer = Dealer(seed)
    state = game.initial_state()
    actions: list[int] = []
    events: list[Event] = []
    while (actor := state.actor()) != OVER:
        action = dealer.choose(state) if actor == CHANCE else rng.choice(state.legal_actions())
        game.play(state, action, events.append)
        actions.append(action)
    return state, actions, events


def play_with_faults(game: Game, seed: str, faults: Sequence[Fault], chooser: str = "") -> Record:
    """A record of a match in which these faults happened: default moves stand where they must."""
    from engine.record import lost_at

    rng = random.Random(seed + chooser)
    dealer = Dealer(seed)
    state = game.initial_state()
    actions: list[int] = []
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        else:
            lost = lost_at(faults, actor)
            at_fault = any((fault.seat, fault.ply) == (actor, len(actions)) for fault in faults)
            default = at_fault or (lost is not None and lost <= len(actions))
            action = game.default_move(state) if default else rng.choice(state.legal_actions())
        game.play(state, action)
        actions.append(action)
    return build_record(
        game, seats=seats_of(game), clock=CLOCK, seed=seed, actions=actions, faults=faults, state=state
    )


def seats_of(game: Game) -> list[RecordSeat]:
    return [RecordSeat(f"{seat:064x}", f"bot {seat}") for seat in range(game.seats)]


def record_of(game: Game, seed: str) -> Record:
    return play_with_faults(game, seed, [])


def decisions(record: Record, game: Game, seat: int) -> list[int]:
    """Plies at which a seat decided."""
    state = game.initial_state()
    plies = []
    for ply, action in enumerate(record.actions):
        if state.actor() == seat:
            plies.append(ply)
        state.apply(action)
    return plies


def leaves(state: State, depth: int) -> int:
    """Sequences of `depth` actions, chance outcomes counted like moves."""
    legal = state.legal_actions()
    if depth == 1 or not legal:
        return len(legal)
    return sum(leaves(state.child(action), depth - 1) for action in legal)


def trees(game: Game, seed: str, plies: Sequence[int]) -> tuple[int, ...]:
    """Leaves at depth 3 from the positions at some plies of the random match on a seed."""
    state, found = game.initial_state(), []
    for ply, action in enumerate(record_of(game, seed).actions):
        if ply in plies:
            found.append(leaves(state, 3))
        state.apply(action)
    return tuple(found)
