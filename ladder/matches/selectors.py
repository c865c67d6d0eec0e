"""Reads of ladders, matches and records."""

from __future__ import annotations

import json
import zlib
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.db.models.functions import Now

from bots.job import SeatReport
from bots.languages import LANGUAGES
from bots.messages import sentence
from bots.transcript import SentLine, derive_lines
from engine.record import Record
from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, NotFoundError
from ladder.matches.fitness import lacks, needs_of
from ladder.matches.models import (
    Ladder,
    LadderVersion,
    Match,
    MatchRecord,
    MatchSeat,
    Season,
    Transcript,
    Worker,
)
from ladder.matches.services.claims import private_seed
from ladder.matches.visibility import sight, visible_matches
from ladder.programs.models import Version

Viewer = User | AnonymousUser

HEARD_LATELY: Final = timedelta(seconds=30)
"""A worker says each 5 s that it lives."""


def workers_live() -> QuerySet[Worker]:
    """Workers heard of lately that may claim."""
    return Worker.objects.filter(last_seen_at__gt=Now() - HEARD_LATELY, distrusted_at=None)


def languages_offered() -> dict[str, list[str]]:
    """Languages that can be played now, in the order of the table -> their versions on the workers there are.

    Workers may differ; the order of their versions is that of the alphabet.
    """
    found: dict[str, set[str]] = {}
    for offered in workers_live().filter(slots__gt=0).values_list("languages", flat=True):
        for language, version in offered.items():
            found.setdefault(language, set()).add(version)
    return {key: sorted(found[key]) for key in LANGUAGES if key in found}


def waits_for(match: Match) -> str:
    """What a queued match waits for, where no worker that is there can play it; else an empty text."""
    if match.status != Match.Status.QUEUED:
        return ""
    needs = needs_of(match, match.seats.all())
    if any(not lacks(needs, worker) for worker in workers_live().filter(slots__gt=0)):
        return ""
    return sentence("no_fit_worker", needs=needs)


def ladders() -> QuerySet[Ladder]:
    """All ladders, open ones first."""
    return Ladder.objects.order_by("-is_open", "game", "seats", "pk")


def ladder_by_slug(slug: str) -> Ladder:
    """Raises NotFoundError."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise NotFoundError(f"There is no ladder {slug}.")
    return ladder


def open_season(ladder: Ladder) -> Season:
    """The season that is played now. Raises NotFoundError between two."""
    season = ladder.seasons.filter(closed_at=None).first()
    if season is None:
        raise NotFoundError(f"{ladder.title} has no open season.")
    return season


def ladder_states(version: Version) -> QuerySet[LadderVersion]:
    """On which ladders a version plays, and why not on others."""
    return version.ladder_states.select_related("ladder").order_by("ladder__slug")


def matches(viewer: Viewer) -> QuerySet[Match]:
    """The matches that the viewer may see, newest first, with their seats."""
    seats = MatchSeat.objects.select_related("version__bot").order_by("number")
    return visible_matches(viewer).prefetch_related(Prefetch("seats", queryset=seats)).order_by("-pk")


def match_by_id(viewer: Viewer, match_id: UUID) -> Match:
    """One match, for those who may see it. Raises NotFoundError."""
    match = matches(viewer).filter(public_id=match_id).first()
    if match is None:
        raise NotFoundError("There is no such match.")
    return match


def record_of(viewer: Viewer, match: Match) -> str:
    """The record's canonical JSON. Raises ForbiddenError before its bundle has ended."""
    return zlib.decompress(_record(viewer, match).record).decode()


def steps_of(viewer: Viewer, match: Match, seat: int | None = None) -> list[dict[str, Any]]:
    """The events of a match, as an onlooker or as one seat saw them, each with the board after its ply.

    Raises ForbiddenError before the bundle has ended, NotFoundError for a seat that is not there.
    """
    if seat is not None and not 0 <= seat < match.seats.count():
        raise NotFoundError(f"This match has no seat {seat}.")
    stored: list[dict[str, Any]] = json.loads(zlib.decompress(_record(viewer, match).events))
    return [
        {
            "step": number,
            "ply": step["ply"],
            "event": {"kind": step["kind"], **step["public"], **step["private"].get(str(seat), {})},
            "board": step["board"],
        }
        for number, step in enumerate(stored)
    ]


def _record(viewer: Viewer, match: Match) -> MatchRecord:
    if not sight(viewer, match).record:
        raise ForbiddenError(
            "The record is shown when the last match of its bundle has ended: the others are played with "
            "the same cards.",
            code="bundle_running",
        )
    return MatchRecord.objects.get(match=match)


def transcript_of(viewer: Viewer, match: Match, seat: int) -> SeatReport:
    """What one seat's program answered, noted and used. Raises ForbiddenError or NotFoundError."""
    if seat not in sight(viewer, match).transcripts:
        raise ForbiddenError("A transcript is for the members of the bot that sat there.")
    kept = Transcript.objects.filter(seat__match=match, seat__number=seat).first()
    if kept is None:
        raise NotFoundError("This transcript is no longer kept.")
    return msgspec.json.decode(zlib.decompress(kept.data), type=SeatReport)


def lines_of(viewer: Viewer, match: Match, seat: int) -> list[SentLine]:
    """The exact lines that one seat was sent, derived again from the record. Raises as transcript_of."""
    report = transcript_of(viewer, match, seat)
    stored = MatchRecord.objects.get(match=match)
    record = Record.from_json(zlib.decompress(stored.record))
    return derive_lines(record, report, private_seed(match.bundle.seed, record.seats[seat].version))
