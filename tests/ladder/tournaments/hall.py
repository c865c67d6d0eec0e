"""Tournaments for tests: made, entered and moved by hand, their matches played through the engine."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from engine.registry import make_game
from ladder.accounts.models import User
from ladder.matches.models import Ladder, Match, Worker
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.plans import PlanData
from ladder.tournaments.services.clock import tournaments_tick
from ladder.tournaments.services.entries import entry_create
from ladder.tournaments.services.organise import tournament_create
from tests.ladder import house

SOON = timedelta(minutes=10)


def team_ladder() -> Ladder:
    """A ladder of the co-operative game."""
    made = make_game("treasure-hunters", 4)
    ladder, _ = Ladder.objects.get_or_create(
        slug="treasure-hunters-4",
        defaults={
            "title": "Treasure Hunters",
            "game": made.name,
            "mode": made.mode,
            "options": dict(made.options),
            "seats": 4,
        },
    )
    return ladder


def plan(ladder: Ladder, format_: Format, **changes: Any) -> PlanData:
    return PlanData(**{"title": "Friday", "ladder": ladder, "format": format_, **changes})


def tournament(
    ladder: Ladder, format_: Format, *, entries: int, organiser: User | None = None, **changes: Any
) -> Tournament:
    """Open, with so many bots of as many users in it; starts when `later()` says so."""
    now = timezone.now()
    made = tournament_create(
        owner=organiser or house.user("organiser"),
        plan=plan(ladder, format_, **changes),
        registration_ends_at=now + SOON,
        starts_at=now + SOON,
    )
    for number in range(1, entries + 1):
        owner = house.user(f"user{number}")
        version = house.version(f"bot{number}", owner=owner, on=ladder)
        entry_create(tournament=made, user=owner, bot=version.bot)
    return made


def later() -> datetime:
    """An hour at which registration has ended and the tournament starts."""
    return timezone.now() + 2 * SOON


def tick(made: Tournament, *, at: datetime | None = None) -> Tournament:
    """Let the clock do all it can without a match being played."""
    while tournaments_tick(now=at or later()):
        pass
    made.refresh_from_db()
    return made


def play_round(by: Worker, **outcome: Any) -> int:
    """Play every match that waits; how many."""
    waiting = list(Match.objects.filter(status=Match.Status.QUEUED).order_by("pk"))
    for match in waiting:
        house.play(by, match, **outcome)
    return len(waiting)


def play_out(made: Tournament, by: Worker, *, steps: int = 100) -> Tournament:
    """Play a tournament to its end, begun though its hour lie further off. Fails when it hangs."""
    for _ in range(steps):
        tick(made, at=max(later(), made.starts_at))
        if made.state == Tournament.State.FINISHED:
            return made
        assert play_round(by), "nothing to play, and not finished"
    raise AssertionError("no end")
