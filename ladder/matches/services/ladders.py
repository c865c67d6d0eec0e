"""Ladders and their seasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from bots.job import FAST
from engine.registry import GAMES, make_game
from ladder.matches.models import Ladder, Purpose, Season
from ladder.matches.services.bundles import bundles_cancel


@dataclass(frozen=True, slots=True)
class _Default:
    slug: str
    title: str
    game: str
    seats: int


# Each in its game's first mode. A team game has none: it takes a ladder of another kind.
DEFAULT_LADDERS: Final = (
    _Default("dont-go-in-there-2", "Don't Go In There, 2 seats", "dont-go-in-there", 2),
    _Default("dont-go-in-there-4", "Don't Go In There, 4 seats", "dont-go-in-there", 4),
    _Default("haunt-the-house-3", "Haunt the House, 3 seats", "haunt-the-house", 3),
)


@transaction.atomic
def ladders_ensure() -> list[Ladder]:
    """The default ladders, each with an open season on the engine's rules. Safe to repeat."""
    ladders = []
    for default in DEFAULT_LADDERS:
        game = make_game(default.game, default.seats)
        ladder, _ = Ladder.objects.get_or_create(
            slug=default.slug,
            defaults={
                "title": default.title,
                "game": default.game,
                "mode": game.mode,
                "options": dict(game.options),
                "seats": default.seats,
                "clock_bank_ms": FAST.bank_ms,
                "clock_increment_ms": FAST.increment_ms,
                "aim_elo": settings.LADDER_AIM_ELO,
            },
        )
        season_ensure(ladder=ladder)
        ladders.append(ladder)
    return ladders


@transaction.atomic
def season_ensure(*, ladder: Ladder) -> Season:
    """The open season; where the rules have moved, the old one is closed and a new one opened."""
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    rules_version = GAMES[ladder.game].rules_version
    newest = ladder.seasons.order_by("-number").first()
    if newest is not None and newest.closed_at is None:
        if newest.rules_version == rules_version:
            return newest
        newest.closed_at = timezone.now()
        newest.save(update_fields=["closed_at"])
        # No worker plays by these rules any more; a pre-flight is judged, and a tournament knows itself.
        waiting = newest.bundles.filter(finished_at=None, purpose__in=(Purpose.LADDER, Purpose.FRIENDLY))
        bundles_cancel(bundles=waiting, code="season_closed")
    number = newest.number + 1 if newest else 1
    return Season.objects.create(ladder=ladder, number=number, rules_version=rules_version)
