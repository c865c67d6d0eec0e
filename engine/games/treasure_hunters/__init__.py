"""Ghost Fightin' Treasure Hunters, exactly. `docs/games/treasure-hunters.md` numbers the rules (TH 5.1)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core import SWITCH, Action, Game, Json, Seat, State
from engine.games.treasure_hunters import schemas, sketch, text, view
from engine.games.treasure_hunters.paths import distance
from engine.games.treasure_hunters.sentences import SENTENCES
from engine.games.treasure_hunters.state import HunterState
from engine.games.treasure_hunters.tables import (
    ACTIONS,
    COLOURS,
    HUNTERS,
    LEAVE,
    NAMES,
    OUT,
    PICK_UP,
    PLACES,
    deck,
)

__all__ = ["HunterState", "TreasureHunters"]

_MOVE_WORDS: Final = {
    "go": "go to {}",
    "through": "enter {}, see its number, go on",
    "take": "pick up the jewel",
    "leave": "leave the jewel",
}


def _mode(
    *, door_cards: bool = False, draw_cards: bool = False, number_order: bool = False
) -> dict[str, Json]:
    flags = {"door_cards": door_cards, "draw_cards": draw_cards, "number_order": number_order}
    switched = {option: SWITCH[not value] for option, value in flags.items()}
    return {**switched, "draw_cards_unlock_doors": "on"}


class TreasureHunters(Game):
    """A team carries eight jewels out of a house that ghosts take over room by room.

    Options, each "on" or "off": `door_cards`, cards that lock doors (TH 8.4); `draw_cards`, cards that call
    for further cards (TH 8.1); `number_order`, jewels leave the house by their numbers (TH 9);
    `draw_cards_unlock_doors`, the shuffle of a draw card opens the doors (TH 8.5).
    """

    name: ClassVar[str] = "treasure-hunters"
    title: ClassVar[str] = "Ghost Fightin' Treasure Hunters"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = min(HUNTERS)
    max_seats: ClassVar[int] = max(HUNTERS)
    modes: ClassVar[Mapping[str, Mapping[str, Json]]] = {
        "basic": _mode(),
        "locks": _mode(door_cards=True),
        "order": _mode(number_order=True),
        "cards": _mode(door_cards=True, draw_cards=True),
        "advanced": _mode(door_cards=True, draw_cards=True, number_order=True),
    }
    cooperative: ClassVar[bool] = True
    names: ClassVar[Mapping[str, Mapping[str, str]]] = NAMES
    sentences = SENTENCES

    def __init__(
        self, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(seats, mode, options)
        self.actions = ACTIONS
        self.hunters = HUNTERS[seats]
        self.seat_of = tuple(hunter % seats for hunter in range(len(COLOURS)))
        self.lockable = self.options["door_cards"] == "on"
        self.ordered = self.options["number_order"] == "on"
        self.draw_cards_unlock = self.options["draw_cards_unlock_doors"] == "on"
        self.deck = deck(draw_cards=self.options["draw_cards"] == "on", door_cards=self.lockable)

    def checked_options(self, options: dict[str, Json]) -> dict[str, Json]:
        for option, value in options.items():
            self.check_choice(option, value, SWITCH)
        return options

    def initial_state(self) -> HunterState:
        return HunterState(self)

    def from_text(self, text_line: str) -> HunterState:
        return text.read(self, text_line)

    def default_move(self, state: State) -> Action:
        """Toward the door by the shortest way that is open now; jewels stay where they lie."""
        if not isinstance(state, HunterState):
            raise TypeError(f"not a position of {self.name}")
        if state.phase == PICK_UP:
            return LEAVE
        at = state.places[state.hunter]
        carrying = state.carried[state.hunter] > 0
        stops = state.haunted if carrying else 0

        def nearness(place: int) -> tuple[int, int, bool, int]:
            shut_in = stops >> place & 1
            return shut_in, distance(place, OUT, state.locked, stops), place != at, place

        return min((action for action in state.legal_actions() if action < len(PLACES)), key=nearness)

    def sample(self, observation: Mapping[str, Json], seat: Seat, rng: random.Random) -> HunterState:
        """The position itself: cards and numbers are drawn when they are needed, nothing lies hidden."""
        del seat, rng
        return text.build(self, view.parts(observation))

    def board_text(self, observation: Mapping[str, Json]) -> str:
        return sketch.board(observation)

    def move_text(self, move: Mapping[str, Json]) -> str:
        kind = str(move["type"])
        return _MOVE_WORDS[kind].format(*(self.names[str(move[key])]["en"] for key in move if key != "type"))

    def observation_schema(self) -> dict[str, Json]:
        return schemas.observation(self.seats)

    def event_schema(self) -> dict[str, Json]:
        return schemas.event(self.seats)
