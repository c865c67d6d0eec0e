"""Claims, renewals and reports over real HTTP: repeats, refusals, lost answers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import httpx
import pytest

from bots import job as wire
from tests.waiting import soon
from tests.workers.door import TOKEN, Door, open_door
from workers.errors import ArtefactError, LadderError, SupersededError
from workers.lease import Lease
from workers.report import LadderClient
from workers.settings import SettingsError, from_environment

REQUEST = wire.ClaimRequest(kind="build", id="b1", worker="w", languages={}, rules={}, layers=[])
JOB = wire.BuildJob(
    build_id="b1",
    attempt_id="a1",
    fence=3,
    lease_ms=15_000,
    renew_url="/internal/attempts/a1/renew",
    report_url="/internal/attempts/a1/report",
    artefact_url="/internal/attempts/a1/artefact",
    language="python",
    entry="main.py",
    build=None,
    source_sha256="0" * 64,
    source_url="/internal/attempts/a1/source",
)
REPORT = wire.BuildReport(attempt_id="a1", fence=3, outcome="failed", log="no", code="build_failed")


@pytest.fixture
def door() -> Iterator[Door]:
    with open_door() as door:
        yield door


@pytest.fixture
def client(door: Door) -> Iterator[LadderClient]:
    client = LadderClient(door.url, TOKEN, pause=lambda _: None)
    yield client
    client.close()


def in_time() -> float:
    return time.monotonic() + 30


def test_claim_gives_the_job_once(door: Door, client: LadderClient) -> None:
    door.jobs["b1"] = wire.write(JOB)
    assert client.claim(REQUEST) == JOB
    assert client.claim(REQUEST) is None
    assert door.claims[0]["kind"] == "build"


@pytest.mark.parametrize("status", [409, 426, 404])
def test_claim_that_is_not_for_us_is_dropped(door: Door, client: LadderClient, status: int) -> None:
    door.claim_statuses = [status]
    assert client.claim(REQUEST) is None
    assert len(door.claims) == 1


def test_claim_waits_out_a_passing_trouble(door: Door, client: LadderClient) -> None:
    door.claim_statuses = [503, 502, 200]
    door.jobs["b1"] = wire.write(JOB)
    assert client.claim(REQUEST) == JOB


def test_claim_with_a_wrong_token_says_so(door: Door) -> None:
    stranger = LadderClient(door.url, "wrong")
    with pytest.raises(LadderError, match="401"):
        stranger.claim(REQUEST)
    stranger.close()
    assert door.strangers == 1


def test_job_that_cannot_be_read_is_an_error(door: Door, client: LadderClient) -> None:
    door.jobs["b1"] = wire.write(JOB).replace(b'"fence":3', b'"fence":"3"')
    with pytest.raises(LadderError, match="cannot be read"):
        client.claim(REQUEST)


def test_report_is_repeated_until_heard(door: Door, client: LadderClient) -> None:
    door.report_statuses = [0, 500, 503]
    client.report(JOB.report_url, REPORT, until=in_time)
    assert len(door.reports) == 4
    assert all(report == door.reports[0] for report in door.reports)


def test_report_of_a_superseded_attempt_is_dropped(door: Door, client: LadderClient) -> None:
    door.report_statuses = [409]
    with pytest.raises(SupersededError):
        client.report(JOB.report_url, REPORT, until=in_time)
    assert len(door.reports) == 1


def test_refused_report_is_not_repeated(door: Door, client: LadderClient) -> None:
    door.report_statuses = [422]
    with pytest.raises(LadderError, match="422"):
        client.report(JOB.report_url, REPORT, until=in_time)
    assert len(door.reports) == 1


def test_report_gives_up_when_the_lease_is_over(door: Door, client: LadderClient) -> None:
    door.report_statuses = [503] * 100
    with pytest.raises(LadderError, match="503"):
        client.report(JOB.report_url, REPORT, until=lambda: 0.0)
    assert len(door.reports) == 1


def test_ladder_that_is_not_there() -> None:
    client = LadderClient("http://127.0.0.1:9", TOKEN, pause=lambda _: None)
    with pytest.raises(LadderError):
        client.report(JOB.report_url, REPORT, until=lambda: 0.0)
    with pytest.raises(ArtefactError):
        client.fetch("/x", until=0.0)
    client.close()


def test_artefacts_come_and_go(door: Door, client: LadderClient) -> None:
    door.files["/internal/attempts/a1/source"] = b"tar"
    assert client.fetch(JOB.source_url, until=in_time()) == b"tar"
    with pytest.raises(ArtefactError, match="404"):
        client.fetch("/internal/nothing", until=in_time())
    client.put(JOB.artefact_url, b"built", until=in_time)
    assert door.puts[JOB.artefact_url] == b"built"


def test_artefact_larger_than_allowed_is_cut_short(
    door: Door, client: LadderClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.report.MAX_ARTEFACT", 1000)
    door.files["/big"] = bytes(2000)
    with pytest.raises(ArtefactError, match="more than 1000 bytes"):
        client.fetch("/big", until=in_time())


def test_lease_is_renewed_and_ends_with_its_block(door: Door, client: LadderClient) -> None:
    with Lease(lambda: client.renew(JOB.renew_url, 3), lease_ms=15_000, every_s=0.01) as lease:
        first = lease.until()
        assert soon(lambda: lease.until() > first)
        assert soon(lambda: len(door.renewals) >= 3)
        assert not lease.is_lost()
    seen = len(door.renewals)
    assert not soon(lambda: len(door.renewals) > seen, seconds=0.1)


def test_superseded_lease_is_lost(door: Door, client: LadderClient) -> None:
    door.renew_status = 409
    with Lease(lambda: client.renew(JOB.renew_url, 3), lease_ms=15_000, every_s=0.01) as lease:
        assert soon(lease.is_lost)
        assert lease.until() == 0.0
    assert len(door.renewals) == 1


def test_lease_outlives_a_ladder_that_is_away_for_a_while(door: Door, client: LadderClient) -> None:
    door.renew_status = 503
    with Lease(lambda: client.renew(JOB.renew_url, 3), lease_ms=15_000, every_s=0.01) as lease:
        assert soon(lambda: len(door.renewals) >= 3)
        first = lease.until()
        assert not lease.is_lost()
        door.renew_status = 204
        assert soon(lambda: lease.until() > first)


def test_heartbeat(door: Door, client: LadderClient) -> None:
    beat = wire.Heartbeat(
        worker="w", slots=1, languages={"c": "gcc 12"}, rules={"chess": 1}, layers=["seccomp"]
    )
    client.heartbeat(beat)
    assert [wire.read(json.dumps(each), wire.Heartbeat) for each in door.heartbeats] == [beat]


def test_no_redirects_are_followed(door: Door, client: LadderClient) -> None:
    """A worker's token goes to its ladder and nowhere else."""
    door.claim_statuses = [302]
    with pytest.raises(LadderError, match="302"):
        client.claim(REQUEST)


GOOD = {"BROKER_URL": "redis://x", "LADDER_URL": "http://y/", "WORKER_TOKEN": "t"}


def test_settings_come_from_the_environment() -> None:
    settings = from_environment({**GOOD, "WORKER_SLOTS": "3", "WORKER_CACHE_MIB": "2"})
    assert (settings.ladder_url, settings.slots, settings.cache_bytes) == ("http://y", 3, 2 << 20)
    assert httpx.URL(settings.ladder_url).host == "y"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BROKER_URL", ""),
        ("BROKER_URL", "amqp://x"),
        ("LADDER_URL", "ladder"),
        ("WORKER_TOKEN", " "),
        ("WORKER_SLOTS", "0"),
        ("WORKER_SLOTS", "-1"),
        ("WORKER_SLOTS", "many"),
        ("WORKER_CACHE_MIB", "1.5"),
    ],
)
def test_wrong_environment_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        from_environment({**GOOD, name: value})
