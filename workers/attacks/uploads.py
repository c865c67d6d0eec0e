"""Uploads that are no honest program: each must be refused at once, with its code, and nothing unpacked."""

from __future__ import annotations

import gzip
import os
import tarfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bots.intake import MAX_FILES, MAX_PACKED, MAX_UNPACKED, ProgramError, shown
from bots.program import read_upload
from workers.attacks.archives import (
    MAIN,
    declared_huge,
    encrypted,
    gzip_bomb,
    hidden_entries,
    lying,
    overlapping,
    overlapping_same_name,
    renamed_in_front,
    tarred,
    zero_bomb,
    zipped,
)
from workers.attacks.attack import Attack, Bench, Finding, Verdict

BAD_NAMES: Final[Sequence[tuple[str, str]]] = [
    ("../../etc/cron.d/x", "path_outside"),
    ("a/../../x", "path_outside"),
    ("..\\..\\x", "path_outside"),
    ("/etc/passwd", "absolute_path"),
    ("\\x", "absolute_path"),
    ("C:/x", "absolute_path"),
    ("c:\\x", "absolute_path"),
    ("a\\b", "bad_name"),
    ("a//b", "bad_name"),
    ("a/./b", "bad_name"),
    ("-rf", "bad_name"),
    ("lib/-x", "bad_name"),
    ("bot.", "bad_name"),
    ("bot ", "bad_name"),
    (" bot", "bad_name"),
    ("con.py", "bad_name"),
    ("lib/NUL", "bad_name"),
    ("COM1.tar.gz", "bad_name"),
    ("a\nb", "bad_name"),
    ("a\x7fb", "bad_name"),
    ("\x1b[31mx", "bad_name"),
    ("\u202eyp.tob", "bad_name"),
    ("b\u043et.py", "bad_name"),
    ("<img src=x onerror=alert(1)>", "bad_name"),
    ("/".join("a" * 50), "bad_name"),
    ("a" * 5000, "bad_name"),
]

BAD_ZIPS: Final[Mapping[str, tuple[Callable[[], bytes], str]]] = {
    "symlink": (lambda: zipped(("main.py", MAIN), ("l", b"/etc/passwd", 0o120777)), "link"),
    "symlink, then a file below": (lambda: zipped(("l", b"/tmp", 0o120777), ("l/x", b"x")), "link"),
    "device": (lambda: zipped(("d", b"", 0o060666)), "special_file"),
    "fifo": (lambda: zipped(("d", b"", 0o010666)), "special_file"),
    "case collision": (lambda: zipped(("Bot.py", b"x"), ("bot.py", b"y")), "name_collision"),
    "case collision of folders": (lambda: zipped(("Lib/a.py", b"x"), ("lib/b.py", b"y")), "name_collision"),
    "file used as a folder": (lambda: zipped(("a", b"x"), ("a/b", b"y")), "name_collision"),
    "folder and then a file": (lambda: zipped(("a/b", b"x"), ("a", b"y")), "name_collision"),
    "NUL in a name": (lambda: zipped(("aXb.py", MAIN)).replace(b"aXb", b"a\0b"), "bad_name"),
    "bomb, declared": (lambda: zipped(("b", bytes(MAX_UNPACKED + 1))), "unpacked_too_big"),
    "bomb, lying": (lambda: lying(zipped(("b.py", bytes(3 << 20))), 3 << 20, 1000), "lying_size"),
    "size told too large": (lambda: lying(zipped(("b.py", bytes(3000))), 3000, 4000), "lying_size"),
    "packed size told too large": (
        lambda: lying(zipped(("b.py", MAIN * 9, 0o100644), method=0), len(MAIN) * 9, 9_000_000),
        "lying_size",
    ),
    "5,000 files": (lambda: zipped(*[(f"f{n}", b"") for n in range(5000)]), "too_many_files"),
    "2,001 files": (lambda: zipped(*[(f"f{n}", b"") for n in range(MAX_FILES + 1)]), "too_many_files"),
    "30,000 entries": (lambda: zipped(*[(f"f{n}", b"") for n in range(30_000)]), "too_many_files"),
    "30,000 entries, one admitted": (hidden_entries, "damaged_archive"),
    "overlap": (overlapping, "damaged_archive"),
    "two entries on one place": (overlapping_same_name, "damaged_archive"),
    "two names for one file": (renamed_in_front, "damaged_archive"),
    "encrypted": (encrypted, "damaged_archive"),
    "bzip2": (lambda: zipped(("main.py", MAIN * 99), method=zipfile.ZIP_BZIP2), "damaged_archive"),
    "lzma": (lambda: zipped(("main.py", MAIN * 99), method=zipfile.ZIP_LZMA), "damaged_archive"),
    "truncated": (lambda: zipped(("main.py", os.urandom(5000)))[:3000], "damaged_archive"),
    "bytes after the end": (lambda: zipped(("main.py", MAIN)) + b"x", "damaged_archive"),
    "wrong checksum": (
        lambda: zipped(("main.py", MAIN), method=0).replace(MAIN, MAIN.upper()),
        "damaged_archive",
    ),
    "no entries": (lambda: zipped(), "empty"),
    "only empty files": (lambda: zipped(("main.py", b"")), "empty"),
    "junk in front": (lambda: b"\x7fELF" + zipped(("main.py", MAIN)), "not_an_archive"),
    "a program": (lambda: b"MZ" + bytes(100), "not_an_archive"),
    "too big": (lambda: b"PK\3\4" + bytes(MAX_PACKED), "too_big"),
    "nothing": (lambda: b"", "empty"),
}

BAD_TARS: Final[Mapping[str, tuple[Callable[[], bytes], str]]] = {
    "symlink": (lambda: tarred(("main.py", MAIN), ("l", b"", tarfile.SYMTYPE)), "link"),
    "hard link": (lambda: tarred(("main.py", MAIN), ("l", b"", tarfile.LNKTYPE)), "link"),
    "device": (lambda: tarred(("d", b"", tarfile.CHRTYPE)), "special_file"),
    "block device": (lambda: tarred(("d", b"", tarfile.BLKTYPE)), "special_file"),
    "fifo": (lambda: tarred(("d", b"", tarfile.FIFOTYPE)), "special_file"),
    "sparse": (lambda: tarred(("d", b"", tarfile.GNUTYPE_SPARSE)), "special_file"),
    "case collision": (lambda: tarred(("Bot.py", b"x"), ("bot.py", b"y")), "name_collision"),
    "the same name twice": (lambda: tarred(("bot.py", b"x"), ("bot.py", b"y")), "name_collision"),
    "file used as a folder": (lambda: tarred(("a", b"x"), ("a/b", b"y")), "name_collision"),
    "5,000 entries": (lambda: tarred(*[(f"f{n}", b"") for n in range(5_000)]), "too_many_files"),
    "5,000 folders": (
        lambda: tarred(*[(f"f{n}", b"", tarfile.DIRTYPE) for n in range(5_000)]),
        "too_many_files",
    ),
    "declared too big": (declared_huge, "unpacked_too_big"),
    "gzip bomb": (gzip_bomb, "damaged_archive"),
    "gzip bomb of zeros": (zero_bomb, "damaged_archive"),
    "gzip bomb in a file": (
        lambda: tarred(("a", bytes(40 << 20)), ("b", bytes(40 << 20))),
        "unpacked_too_big",
    ),
    "truncated": (lambda: tarred(("main.py", os.urandom(9000)))[:3000], "damaged_archive"),
    "cut before its end": (
        lambda: gzip.compress(gzip.decompress(tarred(("main.py", MAIN)))[:1024]),
        "damaged_archive",
    ),
    "bytes after the end": (lambda: tarred(("main.py", MAIN)) + b"x", "damaged_archive"),
    "a second member": (lambda: tarred(("main.py", MAIN)) + gzip.compress(b"x"), "damaged_archive"),
    "not a tar": (lambda: gzip.compress(b"x" * 2000), "damaged_archive"),
    "wrong checksum": (
        lambda: gzip.compress(gzip.decompress(tarred(("main.py", MAIN))).replace(b"main.py", b"mail.py")),
        "damaged_archive",
    ),
    "empty": (lambda: tarred(), "empty"),
}


_REFUSAL_S: Final = 0.8
"""CPU time within which an upload must be refused."""


@dataclass(frozen=True, kw_only=True)
class UploadAttack(Attack):
    """One upload."""

    filename: str
    make: Callable[[], bytes]
    code: str

    def run(self, _: Bench) -> Finding:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # zipfile speaks of names that stand twice
            data = self.make()
        started = time.process_time()
        try:
            read_upload(data, self.filename)
        except ProgramError as error:
            took = time.process_time() - started
            wrong = self._wrong(error, took)
            return Finding(Verdict.WRONG if wrong else Verdict.CONTAINED, wrong)
        return Finding(Verdict.ESCAPED, "it was taken")

    def _wrong(self, error: ProgramError, took: float) -> str:
        if error.code != self.code:
            return f"refused as {error.code}, not {self.code}"
        if not error.message or not error.message.isascii():
            return f"refused with {error.message!r}, which people are shown"
        return f"refused after {took:.2f} s" if took > _REFUSAL_S else ""


def attacks() -> list[UploadAttack]:
    return [
        UploadAttack(
            group="uploads",
            name=name,
            what=f"An upload: {name}.",
            filename=filename,
            make=make,
            code=code,
        )
        for name, filename, make, code in _rows()
    ]


def _rows() -> Iterator[tuple[str, str, Callable[[], bytes], str]]:
    for name, (make, code) in BAD_ZIPS.items():
        yield f"zip: {name}", "bot.zip", make, code
    for name, (make, code) in BAD_TARS.items():
        yield f"tar: {name}", "bot.tar.gz", make, code
    for number, (name, code) in enumerate(BAD_NAMES):
        said = f"the name {shown(name)} ({number})"
        entries = (("main.py", MAIN), (name, b"x"))
        yield f"zip: {said}", "bot.zip", partial(zipped, *entries), code
        for kind, word in ((tarfile.GNU_FORMAT, "GNU"), (tarfile.PAX_FORMAT, "pax")):
            yield f"tar of {word}: {said}", "bot.tgz", partial(tarred, *entries, form=kind), code
