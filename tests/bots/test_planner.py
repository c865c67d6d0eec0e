"""The planner of Treasure Hunters: legal and in time always, and better than looking one move ahead."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bots.house import house_path, house_program
from bots.sdk import Context
from engine.chance import Dealer
from engine.core import CHANCE, OVER, State
from engine.registry import make_game

GAME = "treasure-hunters"
MODES = ("basic", "locks", "order", "cards", "advanced")
OWN_MODULES = ("planning", "worth", "hunting")
Choose = Callable[[State], int]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], ModuleType]]:
    """A module of a house bot, imported as its own folder has it, with an SDK that does not run it."""
    sdk = ModuleType("sdk")
    sdk.run = lambda choose, **further: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sdk", sdk)

    def load_one(bot: str, name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(house_path(bot)))
        spec = importlib.util.spec_from_file_location(f"{bot}_{name}", house_path(bot) / f"{name}.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield load_one
    for name in OWN_MODULES:
        sys.modules.pop(name, None)


def hello(seats: int, mode: str | None, seat: int = 0, **clock: int) -> Context:
    game = make_game(GAME, seats, mode)
    return Context(
        {
            "game": GAME,
            "rules_version": game.rules_version,
            "mode": mode,
            "options": dict(game.options),
            "seats": seats,
            "seat": seat,
            "clock": clock or {"bank_ms": 2000, "increment_ms": 20},
            "seed": seat,
        }
    )


def play(choose: Choose, seats: int, mode: str, seed: str) -> dict[str, Any]:
    """Figures of one match in which one mind moves all hunters; an illegal move raises."""
    game = make_game(GAME, seats, mode)
    state, dealer = game.initial_state(), Dealer(seed)
    while (actor := state.actor()) != OVER:
        game.play(state, dealer.choose(state) if actor == CHANCE else choose(state))
    return state.figures()


def at_a_glance(load: Callable[[str, str], ModuleType], seats: int, mode: str) -> Choose:
    """The planner without its clock: what it plays is then the same everywhere."""
    planner = load("planner", "planning").Planner(make_game(GAME, seats, mode))
    return lambda state: planner.choose(state, state.legal_actions(), random.Random(0))


def position(seats: int, mode: str, line: str) -> State:
    return make_game(GAME, seats, mode).from_text(line)


def move_of(choose: Choose, state: State, seats: int = 4) -> dict[str, Any]:
    move: dict[str, Any] = make_game(GAME, seats).actions.decode(choose(state))
    return move


def test_planner_is_an_upload_like_any_other() -> None:
    program = house_program("planner")
    assert (program.language, program.entry, program.games) == ("python", "main.py", (GAME,))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("mode", MODES)
def test_every_answer_is_legal(mode: str, seats: int, load: Callable[[str, str], ModuleType]) -> None:
    """As the SDK asks: observation and moves in, a legal id out, by a clock that is soon empty."""
    main = load("planner", "main")
    main.WARM_UP_S = 0.0
    game = make_game(GAME, seats, mode)
    state, dealer = game.initial_state(), Dealer(f"{mode}/{seats}")
    contexts = [hello(seats, mode, seat, bank_ms=20, increment_ms=2) for seat in range(seats)]
    for context in contexts:
        main.start(context)
    assert main.table["planner"].game.options == game.options
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        else:
            legal = [{"id": action, "move": game.actions.decode(action)} for action in state.legal_actions()]
            action = main.choose(state.observe(actor), legal, contexts[actor])
        game.play(state, action)


def test_the_team_wins_where_greedy_loses(load: Callable[[str, str], ModuleType]) -> None:
    """The same 40 matches for both, the same on every machine, for no clock is asked."""
    hunting, luck = load("greedy", "hunting"), random.Random(0)

    def greedy(state: State) -> int:
        hunt, decode = hunting.Hunt(state.observe(state.actor())), make_game(GAME, 4).actions.decode
        return min((hunt.cost(decode(action)), luck.random(), action) for action in state.legal_actions())[2]

    planner = at_a_glance(load, 4, "basic")
    won = {
        name: sum(play(choose, 4, "basic", f"team/{number}")["ended"] == "won" for number in range(40))
        for name, choose in {"greedy": greedy, "planner": planner}.items()
    }
    assert won["planner"] >= 26
    assert won["planner"] >= won["greedy"] + 14


def test_the_last_jewel_goes_out(load: Callable[[str, str], ModuleType]) -> None:
    """Red has it beside the door, the others wait outside."""
    pile = "0,1,2,3,4,5,6,7,8,9,10,11,12"
    line = f"move;49;3;-1;0;0;0;7;{pile};000000000000;------------;13,12,12,12;9,0,0,0"
    state = position(4, "basic", line)
    assert move_of(at_a_glance(load, 4, "basic"), state) == {"type": "go", "to": "out"}


def test_looking_further_stops_when_told_and_leaves_the_position_alone(
    load: Callable[[str, str], ModuleType],
) -> None:
    planning = load("planner", "planning")
    game = make_game(GAME, 4)
    planner = planning.Planner(game)
    state, dealer = game.initial_state(), Dealer("further")
    while state.actor() == CHANCE:
        state.apply(dealer.choose(state))
    before, asked = state.to_text(), []

    def more() -> bool:
        asked.append(len(asked))
        return len(asked) <= 5

    assert planner.choose(state, state.legal_actions(), random.Random(1), more) in state.legal_actions()
    assert state.to_text() == before
    assert len(asked) <= 6


def test_what_is_remembered_changes_no_judgement(load: Callable[[str, str], ModuleType]) -> None:
    worth = load("planner", "worth")
    game, luck = make_game(GAME, 4, "advanced"), random.Random(2)
    weights = house_path("planner") / "advanced.bin"
    remembers = worth.Worth(game, weights)
    for _ in range(3):
        state = game.initial_state()
        while state.actor() != OVER:
            if state.phase == 0:
                judged = remembers(state)
                assert 0 < judged < 1
                forgets = worth.Worth(game, weights) if state.turn % 20 == 0 else remembers
                assert forgets(state) == judged
            legal = state.legal_actions()
            state.apply(state.draw_chance(luck) if state.actor() == CHANCE else luck.choice(legal))


def test_weights_of_another_network_are_refused(
    load: Callable[[str, str], ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "some.bin").write_bytes(bytes(64))
    with pytest.raises(ValueError, match="rows of weights"):
        load("planner", "worth").Worth(make_game(GAME, 4), tmp_path / "some.bin")


@pytest.mark.parametrize(("bank_ms", "increment_ms"), [(2000, 20), (1000, 10), (100, 1)])
def test_the_bank_lasts_for_the_longest_match(
    bank_ms: int, increment_ms: int, load: Callable[[str, str], ModuleType]
) -> None:
    """400 questions, each answered a little later than allowed."""
    main = load("planner", "main")
    context = hello(4, "basic", bank_ms=bank_ms, increment_ms=increment_ms)
    left = float(bank_ms)
    for _ in range(400):
        left += increment_ms
        context.bank_ms = int(left)
        left -= main.allowance(context) * 1000 + increment_ms * 0.3
        assert left > 0.1 * bank_ms
