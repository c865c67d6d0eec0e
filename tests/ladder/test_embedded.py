"""The embedded servers: found, started quickly, private, stopped, and cleared after a killed parent."""

from __future__ import annotations

import json
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import kombu
import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection
from redis.backoff import NoBackoff
from redis.retry import Retry

from ladder.common.embedded import EmbeddedError, Postgres, Valkey
from ladder.common.embedded.binaries import postgres_bin, valkey_server
from ladder.common.embedded.environment import HouseFolder, adopt
from ladder.common.embedded.folders import OwnedFolder, hold, sweep
from ladder.common.embedded.processes import clear_leftovers, start, started_at
from ladder.common.embedded.valkey import WORKER_USER, worker_acl
from tests.servers import Servers


def eventually(seen: Callable[[], bool], within_s: float = 60.0) -> None:
    deadline = time.monotonic() + within_s
    while not seen():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.02)


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose name is short enough for a socket."""
    folder = OwnedFolder("case")
    yield folder.path
    folder.remove()


def test_ctrl_c_in_the_middle_of_a_look_at_a_child_waits_for_the_end_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child = start("sleeper", ["/bin/sleep", "60"], env={}, cwd=Path("/"))
    looked = []

    def interrupted() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        looked.append("to the end")

    with monkeypatch.context() as patch:
        patch.setattr(child.process, "poll", interrupted)
        with pytest.raises(KeyboardInterrupt):
            child.alive  # noqa: B018 - it is the look that is tried
    assert looked == ["to the end"]
    assert child.stop() == -signal.SIGTERM


def test_a_child_that_does_not_listen_is_killed_when_its_time_is_over(tmp_path: Path) -> None:
    deaf = ["/bin/sh", "-c", "trap '' TERM; echo deaf; while :; do /bin/sleep 1; done"]
    child = start("deaf", deaf, env={}, cwd=Path("/"), log=tmp_path / "log")
    eventually(lambda: "deaf" in child.last_words())
    assert child.stop(grace_s=0.3) == -signal.SIGKILL


@pytest.mark.django_db
def test_the_suite_runs_on_its_own_cluster(servers: Servers) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW unix_socket_directories")
        assert cursor.fetchone() == (str(servers.postgres.sockets),)
        cursor.execute("SHOW listen_addresses")
        assert cursor.fetchone() == ("",)
    assert servers.valkey.url() == settings.REDIS_URL


def test_a_cluster_is_ready_within_two_seconds_of_the_machine_and_keeps_what_was_committed(
    short: Path,
) -> None:
    postgres = Postgres(short / "pg", short / "s")
    cpu = os.times()
    postgres.start()
    spent = os.times()
    assert spent.children_user + spent.children_system - cpu.children_user - cpu.children_system < 2
    assert postgres.create_database("house") is True
    assert postgres.create_database("house") is False
    with psycopg.connect(postgres.url("house")) as session:
        session.execute("CREATE TABLE kept AS SELECT 1 AS one")
        assert session.execute("SHOW server_encoding").fetchone() == ("UTF8",)
    assert postgres.child is not None
    postgres.child.process.kill()
    postgres.child.process.wait()

    again = Postgres(short / "pg", short / "s")
    again.start()
    with psycopg.connect(again.url("house")) as session:
        assert session.execute("SELECT one FROM kept").fetchone() == (1,)
    assert again.stop() == 0


def test_a_lock_file_with_the_pid_of_a_stranger_does_not_stop_the_next_start(short: Path) -> None:
    postgres = Postgres(short / "pg", short / "s", throwaway=True)
    postgres.start()
    left = (short / "pg" / "postmaster.pid").read_text().splitlines()
    postgres.stop()
    (short / "pg" / "postmaster.pid").write_text("\n".join([str(os.getpid()), *left[1:]]) + "\n")
    again = Postgres(short / "pg", short / "s", throwaway=True)
    again.start()
    again.stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root has a user to give up")
def test_root_without_namespaces_runs_it_as_nobody(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.common.embedded.postgres.NAMESPACE", ("false",))
    postgres = Postgres(short / "pg", short / "s", throwaway=True, log=short / "postgres.log")
    postgres.start()
    assert postgres.child is not None
    status = Path(f"/proc/{postgres.child.process.pid}/status").read_text()
    assert f"Uid:\t{pwd.getpwnam('nobody').pw_uid}\t" in status
    assert "Groups:\t \n" in status
    with psycopg.connect(postgres.url("postgres")) as session:
        assert session.execute("SELECT 1").fetchone() == (1,)
    postgres.stop()


def test_programs_told_by_the_environment_win_and_absent_ones_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LADDER_PG_BIN", str(tmp_path))
    monkeypatch.setenv("LADDER_VALKEY_BIN", str(tmp_path / "valkey-server"))
    with pytest.raises(EmbeddedError, match="LADDER_PG_BIN") as failed:
        postgres_bin()
    assert failed.value.code == "no_postgres"
    with pytest.raises(EmbeddedError, match="LADDER_VALKEY_BIN"):
        valkey_server()
    for name in ("postgres", "initdb", "valkey-server"):
        (tmp_path / name).touch(mode=0o755)
    assert postgres_bin() == tmp_path
    assert valkey_server() == tmp_path / "valkey-server"


@pytest.fixture
def broker(short: Path) -> Iterator[Valkey]:
    valkey = Valkey(short / "valkey", short / "s", password="ladder", acl=[worker_acl("worker")])
    valkey.start()
    yield valkey
    valkey.stop()


def test_a_worker_may_use_its_two_queues(broker: Valkey) -> None:
    names = {
        "unacked_key": "workers.unacked",
        "unacked_index_key": "workers.unacked_index",
        "unacked_mutex_key": "workers.unacked_mutex",
    }
    url = broker.broker_url(WORKER_USER, "worker")
    with kombu.Connection(url, transport_options=names) as session:
        for name in ("match", "build"):
            queue = session.SimpleQueue(name)
            queue.put({"id": name})
            got = queue.get(timeout=60)
            assert got.payload == {"id": name}
            got.ack()
            queue.close()


@pytest.mark.parametrize(
    "command",
    [
        ("LPUSH", "ladder", "forged"),
        ("LPUSH", "ticks", "forged"),
        ("LRANGE", "ladder", "0", "-1"),
        ("LPUSH", "matchmaking", "forged"),
        ("HGETALL", "unacked"),
        ("SADD", "_kombu.binding.ladder", "x"),
        ("GET", ":1:session"),
        ("PUBLISH", "live", "forged"),
        ("FLUSHALL",),
        ("CONFIG", "GET", "*"),
        ("KEYS", "*"),
        ("ACL", "LIST"),
        ("SHUTDOWN",),
        ("EVAL", "return redis.call('LRANGE', 'ladder', 0, -1)", "0"),
    ],
    ids=" ".join,
)
def test_a_worker_may_touch_nothing_else(broker: Valkey, command: tuple[str, ...]) -> None:
    worker = redis.Redis(unix_socket_path=str(broker.socket), username=WORKER_USER, password="worker")
    with worker, pytest.raises(redis.ResponseError, match=r"(?i)permission"):
        worker.execute_command(*command)


def test_nobody_gets_in_without_a_password(broker: Valkey) -> None:
    stranger = redis.Redis(unix_socket_path=str(broker.socket), retry=Retry(NoBackoff(), 0))
    with stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


CHILD = """
import signal, sys, time
from pathlib import Path
from ladder.common.embedded.processes import start
child = start("sleeper", ["sleep", "600"], env={}, cwd=Path("/"), run_dir=Path(sys.argv[1]))
print("started", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed parent")
def test_children_die_with_a_killed_parent(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"started\n"
    noted = json.loads((tmp_path / "sleeper.pid").read_text())
    assert started_at(noted["pid"]) == noted["started"]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    eventually(lambda: started_at(noted["pid"]) != noted["started"])


def test_leftovers_are_ended_and_strangers_with_the_same_pid_are_not(tmp_path: Path) -> None:
    child = start("left", ["sleep", "600"], env={}, cwd=tmp_path, run_dir=tmp_path)
    stranger = start("stranger", ["sleep", "600"], env={}, cwd=tmp_path)
    (tmp_path / "old.pid").write_text(json.dumps({"pid": stranger.process.pid, "started": "1"}))
    assert clear_leftovers(tmp_path) == ["left"]
    assert child.process.wait() == -signal.SIGINT
    assert stranger.alive
    assert list(tmp_path.glob("*.pid")) == []
    stranger.stop()


def test_a_folder_is_held_by_one_and_swept_when_its_owner_is_gone(tmp_path: Path) -> None:
    first = hold(tmp_path, "http://here")
    with pytest.raises(EmbeddedError, match="http://here") as failed:
        hold(tmp_path, "http://there")
    assert failed.value.code == "already_running"
    first.close()
    hold(tmp_path, "http://there").close()

    code = "import os; from ladder.common.embedded.folders import OwnedFolder as Owned; "
    code += "print(Owned('swept').path, flush=True); os.kill(os.getpid(), 9)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    living = OwnedFolder("swept")
    assert Path(said.strip()).is_dir()
    assert sweep("swept") >= 1
    assert not Path(said.strip()).exists()
    assert living.path.is_dir()
    living.remove()


def test_secrets_are_made_once_and_private(tmp_path: Path) -> None:
    folder = HouseFolder(tmp_path / "var")
    first = folder.secrets()
    assert folder.secrets() == first
    assert folder.secrets_file.stat().st_mode & 0o777 == 0o600
    assert min(map(len, first.values())) >= 40
    assert len(set(first.values())) == len(first)


def test_only_commands_of_a_house_get_one_and_told_servers_win(tmp_path: Path) -> None:
    environ = {"LADDER_VAR": str(tmp_path / "var")}
    adopt(environ, ["manage.py", "migrate"])
    assert environ == {"LADDER_VAR": str(tmp_path / "var")}
    assert not (tmp_path / "var").exists()

    told = environ | {"DATABASE_URL": "postgres://real/db"}
    adopt(told, ["manage.py", "up"])
    assert told["DATABASE_URL"] == "postgres://real/db"
    assert told["SECRET_KEY"] == HouseFolder(tmp_path / "var").secrets()["SECRET_KEY"]

    adopt(environ, ["manage.py", "shell"])
    assert environ["SECRET_KEY"] == told["SECRET_KEY"]
    assert environ["DATABASE_URL"].startswith("postgres://")
