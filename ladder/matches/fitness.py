"""What a match needs of a worker, and what a worker lacks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bots.languages import LANGUAGES
from engine.registry import GAMES
from ladder.matches.models import Match, MatchSeat, Purpose

_HELD_TO_A_LEVEL: Final = (Purpose.LADDER, Purpose.TOURNAMENT)
"""What a ladder's least layers bind: rated matches, and tournaments, which are played as the ladder is."""


class Offer(Protocol):
    """A worker as it describes itself, with a claim or a heartbeat."""

    @property
    def languages(self) -> Mapping[str, str]: ...
    @property
    def rules(self) -> Mapping[str, int]: ...
    @property
    def layers(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a worker must have to play one match."""

    ladder: str
    game: str
    rules_version: int
    languages: frozenset[str]
    layers: frozenset[str]

    def __str__(self) -> str:
        names = sorted(LANGUAGES[key].name if key in LANGUAGES else key for key in self.languages)
        words = [*names, f"version {self.rules_version} of the rules of {self.game}"]
        if self.layers:
            words.append(f"a sandbox with {' and '.join(sorted(self.layers))}")
        return ", ".join(words)


def needs_of(match: Match, seats: Iterable[MatchSeat]) -> Needs:
    """What `match` needs; a benched seat's program is not started, and needs nothing."""
    ladder = match.bundle.season.ladder
    return Needs(
        ladder=ladder.slug,
        game=ladder.game,
        rules_version=match.bundle.season.rules_version,
        languages=frozenset(seat.version.language for seat in seats if not seat.benched),
        layers=frozenset(ladder.least_layers if match.bundle.purpose in _HELD_TO_A_LEVEL else ()),
    )


def lacks(needs: Needs, worker: Offer) -> str:
    """Why the worker cannot play it, in a sentence; empty where it can."""
    game = needs.game
    known = GAMES[game].rules_version if game in GAMES else None
    if worker.rules.get(game) != needs.rules_version or known != needs.rules_version:
        return (
            f"This match is played by rules version {needs.rules_version} of {game}, "
            f"this worker has {worker.rules.get(game)} and the ladder {known}."
        )
    if missing := needs.layers - set(worker.layers):
        return (
            f"Rated matches and tournaments of {needs.ladder} need a sandbox with "
            f"{', '.join(sorted(needs.layers))}; this worker has no {', '.join(sorted(missing))}."
        )
    if absent := needs.languages - set(worker.languages):
        return f"This worker does not play: {', '.join(sorted(absent))}."
    return ""
