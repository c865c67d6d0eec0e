"""What is told of the tries to play a match: why one does not count, in whose turn it broke, how busy its
host was; and how many of a version's did not count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from bots.job import HostFigures
from bots.messages import MESSAGES
from ladder.matches.models import Attempt, Match, MatchSeat
from ladder.matches.visibility import Viewer, sight, visible_matches
from ladder.programs.models import Version
from ladder.programs.selectors import is_member

_UNLESS_SAID: Final = {
    Attempt.Status.VOID: "platform_stall",
    Attempt.Status.EXPIRED: "worker_lost",
    Attempt.Status.SUPERSEDED: "cancelled",
}
"""Attempts that do not count, and the code of the sentence where their own code has none."""


@dataclass(frozen=True, slots=True)
class Told:
    """One try, as far as a viewer may know of it."""

    attempt: Attempt
    code: str
    """Why it does not count; empty where it does, or goes on."""
    turn_of: MatchSeat | None
    host: HostFigures | None

    @property
    def why(self) -> str:
        return MESSAGES[self.code].title if self.code else ""


def attempts_told(viewer: Viewer, match: Match) -> list[Told]:
    """Each try to play a match that the viewer may see, the first one first."""
    told_of = sight(viewer, match).turns
    seats = {seat.number: seat for seat in match.seats.all() if seat.number in told_of}
    return [
        Told(
            attempt,
            _code(attempt),
            None if attempt.turn_of is None else seats.get(attempt.turn_of),
            None if attempt.host is None else msgspec.convert(attempt.host, HostFigures),
        )
        for attempt in match.attempts.select_related("worker")
    ]


def _code(attempt: Attempt) -> str:
    """The attempt's own code where the catalogue has a sentence for it that needs no facts."""
    usual = _UNLESS_SAID.get(Attempt.Status(attempt.status), "")
    row = MESSAGES.get(attempt.void_code)
    return attempt.void_code if usual and row and row.topic == "void" and not row.facts else usual


@dataclass(frozen=True, slots=True)
class Voids:
    """How many attempts at a version's matches did not count."""

    attempts: int
    in_its_turn: int


def version_voids(viewer: Viewer, version: Version) -> Voids:
    """Of the matches that the viewer may see.

    What broke in its turn is told as `sight` tells it of one match: to its members at once, to others when
    the bundle has ended.
    """
    visible = visible_matches(viewer).filter(seats__version=version).order_by()
    void = Attempt.objects.filter(status__in=_UNLESS_SAID, match__in=visible)
    at_turn = MatchSeat.objects.filter(match=OuterRef("match"), number=OuterRef("turn_of"), version=version)
    broke = void.filter(Exists(at_turn))
    if not is_member(viewer, version.bot):
        broke = broke.filter(match__bundle__finished_at__isnull=False, match__bundle__is_sealed=False)
    return Voids(void.count(), broke.count())


def versions_with_voids(versions: QuerySet[Version]) -> QuerySet[Version]:
    """The same for each of many, of all matches: `void_attempts` and `broken_attempts`."""
    return versions.annotate(
        void_attempts=_counted(Q()),
        broken_attempts=_counted(Q(match__seats__number=F("turn_of"))),
    )


def _counted(which: Q) -> Coalesce:
    found = (
        Attempt.objects.filter(which, status__in=_UNLESS_SAID, match__seats__version=OuterRef("pk"))
        .order_by()
        .values("match__seats__version")
        .annotate(found=Count("pk", distinct=True))
        .values("found")
    )
    return Coalesce(Subquery(found, output_field=IntegerField()), 0)
