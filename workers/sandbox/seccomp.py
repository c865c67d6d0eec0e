"""The filter of system calls: classic BPF, put together from the tables in syscalls.py.

A call of another ABI (32-bit, x32) ends the process: its numbers mean other things. Else the call's number is
looked up by halving, and calls that matter by their arguments have these compared, always by their low half,
which is all that the kernel looks at there.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from workers.sandbox.errors import SandboxError
from workers.sandbox.syscalls import ALLOWED, ARGUED, REFUSED, numbers

_LOAD: Final = 0x20
_JUMP: Final = 0x05
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_IF_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

ALLOW: Final = 0x7FFF_0000
KILL: Final = 0x8000_0000
"""The whole process, by SIGSYS."""
EPERM: Final = 0x0005_0000 | errno.EPERM
ENOSYS: Final = 0x0005_0000 | errno.ENOSYS

_AT_NUMBER: Final = 0
_AT_MACHINE: Final = 4
_AT_ARGUMENTS: Final = 16

_AUDIT: Final = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
"""The kernel's name of the one ABI that is served, by machine."""
_X32: Final = 0x4000_0000
_FARTHEST: Final = 255
"""How far a conditional jump reaches."""

_NEW_NAMESPACES: Final = 0x7E02_0080
_AF_UNIX: Final = 1
_TERMINAL_QUERIES: Final = (0x5401, 0x5413, 0x540F)
_READY_AND_FLAGS: Final = (0x541B, 0x5421, 0x5450, 0x5451)
_FCNTL: Final = (0, 1, 2, 3, 4, 1030, 1032)
"""Duplicates, flags, and the size of a pipe; no locks, leases, signals or notices."""
_FCNTL_LOCKS: Final = (5, 6, 7, 36, 37, 38)
_MADVISE: Final = (0, 1, 2, 3, 4, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25)
"""Orders about one's own memory. Not to merge it with equal pages of others, which a write would tell of."""
_PRCTL: Final = (1, 2, 3, 4, 7, 8, 15, 16, 21, 22, 23, 24, 27, 28, 29, 30, 36, 37, 38, 39, 40, 47, 0x53564D41)
"""Names, signals, capabilities and names of memory. Not who may share a core, nor how the processor works."""


class Instruction(NamedTuple):
    """One of the kernel's `struct sock_filter`."""

    code: int
    if_so: int
    if_not: int
    k: int


class Check(NamedTuple):
    """A call that is allowed when an argument is one of `values` or, without any, has no bit of `never`."""

    argument: int
    values: tuple[int, ...]
    never: int
    otherwise: int


CHECKS: Final = {
    "clone": Check(0, (), _NEW_NAMESPACES, EPERM),
    "fcntl": Check(1, _FCNTL, 0, ENOSYS),
    "ioctl": Check(1, _TERMINAL_QUERIES + _READY_AND_FLAGS, 0, ENOSYS),
    "madvise": Check(2, _MADVISE, 0, EPERM),
    "prctl": Check(0, _PRCTL, 0, EPERM),
    "socketpair": Check(0, (_AF_UNIX,), 0, EPERM),
}


@lru_cache(maxsize=4)
def program(*, file_locks: bool = False, machine: str | None = None) -> bytes:
    """The filter as bubblewrap reads it. Raises SandboxError on a machine that has no table.

    `file_locks` is for builds, where one program runs alone: between bots, locks on files would carry words.
    """
    machine = machine or os.uname().machine
    if machine not in _AUDIT:
        raise SandboxError(f"there is no table of system calls for {machine}")
    return b"".join(struct.pack("=HBBI", *one) for one in instructions(machine, file_locks=file_locks))


def instructions(machine: str, *, file_locks: bool = False) -> list[Instruction]:
    """The whole filter, to be read from the top."""
    begin = [
        Instruction(_LOAD, 0, 0, _AT_MACHINE),
        Instruction(_IF_EQUAL, 1, 0, _AUDIT[machine]),
        Instruction(_RETURN, 0, 0, KILL),
        Instruction(_LOAD, 0, 0, _AT_NUMBER),
    ]
    if machine == "x86_64":
        begin += [Instruction(_IF_AT_LEAST, 0, 1, _X32), Instruction(_RETURN, 0, 0, KILL)]
    return begin + _halved(_ranges(machine, file_locks=file_locks))


def _ranges(machine: str, *, file_locks: bool) -> list[tuple[int, list[Instruction]]]:
    """First number of each range of calls with one answer, and the answer; the first is 0."""
    answers = {number: [_answer(ALLOW)] for number in numbers(ALLOWED, machine).values()}
    answers |= {number: [_answer(EPERM)] for number in numbers(REFUSED, machine).values()}
    for name, number in numbers(ARGUED, machine).items():
        answers[number] = _argued(name, file_locks=file_locks)
    ranges: list[tuple[int, list[Instruction]]] = []
    for number in range(max(answers) + 2):
        answer = answers.get(number, [_answer(ENOSYS)])
        if not ranges or ranges[-1][1] != answer:
            ranges.append((number, answer))
    return ranges


def _argued(name: str, *, file_locks: bool) -> list[Instruction]:
    if name == "flock":
        return [_answer(ALLOW if file_locks else EPERM)]
    check = CHECKS[name]
    if file_locks and name == "fcntl":
        check = check._replace(values=check.values + _FCNTL_LOCKS)
    load = Instruction(_LOAD, 0, 0, _AT_ARGUMENTS + 8 * check.argument)
    if not check.values:
        return [
            load,
            Instruction(_IF_ANY_BIT, 0, 1, check.never),
            _answer(check.otherwise),
            _answer(ALLOW),
        ]
    last = len(check.values)
    compared = [Instruction(_IF_EQUAL, last - place, 0, value) for place, value in enumerate(check.values)]
    return [load, *compared, _answer(check.otherwise), _answer(ALLOW)]


def _answer(value: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, value)


def _halved(ranges: Sequence[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """A tree of comparisons over the ranges, the lower half first."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    lower, upper = _halved(ranges[:middle]), _halved(ranges[middle:])
    start = ranges[middle][0]
    if len(lower) <= _FARTHEST:
        return [Instruction(_IF_AT_LEAST, len(lower), 0, start), *lower, *upper]
    far = Instruction(_JUMP, 0, 0, len(lower))
    return [Instruction(_IF_AT_LEAST, 0, 1, start), far, *lower, *upper]
