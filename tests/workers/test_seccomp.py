"""The filter of system calls: as the kernel will read it, on both machines; and on this one, tried."""

from __future__ import annotations

import errno
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.matches import open_folder
from tests.workers.sandboxes import sandbox
from workers.sandbox import seccomp, syscalls
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.oneshot import run_once
from workers.sandbox.policy import Command, Limits

AUDIT = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
both = pytest.mark.parametrize("machine", syscalls.MACHINES)


def verdict(program: bytes, machine: int, number: int, *arguments: int) -> int:
    """What the kernel's interpreter would return for one call."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, machine, 0, *padded)
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    at = held = 0
    while True:
        code, if_so, if_not, k = steps[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("=I", data, k)
        elif code == 0x05:
            at += k
        elif code in {0x15, 0x35, 0x45}:
            holds = {0x15: held == k, 0x35: held >= k, 0x45: bool(held & k)}[code]
            at += if_so if holds else if_not
        else:
            assert code == 0x06
            return k


@both
def test_every_row_of_the_table_has_its_answer(machine: str) -> None:
    program = seccomp.program(machine=machine)
    assert len(program) // 8 < 4096
    tables = [(syscalls.ALLOWED, seccomp.ALLOW), (syscalls.REFUSED, seccomp.EPERM)]
    known: set[int] = set(syscalls.numbers(syscalls.ARGUED, machine).values())
    for table, answer in tables:
        for name, number in syscalls.numbers(table, machine).items():
            assert verdict(program, AUDIT[machine], number) == answer, name
            assert number not in known, f"{name} stands in two tables"
            known.add(number)
    for number in {*range(600), 0x3FFF_FFFF} - known:
        assert verdict(program, AUDIT[machine], number) == seccomp.ENOSYS


@both
def test_arguments_are_compared_by_their_low_half(machine: str) -> None:
    program, audit = seccomp.program(machine=machine), AUDIT[machine]
    of = syscalls.numbers(syscalls.ARGUED, machine)
    high = 1 << 32
    for name, arguments, answer in [
        ("clone", (0x3D0F00,), seccomp.ALLOW),
        ("clone", (0x1000_0000 | 17,), seccomp.EPERM),
        ("clone", (high | 0x4000_0000,), seccomp.EPERM),
        ("ioctl", (0, 0x5401), seccomp.ALLOW),
        ("ioctl", (0, 0x5412), seccomp.ENOSYS),
        ("ioctl", (0, high | 0x5412), seccomp.ENOSYS),
        ("ioctl", (0, 0x541C), seccomp.ENOSYS),
        ("fcntl", (0, 3), seccomp.ALLOW),
        ("fcntl", (0, 1030), seccomp.ALLOW),
        ("fcntl", (0, 6), seccomp.ENOSYS),
        ("fcntl", (0, 1031), seccomp.ENOSYS),
        ("madvise", (0, 0, 4), seccomp.ALLOW),
        ("madvise", (0, 0, 12), seccomp.EPERM),
        ("prctl", (15,), seccomp.ALLOW),
        ("prctl", (0x5356_4D41,), seccomp.ALLOW),
        ("prctl", (62,), seccomp.EPERM),
        ("prctl", (high | 62,), seccomp.EPERM),
        ("socketpair", (1,), seccomp.ALLOW),
        ("socketpair", (30,), seccomp.EPERM),
        ("flock", (0, 2), seccomp.EPERM),
    ]:
        assert verdict(program, audit, of[name], *arguments) == answer, (name, arguments)


@both
def test_a_build_may_lock_files(machine: str) -> None:
    program, of = (
        seccomp.program(machine=machine, file_locks=True),
        syscalls.numbers(syscalls.ARGUED, machine),
    )
    assert verdict(program, AUDIT[machine], of["flock"], 0, 2) == seccomp.ALLOW
    assert verdict(program, AUDIT[machine], of["fcntl"], 0, 6) == seccomp.ALLOW


def test_other_abis_end_the_process() -> None:
    program = seccomp.program(machine="x86_64")
    assert verdict(program, 0x4000_0003, 20) == seccomp.KILL
    assert verdict(program, AUDIT["x86_64"], 0x4000_0000 | 39) == seccomp.KILL
    assert verdict(seccomp.program(machine="aarch64"), 0x4000_0028, 20) == seccomp.KILL


def test_a_machine_without_a_table_is_refused() -> None:
    with pytest.raises(SandboxError, match="riscv64"):
        seccomp.program(machine="riscv64")


# ---------------------------------------------------------------- on this kernel


@pytest.fixture(scope="module")
def launcher() -> Iterator[SandboxLauncher]:
    with sandbox() as launcher:
        yield launcher


def ran(launcher: SandboxLauncher, source: str, *, file_locks: bool = False) -> str:
    """What a Python program says in the sandbox."""
    folder = open_folder()
    folder.joinpath("main.py").write_text(source, encoding="utf-8")
    command = Command(
        argv=("/usr/bin/python3", "-S", "{bot}/main.py"),
        folder=folder,
        limits=Limits(),
        file_locks=file_locks,
    )
    done = run_once(launcher, command, wall_s=30)
    assert done.status == 0, done.stderr.decode()
    return done.stdout.decode()


TRY_ALL = """
import ctypes, errno, json
libc = ctypes.CDLL(None, use_errno=True)
said = {}
for name, number in json.loads(CALLS).items():
    ctypes.set_errno(0)
    refused = libc.syscall(number, 0, 0, 0, 0, 0, 0) < 0
    said[name] = errno.errorcode.get(ctypes.get_errno()) if refused else "went"
print(json.dumps(said))
"""
UNHEARD_OF = {
    "io_uring_setup": 425,
    "clone3": 435,
    "fanotify_mark": 301,
    "landlock_create_ruleset": 444,
    "no": 999,
}


@pytest.mark.sandbox
def test_every_forbidden_call_is_refused_here(launcher: SandboxLauncher) -> None:
    refused = syscalls.numbers(syscalls.REFUSED, os.uname().machine)
    said = json.loads(
        ran(launcher, f"CALLS = {json.dumps(json.dumps({**refused, **UNHEARD_OF}))}\n{TRY_ALL}")
    )
    assert len(refused) >= 55
    assert said == {**dict.fromkeys(refused, "EPERM"), **dict.fromkeys(UNHEARD_OF, "ENOSYS")}


@pytest.mark.sandbox
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the machine code is that of x86_64")
def test_calls_of_other_abis_kill(launcher: SandboxLauncher) -> None:
    said = ran(
        launcher,
        "import ctypes, mmap, os\n"
        "code = mmap.mmap(-1, 4096, prot=7)\n"
        r"code.write(b'\xb8\x14\0\0\0\xcd\x80\xc3')" + "  # mov eax, 20; int 0x80; ret\n"
        "at = ctypes.addressof(ctypes.c_char.from_buffer(code))\n"
        "tries = [lambda: ctypes.CFUNCTYPE(ctypes.c_long)(at)(),\n"
        "         lambda: ctypes.CDLL(None).syscall(0x40000000 | 39)]\n"
        "for attempt in tries:\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        attempt()\n"
        "        os._exit(0)\n"
        "    print(os.waitpid(child, 0)[1] & 127)\n",
    )
    assert said.split() == ["31", "31"]


@pytest.mark.sandbox
def test_sockets_of_every_family_are_refused(launcher: SandboxLauncher) -> None:
    said = ran(
        launcher,
        "import errno, socket\n"
        "for family in range(46):\n"
        "    try:\n"
        "        socket.socket(family, socket.SOCK_STREAM)\n"
        "        print('went', family)\n"
        "    except OSError as error:\n"
        "        print(errno.errorcode[error.errno])\n",
    )
    assert set(said.split()) == {"EPERM"}


@pytest.mark.sandbox
def test_what_honest_programs_need_goes_through(launcher: SandboxLauncher) -> None:
    said = ran(
        launcher,
        "import asyncio, signal, subprocess, tempfile, threading\n"
        "async def wait():\n"
        "    done = await asyncio.create_subprocess_exec('/bin/echo', 'child', stdout=subprocess.PIPE)\n"
        "    return (await done.communicate())[0].decode().strip()\n"
        "heard = []\n"
        "thread = threading.Thread(target=heard.append, args=('thread',))\n"
        "thread.start(); thread.join()\n"
        "signal.signal(signal.SIGALRM, lambda *_: heard.append('alarm'))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()\n"
        "with tempfile.TemporaryFile() as file:\n"
        "    heard.append(str(file.write(b'12')))\n"
        "print(asyncio.run(wait()), *heard, subprocess.run(['/bin/true']).returncode)\n",
    )
    assert said.split() == ["child", "thread", "alarm", "2", "0"]


@pytest.mark.sandbox
def test_locks_on_shared_files_are_for_builds_alone(launcher: SandboxLauncher) -> None:
    lock = (
        "import errno, fcntl\n"
        "for lock in (fcntl.flock, fcntl.lockf):\n"
        "    try:\n"
        "        lock(open('/tmp/x' if lock is fcntl.lockf else '/usr/bin/env', 'ab+' if lock is fcntl.lockf"
        " else 'rb'), fcntl.LOCK_EX)\n"
        "        print('locked')\n"
        "    except OSError as error:\n"
        "        print(errno.errorcode[error.errno])\n"
    )
    assert ran(launcher, lock).split() == [errno.errorcode[errno.EPERM], errno.errorcode[errno.ENOSYS]]
    assert ran(launcher, lock, file_locks=True).split() == ["locked", "locked"]


def test_the_table_cites_no_number_twice() -> None:
    for machine in syscalls.MACHINES:
        rows = [
            number
            for table in (syscalls.ALLOWED, syscalls.REFUSED, syscalls.ARGUED)
            for number in syscalls.numbers(table, machine).values()
        ]
        assert len(rows) == len(set(rows))


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_numbers_are_those_of_the_kernel_s_headers(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"no {header} here: apt-get install linux-libc-dev")
    said = {}
    for line in Path(header).read_text(encoding="ascii").splitlines():
        match line.split():
            case ["#define", name, number] if name.startswith("__NR") and number.isdigit():
                said[name.removeprefix("__NR3264_").removeprefix("__NR_")] = int(number)
    renamed = {"newfstatat": "fstatat", "sendfile": "sendfile", "fadvise64": "fadvise64"}
    compared = 0
    for table in (syscalls.ALLOWED, syscalls.REFUSED, syscalls.ARGUED):
        for name, number in syscalls.numbers(table, machine).items():
            known = said.get(name, said.get(renamed.get(name, "")))
            if known is not None:
                assert known == number, name
                compared += 1
    assert compared >= 180
