"""`haunt sandbox`: the layers of this machine, and attacks on it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from workers.attacks import matches, uploads
from workers.attacks.attack import Attack, Verdict
from workers.cli import main
from workers.cli import sandbox as command
from workers.sandbox import bubblewrap

Haunt = Callable[..., tuple[int, str, str]]


@pytest.fixture
def haunt(capsys: pytest.CaptureFixture[str]) -> Haunt:
    """Run one command in this process: its exit status, stdout and stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(list(words))
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Attack with these alone; all of them are tests/hostile."""

    def choose(*attacks: Attack) -> None:
        monkeypatch.setattr(command, "catalogue", lambda: list(attacks))

    return choose


@pytest.mark.sandbox
def test_it_says_its_layers(haunt: Haunt) -> None:
    status, out, _ = haunt("sandbox", "--json")
    assert status == 0
    found = json.loads(out)
    assert found["layers"]["bubblewrap"]
    assert found["layers"]["slot_uid"] == (os.geteuid() == 0)
    assert found["layers"]["seccomp"] is True
    assert found["languages"]["python"].startswith("Python 3")


@pytest.mark.sandbox
def test_attacks_that_are_contained(haunt: Haunt, only: Callable[..., None]) -> None:
    only(matches.named("says_nan"), matches.named("reads_files"), uploads.attacks()[0])
    status, out, err = haunt("sandbox", "--attack", "--json")
    assert (status, err) == (0, "")
    said = json.loads(out)
    assert said["ok"] is True
    assert said["layers"]["seccomp"] is True
    assert [attack["group"] for attack in said["attacks"]] == ["protocol", "access", "uploads"]
    for attack in said["attacks"]:
        assert attack["verdict"] == "contained"
        assert attack["reason"] == ""
        assert attack["what"]
        assert attack["seconds"] >= 0
    assert said["attacks"][1]["tries"] == 28
    status, out, _ = haunt("sandbox", "--attack")
    assert status == 0
    assert "protocol tricks" in out


@pytest.mark.sandbox
def test_attacks_that_are_not(haunt: Haunt, only: Callable[..., None]) -> None:
    """A verdict that is wrong, an upload that is taken, and a group that is skipped: each ends in 1."""
    upload = replace(uploads.attacks()[0], make=lambda: uploads.zipped(("main.py", uploads.MAIN)))
    only(replace(matches.named("says_nan"), faults=("memory",), without_groups=("memory",)), upload)
    status, out, _ = haunt("sandbox", "--attack")
    assert status == 1
    assert "bad_message, not memory" in out
    assert "escaped: uploads, " in out
    assert "it was taken" in out
    only(upload)
    status, out, _ = haunt("sandbox", "--attack", "--json")
    assert status == 1
    assert json.loads(out)["attacks"][0]["verdict"] == Verdict.ESCAPED


@pytest.mark.sandbox
def test_a_group_that_is_skipped_whole_is_bad_news(
    haunt: Haunt, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.attacks.attack.Bench.lacks", lambda _, need: f"needs {need}")
    only(matches.named("says_nan"), uploads.attacks()[0])
    status, out, _ = haunt("sandbox", "--attack")
    assert status == 1
    assert "skipped: says_nan: needs python" in out
    only(uploads.attacks()[0])
    assert haunt("sandbox", "--attack")[0] == 0


@pytest.mark.parametrize("words", [("sandbox",), ("sandbox", "--attack")])
def test_without_bubblewrap_there_is_nothing_to_attack(
    words: tuple[str, ...], haunt: Haunt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(bubblewrap, "_wheel", lambda: None)
    status, out, err = haunt(*words)
    assert (status, out) == (1, "")
    assert "bubblewrap" in err
    assert "no_sandbox" in err
