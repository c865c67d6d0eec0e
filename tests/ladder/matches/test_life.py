"""From a build to a place on the ladder: builds, entries, pre-flights, the reaper, retention."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from bots.job import BuildReport
from ladder.common.blobs import blob_get
from ladder.common.errors import LadderError, QuotaError
from ladder.common.locks import database_now
from ladder.matches.models import Attempt, Bundle, LadderVersion, Match, Purpose, Transcript, Worker
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.entries import bot_enter, bot_withdraw, preflight_start
from ladder.matches.services.ladders import ladders_ensure, season_ensure
from ladder.matches.services.reaper import leases_reap
from ladder.matches.services.reports import attempt_report
from ladder.matches.services.transcripts import transcripts_prune
from ladder.programs.models import Bot, Version
from ladder.programs.services import bot_create, house_bot_ensure, version_upload
from tests.ladder import house

pytestmark = pytest.mark.django_db


def upload(name: str = "lamp", games: str = "") -> Version:
    bot = Bot.objects.filter(name=name).first() or bot_create(user=house.user(f"{name}-owner"), name=name)
    source = f"print({name!r})\n{games}".encode()
    owner = bot.members.get()
    return version_upload(bot=bot, user=owner, data=source, filename="main.py")


def build(version: Version, worker: Worker, outcome: str = "built") -> None:
    job = house.claim_build(worker, version.build)
    artefact = version.digest if outcome == "built" else None
    Attempt.objects.filter(public_id=job.attempt_id).update(artefact_sha256=artefact or "")
    report = BuildReport(
        attempt_id=job.attempt_id,
        fence=job.fence,
        outcome=outcome,  # type: ignore[arg-type]
        log="main.py:1: what happened\x00",
        code=None if outcome == "built" else "syntax_error",
        artefact_sha256=artefact,
        toolchain="Python 3.11",
    )
    attempt_report(attempt=house.attempt_of(job), report=report)
    version.refresh_from_db()


def state(version: Version, ladder: object) -> LadderVersion:
    return LadderVersion.objects.get(version=version, ladder=ladder)


def play_preflight(version: Version, worker: Worker, *, lost_in: int | None = None) -> None:
    for bundle in Bundle.objects.filter(subject=version, finished_at=None):
        for match in bundle.matches.order_by("number"):
            lost = {match.number: "crash"} if match.number == lost_in else None
            house.play(worker, match, lost=lost)
    version.refresh_from_db()


def test_from_upload_to_active_on_every_open_ladder() -> None:
    ladders = ladders_ensure()
    worker = house.worker()
    version = upload()
    assert version.state == "checked"
    build(version, worker)
    assert version.state == "built"
    assert "\x00" not in version.build_log
    assert {entry.ladder.slug for entry in version.bot.entries.all()} == {each.slug for each in ladders}
    play_preflight(version, worker)
    assert version.state == "active"
    assert all(state(version, ladder).state == "active" for ladder in ladders)


def test_a_preflight_is_one_match_in_each_seat_with_house_bots_in_the_others() -> None:
    ladder = house.ladder(4)
    names = ["h1", "h2", "h3"]
    for name in names:
        house.version(name, on=ladder)
    version = house.version("new", owner=house.user())
    preflight_start(version=version, ladder=ladder)
    bundle = Bundle.objects.get(subject=version)
    for match in bundle.matches.order_by("number"):
        seats = list(match.seats.all())
        assert seats[match.number].version == version
        others = [seat.version.bot.name for seat in seats if seat.number != match.number]
        assert sorted(others) == names


def test_a_version_of_a_game_without_ladder_rests_until_there_is_one() -> None:
    worker, version = house.worker(), upload()
    Version.objects.filter(pk=version.pk).update(games=["treasure-hunters"])
    ladders_ensure()
    build(version, worker)
    assert (version.state, version.reason_code) == ("built", "no_ladder")
    assert "treasure-hunters" in version.reason
    assert "haunt play" in version.reason
    assert not Bundle.objects.filter(subject=version).exists()
    ladder = house.ladder(2)
    Version.objects.filter(pk=version.pk).update(games=[ladder.game])
    bot_enter(bot=version.bot, ladder=ladder)
    version.refresh_from_db()
    assert (version.state, version.reason_code, version.reason) == ("built", "", "")
    play_preflight(version, worker)
    assert version.state == "active"


def test_a_version_whose_bot_was_withdrawn_everywhere_says_so() -> None:
    worker, first = house.worker(), upload()
    ladders = ladders_ensure()
    build(first, worker)
    for ladder in ladders:
        bot_withdraw(bot=first.bot, ladder=ladder)
    source = b"print('another')\n"
    second = version_upload(bot=first.bot, user=first.bot.members.get(), data=source, filename="main.py")
    build(second, worker)
    assert (second.state, second.reason_code) == ("built", "not_entered")


def test_a_failed_build_rejects_the_version_with_its_log() -> None:
    ladders_ensure()
    version = upload()
    build(version, house.worker(), "failed")
    assert (version.state, version.reason_code) == ("rejected", "syntax_error")
    assert "what happened" in version.build_log
    assert not Bundle.objects.exists()


def test_a_fault_in_one_seat_of_the_preflight_rejects_with_seat_and_reason() -> None:
    ladder = house.ladder(2)
    house.version("h1", on=ladder)
    version = house.version("new", owner=house.user())
    preflight_start(version=version, ladder=ladder)
    play_preflight(version, house.worker(), lost_in=1)
    assert state(version, ladder).state == "rejected"
    assert version.state == "rejected"
    assert version.reason_code == "crash"
    assert "seat 2 of 2" in version.reason


def test_a_newer_version_takes_the_place_of_the_older_and_never_the_other_way_round() -> None:
    ladder = house.ladder(2)
    owner, worker = house.user(), house.worker()
    house.version("h1", on=ladder)
    first, second = (house.version("new", owner=owner, number=number) for number in (1, 2))
    preflight_start(version=first, ladder=ladder)
    preflight_start(version=second, ladder=ladder)
    play_preflight(second, worker)
    play_preflight(first, worker)
    assert state(second, ladder).state == "active"
    assert state(first, ladder).state == "replaced"


def test_the_preflight_of_a_build_that_the_platform_broke_says_that_it_was_us() -> None:
    ladder = house.ladder(2)
    version = house.version("new", owner=house.user())
    preflight_start(version=version, ladder=ladder)
    Match.objects.filter(bundle__subject=version).update(
        fence=3, status="running", lease_until=Now() - timedelta(1)
    )
    house.worker()
    reap_now()
    assert state(version, ladder).reason_code == "out_of_attempts"


def test_entering_checks_game_places_and_ladder(settings: object) -> None:
    ladder = house.ladder(2)
    owner = house.user()
    other_game = house.version("other", owner=owner)
    Version.objects.filter(pk=other_game.pk).update(games=["chess"])
    with pytest.raises(LadderError) as caught:
        bot_enter(bot=other_game.bot, ladder=ladder)
    assert caught.value.code == "other_game"
    for number in range(3):
        bot_enter(bot=house.version(f"bot{number}", owner=owner).bot, ladder=ladder)
    with pytest.raises(QuotaError):
        bot_enter(bot=house.version("fourth", owner=owner).bot, ladder=ladder)
    bot_withdraw(bot=Bot.objects.get(name="bot0"), ladder=ladder)
    bot_enter(bot=Bot.objects.get(name="fourth"), ladder=ladder)


def test_withdrawing_takes_the_active_version_off_the_ladder() -> None:
    ladder = house.ladder(2)
    version = house.version("new", owner=house.user(), on=ladder)
    bot_withdraw(bot=version.bot, ladder=ladder)
    assert state(version, ladder).state == "withdrawn"


def test_a_moved_rules_version_opens_a_new_season() -> None:
    ladder = house.ladder(2)
    season = season_ensure(ladder=ladder)
    assert season_ensure(ladder=ladder) == season
    versions = [house.version(name, on=ladder) for name in ("one", "two")]
    waiting = bundle_create(season=season, purpose=Purpose.LADDER, versions=versions)
    season.rules_version = 0
    season.save()
    newer = season_ensure(ladder=ladder)
    season.refresh_from_db()
    assert (newer.number, season.closed_at is not None) == (2, True)
    assert set(waiting.matches.values_list("status", "void_code")) == {("void", "season_closed")}


def test_a_house_bot_is_uploaded_anew_only_when_it_changed() -> None:
    first = house_bot_ensure(name="starter", folder=house.kit())
    assert house_bot_ensure(name="starter", folder=house.kit()) == first
    assert b"choose" in blob_get(first.digest)


# ---------------------------------------------------------------- the reaper


def reap_now(*, later_s: float = 0.0) -> int:
    """A reaper that has been ticking all along and workers that were heard of just now."""
    now = database_now() + timedelta(seconds=later_s)
    from ladder.matches.models import ReaperWatch

    ReaperWatch.objects.update_or_create(pk=1, defaults={"ticked_at": now, "quiet_until": None})
    Worker.objects.update(last_seen_at=now)
    return leases_reap(now=now)


@pytest.fixture
def running() -> Match:
    ladder = house.ladder(2)
    versions = [house.version("one", on=ladder), house.version("two", on=ladder)]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    match = bundle.matches.get(number=0)
    house.claim(house.worker(), match)
    return match


def test_the_reaper_leaves_a_living_lease_alone(running: Match) -> None:
    assert reap_now() == 0


def test_the_reaper_queues_again_what_a_worker_left(running: Match) -> None:
    assert reap_now(later_s=16) == 1
    running.refresh_from_db()
    assert (running.status, running.doorbell_at) == ("queued", None)
    attempt = Attempt.objects.get(match=running)
    assert (attempt.status, attempt.void_code) == ("expired", "worker_lost")
    again = house.claim(house.worker("w2"), running)
    assert again.fence == 2


def test_the_reaper_holds_still_for_a_lease_after_its_own_start(running: Match) -> None:
    start = database_now() + timedelta(seconds=60)
    reaped = []
    for tick in range(5):
        now = start + timedelta(seconds=5 * tick)
        Worker.objects.update(last_seen_at=now)
        reaped.append(leases_reap(now=now))
    assert reaped == [0, 0, 0, 1, 0]


def test_the_reaper_holds_still_after_a_silence_of_all_workers(running: Match) -> None:
    reap_now()
    start = database_now()
    Worker.objects.update(last_seen_at=start)
    silent = [leases_reap(now=start + timedelta(seconds=5 * tick)) for tick in range(1, 9)]
    assert silent == [0] * 8
    reaped = []
    for tick in range(9, 15):
        now = start + timedelta(seconds=5 * tick)
        Worker.objects.update(last_seen_at=now)
        reaped.append(leases_reap(now=now))
    assert reaped[:3] == [0, 0, 0]
    assert sum(reaped) == 1


def test_transcripts_are_kept_for_the_last_matches_and_all_faulted_ones() -> None:
    ladder = house.ladder(2)
    worker = house.worker()
    versions = [house.version("one", on=ladder), house.version("two", on=ladder)]
    season = season_ensure(ladder=ladder)
    faulted = bundle_create(season=season, purpose=Purpose.LADDER, versions=versions).matches.get(number=0)
    house.play(worker, faulted, lost={0: "crash"})
    for _ in range(2):
        bundle = bundle_create(season=season, purpose=Purpose.LADDER, versions=versions)
        for match in bundle.matches.order_by("number"):
            house.play(worker, match)
    transcripts_prune(keep=1)
    kept = set(Transcript.objects.values_list("seat__match", flat=True))
    newest = Match.objects.filter(status="finished").order_by("-finished_at", "-pk").first()
    assert newest is not None
    assert faulted.pk in kept
    assert Transcript.objects.count() == 4
