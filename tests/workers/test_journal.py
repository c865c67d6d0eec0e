"""What a killed process leaves behind, and who finds it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bots.job import MatchReport
from workers.cache import ArtefactCache
from workers.errors import LadderError, SupersededError
from workers.journal import Entry, dead_report, journal

URL = "http://ladder"
ENTRY = Entry(ladder_url=URL, report_url="/internal/attempts/a1/report", attempt_id="a1", fence=7)
PLAYING = """
import sys, time
from pathlib import Path
from tests.workers.test_journal import ENTRY
from workers.journal import journal
with journal(Path(sys.argv[1]), ENTRY) as on_turn:
    for turn in eval(sys.argv[2]):
        on_turn(turn)
    print("playing", flush=True)
    time.sleep(1000)
"""


class Post:
    """Takes reports, or refuses them."""

    def __init__(self, refusal: Exception | None = None) -> None:
        self.sent: list[tuple[str, MatchReport]] = []
        self.refusal = refusal

    def __call__(self, url: str, report: MatchReport) -> None:
        self.sent.append((url, report))
        if self.refusal is not None:
            raise self.refusal


Player = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """Starts processes that play, each with a journal in the test's folder."""
    started: list[subprocess.Popen[str]] = []

    def start(*turns: int | None) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", PLAYING, str(tmp_path), repr(turns)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.communicate()


def killed(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize(("turns", "turn_of"), [((), None), ((0, None, 1), 1), ((0, None, 1, None), None)])
def test_a_killed_process_is_reported_with_whose_turn_it_was(
    tmp_path: Path, player: Player, turns: tuple[int | None, ...], turn_of: int | None
) -> None:
    killed(player(*turns))
    post = Post()
    assert dead_report(tmp_path, URL, post) == 1
    ((url, report),) = post.sent
    assert url == ENTRY.report_url
    assert (report.attempt_id, report.fence, report.outcome) == ("a1", 7, "void")
    assert (report.void_reason, report.turn_of) == ("worker_died", turn_of)
    assert list(tmp_path.iterdir()) == []
    assert dead_report(tmp_path, URL, post) == 0


def test_a_living_process_is_left_alone(tmp_path: Path, player: Player) -> None:
    process, post = player(1), Post()
    assert dead_report(tmp_path, URL, post) == 0
    killed(process)
    assert dead_report(tmp_path, URL, post) == 1


def test_a_match_that_ended_leaves_nothing(tmp_path: Path) -> None:
    def break_off() -> None:
        with journal(tmp_path, ENTRY) as on_turn:
            on_turn(3)
            raise LadderError

    with pytest.raises(LadderError):
        break_off()
    assert list(tmp_path.iterdir()) == []


def test_what_the_ladder_does_not_want_is_forgotten(tmp_path: Path, player: Player) -> None:
    killed(player(1))
    assert dead_report(tmp_path, URL, Post(SupersededError())) == 1
    assert list(tmp_path.iterdir()) == []


def test_what_the_ladder_did_not_hear_is_said_again_for_an_hour(tmp_path: Path, player: Player) -> None:
    killed(player(1))
    for _ in range(2):
        assert dead_report(tmp_path, URL, Post(LadderError("away"))) == 0
    (left,) = tmp_path.iterdir()
    os.utime(left, times=(0, time.time() - 3700))
    assert dead_report(tmp_path, URL, Post(LadderError("away"))) == 1
    assert list(tmp_path.iterdir()) == []


def test_another_ladder_s_attempt_is_not_told_here(tmp_path: Path, player: Player) -> None:
    killed(player(1))
    post = Post()
    assert dead_report(tmp_path, "http://elsewhere", post) == 0
    assert post.sent == []
    assert dead_report(tmp_path, URL, post) == 1


def test_what_another_ladder_was_not_told_in_an_hour_is_forgotten(tmp_path: Path, player: Player) -> None:
    killed(player(1))
    (left,) = tmp_path.iterdir()
    os.utime(left, times=(0, time.time() - 3700))
    post = Post()
    assert dead_report(tmp_path, "http://elsewhere", post) == 0
    assert (post.sent, list(tmp_path.iterdir())) == ([], [])


@pytest.mark.parametrize("text", [b"", b"\x00", b"\x00{}", b"not a journal"])
def test_what_is_no_journal_is_thrown_away(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "match-x").write_bytes(text)
    post = Post()
    assert dead_report(tmp_path, URL, post) == 0
    assert post.sent == []
    assert list(tmp_path.iterdir()) == []


def test_what_died_before_it_was_locked_is_swept_when_it_is_old(tmp_path: Path) -> None:
    for name, age_s in ((".new-young", 10), (".new-old", 3700)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, times=(0, time.time() - age_s))
    dead_report(tmp_path, URL, Post())
    assert [path.name for path in tmp_path.iterdir()] == [".new-young"]


def test_the_cache_makes_no_room_of_it(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path, 1)
    with journal(tmp_path / ".journals", ENTRY):
        for content, sha256 in (
            (b"a", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
            (b"b", "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"),
        ):
            assert cache.get(sha256, lambda content=content: content) == content  # type: ignore[misc]
        assert len(list((tmp_path / ".journals").iterdir())) == 1
