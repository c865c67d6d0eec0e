"""How long transcripts are kept: the last 200 matches of a version, and every match with a fault."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from ladder.matches.models import MatchSeat, Transcript

KEPT_A_VERSION: Final = 200


@transaction.atomic
def transcripts_prune(*, keep: int = KEPT_A_VERSION) -> int:
    """Delete what is past keeping; the number of transcripts deleted."""
    ranked = MatchSeat.objects.filter(transcript__isnull=False).annotate(
        age=Window(RowNumber(), partition_by=F("version"), order_by=F("match__finished_at").desc())
    )
    old = list(ranked.filter(age__gt=keep, match__has_fault=False).values_list("pk", flat=True))
    return Transcript.objects.filter(seat__in=old).delete()[0]
