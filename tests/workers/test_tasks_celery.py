"""The real worker process on a real broker, with the narrow login that workers have."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from celery import Celery
from kombu import Queue

from bots import job as wire
from bots.program import read_upload
from ladder.common.embedded.services import MATCHES
from ladder.common.embedded.valkey import WORKER_USER, Valkey, worker_acl
from tests.workers.door import TOKEN, Door, open_door
from tests.workers.test_tasks import ROOT, SLOW, build_of, house, match_of, soon

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


@dataclass
class Running:
    """A worker process, the door it speaks to, and a bell to ring it with."""

    process: subprocess.Popen[bytes]
    door: Door
    bell: Celery
    log: Path

    def ring(self, task: str, job_id: str) -> None:
        queue = wire.QUEUE_MATCH if task == wire.TASK_MATCH else wire.QUEUE_BUILD
        self.bell.send_task(task, args=[job_id], queue=queue)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    valkey = Valkey(tmp_path / "v", tmp_path, password="p", acl=[worker_acl("w")], log=tmp_path / "v.log")
    valkey.start()
    bell = Celery("bell", broker=f"redis+socket://default:p@{valkey.socket}", set_as_current=False)
    bell.conf.task_queues = [Queue(wire.QUEUE_BUILD), Queue(wire.QUEUE_MATCH)]
    log = tmp_path / "worker.log"
    with open_door() as door, log.open("wb") as written:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "BROKER_URL": valkey.broker_url(WORKER_USER, "w"),
            "LADDER_URL": door.url,
            "WORKER_TOKEN": TOKEN,
            "WORKER_SLOTS": "2",
        }
        process = subprocess.Popen(
            MATCHES.command(), cwd=ROOT, env=environment, stdout=written, stderr=written
        )
        try:
            assert soon(lambda: bool(door.heartbeats), seconds=120), log.read_text()
            yield Running(process, door, bell, log)
        finally:
            process.kill()
            process.wait()
            bell.close()
            valkey.stop()


def test_doorbells_are_answered(running: Running) -> None:
    door = running.door
    match_of(door, house("greedy"), house("random"))
    build_of(door, house("steady")[1])
    for task, job_id in ((wire.TASK_MATCH, "m1"), (wire.TASK_BUILD, "b1"), (wire.TASK_MATCH, "m1")):
        running.ring(task, job_id)
    assert soon(lambda: len(door.reports) == 2 and len(door.claims) == 3, seconds=120), (
        running.log.read_text()
    )
    assert sorted(report["outcome"] for report in door.reports) == ["built", "finished"]
    assert door.heartbeats[0]["slots"] == 2


def test_sigterm_finishes_the_match_that_is_played(running: Running) -> None:
    door = running.door
    match_of(door, ("slow", read_upload(SLOW, "main.py")), house("random"), lease_ms=600)
    running.ring(wire.TASK_MATCH, "m1")
    assert soon(lambda: bool(door.renewals), seconds=120), running.log.read_text()
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(120) == 0
    assert [report["outcome"] for report in door.reports] == ["finished"]
