"""Haunt the House: the rules, exactly. `docs/games/haunt-the-house.md` numbers them (HH 4.6)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import ClassVar

from engine.core import SWITCH, Action, Game, Json, Seat, State
from engine.games.haunt_the_house import sample, schemas, sketch, text, words
from engine.games.haunt_the_house.sentences import SENTENCES
from engine.games.haunt_the_house.state import HouseState
from engine.games.haunt_the_house.tables import (
    ACTIONS,
    BOOS,
    DRAW,
    HUNTERS,
    INVISIBLES,
    KINDS,
    KNOWN_TO,
    NAMES,
    PASS,
    PHANTOM_ATTACKS,
    PHANTOM_COPIES,
    PHANTOMS,
    ROOM_ATTACKS,
    ROOMS,
    SETUP,
    VANISHING,
    VISIBLE,
)

__all__ = ["HauntTheHouse", "HouseState"]


class HauntTheHouse(Game):
    """Ghosts frighten hunters out of their rooms; whoever carries the best gear home wins.

    Options: `phantoms`, whether there are Phantoms (HH 7); `attacks`, whether rooms and Phantoms with the
    Attack symbol are in the box (HH 1.9).
    """

    name: ClassVar[str] = "haunt-the-house"
    title: ClassVar[str] = "Haunt the House"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = min(SETUP)
    max_seats: ClassVar[int] = max(SETUP)
    modes: ClassVar[Mapping[str, Mapping[str, Json]]] = {
        "full": {"phantoms": "on", "attacks": "on"},
        "full-no-attacks": {"phantoms": "on", "attacks": "off"},
        "beginner": {"phantoms": "off", "attacks": "on"},
    }
    names: ClassVar[Mapping[str, Mapping[str, str]]] = NAMES
    sentences = SENTENCES

    def __init__(
        self, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(seats, mode, options)
        self.actions = ACTIONS
        self.setup = SETUP[seats]
        attacks = self.options["attacks"] == "on"
        self.with_phantoms = self.options["phantoms"] == "on"
        self.rooms = tuple(room for room in range(len(ROOMS)) if attacks or not ROOM_ATTACKS[room])
        self.hunters = tuple(range(len(HUNTERS)))
        self.phantoms = tuple(
            kind
            for kind in range(len(PHANTOMS))
            for _ in range(PHANTOM_COPIES[kind])
            if self.with_phantoms and (attacks or not (PHANTOM_ATTACKS[kind] or kind == VANISHING))
        )
        self.invisibles = INVISIBLES[self.setup.rooms]
        self.boos = BOOS[self.setup.rooms]
        self.everyone = sum(KNOWN_TO[:seats])
        self.firsts = tuple(range(0, seats * self.setup.rooms, seats))

    def checked_options(self, options: dict[str, Json]) -> dict[str, Json]:
        for option, value in options.items():
            self.check_choice(option, value, SWITCH)
        return options

    def initial_state(self) -> HouseState:
        return HouseState(self)

    def from_text(self, text_line: str) -> HouseState:
        return text.read(self, text_line)

    def default_move(self, state: State) -> Action:
        """Pass where one may; else draw; else the lowest Scare invisibly into the room with the fewest."""
        if not isinstance(state, HouseState):
            raise TypeError(f"not a position of {self.name}")
        legal = state.legal_actions()
        for quiet in (PASS, DRAW):
            if quiet in legal:
                return quiet
        laying = [move for move in legal if move < VISIBLE]
        if laying:
            return min(laying, key=lambda move: (len(state.hidden[move // KINDS]), move))
        return legal[0]

    def sample(self, observation: Mapping[str, Json], seat: Seat, rng: random.Random) -> HouseState:
        return sample.sample(self, observation, seat, rng)

    def board_text(self, observation: Mapping[str, Json]) -> str:
        return sketch.board(observation)

    def move_text(self, move: Mapping[str, Json]) -> str:
        return words.move(move)

    def observation_schema(self) -> dict[str, Json]:
        return schemas.observation(self.seats)

    def event_schema(self) -> dict[str, Json]:
        return schemas.event(self.seats)
