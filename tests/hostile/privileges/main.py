"""Tries to become somebody, or to get a house of its own."""

import ctypes
import os
import resource
import sys

from sdk import run


def tried(name, act):
    """Whether something that must not work worked."""
    try:
        result = act()
    except Exception as error:
        sys.stderr.write(f"contained {name}: {error}\n")
    else:
        sys.stderr.write(f"ESCAPED {name}: {result!r:.200}\n")


def attack():
    libc = ctypes.CDLL(None, use_errno=True)

    def call(result):
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    tried("setuid", lambda: os.setuid(0))
    tried("user namespace", lambda: call(libc.unshare(0x10000000)))
    tried("net namespace", lambda: call(libc.unshare(0x40000000)))
    tried("mount", lambda: call(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)))
    tried("remount", lambda: call(libc.mount(b"none", b"/", None, 0x1020 & ~1, None)))
    tried("chroot", lambda: os.chroot("/tmp"))
    tried("device", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)))
    tried("hostname", lambda: call(libc.sethostname(b"x", 1)))
    tried("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
    for kind in ("NPROC", "AS", "CPU", "NOFILE", "FSIZE"):
        limit = getattr(resource, f"RLIMIT_{kind}")
        soft, hard = resource.getrlimit(limit)
        tried(kind, lambda limit=limit, hard=hard: resource.setrlimit(limit, (hard + 1, hard + 1)))
        tried(f"{kind} infinite", lambda hard=hard: hard == resource.RLIM_INFINITY or 1 / 0)


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
