"""The dispatcher on a real PostgreSQL, ringing into a real Valkey."""

from __future__ import annotations

import base64
import itertools
import json
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from bots.job import QUEUE_BUILD, QUEUE_MATCH
from ladder.common.locks import try_advisory_lock
from ladder.matches.models import Bundle, Ladder, Match, Purpose, Season, Worker
from ladder.matches.services.bundles import bundle_create, preflight_create
from ladder.matches.services.ladders import season_ensure
from ladder.matchmaking import selectors
from ladder.matchmaking.services import (
    MATCHES_AHEAD_A_SLOT,
    RESTING_PAUSE,
    RING_AGAIN_AFTER,
    bells_refill,
    builds_ring,
    dispatch_tick,
)
from ladder.programs.models import Version
from ladder.programs.services import bot_create, version_upload
from ladder.ratings.models import Rating
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.flushall()
    yield client
    client.flushall()
    client.close()


def bells(broker: redis.Redis, queue: str = QUEUE_MATCH) -> list[str]:
    """Ids in the broker, the oldest bell first."""
    messages: Any = broker.lrange(queue, 0, -1)
    bodies = [json.loads(message) for message in reversed(messages)]
    return [json.loads(_body(body))[0][0] for body in bodies]


def _body(message: dict[str, Any]) -> bytes:
    return base64.b64decode(message["body"])


def live(slots: int, now: datetime, name: str = "w1") -> Worker:
    worker = house.worker(name)
    Worker.objects.filter(pk=worker.pk).update(slots=slots, last_seen_at=now, languages=house.LANGUAGES)
    return worker


def heard(now: datetime) -> None:
    Worker.objects.update(last_seen_at=now)


def pair(ladder: Ladder, *owners: str) -> list[Version]:
    """Two house versions, or versions of these users, on the ladder."""
    if owners:
        return [house.version(f"{name}'s", owner=house.user(name), on=ladder) for name in owners]
    return [house.version(name, on=ladder) for name in ("h1", "h2")]


def closed(ladder: Ladder) -> Season:
    """The open season of a ladder on which no tables are laid."""
    Ladder.objects.update(is_open=False)
    return season_ensure(ladder=ladder)


def queue(season: Season, versions: list[Version], purpose: Purpose = Purpose.LADDER) -> Bundle:
    return bundle_create(season=season, purpose=purpose, versions=versions)


def test_without_a_living_worker_nothing_happens(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    queue(season_ensure(ladder=ladder), pair(ladder))
    live(4, now - timedelta(minutes=1))
    Worker.objects.filter(pk=live(4, now, "w2").pk).update(distrusted_at=now)
    dispatch_tick(now=now)
    assert bells(broker) == []
    assert Bundle.objects.count() == 1


def test_bells_are_at_most_twice_the_living_slots(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions, season = pair(ladder), closed(ladder)
    for _ in range(5):
        queue(season, versions)
    live(2, now)
    for tick in range(3):
        dispatch_tick(now=now + tick * SECOND)
    rung = bells(broker)
    assert rung == [str(match.public_id) for match in Match.objects.order_by("pk")[:4]]


def test_preflights_then_friendly_matches_then_the_ladders(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions, season = pair(ladder), closed(ladder)
    rated = queue(season, versions)
    friendly = queue(season, versions, Purpose.FRIENDLY)
    preflight = preflight_create(season=season, version=house.version("new", owner=house.user()))
    live(8, now)
    dispatch_tick(now=now)
    order = [Match.objects.get(public_id=bell).bundle for bell in bells(broker)]
    assert order == [preflight, preflight, friendly, friendly, rated, rated]


@pytest.mark.parametrize("is_emptied", [False, True])
def test_a_bell_that_nobody_answered_rings_again(broker: redis.Redis, is_emptied: bool) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions = pair(ladder)
    bundle = queue(closed(ladder), versions)
    live(4, now)
    dispatch_tick(now=now)
    first = bells(broker)
    assert len(first) == 2
    if is_emptied:
        broker.flushall()
    dispatch_tick(now=now + RING_AGAIN_AFTER - SECOND)
    assert bells(broker) == ([] if is_emptied else first)
    later = now + RING_AGAIN_AFTER
    heard(later)
    dispatch_tick(now=later)
    assert bells(broker)[-2:] == [str(match.public_id) for match in bundle.matches.order_by("pk")]


def test_an_answered_bell_makes_room_for_the_next_before_the_tick(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions, season = pair(ladder), closed(ladder)
    for _ in range(2):
        queue(season, versions)
    worker = live(1, now)
    dispatch_tick(now=now)
    matches = list(Match.objects.order_by("pk"))
    assert bells(broker) == [str(match.public_id) for match in matches[:2]]
    house.claim(worker, matches[0])
    broker.ltrim(QUEUE_MATCH, 0, 0)
    bells_refill(now=now)
    assert bells(broker) == [str(match.public_id) for match in matches[1:3]]


def test_what_is_played_rings_no_more(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions = pair(ladder)
    bundle = queue(closed(ladder), versions)
    worker = live(4, now)
    for match in bundle.matches.all():
        house.play(worker, match)
    dispatch_tick(now=now)
    assert bells(broker) == []


def test_builds_ring_again_too(broker: redis.Redis) -> None:
    user, now = house.user(), timezone.now()
    bot = bot_create(user=user, name="lamp")
    version = version_upload(bot=bot, user=user, data=b"print(1)\n", filename="main.py")
    assert bells(broker, QUEUE_BUILD) == [str(version.build.public_id)]
    broker.flushall()
    live(1, now + timedelta(minutes=1))
    dispatch_tick(now=now + timedelta(minutes=1))
    assert bells(broker, QUEUE_BUILD) == [str(version.build.public_id)]


def test_a_bell_that_nobody_could_answer_takes_no_place(broker: redis.Redis) -> None:
    user, now = house.user(), timezone.now()
    bot = bot_create(user=user, name="lamp")
    version_upload(bot=bot, user=user, data=b"fn main() {}\n", filename="main.rs")
    second = version_upload(bot=bot, user=user, data=b"print(1)\n", filename="main.py")
    broker.flushall()
    live(1, now)
    with transaction.atomic():
        builds_ring(now=now + timedelta(minutes=1), room=1)
    assert bells(broker, QUEUE_BUILD) == [str(second.build.public_id)]


def test_ladders_lay_tables_in_turn(broker: redis.Redis) -> None:
    now = timezone.now()
    ladders = [house.ladder(2), house.ladder(4)]
    two, four = (house.version(name, on=ladders[0]) for name in ("h1", "h2"))
    for version in (two, four):
        version.ladder_states.create(ladder=ladders[1], state="active")
    live(2, now)
    dispatch_tick(now=now)
    slugs = [bundle.season.ladder.slug for bundle in Bundle.objects.order_by("pk")]
    assert len(slugs) > 3
    assert all(one != other for one, other in itertools.pairwise(slugs))
    unplayed = selectors.unplayed_ladder_matches()
    assert 2 * MATCHES_AHEAD_A_SLOT <= unplayed < 2 * MATCHES_AHEAD_A_SLOT + 4
    dispatch_tick(now=now + SECOND)
    assert selectors.unplayed_ladder_matches() == unplayed, "there is no room until some are played"


def test_a_resting_ladder_lays_one_table_a_minute(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions, season = pair(ladder, "ada", "grace"), season_ensure(ladder=ladder)
    Ladder.objects.exclude(pk=ladder.pk).update(is_open=False)
    for version in versions:
        Rating.objects.create(season=season, version=version, elo=1500.0, standard_error=1.0, bundles=40)
    worker = live(8, now)
    for _ in range(30):
        bundle = queue(season, versions)
        Match.objects.filter(bundle=bundle).update(status=Match.Status.FINISHED)
    Bundle.objects.update(created_at=now - timedelta(days=2), finished_at=now - timedelta(days=2))
    for seconds in range(3):
        dispatch_tick(now=now + seconds * SECOND)
    assert Bundle.objects.count() == 31
    Bundle.objects.filter(created_at__gt=now - timedelta(days=1)).update(created_at=now)
    later = now + RESTING_PAUSE
    Worker.objects.filter(pk=worker.pk).update(last_seen_at=later)
    for seconds in range(3):
        dispatch_tick(now=later + seconds * SECOND)
        Bundle.objects.filter(pk=Bundle.objects.latest("pk").pk).update(created_at=later)
    assert Bundle.objects.count() == 32


def test_one_dispatcher_at_a_time(broker: redis.Redis) -> None:
    ladder, now = house.ladder(2), timezone.now()
    versions = pair(ladder)
    queue(closed(ladder), versions)
    live(4, now)
    held, done = threading.Event(), threading.Event()

    def other() -> None:
        with transaction.atomic():
            assert try_advisory_lock("dispatcher")
            held.set()
            done.wait(60)
        connection.close()

    thread = threading.Thread(target=other)
    thread.start()
    assert held.wait(60)
    dispatch_tick(now=now)
    assert bells(broker) == []
    done.set()
    thread.join(60)
    dispatch_tick(now=now)
    assert len(bells(broker)) == 2


def test_a_table_of_the_dispatcher_costs_few_queries(
    broker: redis.Redis, django_assert_max_num_queries: Any
) -> None:
    ladder, now = house.ladder(2), timezone.now()
    season = season_ensure(ladder=ladder)
    for number in range(12):
        house.version(f"bot {number}", owner=house.user(f"user {number}"), on=ladder)
    with django_assert_max_num_queries(4):
        assert len(selectors.candidates(season=season, now=now)) == 12


def test_a_team_game_has_no_rated_tables() -> None:
    ladder = hall.team_ladder()
    season_ensure(ladder=ladder)
    for number in range(4):
        house.version(f"v{number}", owner=house.user(f"u{number}"), on=ladder)
    assert selectors.seasons_by_turn() == []
