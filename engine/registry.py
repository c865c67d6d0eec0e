"""Every game there is, written out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core import Game, Json
from engine.errors import OptionError
from engine.games.dont_go_in_there import DontGoInThere
from engine.games.haunt_the_house import HauntTheHouse
from engine.games.treasure_hunters import TreasureHunters

GAMES: Final[Mapping[str, type[Game]]] = {
    DontGoInThere.name: DontGoInThere,
    HauntTheHouse.name: HauntTheHouse,
    TreasureHunters.name: TreasureHunters,
}


def make_game(
    name: str, seats: int, mode: str | None = None, options: Mapping[str, Json] | None = None
) -> Game:
    """A game by name. Raises OptionError for a name, mode, seat count or option that does not exist."""
    if name not in GAMES:
        raise OptionError(f"no game {name!r}; there are: {', '.join(GAMES)}")
    return GAMES[name](seats, mode, options)
