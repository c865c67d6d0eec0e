"""Ladders with bots on them and results of bundles, written straight into the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np
from django.utils import timezone

from ladder.accounts.models import User
from ladder.matches.models import Bundle, Ladder, LadderVersion, Match, MatchSeat, Purpose, Season
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import ladders_ensure
from ladder.programs.models import Bot, Version
from ladder.ratings.fit import ELO

State = LadderVersion.State
Ranking = Callable[[Sequence[MatchSeat]], Sequence[int]]


def season_open(seats: int = 2) -> Season:
    ladders_ensure()
    return Season.objects.select_related("ladder").get(ladder__seats=seats, closed_at=None)


def version_on(
    ladder: Ladder, name: str, *, house: bool = False, owner: str = "", state: str = State.ACTIVE
) -> Version:
    """The next version of the bot called `name`; the one before it is replaced."""
    bot, _ = Bot.objects.get_or_create(name=name, defaults={"is_house": house})
    if owner:
        user, _ = User.objects.get_or_create(username=owner)
        bot.memberships.get_or_create(user=user)
    LadderVersion.objects.filter(ladder=ladder, version__bot=bot).update(state=State.REPLACED)
    version = Version.objects.create(
        bot=bot,
        number=bot.versions.count() + 1,
        state=Version.State.ACTIVE,
        language="python",
        entry="main.py",
        digest="0" * 64,
        source_size=1,
    )
    LadderVersion.objects.create(version=version, ladder=ladder, state=state)
    return version


def by_strength(strengths: dict[int, float], rng: np.random.Generator) -> Ranking:
    """Places drawn by the model; `strengths` in Elo by version id."""

    def rank(seats: Sequence[MatchSeat]) -> Sequence[int]:
        worth = [strengths[seat.version_id] / ELO + rng.gumbel() for seat in seats]
        return [1 + sum(other > own for other in worth) for own in worth]

    return rank


def in_seat_order(seats: Sequence[MatchSeat]) -> Sequence[int]:
    return range(1, len(seats) + 1)


def bundle_played(
    season: Season,
    versions: Sequence[Version],
    ranking: Ranking,
    *,
    purpose: Purpose = Purpose.LADDER,
    void: Sequence[int] = (),
    faulted: Version | None = None,
    finished_at: datetime | None = None,
) -> Bundle:
    """A bundle whose matches have all ended; those numbered in `void` without a result."""
    bundle = bundle_create(season=season, purpose=purpose, versions=versions)
    for match in bundle.matches.order_by("number"):
        match.status = Match.Status.VOID if match.number in void else Match.Status.FINISHED
        match.save()
        if match.number in void:
            continue
        seats = list(match.seats.all())
        for seat, rank in zip(seats, ranking(seats), strict=True):
            seat.rank, seat.score = rank, float(-rank)
            if faulted is not None and seat.version_id == faulted.pk:
                seat.fault_code, seat.strikes = "illegal_move", 1
        MatchSeat.objects.bulk_update(seats, ["rank", "score", "fault_code", "strikes"])
    bundle.finished_at = finished_at or timezone.now()
    bundle.save()
    return bundle
