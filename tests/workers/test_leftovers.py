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
    look = Leftovers(alone=True)
    with subprocess.Popen(["sleep", "60"]) as process:
        seen = f"process {process.pid}: {b'sleep' + bytes(1) + b'60' + bytes(1)!r}"
        assert seen in look.new()
        process.kill()
    assert seen not in look.new()


def test_a_folder_is_nobody_s_once_its_lock_is_gone() -> None:
    look, among_others = Leftovers(alone=True), Leftovers(alone=False)
    folder = Path(tempfile.mkdtemp(prefix="haunt-match-"))
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert f"folder {folder}" not in look.new()
    os.close(lock)
    assert f"folder {folder}" in look.new()
    assert f"folder {folder}" not in among_others.new()
    folder.rmdir()


def test_names_of_the_living_are_theirs(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        assert not leftovers._is_ours(f"7-{process.pid}-99", alone=True)
        process.kill()
    assert leftovers._is_ours(f"7-{process.pid}-99", alone=True)
    assert not leftovers._is_ours(f"7-{process.pid}-99", alone=False)
    assert leftovers._is_ours(f"7-{os.getpid()}-99", alone=False)
    assert not leftovers._is_ours("locks", alone=True)


@pytest.mark.sandbox
def test_a_bot_and_its_control_group_are_seen() -> None:
    look = Leftovers(alone=True)
    with sandbox() as launcher:
        child = launcher.start(Command(argv=("/usr/bin/sleep", "60"), folder=open_folder(), limits=Limits()))
        seen = [line for line in look.new() if line.startswith("process") or str(os.getpid()) in line]
        assert any("process" in line for line in seen)
        assert any("control group" in line for line in seen) is (launcher.groups is not None)
        child.close()
        assert not set(seen).intersection(look.new())
