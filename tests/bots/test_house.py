"""The house's own bots: what they are, and how they play, asked directly without processes."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from bots.house import BOTS, GUESTS, HOUSE, house_path, house_program
from bots.kits import kit_path
from bots.program import read_path
from engine.bundle import seatings
from engine.chance import Dealer
from engine.core import CHANCE, OVER
from engine.registry import GAMES, make_game

Choose = Callable[[dict[str, Any], list[dict[str, Any]], Any], int]


class Context:
    """What the SDK gives to a bot; here only the game's name and the bot's dice."""

    def __init__(self, game: str, seed: str) -> None:
        self.game = game
        self.random = random.Random(seed)


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Choose]]:
    """`choose` of a house bot, imported as its own folder has it, with an SDK that does not run it."""
    sdk = ModuleType("sdk")
    sdk.run = lambda choose: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sdk", sdk)

    def load_one(name: str) -> Choose:
        monkeypatch.syspath_prepend(str(house_path(name)))
        sys.modules.pop("haunted", None)
        spec = importlib.util.spec_from_file_location(f"house_{name}", house_path(name) / "main.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        choose: Choose = module.choose
        return choose

    yield load_one
    sys.modules.pop("haunted", None)


def play(
    name: str, choosers: list[Choose], seed: str, mode: str | None = None
) -> tuple[tuple[int, ...], list[int]]:
    """Ranks and actions of one match."""
    game = make_game(name, len(choosers), mode)
    state, dealer = game.initial_state(), Dealer(seed)
    contexts = [Context(name, seed) for _ in choosers]
    actions = []
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        else:
            legal = [{"id": action, "move": game.actions.decode(action)} for action in state.legal_actions()]
            action = choosers[actor](state.observe(actor), legal, contexts[actor])
        game.play(state, action)
        actions.append(action)
    return state.ranks(), actions


@pytest.mark.parametrize("name", BOTS)
def test_house_bot_is_an_upload_like_any_other(name: str) -> None:
    program = house_program(name)
    assert (program.language, program.entry) == ("python", "main.py")
    assert set(program.games) <= set(GAMES)
    assert program.digest == read_path(house_path(name)).digest


def test_every_game_has_house_bots() -> None:
    assert {game for name in HOUSE for game in house_program(name).games} == set(GAMES)
    assert len({house_program(name).digest for name in BOTS}) == len(BOTS)


def test_no_guest_holds_the_scale_or_sits_in_pre_flights() -> None:
    """A bot that thinks is stronger on a faster machine, and slow."""
    assert set(BOTS) == {*HOUSE, *GUESTS}
    assert not {*HOUSE} & {*GUESTS}
    assert "search" in GUESTS


def test_greedy_and_steady_differ_in_their_weights_alone() -> None:
    greedy, steady = house_program("greedy").files, house_program("steady").files
    assert greedy["haunted.py"] == steady["haunted.py"]
    assert greedy["main.py"] != steady["main.py"]


def test_unknown_house_bot() -> None:
    with pytest.raises(KeyError):
        house_path("../greedy")


def test_kit_is_an_upload_like_any_other() -> None:
    assert read_path(kit_path("python")).entry == "main.py"


TABLES = [
    (name, mode, seats)
    for name, kind in GAMES.items()
    for mode in kind.modes
    for seats in range(kind.min_seats, kind.max_seats + 1)
]


@pytest.mark.parametrize(("name", "mode", "seats"), TABLES)
def test_house_bots_play_at_every_table_and_the_same_way_again(
    name: str, mode: str, seats: int, load: Callable[[str], Choose]
) -> None:
    """Those that take no thought; in all modes, and where nothing can be chosen, too."""
    bots = [bot for bot in ("greedy", "random", "steady") if name in house_program(bot).games]
    choosers = [load(bots[seat % len(bots)]) for seat in range(seats)]
    assert play(name, choosers, "table", mode) == play(name, choosers, "table", mode)


@pytest.mark.parametrize(
    ("name", "bot"),
    [("dont-go-in-there", "greedy"), ("dont-go-in-there", "steady"), ("haunt-the-house", "greedy")],
)
def test_sense_beats_chance(name: str, bot: str, load: Callable[[str], Choose]) -> None:
    """40 bundles of two: far more than three quarters go to the bot with sense."""
    choosers = [load(bot), load("random")]
    won = 0
    for number in range(40):
        seed = f"sense/{number}"
        points = 0
        for seating in seatings(seed, 2):
            ranks, _ = play(name, [choosers[entrant] for entrant in seating], seed)
            mine, other = ranks[seating.index(0)], ranks[seating.index(1)]
            points += (mine < other) - (mine > other)
        won += points > 0
    assert won >= 30


@pytest.mark.parametrize("name", ["dont-go-in-there", "haunt-the-house"])
def test_a_greedy_move_costs_little_time(name: str, load: Callable[[str], Choose]) -> None:
    start = time.process_time()
    _, actions = play(name, [load("greedy"), load("greedy")], "time")
    assert (time.process_time() - start) / len(actions) < 0.002
