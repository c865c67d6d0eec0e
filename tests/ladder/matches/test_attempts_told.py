"""An attempt says why it does not count: to whom, in which words; and a version's are counted."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bots.messages import MESSAGES
from ladder.accounts.models import User
from ladder.matches.attempts import attempts_told, version_voids, versions_with_voids
from ladder.matches.models import Attempt, Match, Purpose, Worker
from ladder.matches.services.bundles import bundle_create, preflight_create
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.reports import attempt_report
from ladder.programs.models import Version
from tests.ladder import house
from tests.ladder.matches.test_broken_attempts import BUSY, breaks, plays_without, void
from tests.ladder.matches.test_claims import lease_runs_out
from tests.ladder.matches.test_languages_offered import beats

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    ladder = house.ladder(2)
    versions = [house.version(name, owner=house.user(f"{name}s"), on=ladder) for name in ("one", "two")]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    return bundle.matches.get(number=0)


def clients() -> dict[str, Client]:
    admin = User.objects.create_superuser("root", password="a long password 1")
    people = {"admin": admin, "stranger": house.user("stranger")}
    people |= {name: User.objects.get(username=name) for name in ("ones", "twos")}
    found = {"anonymous": Client(), **{name: Client() for name in people}}
    for name, person in people.items():
        found[name].force_login(person)
    return found


def owner_of(match: Match, seat: int) -> str:
    return f"{match.seats.get(number=seat).version.bot.name}s"


def asked(client: Client, match: Match) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(f"/api/v1/matches/{match.public_id}/attempts").json()
    return rows


def test_an_attempt_says_why_and_how_busy_the_host_was(client: Client, match: Match) -> None:
    job = house.claim(house.worker(), match)
    attempt_report(
        attempt=house.attempt_of(job), report=void(job, None, void_reason="host_stalled", host=BUSY)
    )
    (row,) = asked(client, match)
    assert (row["number"], row["worker"], row["status"]) == (1, "w1", "void")
    assert (row["void_code"], row["why"]) == ("host_stalled", MESSAGES["host_stalled"].title)
    assert row["host"] == {
        "late_us": 9_000, "longest_late_us": 4_000, "steal_us": 70_000, "pressure_us": None, "core": 1,
    }  # fmt: skip
    page = client.get(f"/matches/{match.public_id}/").content.decode()
    assert "Why it was played again" in page
    assert MESSAGES["host_stalled"].title in page
    assert "the match had core 1 to itself, a watcher woke 4.0 ms late at worst" in page
    assert "70.0 ms went to other guests" in page
    assert "waited for a core" not in page


def test_an_attempt_that_counts_has_nothing_to_explain(client: Client, match: Match) -> None:
    house.play(house.worker(), match)
    (row,) = asked(client, match)
    assert (row["status"], row["void_code"], row["why"]) == ("reported", "", "")
    assert (row["turn_of"], row["host"]) == (None, None)
    assert "Why it was played again" not in client.get(f"/matches/{match.public_id}/").content.decode()
    assert "It was played to its end." in client.get(f"/matches/{match.public_id}/proof/").content.decode()


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        ("void", "starts_failed", "starts_failed"),
        ("void", "nobody's code", "platform_stall"),
        ("void", "no_fit_worker", "platform_stall"),  # needs facts
        ("void", "crash", "platform_stall"),  # of another topic
        ("void", "", "platform_stall"),
        ("expired", "worker_lost", "worker_lost"),
        ("superseded", "", "cancelled"),
        ("superseded", "worker_lost", "worker_lost"),
        ("leased", "", ""),
        ("reported", "host_memory", ""),
    ],
)
def test_whatever_a_worker_wrote_there_is_a_sentence(match: Match, status: str, code: str, told: str) -> None:
    house.claim(house.worker(), match)
    Attempt.objects.update(status=status, void_code=code)
    (found,) = attempts_told(User(is_staff=True), match)
    assert found.code == told
    assert found.why == (MESSAGES[told].title if told else "")


def test_in_whose_turn_it_broke_is_told_to_its_members_at_once_and_to_others_with_the_records(
    match: Match,
) -> None:
    breaks(match, 1)
    mine = owner_of(match, 1)
    seen = {name: asked(client, match)[0]["turn_of"] for name, client in clients().items()}
    theirs = ({"ones", "twos"} - {mine}).pop()
    assert seen == {"anonymous": None, "stranger": None, theirs: None, mine: 1, "admin": 1}
    for each in match.bundle.matches.order_by("number"):
        house.play(house.worker(f"p{each.number}"), each)
    assert asked(Client(), match)[0]["turn_of"] == 1
    page = Client().get(f"/matches/{match.public_id}/").content.decode()
    assert f"{match.seats.get(number=1).name}</a>, seat 2." in page


def test_a_void_match_tells_it_when_its_bundle_has_ended(match: Match) -> None:
    breaks(match, 0, 1, 0)
    assert {row["turn_of"] for row in asked(Client(), match)} == {None}
    house.play(house.worker("p"), match.bundle.matches.get(number=1))
    assert [row["turn_of"] for row in asked(Client(), match)] == [0, 1, 0]
    page = Client().get(f"/matches/{match.public_id}/").content.decode()
    assert "What happened to each attempt" in page
    assert page.count(MESSAGES["worker_died"].title) == 3


def test_the_author_of_a_benched_bot_reads_that_it_was_sent_nothing(match: Match) -> None:
    breaks(match, 1, 1, 1)
    plays_without(match, 1)
    house.play(house.worker("p"), match.bundle.matches.get(number=1))
    author = clients()[owner_of(match, 1)]
    assert author.get(f"/api/v1/matches/{match.public_id}/transcript?seat=1").json()["lines"] == []
    assert author.get(f"/matches/{match.public_id}/seats/2/").status_code == 200
    page = author.get(f"/matches/{match.public_id}/").content.decode()
    assert "lost this one by a fault, not by play" in page
    assert MESSAGES["broken_attempts"].title in page
    assert "Why it was played again" in page


# ---------------------------------------------------------------- counts of a version


def counts(client: Client, version: Version) -> tuple[int, int]:
    row = client.get(f"/api/v1/versions/{version.public_id}/voids").json()
    return row["attempts"], row["in_its_turn"]


def seated(match: Match, seat: int) -> Version:
    return match.seats.get(number=seat).version


def test_void_attempts_are_counted_for_each_version(match: Match) -> None:
    breaks(match, 1, None)
    house.claim(house.worker("late"), match)
    lease_runs_out(match)
    Attempt.objects.filter(match=match, fence=3).update(status="expired", turn_of=1)
    first, second = seated(match, 0), seated(match, 1)
    people = clients()
    assert counts(people["anonymous"], second) == (3, 0), "in whose turn is not told yet"
    assert counts(people[owner_of(match, 1)], second) == (3, 2)
    assert counts(people[owner_of(match, 0)], first) == (3, 0)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.QUEUED, fence=3)
    match.bundle.matches.update(status=Match.Status.VOID)
    match.bundle.finished_at = match.created_at
    match.bundle.save()
    assert counts(people["anonymous"], second) == (3, 2)
    page = people["anonymous"].get(f"/bots/{second.bot.public_id}/versions/1/").content.decode()
    assert "3 attempts at them did not count, 2 broke in its turn" in page
    found = {each.pk: each for each in versions_with_voids(Version.objects.all())}
    rows: list[Any] = [found[first.pk], found[second.pk]]
    assert [(row.void_attempts, row.broken_attempts) for row in rows] == [(3, 0), (3, 2)]
    listed = people["admin"].get("/admin/programs/version/?o=-8").content.decode()
    assert 'field-void_attempts">3</td><td class="field-in_its_turn">2</td>' in listed


def test_a_version_in_two_seats_counts_an_attempt_once() -> None:
    ladder = house.ladder(4)
    one, other = house.version("one", on=ladder), house.version("other", on=ladder)
    bundle = bundle_create(
        season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=[one, one, other, other]
    )
    match = bundle.matches.get(number=0)
    breaks(match, match.seats.filter(version=one).values_list("number", flat=True)[0])
    admin = User(is_staff=True)
    assert (version_voids(admin, one).attempts, version_voids(admin, one).in_its_turn) == (1, 1)
    (row,) = versions_with_voids(Version.objects.filter(pk=one.pk))
    assert vars(row)["void_attempts"] == 1
    assert vars(row)["broken_attempts"] == 1


def test_what_may_not_be_seen_is_not_counted() -> None:
    ladder, owner = house.ladder(2), house.user("ada")
    house.version("h1", on=ladder)
    version = house.version("new", owner=owner)
    preflight = preflight_create(season=season_ensure(ladder=ladder), version=version).matches.get(number=0)
    breaks(preflight, 0)
    member = Client()
    member.force_login(owner)
    assert counts(Client(), version) == (0, 0)
    assert counts(member, version) == (1, 1)
    page = Client().get(f"/bots/{version.bot.public_id}/versions/1/").content.decode()
    assert "did not count" not in page


# ---------------------------------------------------------------- a match that nobody can play


def waits_for(match: Match) -> str:
    return str(Client().get(f"/api/v1/matches/{match.public_id}").json()["waits_for"])


def test_a_match_that_no_worker_there_can_play_says_so(match: Match) -> None:
    Version.objects.filter(pk=seated(match, 0).pk).update(language="rust")
    needs = "It needs Python, Rust, version 1 of the rules of dont-go-in-there, a sandbox with bubblewrap and"
    assert needs in waits_for(match), "there is none at all"
    beats("plain", house.LANGUAGES)
    Worker.objects.update(rules=house.RULES, layers=["bubblewrap", "seccomp"])
    assert needs in waits_for(match)
    page = Client().get(f"/matches/{match.public_id}/").content.decode()
    assert "No worker that is there now can play this match." in page
    beats("fit", {**house.LANGUAGES, "rust": "rustc 1.63.0"})
    Worker.objects.update(rules=house.RULES, layers=["bubblewrap"])
    assert needs in waits_for(match)
    Worker.objects.update(layers=["bubblewrap", "seccomp", "cgroup"])
    assert waits_for(match) == ""
    assert "Waiting for a free machine." in Client().get(f"/matches/{match.public_id}/").content.decode()
    Worker.objects.filter(name="fit").update(slots=0)
    assert waits_for(match) != ""
    house.claim(house.worker("someone"), match, languages={**house.LANGUAGES, "rust": "1"})
    assert waits_for(match) == "", "it is played"


def test_an_author_reads_what_the_preflight_waits_for() -> None:
    ladder, owner = house.ladder(2), house.user("ada")
    house.version("h1", on=ladder)
    version = house.version("new", owner=owner)
    version.ladder_states.create(ladder=ladder, state="preflight")
    preflight_create(season=season_ensure(ladder=ladder), version=version)
    member = Client()
    member.force_login(owner)
    page = member.get(f"/bots/{version.bot.public_id}/versions/1/").content.decode()
    assert "No worker that is there now can play this match." in page
