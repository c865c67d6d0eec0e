"""Friendly matches: asked for, played, and counted for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, LadderError, QuotaError
from ladder.matches.models import Bundle, Ladder, LadderVersion, Purpose
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import Bot, Version
from ladder.programs.selectors import is_member

BUNDLES_A_DAY: Final = 50


@transaction.atomic
def friendly_create(*, user: User, ladder: Ladder, bots: Sequence[Bot]) -> Bundle:
    """A bundle between the active versions of `bots`, one of which is the user's own.

    Raises LadderError for a wrong number of bots or one that does not play there, ForbiddenError where
    none is the user's, QuotaError past 50 bundles in 24 hours.
    """
    if len(bots) != ladder.seats:
        raise LadderError(f"{ladder.title} seats {ladder.seats}, not {len(bots)}.", code="seats")
    if not any(is_member(user, bot) for bot in bots):
        raise ForbiddenError("One of the bots must be yours.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    since = timezone.now() - timedelta(days=1)
    asked = Bundle.objects.filter(requested_by=user, purpose=Purpose.FRIENDLY, created_at__gt=since)
    if asked.count() >= BUNDLES_A_DAY:
        raise QuotaError(
            f"You asked for {BUNDLES_A_DAY} friendly bundles in 24 hours.", code="friendly_per_day"
        )
    versions = [_playing_version(bot, ladder) for bot in bots]
    return bundle_create(
        season=season_ensure(ladder=ladder),
        purpose=Purpose.FRIENDLY,
        versions=versions,
        requested_by=user,
    )


def _playing_version(bot: Bot, ladder: Ladder) -> Version:
    state = (
        LadderVersion.objects.filter(ladder=ladder, version__bot=bot, state=LadderVersion.State.ACTIVE)
        .select_related("version__bot")
        .first()
    )
    if state is None:
        raise LadderError(f"{bot.name} has no active version on {ladder.title}.", code="not_active")
    return state.version
