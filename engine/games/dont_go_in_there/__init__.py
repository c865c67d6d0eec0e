"""Don't Go In There: the rules, exactly. `docs/games/dont-go-in-there.md` numbers them (DG 4.8)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from engine.core import SWITCH, Action, Game, Json, Seat, State
from engine.errors import OptionError
from engine.games.dont_go_in_there import schemas, sketch, text, view, view_further
from engine.games.dont_go_in_there.extended import ExtendedState
from engine.games.dont_go_in_there.moves import ACTIONS, FACE_OF_MOVE, PICK
from engine.games.dont_go_in_there.sentences import SENTENCES
from engine.games.dont_go_in_there.state import HauntState
from engine.games.dont_go_in_there.tables import (
    BASE_TYPES,
    BREW,
    CAT,
    CURSE,
    DISPEL,
    FACES,
    GIVE,
    NAMES,
    PLACE,
    SETUP,
    SLOTS,
    TAKE,
    TYPES,
)

__all__ = ["DontGoInThere", "HauntState"]

RANDOM_TYPES: Final = "random"
_BASE: Final = {"types": RANDOM_TYPES, "dispel": "auto", "expansion": "off"}


class DontGoInThere(Game):
    """Friends dare each other into haunted rooms; whoever carries the fewest curses home wins.

    Options: `types`, "random" or the list of the curse types in play; `dispel`, how cards "of your choice"
    are chosen: "auto" (highest first, DG 5.13) or "ask"; `expansion`, whether its five types are among those
    that can be drawn or named: "off" or "on".
    """

    name: ClassVar[str] = "dont-go-in-there"
    title: ClassVar[str] = "Don't Go In There"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = min(SETUP)
    max_seats: ClassVar[int] = max(SETUP)
    modes: ClassVar[Mapping[str, Mapping[str, Json]]] = {
        "base": _BASE,
        "base-ask": {**_BASE, "dispel": "ask"},
        "expansion": {**_BASE, "expansion": "on"},
    }
    later_options: ClassVar[frozenset[str]] = frozenset({"expansion"})
    score_order: ClassVar[str] = "lower"
    names: ClassVar[Mapping[str, Mapping[str, str]]] = NAMES
    sentences = SENTENCES

    def __init__(
        self, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(seats, mode, options)
        self.actions = ACTIONS
        self.setup = SETUP[seats]
        self.asks = self.options["dispel"] == "ask"
        has_expansion = self.options["expansion"] == "on"
        self.plain = not self.asks and not has_expansion
        self.kinds = len(TYPES) if has_expansion else BASE_TYPES
        chosen = self.options["types"]
        self.types = None if chosen == RANDOM_TYPES else tuple(TYPES.index(key) for key in chosen)

    def checked_options(self, options: dict[str, Json]) -> dict[str, Json]:
        self.check_choice("dispel", options["dispel"], ("auto", "ask"))
        self.check_choice("expansion", options["expansion"], SWITCH)
        known = TYPES if options["expansion"] == "on" else TYPES[:BASE_TYPES]
        return {**options, "types": self._checked_types(options["types"], known)}

    def _checked_types(self, types: Json, known: Sequence[str]) -> Json:
        if types == RANDOM_TYPES:
            return types
        if not isinstance(types, list | tuple):
            raise OptionError(f"{self.name}: option types is 'random' or a list of types, not {types!r:.60}")
        for key in types:
            if key in TYPES and key not in known:
                raise OptionError(f"{self.name}: curse type {key!r} needs option expansion 'on'")
            if key not in known:
                raise OptionError(f"{self.name} has no curse type {key!r:.40}; it has: {', '.join(known)}")
            if types.count(key) > 1:
                raise OptionError(f"{self.name}: curse type {key!r} is given twice")
        wanted = SETUP[self.seats].types
        if len(types) != wanted:
            raise OptionError(
                f"{self.name} with {self.seats} seats is played with {wanted} curse types, not {len(types)}"
            )
        return sorted(types, key=TYPES.index)

    def initial_state(self) -> HauntState:
        return HauntState(self) if self.plain else ExtendedState(self)

    def from_text(self, text_line: str) -> HauntState:
        return text.read(self, text_line)

    def default_move(self, state: State) -> Action:
        """Into the emptiest room, at its lowest free space; the mildest card; no meddling with dice or
        removed cards; of what is to go the highest curse."""
        if not isinstance(state, HauntState):
            raise TypeError(f"not a position of {self.name}")
        legal = state.legal_actions()
        if state.phase == PLACE:
            taken = state.taken
            return min(legal, key=lambda action: (taken[action >> 3].bit_count(), action >> 3, -action))
        if state.phase == TAKE:
            first = SLOTS * state.board - PICK
            return min(legal, key=lambda action: (CURSE[state.cards[first + action]], action))
        if state.phase == GIVE:
            return max(legal, key=lambda action: CURSE[FACE_OF_MOVE[action]])
        if isinstance(state, ExtendedState) and state.phase in (BREW, DISPEL):
            return legal[0] if state.asks and state.asks[0][1] == CAT else legal[-1]
        return legal[0]

    def sample(self, observation: Mapping[str, Json], seat: Seat, rng: random.Random) -> HauntState:
        """A hidden card is any unseen one, each copy alike (DG 7.3), and so are removed cards (DG 8.10); the
        deck has no order yet."""
        del seat  # the observation says all that the seat knows
        parts = replace(view.parts(observation), **view_further.parts(observation))
        face_down = parts.cards.count(FACES)
        removed = view_further.unknown_removed(observation)
        if face_down or removed:
            unseen = view.faces_by_type(observation["unseen"])
            drawn = rng.sample(unseen, face_down + removed)
            cards = [drawn.pop() if face == FACES else face for face in parts.cards]
            parts = replace(parts, cards=cards, removed=sorted([*parts.removed, *drawn]))
        return text.build(self, parts)

    def board_text(self, observation: Mapping[str, Json]) -> str:
        return sketch.board(observation)

    def move_text(self, move: Mapping[str, Json]) -> str:
        return sketch.move(move)

    def observation_schema(self) -> dict[str, Json]:
        return schemas.observation(self.seats)

    def event_schema(self) -> dict[str, Json]:
        return schemas.event(self.seats)
