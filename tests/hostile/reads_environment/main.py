"""Looks for secrets in its environment, and for open files it was not given."""

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
    known = {
        "PATH",
        "HOME",
        "LANG",
        "PWD",
        "PYTHONPATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
        "PYTHONHASHSEED",
        "OPENBLAS_NUM_THREADS",
        "LC_CTYPE",
    }
    tried(
        "environment", lambda: {name: os.environ[name] for name in os.environ if name not in known} or 1 / 0
    )

    def open_files():
        found = []
        for fd in range(4, 64):
            try:
                found.append((fd, os.fstat(fd)))
            except OSError:
                pass
        return found or 1 / 0

    tried("open files", open_files)


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
