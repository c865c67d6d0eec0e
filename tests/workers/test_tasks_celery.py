"""The real worker process on a real broker, with the narrow login that workers have."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from kombu import Queue

from bots import job as wire
from bots.program import read_upload
from ladder.common.embedded.services import MATCHES
from ladder.common.embedded.valkey import WORKER_USER, Valkey, worker_acl
from tests.waiting import soon
from tests.workers.door import TOKEN, Door, open_door
from tests.workers.test_tasks import ROOT, SLOW, build_of, house, match_of
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.scratch import sweep_scratch

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SLEEPS_AT_ITS_TURN = b"""
import time
from sdk import run

run(lambda observation, legal, context: time.sleep(1000))
"""


@dataclass
class Running:
    """A worker process, the door it speaks to, and a bell to ring it with."""

    process: subprocess.Popen[bytes]
    door: Door
    bell: Celery
    log: Path
    start: Callable[[], subprocess.Popen[bytes]]
    """Another worker process of the same name, with the same folders."""
    journals: Path

    def ring(self, task: str, job_id: str) -> None:
        queue = wire.QUEUE_MATCH if task == wire.TASK_MATCH else wire.QUEUE_BUILD
        self.bell.send_task(task, args=[job_id], queue=queue)

    def turn_of(self, seat: int) -> bool:
        """Whether some process plays a match in which it is this seat's turn."""
        return any(path.read_bytes()[:1] == bytes([seat]) for path in self.journals.glob("match-*"))

    def pool(self) -> list[int]:
        """The processes below the worker's own."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


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
            "WORKER_CACHE_DIR": str(tmp_path / "cache"),
        }
        started: list[subprocess.Popen[bytes]] = []

        def start() -> subprocess.Popen[bytes]:
            started.append(
                subprocess.Popen(MATCHES.command(), cwd=ROOT, env=environment, stdout=written, stderr=written)
            )
            return started[-1]

        try:
            process = start()
            assert soon(lambda: bool(door.heartbeats), seconds=60), log.read_text()
            yield Running(process, door, bell, log, start, tmp_path / "cache" / ".journals")
        finally:
            for one in started:
                one.kill()
                one.wait()
            bell.close()
            valkey.stop()
            # As the worker that comes next; the last one may have been killed before it came to that.
            sweep_scratch(young_s=0)
            SandboxLauncher().sweep()


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


def test_a_killed_pool_process_is_reported_with_whose_turn_it_was(running: Running) -> None:
    door = running.door
    sleeper = "sleeper", read_upload(SLEEPS_AT_ITS_TURN, "main.py")
    match_of(door, house("random"), sleeper)
    running.ring(wire.TASK_MATCH, "m1")
    assert soon(lambda: running.turn_of(1), seconds=60), running.log.read_text()
    for child in running.pool():
        os.kill(child, signal.SIGKILL)
    assert soon(lambda: bool(door.reports), seconds=60), running.log.read_text()
    assert soon(lambda: not any(running.journals.iterdir()), seconds=60)
    assert [left_out(report) for report in door.reports] == [("a1", 7, "void", "worker_died", 1)]
    match_of(door, house("random"), house("random"))
    running.ring(wire.TASK_MATCH, "m1")
    assert soon(lambda: len(door.reports) == 2, seconds=60), "the pool has new processes"
    assert door.reports[1]["outcome"] == "finished"


def test_a_killed_worker_is_reported_by_the_next_one(running: Running) -> None:
    door = running.door
    match_of(door, ("sleeper", read_upload(SLEEPS_AT_ITS_TURN, "main.py")), house("random"))
    running.ring(wire.TASK_MATCH, "m1")
    assert soon(lambda: running.turn_of(0), seconds=60), running.log.read_text()
    pool = running.pool()
    running.process.kill()
    for child in pool:
        os.kill(child, signal.SIGKILL)
    running.process.wait()
    assert door.reports == []
    running.start()
    assert soon(lambda: bool(door.reports), seconds=60), running.log.read_text()
    assert [left_out(report) for report in door.reports] == [("a1", 7, "void", "worker_died", 0)]


def left_out(report: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(report[key] for key in ("attempt_id", "fence", "outcome", "void_reason", "turn_of"))
