"""`manage.py up`: opens, keeps its secrets from workers, stops in order, and survives its own death."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from ladder.common.embedded import services
from tests.e2e.house import RunningHouse

EVERYBODY = {"postgres", "valkey", "web", *(service.name for service in services.CELERY_SERVICES)}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningHouse]:
    running = RunningHouse(tmp_path / "var")
    yield running
    running.close()


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """One that stays open for those who only look, or kill what comes back; and it stops in order."""
    running = RunningHouse(tmp_path_factory.mktemp("open") / "var")
    try:
        yield running.start()
        assert running.stop() == 0
    finally:
        running.close()


def eventually(seen: Callable[[], bool], within_s: float = 120.0) -> None:
    deadline = time.monotonic() + within_s
    while not seen():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.05)


def test_a_house_opens_stops_and_opens_again(house: RunningHouse) -> None:
    house.start()
    assert httpx.get(f"{house.url}/health/ready", timeout=60).json()["status"] == "ok"
    assert set(house.living()) == EVERYBODY
    first_admin_comes_by_the_link(house)

    second = RunningHouse(house.folder.var)
    with pytest.raises(AssertionError, match="already runs here: " + house.url):
        second.start()
    assert second.ended(120) == 1
    assert set(house.living()) == EVERYBODY

    before = house.children()
    assert house.stop() == 0
    assert house.children() == {}
    assert not house.folder.sockets.exists()
    assert before

    house.start()
    assert set(house.living()) == EVERYBODY
    assert invitations(house) == [], "there is an admin"
    assert house.stop() == 0


def invitations(house: RunningHouse) -> list[str]:
    return [found[1] for line in house.said if (found := re.search(r"(http\S+/join/\S+/)", line))]


def first_admin_comes_by_the_link(house: RunningHouse) -> None:
    (link,) = invitations(house)
    assert link.startswith(house.url)
    assert httpx.get(link, timeout=60).status_code == 200
    answer = httpx.post(
        f"{house.url}/api/v1/sign-up",
        json={"username": "mistress", "password": "of-the-house-4711", "invitation": link.split("/")[-2]},
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    assert house.one("SELECT is_superuser FROM accounts_user WHERE username = 'mistress'") is True


def test_a_killed_supervisor_leaves_nothing_that_the_next_start_cannot_clear(house: RunningHouse) -> None:
    house.start()
    house.kill()
    eventually(lambda: house.living() == {})
    house.start()
    assert set(house.living()) == EVERYBODY
    assert house.stop() == 0


def test_a_process_that_dies_comes_back(open_house: RunningHouse) -> None:
    died = open_house.living()["ladder-worker"]
    open_house.kill_group("ladder-worker")
    eventually(lambda: open_house.living().get("ladder-worker", died) != died)


def test_a_match_worker_sees_no_secret_of_the_ladder(open_house: RunningHouse) -> None:
    secrets = open_house.folder.secrets()
    pid, _ = open_house.living()["match-worker"]
    environ = Path(f"/proc/{pid}/environ").read_text()
    names = {pair.split("=", 1)[0] for pair in environ.split("\0") if pair}
    assert {"BROKER_URL", "LADDER_URL", "WORKER_TOKEN"} <= names
    assert names & {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "STORAGE_URL", "EMAIL_URL"} == set()
    assert secrets["SECRET_KEY"] not in environ
    assert secrets["VALKEY_PASSWORD"] not in environ
