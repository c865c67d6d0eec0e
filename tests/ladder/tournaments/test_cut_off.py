"""A step that is cut off at any of its queries has not happened, and the next one does all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from ladder.matches.models import Bundle, Match
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Entry, Happening, Table, TableBundle, TableSeat, Tournament
from ladder.tournaments.services.clock import tournament_step
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db
AT = (1, 4, 12, 30, 70)
"""Queries of a step before which it is cut off, one try each."""


class CutOffError(Exception):
    """As if the process had been killed here: what was not committed is gone."""


@contextmanager
def cut_off(at: int) -> Iterator[None]:
    """No query of ours comes through from the `at`-th on; savepoints are the test's own transaction."""
    seen = 0

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        if "SAVEPOINT" not in sql:
            seen += 1
            if seen >= at:
                raise CutOffError
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def everything() -> list[list[dict[str, Any]]]:
    """All rows that a step may write."""
    kinds = (Tournament, Entry, Table, TableSeat, TableBundle, Bundle, Match, Happening)
    return [list(kind.objects.order_by("pk").values()) for kind in kinds]


def step(made: Tournament) -> bool:
    """One step that is cut off again and again before it is let through."""
    before = everything()
    for at in AT:
        try:
            with cut_off(at):
                done = tournament_step(tournament_id=made.pk, now=hall.later())
        except CutOffError:
            assert everything() == before, f"cut off at query {at}"
        else:
            return done
    return tournament_step(tournament_id=made.pk, now=hall.later())


@pytest.mark.parametrize("format_", [Format.DOUBLE_ELIMINATION, Format.SWISS])
def test_a_step_that_is_cut_off_leaves_nothing_and_the_next_does_it_all(format_: Format) -> None:
    made = hall.tournament(house.ladder(2), format_, entries=4)
    by = house.worker()
    for _ in range(100):
        while step(made):
            pass
        made.refresh_from_db()
        if made.state == Tournament.State.FINISHED:
            break
        assert hall.play_round(by), "nothing to play, and not finished"
    assert sorted(made.entries.values_list("rank", flat=True)) == [1, 2, 3, 4]
    kinds = list(made.happenings.values_list("kind", flat=True))
    assert [kinds.count(kind) for kind in ("frozen", "started", "finished")] == [1, 1, 1]
    assert kinds.count("table_decided") == made.tables.count()
    assert all(table.bundles.exists() for table in made.tables.all())
