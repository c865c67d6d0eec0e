"""A house for pages: ladders, house bots, two authors, matches finished, running, queued and void."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command

from bots.job import BadAnswer, HostFigures, MatchReport, Note, StderrChunk, TurnUsage
from ladder.accounts.models import User
from ladder.matches.models import Ladder, LadderVersion, Match, Purpose
from ladder.matches.services.bundles import bundle_create, preflight_create
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.reports import attempt_report
from ladder.programs.models import Version
from ladder.ratings.tasks import rate_due
from tests.ladder import house


@dataclass
class House:
    """What the pages' tests look at."""

    ladder: Ladder
    author: User
    stranger: User
    admin: User
    version: Version
    rejected: Version
    finished: Match
    half: Match
    """Finished, but not its bundle."""
    running: Match
    queued: Match
    void: Match
    preflight: Match
    faulted: Match
    benched: Match
    """Three attempts broke in the turn of the author's bot; the fourth was played without it."""

    def viewers(self) -> dict[str, User | None]:
        return {"anonymous": None, "author": self.author, "stranger": self.stranger, "admin": self.admin}


def furnish(bundles: int = 3) -> House:
    """Fill the database of a test (or of a picture) with matches that were really played."""
    ladder, other = house.ladder(2), house.ladder(4)
    author, stranger = house.user("ada"), house.user("grace")
    admin = User.objects.create_superuser("root", password="a long password 1")
    mine = house.version("Candlewick", owner=author, on=ladder)
    theirs = house.version("Pale Tenant", owner=stranger, on=ladder)
    bots = [house.version(name, on=ladder) for name in ("greedy", "random", "steady")]
    for version in (mine, theirs, *bots):
        LadderVersion.objects.create(version=version, ladder=other, state=LadderVersion.State.ACTIVE)
    worker = house.worker()
    season = season_ensure(ladder=ladder)
    pairs = [(mine, theirs), (mine, bots[0]), (theirs, bots[1]), (bots[0], bots[1]), (bots[0], bots[2])]
    for number in range(bundles):
        for pair in pairs:
            bundle = bundle_create(
                season=season,
                purpose=Purpose.LADDER,
                versions=pair,
                seed=f"{number:02d}{pairs.index(pair):030d}",
            )
            for match in bundle.matches.all():
                _play(worker, match)
    four = bundle_create(
        season=season_ensure(ladder=other), purpose=Purpose.LADDER, versions=[mine, theirs, *bots[:2]]
    )
    for match in four.matches.all():
        _play(worker, match)
    rate_due()
    return _others(ladder, author, stranger, admin, mine, theirs, worker, finished_of(mine))


def finished_of(version: Version) -> Match:
    match = Match.objects.filter(seats__version=version, bundle__finished_at__isnull=False).first()
    assert match is not None
    return match


def _others(
    ladder: Ladder,
    author: User,
    stranger: User,
    admin: User,
    mine: Version,
    theirs: Version,
    worker: Any,
    done: Match,
) -> House:
    season = season_ensure(ladder=ladder)

    def bundle() -> list[Match]:
        made = bundle_create(season=season, purpose=Purpose.LADDER, versions=[mine, theirs])
        return list(made.matches.order_by("number"))

    half, queued = bundle()
    house.play(worker, half)
    running, void = bundle()
    house.claim(worker, running)
    _try(worker, void, ("host_stalled", None), ("worker_died", 0), ("host_memory", 1))
    benched, other = bundle()
    broken = benched.seats.get(version=mine).number
    _try(worker, benched, *[("worker_died", broken)] * 3)
    house.play(worker, benched, lost={broken: "broken_attempts"})
    house.play(worker, other)
    faulted, _ = bundle()
    house.play(worker, faulted, lost={faulted.seats.get(version=mine).number: "crash"})
    house.play(worker, _)
    rejected = house.version("Candlewick", owner=author, number=2)
    rejected.state, rejected.reason_code = Version.State.REJECTED, "timeout"
    rejected.reason, rejected.build_log = "The bot used up its clock.", "built <well>"
    rejected.save()
    preflight = preflight_create(season=season, version=rejected).matches.get(number=0)
    matches = (done, half, running, queued, void, preflight, faulted, benched)
    for match in matches:
        match.refresh_from_db()
    return House(ladder, author, stranger, admin, mine, rejected, *matches)


def _try(worker: Any, match: Match, *broken: tuple[str, int | None]) -> None:
    """Attempts that do not count: why, and in whose turn they broke."""
    for number, (reason, turn_of) in enumerate(broken):
        job = house.claim(worker, match)
        report = MatchReport(
            attempt_id=job.attempt_id,
            fence=job.fence,
            outcome="void",
            void_reason=reason,
            turn_of=turn_of,
            host=HostFigures(
                late_us=912_000,
                longest_late_us=140_300 * (number + 1),
                steal_us=None if number == 1 else 2_730_000,
                pressure_us=1_204_000,
                core=number or None,
            ),
        )
        attempt_report(attempt=house.attempt_of(job), report=report)


def _play(worker: Any, match: Match) -> None:
    """As house.play, with a private part worth reading."""
    job = house.claim(worker, match)
    record = house.played(job).to_json()
    seats = [
        house.seat_report(
            seat.seat,
            turns=[TurnUsage(turn=turn, cpu_us=900 * turn, wall_us=1200 * turn) for turn in range(1, 25)],
            notes=[Note(turn=1, text="HUSHNOTE of a seat")],
            stderr=[StderrChunk(turn=1, text="HUSHSTDERR of a seat\n")],
            bad_answers=[BadAnswer(turn=2, code="illegal_move", text="HUSHANSWER")],
        )
        for seat in job.seats
    ]
    report = house.report_of(job, record)
    attempt_report(
        attempt=house.attempt_of(job),
        report=type(report)(
            attempt_id=report.attempt_id, fence=report.fence, outcome="finished", record=record, seats=seats
        ),
    )


@pytest.fixture(scope="module")
def furnished_house(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    """Furnished once for a module, for the matches are played in earnest; emptied after it."""
    with django_db_blocker.unblock():
        made = furnish()
        yield made
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def furnished(furnished_house: House, db: None) -> House:
    """The house as each test finds it: what a test changes is rolled back."""
    return furnished_house
