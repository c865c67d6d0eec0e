"""Looks for files of the host, of the house and of other bots."""

import os
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
    for path in (
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        "/proc/1/environ",
        "/proc/self/status",
        "/sys/kernel/notes",
        "/run",
        "/var",
        "/root",
        "/home",
        "/work",
        "/srv",
        "/opt",
        "/usr/local/bin",
        "/dev/mem",
        "/dev/kmsg",
        "/dev/sda",
    ):
        tried(
            path,
            lambda path=path: (
                os.listdir(path) if os.path.isdir(path) and os.listdir(path) else open(path, "rb").read(64)
            ),
        )
    known = {"bin", "bot", "dev", "etc", "haunt", "lib", "lib32", "lib64", "tmp", "usr"}
    tried("root folder", lambda: sorted(set(os.listdir("/")) - known) or 1 / 0)
    tried(
        "bot folder",
        lambda: sorted(set(os.listdir("/bot")) - {"main.py", "bot.toml", "expect.toml"}) or 1 / 0,
    )


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
