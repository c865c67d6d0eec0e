"""Who may see what of a match: one function, asked by every door.

The seats and how a match ended are public at once, but for pre-flights, which are their authors' own, and
matches of a hidden tournament, of which nothing is shown before its hour.
Seed, record and events are shown when the last match of the bundle has ended, for the other matches of a
bundle are played with the same cards. A transcript is for the members of the bot that sat there. In whose
turn an attempt broke is told with the records, and to the members of that bot at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from ladder.accounts.models import User
from ladder.matches.models import Match, MatchSeat, Purpose
from ladder.programs.models import BotMember

Viewer = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Sight:
    """What one viewer may see of one match."""

    match: bool
    """That it exists, its seats, state and result."""
    record: bool
    """Seed, record, events and boards."""
    transcripts: frozenset[int]
    """Seats whose private part may be read."""
    turns: frozenset[int]
    """Seats of which it may be told that an attempt broke in their turn."""


NOTHING = Sight(match=False, record=False, transcripts=frozenset(), turns=frozenset())


def sight(viewer: Viewer, match: Match) -> Sight:
    """What `viewer` may see of `match` now."""
    seats = list(match.seats.all())
    own = _own_seats(viewer, seats)
    is_admin = bool(viewer.is_staff)
    if match.bundle.purpose == Purpose.PREFLIGHT and not own and not is_admin:
        return NOTHING
    hidden_until = match.bundle.hidden_until
    if hidden_until is not None and hidden_until > timezone.now() and not is_admin:
        return NOTHING
    finished = match.status == Match.Status.FINISHED
    is_open = match.bundle.finished_at is not None and not match.bundle.is_sealed
    return Sight(
        match=True,
        record=finished and is_open,
        transcripts=own if finished else frozenset(),
        turns=frozenset(seat.number for seat in seats) if is_open else own,
    )


def _own_seats(viewer: Viewer, seats: list[MatchSeat]) -> frozenset[int]:
    if not viewer.is_authenticated:
        return frozenset()
    if viewer.is_staff:
        return frozenset(seat.number for seat in seats)
    bots = set(BotMember.objects.filter(user_id=viewer.pk).values_list("bot_id", flat=True))
    return frozenset(seat.number for seat in seats if seat.version.bot_id in bots)


def visible_matches(viewer: Viewer) -> QuerySet[Match]:
    """The matches for whose existence `sight` says yes, as a query."""
    matches = Match.objects.select_related("bundle__season__ladder")
    if viewer.is_staff:
        return matches
    matches = matches.filter(Q(bundle__hidden_until=None) | Q(bundle__hidden_until__lte=Now()))
    public = ~Q(bundle__purpose=Purpose.PREFLIGHT)
    if not viewer.is_authenticated:
        return matches.filter(public)
    own = MatchSeat.objects.filter(version__bot__memberships__user=viewer.pk).values("match_id")
    return matches.filter(public | Q(pk__in=own))
