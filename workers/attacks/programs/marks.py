"""Seat 0 leaves a mark wherever it can; seat 1 looks for it in its own turn, and so reads a bit.

It reports what it found. Of what was refused to seat 0, seat 0 reports.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys
import time

from attacker import answer, call, libc, log, questions, syscall

HAUNT = next(f"{path}/sdk.py" for path in sys.path if os.path.exists(f"{path}/sdk.py"))
SHARED = (HAUNT, "/usr/bin/env")
"""Files that both see."""
WORD = b"a bit of haunt"
KEPT = []
UNDO = []
"""What takes the marks away: where nothing holds this program, they would stay."""


def found(what):
    raise LookupError(what)


def lock_flock(path):
    def leave():
        file = open(path, "rb")
        KEPT.append(file)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def look():
        with open(path, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found("somebody holds it")

    return leave, look


def lock_fcntl(path, ask, set_lock):
    """A read lock keeps a write lock from being granted, which F_GETLK tells of a read-only file, too."""
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    question = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)

    def leave():
        file = open(path, "rb")
        KEPT.append(file)
        fcntl.fcntl(file, set_lock, lock)

    def look():
        with open(path, "rb") as file:
            kind = struct.unpack("hhqqi4x", fcntl.fcntl(file, ask, question))[0]
        if kind != fcntl.F_UNLCK:
            found("somebody holds it")

    return leave, look


def lease(path):
    def leave():
        file = open(path, "rb")
        KEPT.append(file)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)

    def look():
        with open(path, "rb") as file:
            if fcntl.fcntl(file, fcntl.F_GETLEASE) != fcntl.F_UNLCK:
                found("somebody holds it")

    return leave, look


def file_at(path):
    def leave():
        with open(path, "xb") as file:
            file.write(WORD)
        UNDO.append(lambda: os.unlink(path))

    def look():
        with open(path, "rb") as file:
            if file.read() == WORD:
                found("its text")

    return leave, look


def notices(path):
    """The other way round: seat 1 waits for seat 0 to open a file. Watching it is all that has to fail."""

    def look():
        watch = call(libc.inotify_init1, os.O_NONBLOCK)
        call(libc.inotify_add_watch, watch, path.encode(), 0x20)
        found("a watch on it")

    return lambda: open(path, "rb").close(), look


def listener(family, address):
    def leave():
        line = socket.socket(family, socket.SOCK_STREAM)
        KEPT.append(line)
        line.bind(address)
        if str(address).startswith("/"):
            UNDO.append(lambda: os.unlink(address))
        line.listen()

    def look():
        with socket.socket(family, socket.SOCK_STREAM) as line:
            line.settimeout(0.2)
            line.connect(address)
        found("an open door")

    return leave, look


def key():
    def leave():
        mark = syscall(248, b"user", b"haunt-mark", WORD, len(WORD), -5)
        syscall(250, 15, mark, 60)  # gone in a minute

    def look():
        syscall(249, b"user", b"haunt-mark", 0, -5)
        found("the key")

    return leave, look


def system_v(kind, make, get):
    def leave():
        mark = call(getattr(libc, f"{kind}get"), *make)
        UNDO.append(lambda: getattr(libc, f"{kind}ctl")(mark, *((0, 0) if kind == "sem" else (0,)), 0))

    def look():
        call(getattr(libc, f"{kind}get"), *get)
        found("it")

    return leave, look


def queue():
    def leave():
        call(libc.mq_open, b"/haunt-mark", os.O_CREAT | os.O_RDWR, 0o666, None)
        UNDO.append(lambda: libc.mq_unlink(b"/haunt-mark"))

    def look():
        call(libc.mq_open, b"/haunt-mark", os.O_RDWR)
        found("the queue")

    return leave, look


def other_processes():
    """Signal 0 tells of a process whether it is there; a name of its own is a mark as well."""

    def leave():
        call(libc.prctl, 15, b"haunt-mark", 0, 0, 0)

    def look():
        own = os.getpid()
        seen = [pid for pid in range(2, 5000) if pid != own and is_there(pid)]
        if seen:
            found(f"processes {seen[:9]}")

    return leave, look


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def load():
    def look():
        found(open("/proc/loadavg").read())

    return lambda: None, look


def free_memory():
    def leave():
        KEPT.append(bytearray(b"x" * (32 << 20)))

    def look():
        room = ctypes.create_string_buffer(512)
        call(libc.sysinfo, room)
        found("how much is free")

    return leave, look


def page_cache():
    def look():
        with open("/usr/bin/env", "rb") as file:
            room = ctypes.create_string_buffer(16)
            vector = struct.pack("QQ", ctypes.addressof(room), 16)
            syscall(327, file.fileno(), vector, 1, 0, 0, 8)
        found("what is in memory")

    return lambda: open("/usr/bin/env", "rb").read(), look


def time_of_access():
    """Reading a file marks it, where its disk is not mounted without that, or read-only."""
    path = "/usr/share/base-files/motd"

    def leave():
        with open(path, "rb") as file:
            file.read()

    def look():
        if os.stat(path).st_atime > time.time() - 60:
            found("that it was read just now")

    return leave, look


def timers():
    """As many as there are; where both have one account of them, the other gets none."""

    def leave():
        for _ in range(10_000):
            if libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())) != 0:
                return

    def look():
        if libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())) != 0:
            found("that there are none left")

    return leave, look


CHANNELS = {
    **{f"flock on {path}": lock_flock(path) for path in SHARED},
    **{f"fcntl lock on {path}": lock_fcntl(path, fcntl.F_GETLK, fcntl.F_SETLK) for path in SHARED},
    **{f"lock of an open file, {path}": lock_fcntl(path, 36, 37) for path in SHARED},
    **{f"lease on {path}": lease(path) for path in SHARED},
    **{f"notices of {path}": notices(path) for path in SHARED},
    "a file in /tmp": file_at("/tmp/haunt-mark"),
    "a file in /dev/shm": file_at("/dev/shm/haunt-mark"),
    "an abstract socket": listener(socket.AF_UNIX, "\0haunt-mark"),
    "a socket in /tmp": listener(socket.AF_UNIX, "/tmp/haunt-mark-socket"),
    "a port": listener(socket.AF_INET, ("127.0.0.1", 47_011)),
    "a key": key(),
    "a message queue": queue(),
    "System V memory": system_v("shm", (4711, 4096, 0o1666), (4711, 0, 0)),
    "System V semaphores": system_v("sem", (4711, 1, 0o1666), (4711, 0, 0)),
    "System V messages": system_v("msg", (4711, 0o1666), (4711, 0)),
    "other processes": other_processes(),
    "a time of access": time_of_access(),
    "timers": timers(),
    "the load": load(),
    "free memory": free_memory(),
    "the page cache": page_cache(),
}


def leave_all():
    for name, (leave, _) in CHANNELS.items():
        try:
            leave()
        except OSError as error:
            log(f"refused to leave {name}: {error}")


def look_at_all():
    for name, (_, look) in CHANNELS.items():
        try:
            look()
        except LookupError as error:
            log(f"ESCAPED {name}: {error}")
        except OSError as error:
            log(f"contained {name}: {error}")
        else:
            log(f"contained {name}: nothing to be seen")


for turn, choice, _ in questions():
    seat = questions.hello["seat"]
    if turn == 1 and seat == 0:
        leave_all()
    if turn == 2 and seat == 1:
        look_at_all()
    answer(turn, choice)
for undo in UNDO:
    undo()
