"""Tries to leave something behind."""

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
        "/bot/state",
        "/haunt/state",
        "/usr/state",
        "/state",
        "/dev/state",
        "/etc/state",
        "/haunt/sdk.py",
    ):
        tried(path, lambda path=path: open(path, "w"))
    tried("chmod", lambda: os.chmod("/bot/main.py", 0o777))
    tried("link", lambda: os.link("/bot/main.py", "/tmp/link"))
    tried("unlink", lambda: os.unlink("/haunt/sdk.py"))


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
