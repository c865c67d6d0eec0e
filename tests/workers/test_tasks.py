"""A worker from doorbell to report: real HTTP, the real referee, the house's bots in the real sandbox."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots import job as wire
from bots.house import house_program
from bots.program import Program, from_tar, read_upload
from engine.record import Record, verify
from engine.registry import GAMES
from tests.waiting import soon
from tests.workers.door import TOKEN, Door, open_door
from workers.cache import ArtefactCache
from workers.celery import app
from workers.jobs import RULES, Worker, build_job, match_job
from workers.journal import Entry
from workers.report import LadderClient
from workers.runtimes.probing import offered
from workers.sandbox.launcher import SandboxLauncher
from workers.settings import from_environment
from workers.tasks import Heart, Host

pytestmark = pytest.mark.sandbox

GAME = "dont-go-in-there"
ROOT = Path(__file__).resolve().parents[2]
SLEEPER = b"import time\ntime.sleep(1000)\n"
SLOW = b"""
import time
from sdk import run

def choose(observation, legal, context):
    time.sleep(0.05)
    return legal[0]["id"]

run(choose)
"""


@pytest.fixture(scope="module")
def launcher() -> SandboxLauncher:
    return SandboxLauncher()


@pytest.fixture(scope="module")
def languages(launcher: SandboxLauncher) -> dict[str, str]:
    return offered(launcher)


@pytest.fixture
def door() -> Iterator[Door]:
    with open_door() as door:
        yield door


@pytest.fixture
def worker(
    door: Door, launcher: SandboxLauncher, languages: dict[str, str], tmp_path: Path
) -> Iterator[Worker]:
    ladder = LadderClient(door.url, TOKEN)
    cache = ArtefactCache(tmp_path / "cache", 1 << 20)
    yield Worker(
        name="w",
        ladder=ladder,
        ladder_url=door.url,
        cache=cache,
        journals=tmp_path / "journals",
        launcher=launcher,
        languages=languages,
        layers=["bubblewrap"],
    )
    ladder.close()


def seat_job(door: Door, number: int, name: str, program: Program) -> wire.SeatJob:
    """A seat whose artefact lies at the door."""
    artefact = program.to_tar()
    sha256 = hashlib.sha256(artefact).hexdigest()
    url = f"/internal/attempts/a1/artefacts/{sha256}"
    door.files[url] = artefact
    return wire.SeatJob(
        seat=number,
        version=program.digest,
        name=name,
        language=program.language,
        entry=program.entry,
        artefact_sha256=sha256,
        artefact_url=url,
        private_seed="5eed",
    )


def match_of(
    door: Door, *programs: tuple[str, Program], lease_ms: int = 15_000, **changes: Any
) -> wire.MatchJob:
    fields: dict[str, Any] = {
        "match_id": "m1",
        "attempt_id": "a1",
        "fence": 7,
        "lease_ms": lease_ms,
        "renew_url": "/internal/attempts/a1/renew",
        "report_url": "/internal/attempts/a1/report",
        "game": GAME,
        "rules_version": GAMES[GAME].rules_version,
        "mode": "base",
        "options": {},
        "seed": "of the match",
        "clock": wire.FAST,
        "seats": [seat_job(door, number, name, program) for number, (name, program) in enumerate(programs)],
    }
    job = wire.MatchJob(**{**fields, **changes})
    door.jobs["m1"] = wire.write(job)
    return job


def house(name: str) -> tuple[str, Program]:
    return name, house_program(name)


def reported(door: Door) -> wire.MatchReport:
    """The one report, read as strictly as the ladder reads it."""
    assert len(door.reports) == 1
    return wire.read(json.dumps(door.reports[0]), wire.MatchReport)


def test_match_from_doorbell_to_report(door: Door, worker: Worker) -> None:
    job = match_of(door, house("greedy"), house("random"), house("greedy"))
    match_job(worker, "m1")
    report = reported(door)
    assert (report.attempt_id, report.fence, report.outcome) == ("a1", 7, "finished")
    record = Record.from_json(report.record or "")
    verify(record)
    assert [seat.version for seat in record.seats] == [seat.version for seat in job.seats]
    assert (record.seed, record.faults) == (job.seed, ())
    assert [seat.seat for seat in report.seats] == [0, 1, 2]
    assert all(len(seat.turns) >= 12 for seat in report.seats)
    assert door.claims[0]["rules"] == RULES
    assert "python" in door.claims[0]["languages"]


def test_same_doorbell_twice_is_played_once(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"))
    match_job(worker, "m1")
    match_job(worker, "m1")
    assert len(door.claims) == 2
    assert len(door.reports) == 1


def test_artefacts_are_fetched_once(door: Door, worker: Worker) -> None:
    job = match_of(door, house("random"), house("random"))
    match_job(worker, "m1")
    door.files.clear()
    door.jobs["m1"] = wire.write(job)
    match_job(worker, "m1")
    assert [report["outcome"] for report in door.reports] == ["finished", "finished"]
    assert door.reports[0]["record"] == door.reports[1]["record"]


def test_report_whose_answer_was_lost_is_sent_again(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"))
    door.report_statuses = [0, 503]
    match_job(worker, "m1")
    assert len(door.reports) == 3
    assert all(report == door.reports[0] for report in door.reports)


@pytest.mark.parametrize("status", [409, 422])
def test_refused_report_ends_the_matter(door: Door, worker: Worker, status: int) -> None:
    match_of(door, house("random"), house("random"))
    door.report_statuses = [status]
    match_job(worker, "m1")
    assert len(door.reports) == 1


def test_missing_artefact_voids_the_attempt(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"))
    door.files.clear()
    match_job(worker, "m1")
    report = reported(door)
    assert (report.outcome, report.void_reason, report.record) == ("void", "artefact_missing", None)


def test_false_artefact_voids_the_attempt(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"))
    door.files = dict.fromkeys(door.files, b"something else")
    match_job(worker, "m1")
    assert reported(door).void_reason == "artefact_missing"


def test_options_that_there_are_not_void_the_attempt(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"), options={"types": "all"})
    match_job(worker, "m1")
    assert reported(door).void_reason == "rules_version"


def test_benched_seat_is_not_started_and_its_files_are_not_asked_for(door: Door, worker: Worker) -> None:
    job = match_of(door, house("random"), ("sleeper", read_upload(SLEEPER, "main.py")))
    benched = msgspec.structs.replace(job.seats[1], benched=True)
    door.jobs["m1"] = wire.write(msgspec.structs.replace(job, seats=[job.seats[0], benched]))
    del door.files[benched.artefact_url]
    match_job(worker, "m1")
    report = reported(door)
    record = Record.from_json(report.record or "")
    verify(record)
    assert [(fault.seat, fault.ply, fault.code, fault.hard) for fault in record.faults] == [
        (1, 0, "broken_attempts", True)
    ]
    assert record.ranks == (1, 2)
    assert report.seats[1].turns == []


def test_report_tells_how_busy_the_host_was_and_no_journal_is_left(door: Door, worker: Worker) -> None:
    match_of(door, house("random"), house("random"))
    match_job(worker, "m1")
    report = reported(door)
    assert report.host is not None
    assert report.host.longest_late_us <= report.host.late_us
    assert report.turn_of is None
    assert list(worker.journals.iterdir()) == []


def test_superseded_match_is_dropped_and_its_bots_are_killed(door: Door, worker: Worker) -> None:
    """The bots would sleep for 1000 s; the 409 of the first renewal ends them and the task."""
    sleeper = "sleeper", read_upload(SLEEPER, "main.py")
    match_of(door, sleeper, sleeper, lease_ms=300)
    door.renew_status = 409
    started = time.monotonic()
    match_job(worker, "m1")
    assert time.monotonic() - started < 100
    assert door.reports == []
    assert len(door.renewals) == 1


def test_lease_is_renewed_while_a_match_goes_on(door: Door, worker: Worker) -> None:
    match_of(door, ("slow", read_upload(SLOW, "main.py")), house("random"), lease_ms=600)
    match_job(worker, "m1")
    assert len(door.renewals) >= 2
    assert reported(door).outcome == "finished"


def build_of(door: Door, program: Program, **changes: Any) -> wire.BuildJob:
    source = program.to_tar()
    door.files["/internal/attempts/b1/source"] = source
    fields: dict[str, Any] = {
        "build_id": "b1",
        "attempt_id": "b1",
        "fence": 2,
        "lease_ms": 15_000,
        "renew_url": "/internal/attempts/b1/renew",
        "report_url": "/internal/attempts/b1/report",
        "artefact_url": "/internal/attempts/b1/artefact",
        "language": program.language,
        "entry": program.entry,
        "build": None,
        "source_sha256": hashlib.sha256(source).hexdigest(),
        "source_url": "/internal/attempts/b1/source",
    }
    job = wire.BuildJob(**{**fields, **changes})
    door.jobs["b1"] = wire.write(job)
    return job


def built(door: Door) -> wire.BuildReport:
    assert len(door.reports) == 1
    return wire.read(json.dumps(door.reports[0]), wire.BuildReport)


def test_build_from_doorbell_to_report(door: Door, worker: Worker) -> None:
    program = house_program("greedy")
    job = build_of(door, program)
    build_job(worker, "b1")
    report = built(door)
    assert (report.outcome, report.fence, report.code) == ("built", 2, None)
    artefact = door.puts[job.artefact_url]
    assert report.artefact_sha256 == hashlib.sha256(artefact).hexdigest()
    assert from_tar(artefact) == dict(program.files)
    assert (report.toolchain or "").startswith("Python 3")


def test_build_that_fails_says_where(door: Door, worker: Worker) -> None:
    build_of(door, read_upload(b"x = 1\ny = (\n", "main.py"))
    build_job(worker, "b1")
    report = built(door)
    assert (report.outcome, report.code, report.artefact_sha256) == ("failed", "syntax_error", None)
    assert "main.py:2" in report.log
    assert door.puts == {}


def test_build_of_a_source_that_is_not_the_promised_one(door: Door, worker: Worker) -> None:
    build_of(door, house_program("random"), source_sha256="0" * 64)
    build_job(worker, "b1")
    assert (built(door).outcome, built(door).code) == ("void", "artefact_missing")


def test_nothing_to_claim_is_no_trouble(door: Door, worker: Worker) -> None:
    build_job(worker, "b9")
    match_job(worker, "m9")
    door.claim_statuses = [401]
    match_job(worker, "m9")
    assert door.reports == []


def test_heart_beats_until_it_is_stopped(door: Door, tmp_path: Path) -> None:
    environment = {"BROKER_URL": "redis://x", "LADDER_URL": door.url, "WORKER_TOKEN": TOKEN}
    settings = from_environment({**environment, "WORKER_SLOTS": "3", "WORKER_CACHE_DIR": str(tmp_path)})
    heart = Heart(Host(settings, {"python": "Python 3"}, ["bubblewrap"]), every_s=0.01)
    heart.start()
    assert soon(lambda: len(door.heartbeats) >= 3)
    assert door.heartbeats[0] == {
        "worker": settings.name,
        "slots": 3,
        "languages": {"python": "Python 3"},
        "rules": RULES,
        "layers": ["bubblewrap"],
    }
    heart.take_no_more()
    assert soon(lambda: door.heartbeats[-1]["slots"] == 0)
    heart.stop()
    beats = len(door.heartbeats)
    assert not soon(lambda: len(door.heartbeats) > beats, seconds=0.1)


@pytest.mark.parametrize("report_url", ["http://[", "/a\x00"])
def test_nothing_that_the_dead_left_stops_the_heart(door: Door, tmp_path: Path, report_url: str) -> None:
    environment = {"BROKER_URL": "redis://x", "LADDER_URL": door.url, "WORKER_TOKEN": TOKEN}
    settings = from_environment({**environment, "WORKER_CACHE_DIR": str(tmp_path)})
    entry = Entry(ladder_url=door.url, report_url=report_url, attempt_id="a1", fence=1)
    settings.journal_dir.mkdir()
    (settings.journal_dir / "match-left").write_bytes(b"\xff" + wire.write(entry))
    heart = Heart(Host(settings, {}, []), every_s=0.01)
    heart.start()
    assert soon(lambda: len(door.heartbeats) >= 3)
    heart.stop()


def test_messages_are_doorbells_in_json() -> None:
    conf = app.conf
    assert conf.accept_content == ["json"]
    assert conf.task_serializer == "json"
    assert conf.result_backend is None
    assert conf.task_acks_late
    assert not conf.task_reject_on_worker_lost
    assert not conf.worker_enable_remote_control
    assert not conf.task_create_missing_queues
    assert conf.worker_prefetch_multiplier == 1
    assert {queue.name for queue in conf.task_queues} == {wire.QUEUE_BUILD, wire.QUEUE_MATCH}
    assert {wire.TASK_MATCH, wire.TASK_BUILD} <= set(app.tasks)


def test_worker_without_its_settings_does_not_start() -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "BROKER_URL": "redis://127.0.0.1:9/0",
        "LADDER_URL": "http://x",
    }
    words = [sys.executable, "-m", "celery", "-A", "workers.celery:app", "worker", "-P", "solo"]
    done = subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "Set WORKER_TOKEN in the environment" in done.stderr
