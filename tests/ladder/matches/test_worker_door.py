"""The workers' door over HTTP: tokens, claims, leases, reports, artefacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from bots import job as wire
from bots.messages import MESSAGES
from ladder.common.blobs import blob_put
from ladder.matches.models import Match, Purpose, Worker
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.workers import worker_create
from ladder.matchmaking.selectors import live_slots
from ladder.programs.models import Build, Version
from ladder.programs.services import bot_create, version_upload
from tests.ladder import house

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-0000-0000-000000000000"


class Door:
    """One worker's way in."""

    def __init__(self, token: str, name: str = "w1") -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Worker {token}"}
        self.name = name

    def ask(self, method: str, path: str, message: Any = b"", **extra: Any) -> Any:
        body = message if isinstance(message, bytes) else msgspec.json.encode(message)
        return self.client.generic(method, path, body, "application/json", headers=self.headers, **extra)

    def claim(self, kind: str, public_id: object, **changes: Any) -> Any:
        return self.ask("POST", "/internal/claims", house.claim_of(kind, public_id, **changes))


@pytest.fixture
def door() -> Door:
    return Door(worker_create(name="w1")[1])


@pytest.fixture
def other() -> Door:
    return Door(worker_create(name="w2")[1], "w2")


@pytest.fixture
def match() -> Match:
    ladder = house.ladder(2)
    versions = [house.version("one", on=ladder), house.version("two", on=ladder)]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    return bundle.matches.get(number=0)


@pytest.fixture
def build() -> Build:
    user = house.user()
    bot = bot_create(user=user, name="lamp")
    return version_upload(bot=bot, user=user, data=b"print(1)\n", filename="main.py").build


def job_of(door: Door, match: Match) -> wire.MatchJob:
    response = door.claim("match", match.public_id)
    assert response.status_code == 200, response.content
    return wire.read(response.content, wire.MatchJob)


def build_of(door: Door, build: Build) -> wire.BuildJob:
    response = door.claim("build", build.public_id)
    assert response.status_code == 200, response.content
    return wire.read(response.content, wire.BuildJob)


def refused(response: Any, status: int, code: str) -> Mapping[str, Any]:
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    body: dict[str, Any] = response.json()
    assert (body["status"], body["code"]) == (status, code)
    assert code in MESSAGES
    return body


@pytest.mark.parametrize("header", [None, "", "Worker", "Worker wrong", "Bearer {token}", "worker {token}"])
def test_without_a_worker_s_token_every_door_is_shut(header: str | None) -> None:
    token = worker_create(name="w1")[1]
    client = Client(headers={} if header is None else {"Authorization": header.format(token=token)})
    for path in ("claims", "heartbeat", f"attempts/{NOBODY}/renew", f"attempts/{NOBODY}/report"):
        refused(client.post(f"/internal/{path}", b"{}", "application/json"), 401, "worker_token")
    for path in ("source", "artefacts/" + "0" * 64):
        refused(client.get(f"/internal/attempts/{NOBODY}/{path}"), 401, "worker_token")
    refused(client.put(f"/internal/attempts/{NOBODY}/artefact", b""), 401, "worker_token")


def test_a_claim_is_a_job_once(door: Door, other: Door, match: Match) -> None:
    job = job_of(door, match)
    assert job.seed == match.bundle.seed
    refused(other.claim("match", match.public_id), 409, "nothing_to_claim")
    refused(door.claim("match", NOBODY), 409, "nothing_to_claim")
    refused(door.claim("match", "no id"), 409, "nothing_to_claim")


def test_what_does_not_fit_stays_queued(door: Door, match: Match) -> None:
    refused(door.claim("match", match.public_id, languages={}), 426, "unfit_worker")
    refused(door.claim("match", match.public_id, rules={"dont-go-in-there": 999}), 426, "unfit_worker")
    match.refresh_from_db()
    assert match.status == "queued"
    assert job_of(door, match).fence == 1


def test_a_worker_that_is_not_trusted_gets_nothing(door: Door, match: Match) -> None:
    Worker.objects.update(distrusted_at=timezone.now())
    Match.objects.update(doorbell_at=timezone.now())
    refused(door.claim("match", match.public_id), 403, "distrusted")
    match.refresh_from_db()
    assert (match.status, match.doorbell_at) == ("queued", None), "its bell is rung again for another"


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b"\xff",
        b"not json",
        b'{"kind":"match","id":"x","worker":"w","languages":{},"rules":{},"layers":[],"more":1}',
        b'{"kind":"match","id":7,"worker":"w","languages":{},"rules":{},"layers":[]}',
        b'{"kind":"tea","id":"x","worker":"w","languages":{},"rules":{},"layers":[]}',
        b"[" * 100_000,
    ],
)
def test_messages_are_read_strictly(door: Door, body: bytes) -> None:
    refused(door.ask("POST", "/internal/claims", body), 400, "bad_message")


def test_a_body_says_its_size_and_is_not_too_large(door: Door) -> None:
    refused(door.ask("POST", "/internal/claims"), 400, "no_length")
    for length in ("", "-1", "many", "\u00b2"):
        response = door.ask("POST", "/internal/claims", b"{}", CONTENT_LENGTH=length)
        refused(response, 400, "no_length")
    too_much = str((4 << 20) + 1)
    refused(door.ask("POST", "/internal/claims", b"{}", CONTENT_LENGTH=too_much), 413, "too_large")
    refused(door.ask("POST", "/internal/claims", b"{}", CONTENT_LENGTH="9" * 5000), 413, "too_large")


def test_wrong_methods_and_addresses_are_problems_too(door: Door) -> None:
    response = door.ask("GET", "/internal/claims")
    refused(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == "POST"
    refused(door.ask("POST", "/internal/nothing"), 404, "not_found")
    refused(door.ask("GET", "/internal/attempts/no-id/source"), 404, "not_found")


def test_a_lease_is_renewed_by_its_owner_and_fence(door: Door, other: Door, match: Match) -> None:
    job = job_of(door, match)
    assert door.ask("POST", job.renew_url, wire.Renewal(fence=1)).status_code == 204
    refused(door.ask("POST", job.renew_url, wire.Renewal(fence=2)), 409, "superseded")
    refused(other.ask("POST", job.renew_url, wire.Renewal(fence=1)), 404, "not_found")
    refused(door.ask("POST", f"/internal/attempts/{NOBODY}/renew", wire.Renewal(fence=1)), 404, "not_found")


def test_a_report_may_come_twice_and_is_stored_once(door: Door, other: Door, match: Match) -> None:
    job = job_of(door, match)
    report = house.report_of(job)
    refused(other.ask("POST", job.report_url, report), 404, "not_found")
    for _ in range(2):
        assert door.ask("POST", job.report_url, report).status_code == 204
    match.refresh_from_db()
    assert match.status == "finished"
    changed = msgspec.structs.replace(report, seats=[house.seat_report(0), house.seat_report(1, exit="x")])
    refused(door.ask("POST", job.report_url, changed), 409, "already_reported")
    refused(door.ask("POST", job.renew_url, wire.Renewal(fence=1)), 409, "superseded")


def test_a_false_report_is_refused_and_the_attempt_void(door: Door, match: Match) -> None:
    job = job_of(door, match)
    text = house.played(job).to_json()
    false = text.replace(f'"seed":"{job.seed}"', f'"seed":"{"0" * len(job.seed)}"')
    assert false != text
    refused(door.ask("POST", job.report_url, house.report_of(job, false)), 422, "false_record")
    match.refresh_from_db()
    assert match.status == "queued"


def test_a_report_of_another_attempt_or_kind_is_refused(door: Door, match: Match, build: Build) -> None:
    job = job_of(door, match)
    elsewhere = msgspec.structs.replace(house.report_of(job), attempt_id=NOBODY)
    refused(door.ask("POST", job.report_url, elsewhere), 409, "other_attempt")
    refused(door.ask("POST", build_of(door, build).report_url, house.report_of(job)), 400, "bad_message")


def test_programs_of_the_match_are_given_and_no_others(door: Door, other: Door, match: Match) -> None:
    job = job_of(door, match)
    for seat in job.seats:
        response = door.ask("GET", seat.artefact_url)
        assert response.status_code == 200
        assert blob_put(response.content) == seat.artefact_sha256
        refused(other.ask("GET", seat.artefact_url), 404, "not_found")
    outsider = house.version("three", owner=house.user())
    base = f"/internal/attempts/{job.attempt_id}"
    refused(door.ask("GET", f"{base}/artefacts/{outsider.artefact_sha256}"), 403, "forbidden")
    refused(door.ask("GET", f"{base}/artefacts/..%2F..%2Fetc"), 404, "not_found")
    refused(door.ask("GET", f"{base}/source"), 403, "forbidden")
    refused(door.ask("PUT", f"{base}/artefact", b"tar"), 403, "forbidden")
    assert door.ask("POST", job.report_url, house.report_of(job)).status_code == 204
    refused(door.ask("GET", job.seats[0].artefact_url), 409, "superseded")


def test_a_build_reads_its_source_and_puts_what_it_made(door: Door, other: Door, build: Build) -> None:
    job = build_of(door, build)
    source = door.ask("GET", job.source_url)
    assert source.status_code == 200
    assert blob_put(source.content) == job.source_sha256
    refused(other.ask("GET", job.source_url), 404, "not_found")
    refused(door.ask("GET", f"/internal/attempts/{job.attempt_id}/artefacts/{'0' * 64}"), 403, "forbidden")
    report = wire.BuildReport(
        attempt_id=job.attempt_id,
        fence=job.fence,
        outcome="built",
        log="",
        artefact_sha256=job.source_sha256,
        toolchain="Python 3.11",
    )
    refused(door.ask("POST", job.report_url, report), 409, "artefact_missing")
    assert door.ask("PUT", job.artefact_url, b"no tar at all").status_code == 422
    assert door.ask("PUT", job.artefact_url, source.content).status_code == 204
    for _ in range(2):
        assert door.ask("POST", job.report_url, report).status_code == 204
    assert Version.objects.get(build=build).state == "built"


def test_a_heartbeat_makes_a_worker_live(door: Door) -> None:
    assert live_slots(now=timezone.now()) == 0
    beat = {"worker": "w1/1", "slots": 3, "languages": house.LANGUAGES, "rules": house.RULES, "layers": ["x"]}
    assert door.ask("POST", "/internal/heartbeat", beat).status_code == 204
    assert live_slots(now=timezone.now()) == 3
    assert Worker.objects.get().layers == ["x"]
    refused(door.ask("POST", "/internal/heartbeat", {**beat, "more": 1}), 400, "bad_message")


@pytest.mark.parametrize(
    "odd", [{"languages": {"a": "\x00"}}, {"languages": {"\x00": "a"}}, {"layers": ["x" * 41]}]
)
def test_heartbeats_that_no_database_keeps_are_refused(door: Door, odd: dict[str, Any]) -> None:
    beat = {"worker": "w", "slots": 1, "languages": {}, "rules": {}, "layers": [], **odd}
    refused(door.ask("POST", "/internal/heartbeat", beat), 400, "bad_message")
    assert live_slots(now=timezone.now()) == 0


def test_slots_are_kept_within_bounds(door: Door) -> None:
    for said, kept in ((-5, 0), (10**9, 1024)):
        beat = {"worker": "w", "slots": said, "languages": {}, "rules": {}, "layers": []}
        assert door.ask("POST", "/internal/heartbeat", beat).status_code == 204
        assert live_slots(now=timezone.now()) == kept


@pytest.mark.parametrize("code", ["no such code", "x\x00" * 100, "too_big", None])
def test_odd_codes_of_a_failed_build_are_a_failed_build(door: Door, build: Build, code: str | None) -> None:
    """`too_big` needs facts that a report does not carry."""
    job = build_of(door, build)
    report = wire.BuildReport(
        attempt_id=job.attempt_id, fence=job.fence, outcome="failed", log="why\x00", code=code
    )
    assert door.ask("POST", job.report_url, report).status_code == 204
    version = Version.objects.get(build=build)
    assert (version.state, version.reason_code) == ("rejected", "build_failed")


def test_odd_reasons_of_a_void_attempt_are_kept(door: Door, match: Match) -> None:
    job = job_of(door, match)
    report = wire.MatchReport(
        attempt_id=job.attempt_id, fence=job.fence, outcome="void", void_reason="\x00" * 5000
    )
    assert door.ask("POST", job.report_url, report).status_code == 204
    match.refresh_from_db()
    assert match.status == "queued"
