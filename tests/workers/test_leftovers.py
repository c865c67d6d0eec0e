"""The look for what the suite leaves behind sees what is left, and nothing of others who run here."""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests import leftovers
from tests.leftovers import Leftovers
from tests.workers.matches import open_folder
from tests.workers.sandboxes import sandbox
from workers.sandbox.policy import Command, Limits


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PATIENCE_S", 0.0)


def test_a_process_that_was_not_there_before_is_seen() -> None:
    look = Leftovers()
    assert look.new() == []
    with subprocess.Popen(["sleep", "60"]) as process:
        assert look.new() == [f"process {process.pid}: {b'sleep' + bytes(1) + b'60' + bytes(1)!r}"]
        process.kill()
    assert look.new() == []


def test_a_folder_is_nobody_s_once_its_lock_is_gone() -> None:
    look = Leftovers()
    folder = Path(tempfile.mkdtemp(prefix="haunt-match-"))
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert look.new() == []
    os.close(lock)
    assert look.new() == [f"folder {folder}"]
    folder.rmdir()


def test_names_of_the_living_are_theirs(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        assert not leftovers._is_ours(f"7-{process.pid}-99")
        process.kill()
    assert leftovers._is_ours(f"7-{process.pid}-99")
    assert leftovers._is_ours(f"7-{os.getpid()}-99")
    assert not leftovers._is_ours("locks")


@pytest.mark.sandbox
def test_a_bot_and_its_control_group_are_seen() -> None:
    look = Leftovers()
    with sandbox() as launcher:
        child = launcher.start(Command(argv=("/usr/bin/sleep", "60"), folder=open_folder(), limits=Limits()))
        seen = look.new()
        assert any("process" in line for line in seen)
        assert any("control group" in line for line in seen) is (launcher.groups is not None)
        child.close()
        assert look.new() == []
