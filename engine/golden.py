"""Golden playthroughs: a match of each game, mode and seat count, written out so that review reads the diff.

`python -m engine.golden [GAME ...]` rewrites them; the suite compares. A line a ply: who acted, what they
could do, what they did, what everyone saw; every few plies the whole truth and each seat's observation.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.chance import Dealer
from engine.core import CHANCE, OVER, Event, Game, State
from engine.record import canonical
from engine.registry import GAMES, make_game

_ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = _ROOT / "tests" / "engine" / "golden"
SCHEMAS: Final = _ROOT / "docs" / "schemas"
SEED: Final = "golden"
TRUTH_EVERY: Final = 4
VIEWS_EVERY: Final = 64
"""Plies from one whole text, and from one set of observations, to the next: they are long."""


def cases() -> Iterator[tuple[str, str, int]]:
    """Game, mode and seat count of every playthrough that must exist."""
    for name, game in GAMES.items():
        for mode in game.modes:
            for seats in range(game.min_seats, game.max_seats + 1):
                yield name, mode, seats


def path_of(name: str, mode: str, seats: int) -> Path:
    return FOLDER / f"{name}.{mode}.{seats}.txt"


def schemas() -> dict[Path, str]:
    """The schemas of observations and events of each game and seat count, by the file they stand in."""
    files = {}
    for name, mode, seats in cases():
        game = make_game(name, seats, mode)
        for what, schema in (("observation", game.observation_schema()), ("event", game.event_schema())):
            files[SCHEMAS / f"{name}.{seats}.{what}.json"] = json.dumps(schema, indent=1) + "\n"
    return files


def playthrough(game: Game) -> str:
    """The text of one match in which chance follows SEED and the seats choose at random."""
    chooser = random.Random(SEED)  # only random() is promised to stay the same across Pythons
    dealer = Dealer(SEED)
    state: State = game.initial_state()
    lines = [f"{game.name} mode={game.mode} seats={game.seats} rules_version={game.rules_version}"]
    ply = 0
    while (actor := state.actor()) != OVER:
        if ply % TRUTH_EVERY == 0:
            lines.append(f"  truth {state.to_text()}")
        if ply % VIEWS_EVERY == 0:
            lines += _views(game, state)
        legal = state.legal_actions()
        action = dealer.choose(state) if actor == CHANCE else legal[int(chooser.random() * len(legal))]
        lines.append(_decision(game, state, ply, action))
        events: list[Event] = []
        game.play(state, action, events.append)
        for event in events:
            lines += _event(event)
        ply += 1
    lines += [f"  truth {state.to_text()}", *_views(game, state)]
    lines.append(f"scores {list(state.scores())} ranks {list(state.ranks())}")
    return "\n".join(lines) + "\n"


def _views(game: Game, state: State) -> list[str]:
    """What the onlooker sees, and of each seat's view only what is different."""
    public = state.observe(None)
    lines = [f"  onlooker sees {canonical(public)}"]
    for seat in range(game.seats):
        own = {key: value for key, value in state.observe(seat).items() if value != public[key]}
        lines.append(f"  seat {seat} sees {canonical(own)}")
    return lines


def _decision(game: Game, state: State, ply: int, action: int) -> str:
    if state.actor() == CHANCE:
        return f"{ply} chance {state.chance_stream()} {sum(state.chance_weights())} ways -> {action}"
    ids = " ".join(map(str, state.legal_actions()))
    return f"{ply} seat {state.actor()} {ids} -> {action} {canonical(game.actions.decode(action))}"


def _event(event: Event) -> list[str]:
    private = [
        f"    to seat {seat} {canonical(dict(extra))}" for seat, extra in sorted(event.private.items())
    ]
    return [f"  event {canonical(event.seen_by(None))}", *private]


def main(arguments: Sequence[str]) -> int:
    """Rewrite the files of the games named, or of all; drop playthroughs that belong to no case."""
    if unknown := set(arguments) - set(GAMES):
        raise SystemExit(f"no game {min(unknown)!r}; there are: {', '.join(GAMES)}")
    names = tuple(f"{name}." for name in arguments or GAMES)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {path_of(*case): case for case in cases()}
    for stale in set(FOLDER.glob("*.txt")) - set(wanted):
        stale.unlink()
    for path, (name, mode, seats) in wanted.items():
        if path.name.startswith(names):
            path.write_text(playthrough(make_game(name, seats, mode)), encoding="utf-8")
    for path, schema in schemas().items():
        if path.name.startswith(names):
            path.write_text(schema, encoding="utf-8")
    sys.stdout.write(f"golden playthroughs in {FOLDER}: {', '.join(arguments or GAMES)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
