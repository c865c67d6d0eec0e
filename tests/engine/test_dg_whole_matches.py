"""Whole matches in every mode: events tell everything, and no set lies there that should have acted."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from engine.core import OVER
from engine.games.dont_go_in_there import DontGoInThere
from tests.engine.dg_tables import cards_in, cards_of_counts, game_with

GAMES = [
    DontGoInThere(seats, mode, options)
    for mode, options in (("base", {}), ("base-ask", {}), ("expansion", {}), ("expansion", {"dispel": "ask"}))
    for seats in (2, 3, 4, 5)
]
IDS = [f"{game.options['expansion']}-{game.options['dispel']}-{game.seats}" for game in GAMES]


class Told:
    """What somebody knows who has heard every public event and seen nothing."""

    def __init__(self, seats: int) -> None:
        self.up = [Counter() for _ in range(seats)]
        self.down = [Counter() for _ in range(seats)]
        self.ghosts = [0] * seats
        self.end = None

    def hear(self, event) -> None:
        facts = event.public
        cards = [(card["type"], card["curse"]) for card in facts.get("cards", ()) if isinstance(card, dict)]
        card = facts.get("card") and (facts["card"]["type"], facts["card"]["curse"])
        if event.kind in ("take", "bring"):
            self.up[facts["seat"]][card] += 1
        elif event.kind == "give":
            self.up[facts["seat"]][card] -= 1
        elif event.kind == "dispel":
            self.up[facts["seat"]].subtract(cards)
            self.down[facts["seat"]].update(cards)
        elif event.kind == "ghosts":
            self.ghosts[facts["seat"]] += facts["change"]
            assert facts["total"] == self.ghosts[facts["seat"]]
        elif event.kind == "pass":
            self.ghosts[facts["seat"]] -= facts["ghosts"]
            self.ghosts[facts["to"]] += facts["ghosts"]
            assert (facts["total"], facts["to_total"]) == (
                self.ghosts[facts["seat"]],
                self.ghosts[facts["to"]],
            )
        elif event.kind == "end":
            self.end = facts


def matches(game, number):
    """Positions of random matches, each with what the events until then have told."""
    for seed in range(number):
        rng, state, told = random.Random(seed), game.initial_state(), Told(game.seats)
        while state.actor() != OVER:
            action = state.draw_chance(rng) if state.actor() < 0 else rng.choice(state.legal_actions())
            state.apply(action, told.hear)
            yield state, told


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_public_events_alone_tell_hands_ghosts_and_the_standing(game):
    for state, told in matches(game, 8 // game.seats):
        if state.observe(None)["phase"] not in ("place", "over"):
            continue
        for seat in range(game.seats):
            assert +told.up[seat] == Counter(cards_in(state, seat))
            assert told.down[seat] == Counter(cards_in(state, seat, "dispelled"))
        assert told.ghosts == state.ghosts
        if state.actor() == OVER:
            curses = [sum(curse * n for (_, curse), n in held.items()) for held in told.up]
            most = max(told.ghosts)
            for seat, held in enumerate(told.ghosts):
                curses[seat] += held // 2 if held == most else 0
            assert told.end["curses"] == curses == list(state.scores())
            assert told.end["ranks"] == list(state.ranks())


@pytest.mark.parametrize("dispel", ["auto", "ask"])
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(
    "types",
    [
        ("ring", "mirror", "twin", "clock", "doll"),
        ("raven", "candle", "skull", "ring", "doll"),
        ("raven", "candle", "twin", "clock", "mirror"),
    ],
    ids=lambda types: types[0] + "-" + types[2],
)
def test_whenever_somebody_is_to_place_no_set_lies_there_that_should_have_acted(types, seats, dispel):
    """Said again in other words than the engine's: sums, sizes and subsets of what lies face-up."""
    game, seen = game_with(*types, seats=seats, dispel=dispel), set()
    for state, _ in matches(game, 12 // seats):
        view = state.observe(None)
        if view["phase"] != "place":
            continue
        for player in view["players"]:
            held = {}
            for kind, curse in cards_of_counts(player["face_up"]):
                held.setdefault(kind, []).append(curse)
            seen |= {*held}
            assert len(held.get("ring", ())) < 4
            assert len(held.get("mirror", ())) < 3
            assert len(set(held.get("twin", ()))) == len(held.get("twin", ()))
            assert view["clock_used"] or sum(held.get("clock", ())) < 8
            assert sum(held.get("skull", ())) < 11
            assert "candle" not in held or len(held) < 5
            dolls = held.get("doll", ())
            assert all(sum(some) != 6 for size in range(1, 6) for some in combinations(dolls, size))
    assert seen >= {*types}
