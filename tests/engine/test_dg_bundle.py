"""The matches of a bundle are played with one deck, however the seats choose."""

from __future__ import annotations

import random

import pytest

from engine.chance import Dealer
from engine.core import CHANCE, OVER
from engine.registry import GAMES, make_game


@pytest.mark.parametrize("mode", list(GAMES["dont-go-in-there"].modes))
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_kth_card_is_the_same_however_the_seats_play(mode: str, seats: int) -> None:
    game = make_game("dont-go-in-there", seats, mode)
    decks = []
    for chooser in range(3):
        rng, dealer = random.Random(chooser), Dealer("bundle")
        state, drawn = game.initial_state(), []
        while (actor := state.actor()) != OVER:
            if actor == CHANCE:
                stream, action = state.chance_stream(), dealer.choose(state)
                if stream == "deck":
                    drawn.append(action)
            else:
                action = rng.choice(state.legal_actions())
            state.apply(action)
        decks.append(drawn)
    assert decks[0] == decks[1] == decks[2]
    assert len(decks[0]) == 12 * seats
