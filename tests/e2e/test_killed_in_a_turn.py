"""A bot in whose turn the worker's process is killed three times, on a real ladder with a real worker."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from bots.house import house_program
from bots.job import QUEUE_MATCH, TASK_MATCH
from bots.program import Program, read_upload
from ladder.celery import app
from ladder.common.blobs import blob_put
from ladder.common.embedded.services import MATCHES
from ladder.matches.models import Match, Purpose, Worker
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import season_ensure
from ladder.matches.services.workers import worker_create
from ladder.programs.models import Version
from tests.ladder import house
from tests.workers.test_tasks_celery import SLEEPS_AT_ITS_TURN
from workers.sandbox.scratch import sweep_scratch

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 90.0


@pytest.fixture
def worker(live_server: Any, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    _, token = worker_create(name="w1")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "BROKER_URL": settings.CELERY_BROKER_URL,
        "LADDER_URL": live_server.url,
        "WORKER_TOKEN": token,
        "WORKER_SLOTS": "1",
        "WORKER_CACHE_DIR": str(tmp_path / "cache"),
    }
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(MATCHES.command(), cwd=ROOT, env=environment, stdout=log, stderr=log)
        yield process
        process.kill()
        process.wait()
    sweep_scratch(young_s=0)


def soon(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def version(name: str, program: Program, **fields: Any) -> Version:
    made = house.version(name, **fields)
    tar = blob_put(program.to_tar())
    Version.objects.filter(pk=made.pk).update(digest=program.digest, artefact_sha256=tar, entry=program.entry)
    return made


def killed_at_the_turn_of(seat: int, worker: subprocess.Popen[bytes], journals: Path, log: Path) -> None:
    """Let the seat come to its turn, and kill the process that plays."""
    at_turn = bytes([seat])
    assert soon(lambda: any(p.read_bytes()[:1] == at_turn for p in journals.glob("match-*"))), log.read_text()
    for child in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)


def test_the_others_get_their_result(worker: subprocess.Popen[bytes], tmp_path: Path) -> None:
    ladder = house.ladder(2)
    sleeper = read_upload(SLEEPS_AT_ITS_TURN, "main.py")
    versions = [
        version("sleeper", sleeper, owner=house.user(), on=ladder),
        version("random", house_program("random"), on=ladder),
    ]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=versions)
    match = bundle.matches.get(number=0)
    seat = match.seats.get(version=versions[0]).number
    log, journals = tmp_path / "log", tmp_path / "cache" / ".journals"
    assert soon(lambda: Worker.objects.filter(slots=1).exists()), log.read_text()

    def ring() -> None:
        app.send_task(TASK_MATCH, args=[str(match.public_id)], queue=QUEUE_MATCH)

    for number in range(1, 4):
        ring()
        killed_at_the_turn_of(seat, worker, journals, log)
        assert soon(lambda: not any(journals.iterdir())), log.read_text()
        assert match.attempts.filter(status="void").count() == number, log.read_text()
    assert set(match.attempts.values_list("void_code", "turn_of")) == {("worker_died", seat)}
    ring()
    assert soon(lambda: Match.objects.filter(pk=match.pk, status="finished").exists()), log.read_text()
    lost, won = match.seats.get(number=seat), match.seats.exclude(number=seat).get()
    assert (lost.fault_code, lost.lost_by_fault, lost.rank) == ("broken_attempts", True, 2)
    assert (won.fault_code, won.rank) == ("", 1)
    assert match.attempts.count() == 4
    assert match.attempts.get(fence=4).host is not None
