"""The sandbox: its options as data, its slots, and matches as root and as an ordinary user."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.job import FAST, SLOW
from engine.record import verify
from tests.workers.matches import house, open_folder, play, program
from tests.workers.nobody import as_nobody
from tests.workers.sandboxes import UID_BASE, left_behind, sandbox
from workers.build import build
from workers.runtimes import RUNTIMES
from workers.runtimes.probing import offered
from workers.sandbox import bubblewrap
from workers.sandbox.errors import SandboxError
from workers.sandbox.folder import RunFolder
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import Command, Limits
from workers.sandbox.probe import active, layers
from workers.sandbox.slots import acquire, sweep

pytestmark = pytest.mark.sandbox

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: sudo make test")


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


def words(command: Command) -> list[str]:
    return bubblewrap.options(
        command, folder=Path("/x/bot"), haunt=Path("/x/haunt"), status_fd=9, filter_fd=8, more_userns=False
    )


COMMAND = Command(
    argv=("/usr/bin/true",), folder=Path("/x"), limits=Limits(), environment={"A": "{bot}:{haunt}"}
)


def test_the_options_lock_every_door() -> None:
    options = words(COMMAND)
    for needed in (
        "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try",
        "--disable-userns", "--die-with-parent --new-session --clearenv --cap-drop ALL",
        "--ro-bind /usr /usr", "--remount-ro /dev", "--remount-ro / ", "--setenv A /bot:/haunt",
    ):  # fmt: skip
        assert needed in " ".join(options)
    assert "--proc" not in options
    assert "--bind" not in options
    assert options.index("--ro-bind-try") < len(options) - options[::-1].index("--remount-ro")


def test_no_path_of_the_host_stands_in_the_command_line() -> None:
    chain = bubblewrap.argv(COMMAND, Path("/run/bwrap"), args_fd=5, uid=60_001)
    assert "/x" not in " ".join(chain)
    assert chain[:2] == ["/usr/bin/setpriv", "--reuid=60001"]
    assert "--no-new-privs" in chain
    assert bubblewrap.argv(COMMAND, Path("/run/bwrap"), args_fd=5, uid=None)[0] == "/run/bwrap"


def test_the_kernel_s_limit_of_cpu_time_leaves_room_for_the_clock() -> None:
    for clock in (FAST, SLOW):
        limit = Limits().for_clock(clock).rlimits()
        assert limit["cpu"] * 1000 > clock.bank_ms + 500 * clock.increment_ms + 5_000
        assert limit["core"] == 0
        assert limit["sigpending"] < 1_000


def test_every_layer_of_this_version_is_active(launcher: SandboxLauncher) -> None:
    found = layers(launcher)
    assert found["bubblewrap"]
    assert found["slot_uid"] is (os.geteuid() == 0)
    assert {"pid_namespace", "net_namespace", "rlimits", "seccomp"} <= set(active(found))
    assert bool(found["cgroup"]) is (launcher.groups is not None)


def test_python_is_offered_and_javascript_where_there_is_node(launcher: SandboxLauncher) -> None:
    found = offered(launcher)
    assert found["python"].startswith("Python 3.")
    assert ("javascript" in found) == (RUNTIMES["javascript"].program() is not None)


def test_a_match_leaves_nothing_behind(launcher: SandboxLauncher) -> None:
    outcome = play([house("greedy"), house("random"), house("steady"), house("random")], launcher)
    assert outcome.void_reason is None
    assert outcome.record is not None
    assert outcome.record.faults == ()
    verify(outcome.record)
    assert left_behind(launcher) == []


def test_sandboxed_and_bare_give_the_same_record(launcher: SandboxLauncher) -> None:
    from workers.sandbox.bare import BareLauncher

    bare = BareLauncher(run_dir=launcher.run.path)
    records = [play([house("greedy"), house("random")], way).record for way in (launcher, bare)]
    assert records[0] == records[1]


def test_slots_are_held_by_one_at_a_time(launcher: SandboxLauncher) -> None:
    first = acquire(launcher.run, uid_base=UID_BASE)
    second = acquire(launcher.run, uid_base=UID_BASE)
    assert first.number != second.number
    assert first.uid is None or first.uid != second.uid
    first.release()
    third = acquire(launcher.run, uid_base=UID_BASE)
    assert third.number == first.number
    second.release()
    third.release()
    assert left_behind(launcher) == []


@pytest.mark.parametrize("then", ["pass", "child.freeze()"])
def test_a_killed_worker_takes_its_bots_along_and_the_next_one_sweeps(
    then: str, launcher: SandboxLauncher
) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from workers.sandbox.launcher import SandboxLauncher\n"
        "from workers.sandbox.policy import Command, Limits\n"
        f"launcher = SandboxLauncher(run_dir=Path({str(launcher.run.path)!r}), uid_base={UID_BASE})\n"
        f"folder = Path({str(house('random').folder)!r})\n"
        "command = Command(argv=('/usr/bin/sleep', '60'), folder=folder, limits=Limits())\n"
        "child = launcher.start(command)\n"
        f"{then}; print('up', flush=True); time.sleep(60)\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"up\n"
        assert sweep(launcher.run, uid_base=UID_BASE) == 0
        worker.kill()
    assert launcher.sweep() == 1
    until = time.monotonic() + 60
    while (left := left_behind(launcher)) and time.monotonic() < until:
        for line in left:
            _reap(int(line.split()[0]))
    assert left_behind(launcher) == []


def _reap(pid: int) -> None:
    """What a killed worker leaves is a child of this process, for it asked to be given orphans."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_without_bubblewrap_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(bubblewrap, "_wheel", lambda: None)
    with pytest.raises(SandboxError, match="bubblewrap"):
        SandboxLauncher(run_dir=open_folder())


def test_a_sandbox_that_does_not_start_voids_the_match(tmp_path: Path) -> None:
    with sandbox() as broken:
        broken.__dict__["_haunt"] = tmp_path / "missing"
        outcome = play([house("random"), house("random")], broken)
        assert outcome.void_reason == "sandbox_failed"
        assert left_behind(broken) == []


@as_root
def test_a_run_folder_below_a_closed_one_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(SandboxError, match="may not enter"):
        RunFolder(tmp_path / "run")


def test_a_run_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "run"
    link.symlink_to(open_folder())
    with pytest.raises(SandboxError):
        RunFolder(link)


def test_output_and_time_of_one_program_are_bounded(launcher: SandboxLauncher) -> None:
    folder = house("random").folder
    flood = Command(argv=("/usr/bin/head", "-c", "5000000", "/dev/zero"), folder=folder, limits=Limits())
    finished = run_once(launcher, flood, wall_s=60, keep=1000)
    assert finished.flooded
    assert len(finished.stdout) == 1000
    sleep = Command(argv=("/usr/bin/sleep", "60"), folder=folder, limits=Limits())
    assert run_once(launcher, sleep, wall_s=0.3).status is None
    assert left_behind(launcher) == []


@pytest.mark.parametrize(
    ("language", "entry", "good", "bad"),
    [
        ("python", "main.py", b"print(1)\n", b"def f(:\n"),
        ("javascript", "main.js", b"let x = 1;\n", b"let x = ;\n"),
    ],
)
def test_a_build_says_what_does_not_compile(
    language: str, entry: str, good: bytes, bad: bytes, launcher: SandboxLauncher
) -> None:
    if RUNTIMES[language].program() is None:
        pytest.skip(f"no {language} here: apt-get install nodejs")
    built = build(language=language, entry=entry, files={entry: good}, launcher=launcher)
    assert built.ok
    assert good in built.artefact
    failed = build(language=language, entry=entry, files={entry: bad}, launcher=launcher)
    assert (failed.ok, failed.code, failed.artefact) == (False, "syntax_error", b"")
    assert f"{entry}:1" in failed.log


def test_a_build_does_not_run_the_program(launcher: SandboxLauncher) -> None:
    files = {"main.py": b"import time\ntime.sleep(60)\n", "json.py": b"raise SystemExit(9)\n"}
    assert build(language="python", entry="main.py", files=files, launcher=launcher, wall_s=50).ok


def test_a_javascript_bot_plays(launcher: SandboxLauncher, tmp_path: Path) -> None:
    if RUNTIMES["javascript"].program() is None:
        pytest.skip("no javascript here: apt-get install nodejs")
    (tmp_path / "main.js").write_text(
        'require("readline").createInterface({ input: process.stdin }).on("line", (line) => {\n'
        "  const message = JSON.parse(line);\n"
        '  if (message.type === "hello") console.log(\'{"type":"ready"}\');\n'
        '  if (message.type === "move")\n'
        "    console.log(JSON.stringify({ turn: message.turn, move: message.legal[0].move }));\n"
        "});\n"
    )
    outcome = play([program(tmp_path, language="javascript"), house("random")], launcher)
    assert outcome.record is not None
    assert outcome.record.faults == ()


@as_root
def test_an_ordinary_user_plays_the_same_match(launcher: SandboxLauncher) -> None:
    said = as_nobody(
        "from tests.workers.matches import house, play\n"
        "from workers.sandbox.launcher import SandboxLauncher\n"
        "outcome = play([house('greedy'), house('random')], SandboxLauncher())\n"
        "assert min(turn.cpu_us for turn in outcome.seats[0].turns) > 0\n"
        "print(outcome.record.to_json())\n"
    )
    own = play([house("greedy"), house("random")], launcher).record
    assert own is not None
    assert json.loads(said) == json.loads(own.to_json())
