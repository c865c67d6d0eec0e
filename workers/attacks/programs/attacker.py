"""What the attacking programs have in common. It lies beside each of them, as /bot/attacker.py."""

import ctypes
import errno
import json
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)


def say(text):
    """A line to the referee."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def log(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def questions():
    """Say ready; then turn, id of a legal move, and the whole of each question, up to the end."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            questions.hello = message
            say('{"type":"ready"}')
        elif message["type"] == "move":
            yield message["turn"], message["legal"][0]["id"], message
        elif message["type"] == "end":
            return


def answer(turn, choice, **more):
    say(json.dumps({"turn": turn, "id": choice, **more}))


def once(attack):
    """Attack at the first question; play on, if that is still possible."""
    for turn, choice, _ in questions():
        if turn == 1:
            attack()
        answer(turn, choice)


def tried(name, act):
    """Tell whether something that must not work worked."""
    try:
        result = act()
    except Exception as error:
        log(f"contained {name}: {error}".replace("\n", " ")[:200])
    else:
        log(f"ESCAPED {name}: {result!r:.200}")


def call(function, *arguments):
    """A function of libc, its error as an exception."""
    ctypes.set_errno(0)
    result = function(*arguments)
    if result in (-1, 0xFFFFFFFF):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def refused(name, act):
    """The kernel must say that this may not be, or that there is no such thing: any other error says that
    only the arguments were wrong."""
    try:
        result = act()
    except OSError as error:
        if error.errno in (errno.EPERM, errno.ENOSYS):
            log(f"contained {name}: {error}")
        else:
            log(f"ESCAPED {name}: came through to the kernel, which said {error}")
    else:
        log(f"ESCAPED {name}: {result!r:.200}")


def syscall(number, *arguments):
    """A system call by its number, its error as an exception."""
    return call(
        libc.syscall,
        ctypes.c_long(number),
        *(ctypes.c_long(each) if isinstance(each, int) else each for each in arguments),
    )
