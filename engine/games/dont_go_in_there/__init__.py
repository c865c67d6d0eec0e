"""Don't Go In There: the rules, exactly. `docs/games/dont-go-in-there.md` numbers them (DG 4.8)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from engine.core import Action, Game, Json, Seat, State
from engine.errors import OptionError
from engine.games.dont_go_in_there import schemas, sketch, text, view
from engine.games.dont_go_in_there.sentences import SENTENCES
from engine.games.dont_go_in_there.state import HauntState
from engine.games.dont_go_in_there.tables import (
    ACTIONS,
    CURSE,
    CURSES,
    FACES,
    NAMES,
    PICK,
    PLACE,
    SETUP,
    SLOTS,
    TAKE,
    TYPES,
)

__all__ = ["DontGoInThere", "HauntState"]

RANDOM_TYPES: Final = "random"


class DontGoInThere(Game):
    """Friends dare each other into haunted rooms; whoever carries the fewest curses home wins.

    Options: `types`, "random" or the list of the curse types in play; `dispel`, how cards "of your choice"
    are chosen: "auto" (highest first, DG 5.13).
    """

    name: ClassVar[str] = "dont-go-in-there"
    title: ClassVar[str] = "Don't Go In There"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = min(SETUP)
    max_seats: ClassVar[int] = max(SETUP)
    modes: ClassVar[Mapping[str, Mapping[str, Json]]] = {"base": {"types": RANDOM_TYPES, "dispel": "auto"}}
    score_order: ClassVar[str] = "lower"
    names: ClassVar[Mapping[str, Mapping[str, str]]] = NAMES
    sentences = SENTENCES

    def __init__(
        self, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(seats, mode, options)
        self.actions = ACTIONS
        self.setup = SETUP[seats]
        chosen = self.options["types"]
        self.types = None if chosen == RANDOM_TYPES else tuple(TYPES.index(key) for key in chosen)

    def checked_options(self, options: dict[str, Json]) -> dict[str, Json]:
        if options["dispel"] != "auto":
            raise OptionError(
                f"{self.name}: option dispel can only be 'auto' (the highest curses go first), "
                f"not {options['dispel']!r:.40}"
            )
        return {**options, "types": self._checked_types(options["types"])}

    def _checked_types(self, types: Json) -> Json:
        if types == RANDOM_TYPES:
            return types
        if not isinstance(types, list | tuple):
            raise OptionError(f"{self.name}: option types is 'random' or a list of types, not {types!r:.60}")
        for key in types:
            if key not in TYPES:
                raise OptionError(f"{self.name} has no curse type {key!r:.40}; it has: {', '.join(TYPES)}")
            if types.count(key) > 1:
                raise OptionError(f"{self.name}: curse type {key!r} is given twice")
        wanted = SETUP[self.seats].types
        if len(types) != wanted:
            raise OptionError(
                f"{self.name} with {self.seats} seats is played with {wanted} curse types, not {len(types)}"
            )
        return sorted(types, key=TYPES.index)

    def initial_state(self) -> HauntState:
        return HauntState(self)

    def from_text(self, text_line: str) -> HauntState:
        return text.read(self, text_line)

    def default_move(self, state: State) -> Action:
        """Into the emptiest room, at its lowest free space; the mildest card; no meddling with dice."""
        if not isinstance(state, HauntState):
            raise TypeError(f"not a position of {self.name}")
        legal = state.legal_actions()
        if state.phase == PLACE:
            taken = state.taken
            return min(legal, key=lambda action: (taken[action >> 3].bit_count(), action >> 3, -action))
        if state.phase == TAKE:
            first = SLOTS * state.board - PICK
            return min(legal, key=lambda action: (CURSE[state.cards[first + action]], action))
        return legal[0]

    def sample(self, observation: Mapping[str, Json], seat: Seat, rng: random.Random) -> HauntState:
        """A hidden card is any unseen one, each copy alike (DG 7.3); the deck has no order yet."""
        del seat  # the observation says all that the seat knows
        parts = view.parts(observation)
        if FACES in parts.cards:
            unseen = [
                CURSES * TYPES.index(key) + step
                for key, counts in observation["unseen"].items()
                for step, count in enumerate(counts)
                for _ in range(count)
            ]
            hidden = unseen[int(rng.random() * len(unseen))]
            parts = replace(parts, cards=[hidden if face == FACES else face for face in parts.cards])
        return text.build(self, parts)

    def board_text(self, observation: Mapping[str, Json]) -> str:
        return sketch.board(observation)

    def observation_schema(self) -> dict[str, Json]:
        return schemas.observation(self.seats)

    def event_schema(self) -> dict[str, Json]:
        return schemas.event(self.seats)
