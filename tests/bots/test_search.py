"""The house bot `search`: its clock, its choices, and what it does when it cannot look ahead."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bots.house import house_path
from bots.job import Clock
from engine.bundle import seatings
from engine.chance import Dealer
from engine.core import CHANCE, OVER, State
from engine.registry import GAMES, make_game
from tests.workers import matches
from workers.sandbox.bare import BareLauncher

OWN = ("looking", "spending", "sense", *(name.replace("-", "_") for name in GAMES))
TABLES = [
    (name, mode, seats)
    for name, kind in GAMES.items()
    for mode in kind.modes
    for seats in (kind.min_seats, kind.max_seats)
]


class Count:
    """So many tries instead of so much time: makes a search repeatable."""

    def __init__(self, tries: int) -> None:
        self.tries = self.left = tries

    def more(self, part: float = 1.0) -> bool:
        if part < 1:
            return self.left > (1 - part) * self.tries
        self.left -= 1
        return self.left >= 0


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The bot's own modules can be imported, and are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(house_path("search")))
    for name in OWN:
        sys.modules.pop(name, None)
    yield
    for name in OWN:
        sys.modules.pop(name, None)


@pytest.fixture
def looking(folder: None) -> ModuleType:
    return importlib.import_module("looking")


@pytest.fixture
def spending(folder: None) -> ModuleType:
    return importlib.import_module("spending")


def searcher(looking: ModuleType, name: str, seats: int, seat: int, mode: str | None = None) -> Any:
    game = make_game(name, seats, mode)
    return looking.Searcher(name, seats, seat, game.mode, dict(game.options), game.rules_version, 1)


def play(looking: ModuleType, name: str, seats: int, mode: str | None, tries: int, seed: str) -> list[int]:
    """A match of a search in seat 0 against random play, through the checked door; all its actions."""
    game = make_game(name, seats, mode)
    state, dealer, rng = game.initial_state(), Dealer(seed), random.Random(seed)
    mine = searcher(looking, name, seats, 0, mode)
    actions = []
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        elif actor == 0:
            action = mine.choose(state.observe(0), state.legal_actions(), rng, Count(tries))
        else:
            action = rng.choice(state.legal_actions())
        game.play(state, action)
        actions.append(action)
    return actions


@pytest.mark.parametrize(("name", "mode", "seats"), TABLES)
def test_it_plays_at_every_table_in_every_mode(name: str, mode: str, seats: int, looking: ModuleType) -> None:
    assert play(looking, name, seats, mode, 4, "table")


def test_as_many_tries_give_the_same_play(looking: ModuleType) -> None:
    first = play(looking, "dont-go-in-there", 2, None, 12, "again")
    assert play(looking, "dont-go-in-there", 2, None, 12, "again") == first


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dont-go-in-there", "haunt-the-house"])
def test_more_looking_plays_better_than_none(name: str, looking: ModuleType) -> None:
    """5 bundles of two against random play: all but one or two are won outright."""
    won = 0
    for number in range(5):
        seed = f"better/{number}"
        for seating in seatings(seed, 2):
            ranks = _ranks(looking, name, seating.index(0), seed)
            won += ranks[seating.index(0)] == 1
    assert won >= 8


def _ranks(looking: ModuleType, name: str, seat: int, seed: str) -> tuple[int, ...]:
    game = make_game(name, 2)
    state, dealer, rng = game.initial_state(), Dealer(seed), random.Random(seed)
    mine = searcher(looking, name, 2, seat)
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        elif actor == seat:
            action = mine.choose(state.observe(seat), state.legal_actions(), rng, Count(12))
        else:
            action = rng.choice(state.legal_actions())
        state.apply(action)
    return state.ranks()


def played_out(name: str, seats: int, seed: int) -> State:
    game, rng = make_game(name, seats), random.Random(seed)
    state = game.initial_state()
    while (actor := state.actor()) != OVER:
        legal = state.legal_actions()
        state.apply(state.draw_chance(rng) if actor == CHANCE else rng.choice(legal))
    return state


@pytest.mark.parametrize("name", [name for name, kind in GAMES.items() if not kind.cooperative])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_better_rank_is_worth_more(name: str, seats: int, looking: ModuleType) -> None:
    everybody = [searcher(looking, name, seats, seat) for seat in range(seats)]
    for seed in range(4):
        state = played_out(name, seats, seed)
        ranks = state.ranks()
        worths = [each.worth(state) for each in everybody]
        assert all(0 <= worth <= 1 for worth in worths)
        first, last = ranks.index(1), ranks.index(max(ranks))
        assert ranks.count(1) == seats or worths[first] > worths[last]


def test_a_team_is_worth_what_it_scores(looking: ModuleType) -> None:
    for name, kind in GAMES.items():
        if kind.cooperative:
            state = played_out(name, 2, 1)
            assert searcher(looking, name, 2, 0).worth(state) == state.scores()[0]


def test_other_rules_are_refused(looking: ModuleType) -> None:
    game = make_game("dont-go-in-there", 2)
    with pytest.raises(looking.MatchError, match="rules"):
        looking.Searcher(game.name, 2, 0, game.mode, dict(game.options), game.rules_version + 1, 1)


def test_other_moves_than_the_engine_deals_are_refused(looking: ModuleType) -> None:
    game, rng = make_game("dont-go-in-there", 2), random.Random(1)
    state = game.initial_state()
    while state.actor() == CHANCE:
        state.apply(state.draw_chance(rng))
    mine = searcher(looking, game.name, 2, 0)
    with pytest.raises(looking.MatchError, match="other moves"):
        mine.choose(state.observe(0), state.legal_actions()[1:], rng, Count(4))


def test_it_takes_the_first_move_and_says_so_where_it_cannot_look_ahead(
    folder: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sdk = ModuleType("sdk")
    ran: dict[str, Any] = {}
    sdk.run = lambda choose, start: ran.update(choose=choose, start=start)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sdk", sdk)
    spec = importlib.util.spec_from_file_location("house_search", house_path("search") / "main.py")
    assert spec
    assert spec.loader
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    game = make_game("dont-go-in-there", 2)
    context = SimpleNamespace(
        game=game.name,
        rules_version=game.rules_version + 1,
        mode=game.mode,
        options=dict(game.options),
        seats=2,
        seat=0,
        clock={"bank_ms": 2000, "increment_ms": 20},
        bank_ms=2000,
        random=random.Random(1),
        turn=1,
    )
    ran["start"](context)
    assert ran["choose"]({}, [{"id": 7, "move": {}}, {"id": 9, "move": {}}], context) == 7
    assert "rules" in capsys.readouterr().err


@pytest.mark.parametrize("dearer", [1.0, 1.5])
@pytest.mark.parametrize("guessed", [5, 60, 400])
def test_the_purse_lasts_for_any_number_of_questions(
    guessed: int, dearer: float, spending: ModuleType
) -> None:
    """Whatever was guessed, and though each answer costs half as much again as it was meant to."""
    purse = spending.Purse({"bank_ms": 1000, "increment_ms": 10}, guessed)
    bank_ms = 1000.0
    for _ in range(500):
        bank_ms += 10
        spent = purse.open(int(bank_ms)).seconds + spending.OWN_COST_S
        bank_ms -= 1000 * spent * dearer
        assert bank_ms > 0


def test_most_of_the_purse_is_spent_where_the_guess_was_right(spending: ModuleType) -> None:
    purse = spending.Purse({"bank_ms": 1000, "increment_ms": 10}, 60)
    bank_ms = 1000.0
    for _ in range(60):
        bank_ms += 10
        bank_ms -= 1000 * (purse.open(int(bank_ms)).seconds + spending.OWN_COST_S)
    assert bank_ms < 450


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GAMES))
def test_it_keeps_to_a_short_clock(name: str) -> None:
    """As a process, by the real protocol, on less time than any ladder gives."""
    outcome = matches.play_match(
        game=make_game(name, 2),
        seats=[matches.house("search"), matches.house("random")],
        seed="a short clock",
        clock=Clock(bank_ms=500, increment_ms=5),
        private_seeds=["one", "two"],
        launcher=BareLauncher(run_dir=matches.open_folder()),
    )
    assert outcome.record is not None
    assert not outcome.record.faults
    assert not [chunk.text for chunk in outcome.seats[0].stderr]
