"""Workers that differ: a bell that one cannot answer is soon heard by another; nobody stands idle for it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import redis
from django.utils import timezone

from bots.job import QUEUE_BUILD, QUEUE_MATCH
from ladder.common.locks import database_now
from ladder.matches.models import Match, MatchSeat, Purpose, Season, Worker
from ladder.matches.services.bundles import bundle_create, tournament_bundle_create
from ladder.matches.services.claims import UnfitError, job_claim
from ladder.matchmaking.services import BELLS_A_SLOT, RING_REFUSED_AFTER, bells_refill, dispatch_tick
from ladder.programs.models import Build, Version
from ladder.programs.services import bot_create, version_upload
from tests.ladder import house
from tests.ladder.matchmaking.test_dispatcher import bells, broker, closed

__all__ = ["broker"]
pytestmark = pytest.mark.django_db(transaction=True)

PYTHON = {"python": "Python 3.11"}
BOTH = {**PYTHON, "rust": "rustc 1.63.0"}
TICK = timedelta(seconds=1)


class Fleet:
    """Workers that wait in line for bells, as clients of a broker do, and the dispatcher that rings them."""

    def __init__(self, broker: redis.Redis, **languages: dict[str, str]) -> None:
        self.broker = broker
        self.languages = languages
        self.workers = {name: house.worker(name) for name in languages}
        self.line = list(languages)
        self.refused: dict[str, int] = dict.fromkeys(languages, 0)
        self.played: dict[str, list[Match]] = {name: [] for name in languages}
        self.now = database_now()
        self.heard()

    def heard(self) -> None:
        for name, worker in self.workers.items():
            Worker.objects.filter(pk=worker.pk).update(
                slots=1, last_seen_at=self.now, languages=self.languages[name], rules=house.RULES
            )

    def tick(self, *, busy: str = "") -> None:
        """A second of the dispatcher, and all bells that are answered in it; none by who is `busy`."""
        dispatch_tick(now=self.now)
        bells_refill(now=self.now)  # as after any claim
        while (free := [name for name in self.line if name != busy]) and (bell := self._bell()):
            self.line.remove(free[0])
            self.line.append(free[0])
            self._answer(free[0], bell)
        self.now += TICK
        Match.objects.filter(refused_at__isnull=False).update(refused_at=self.now - TICK)
        self.heard()

    def _bell(self) -> str | None:
        found = bells(self.broker)
        if found:
            self.broker.rpop(QUEUE_MATCH)
        return found[0] if found else None

    def _answer(self, name: str, bell: str) -> None:
        match = Match.objects.get(public_id=bell)
        try:
            job = house.claim(self.workers[name], match, languages=self.languages[name])
        except UnfitError:
            self.refused[name] += 1
            return
        assert job.match_id == bell
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        self.played[name].append(match)


def in_rust(version: Version) -> Version:
    Version.objects.filter(pk=version.pk).update(language="rust")
    return version


@pytest.fixture
def season() -> Season:
    return closed(house.ladder(2))


def pair(season: Season, *, rust: bool = False) -> list[Version]:
    made = [house.version(f"{'r' if rust else 'p'}{number}", on=season.ladder) for number in range(2)]
    if rust:
        in_rust(made[0])
    return made


def queue(season: Season, versions: list[Version], purpose: Purpose = Purpose.LADDER) -> list[Match]:
    return list(bundle_create(season=season, purpose=purpose, versions=versions).matches.order_by("number"))


def unplayed() -> int:
    return Match.objects.filter(status=Match.Status.QUEUED).count()


def test_a_bell_for_the_wrong_worker_is_soon_heard_by_the_right_one(
    broker: redis.Redis, season: Season
) -> None:
    fleet = Fleet(broker, plain=PYTHON, fit=BOTH)
    queue(season, pair(season, rust=True))
    fleet.tick()
    assert fleet.refused["plain"] == 1
    fleet.tick()
    fleet.tick()
    assert len(fleet.played["fit"]) == 2, "in seconds, not in the time of a lost bell"
    assert fleet.refused["plain"] <= 3


def test_who_is_alone_and_unfit_is_not_rung_a_thousand_times_a_second(
    broker: redis.Redis, season: Season
) -> None:
    fleet = Fleet(broker, plain=PYTHON, fit=BOTH)
    versions = pair(season, rust=True)
    for _ in range(10):
        queue(season, versions)
    for _ in range(5):
        fleet.tick(busy="fit")
    assert fleet.played == {"plain": [], "fit": []}
    assert 5 <= fleet.refused["plain"] <= 5 * 2 * BELLS_A_SLOT * len(fleet.workers)
    for _ in range(20):
        fleet.tick()
    assert len(fleet.played["fit"]) == 20


def test_what_only_a_busy_worker_can_play_keeps_nobody_idle(broker: redis.Redis, season: Season) -> None:
    """A tournament in rust goes first, but the worker without rust plays the ladder's matches meanwhile."""
    fleet = Fleet(broker, plain=PYTHON, fit=BOTH)
    rust, plain = pair(season, rust=True), pair(season)
    for number in range(10):
        tournament_bundle_create(season=season, versions=rust, seed=f"{number}")
    rated = [match for _ in range(3) for match in queue(season, plain)]
    for _ in range(12):
        fleet.tick(busy="fit")
    assert sorted(match.pk for match in fleet.played["plain"]) == [match.pk for match in rated]
    while unplayed():
        fleet.tick()
    assert len(fleet.played["fit"]) == 20


def test_what_no_worker_there_can_play_is_not_rung_for(broker: redis.Redis, season: Season) -> None:
    fleet = Fleet(broker, plain=PYTHON)
    match, _ = queue(season, pair(season, rust=True))
    fleet.tick()
    assert fleet.refused == {"plain": 0}
    MatchSeat.objects.filter(match=match, version__language="rust").update(benched=True)
    fleet.tick()
    assert fleet.played["plain"] == [match], "a benched program is not started, so nobody needs its language"


def test_a_refused_bell_rests_for_a_second(broker: redis.Redis, season: Season) -> None:
    fleet = Fleet(broker, plain=PYTHON, fit=BOTH)
    match, _ = queue(season, pair(season, rust=True))
    with pytest.raises(UnfitError):
        house.claim(fleet.workers["plain"], match, languages=PYTHON)
    match.refresh_from_db()
    refused_at = match.refused_at
    assert isinstance(refused_at, datetime)
    rested = refused_at + RING_REFUSED_AFTER
    Worker.objects.update(last_seen_at=rested)
    bells_refill(now=rested - timedelta(milliseconds=1))
    assert str(match.public_id) not in bells(broker)
    bells_refill(now=rested)
    assert str(match.public_id) in bells(broker)


def test_a_build_for_the_wrong_worker_rings_again_and_lets_others_pass(broker: redis.Redis) -> None:
    user, now = house.user(), timezone.now()
    bot = bot_create(user=user, name="lamp")
    first = version_upload(bot=bot, user=user, data=b"fn main() {}\n", filename="main.rs").build
    second = version_upload(bot=bot, user=user, data=b"print(1)\n", filename="main.py").build
    fleet = Fleet(broker, fit=BOTH)
    broker.flushall()
    with pytest.raises(UnfitError):
        _claim_build(fleet.workers["fit"], first, PYTHON)
    assert Build.objects.get(pk=first.pk).doorbell_at is None
    Build.objects.filter(pk=second.pk).update(doorbell_at=None, created_at=now - TICK)
    later = database_now() + RING_REFUSED_AFTER
    Worker.objects.update(last_seen_at=later)
    dispatch_tick(now=later)
    assert bells(broker, QUEUE_BUILD) == [str(second.public_id), str(first.public_id)]


def _claim_build(worker: Worker, build: Build, languages: dict[str, str]) -> None:
    job_claim(worker=worker, claim=house.claim_of("build", build.public_id, languages=languages))
