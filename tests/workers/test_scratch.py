"""Folders of jobs: gone at the end, and swept when whoever made them is dead."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from workers.sandbox.scratch import scratch, sweep_scratch

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_folder_is_gone_at_the_end_whatever_happens(tmp_path: Path) -> None:
    def work() -> None:
        with scratch("match") as folder:
            assert folder.parent == tmp_path
            assert folder.stat().st_mode & 0o077 == 0
            (folder / "deep").mkdir()
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert list(tmp_path.iterdir()) == []


def test_the_living_keep_theirs_and_the_dead_do_not(tmp_path: Path) -> None:
    code = (
        "import time; from workers.sandbox.scratch import scratch\n"
        "with scratch('match') as folder:\n"
        "    (folder / 'bot').mkdir()\n"
        "    print(folder, flush=True); time.sleep(60)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as worker:
        assert worker.stdout is not None
        theirs = Path(worker.stdout.readline().decode().strip())
        with scratch("build") as ours:
            assert sweep_scratch(young_s=0) == 0
            assert theirs.is_dir()
            assert ours.is_dir()
        worker.kill()
    assert sweep_scratch() == 0, "a folder this young may be waiting for its lock"
    assert sweep_scratch(young_s=0) == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "haunt-match-file").write_text("")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "haunt-match-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "haunt-other-1").mkdir()
    assert sweep_scratch(young_s=0) == 0
    assert len(list(tmp_path.iterdir())) == 4


def test_a_kind_that_no_sweep_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="other"), scratch("other"):
        pass
