"""Tries to become somebody, or to get limits or a house of its own."""

import os
import resource
import shutil
import subprocess

from attacker import call, libc, once, tried


def own_setuid_file():
    shutil.copy("/usr/bin/id", "/tmp/id")
    os.chmod("/tmp/id", 0o6755)
    said = subprocess.run(["/tmp/id", "-u"], capture_output=True, text=True).stdout.strip()
    if said in ("65534", ""):
        raise OSError(f"still uid {said}")
    return said


def su():
    done = subprocess.run(["/usr/bin/su", "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise OSError(done.stderr[:80])
    return done.stdout


def capabilities():
    for number in range(41):
        if libc.prctl(23, number, 0, 0, 0) == 1 and libc.prctl(47, 1, number, 0, 0) == 1:
            return number
    raise OSError("none")


def attack():
    tried("setuid", lambda: os.setuid(0))
    tried("setgid", lambda: os.setgid(0))
    tried("setresuid", lambda: os.setresuid(1000, 1000, 1000))
    tried("groups", lambda: os.setgroups([0]))
    tried("a setuid file of its own", own_setuid_file)
    tried("su", su)
    tried("capabilities", capabilities)
    tried("new privileges", lambda: call(libc.prctl, 38, 0, 0, 0, 0))
    tried("device", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)))
    tried("remount", lambda: call(libc.mount, b"none", b"/", None, 0x20, None))
    tried("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
    tried("affinity", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
    for kind in ("NPROC", "AS", "CPU", "NOFILE", "FSIZE"):
        limit = getattr(resource, f"RLIMIT_{kind}")
        hard = resource.getrlimit(limit)[1]
        tried(f"{kind} raised", lambda: resource.setrlimit(limit, (hard + 1, hard + 1)))
        tried(f"{kind} without an end", lambda: hard == resource.RLIM_INFINITY or 1 / 0)


once(attack)
