"""What happened, written down in the transaction in which it did."""

from __future__ import annotations

from ladder.accounts.models import User
from ladder.tournaments.models import Happening, Tournament


def note(tournament: Tournament, kind: str, *, actor: User | None = None, **facts: object) -> None:
    """One line of a tournament's history; `actor` None is the clock."""
    Happening.objects.create(tournament=tournament, kind=kind, actor=actor, facts=facts)
