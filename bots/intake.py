"""What an upload may hold: limits, names, and one tree of files that every reader fills.

Nothing is ever unpacked to disk here. The readers of zip and tar are our own and short, for they meet
strangers' bytes: they know only what we allow, and whatever else they meet is refused with a code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bots.messages import sentence

MIB: Final = 1 << 20
MAX_PACKED: Final = 20 * MIB
MAX_UNPACKED: Final = 64 * MIB
MAX_FILES: Final = 2_000
MAX_ENTRIES: Final = 2 * MAX_FILES
"""Files and folders together: what an archive may list."""
MAX_PATH: Final = 240
MAX_DEPTH: Final = 16

BUILT: Final = ".haunt"
"""Folder of an artefact that holds what a build made; nothing of an upload is ever in it."""

JUNK: Final = frozenset({BUILT, "__pycache__", "__MACOSX", ".DS_Store", ".git", ".hg", ".svn"})
"""Left out without a word, wherever a program is read from, so that its digest does not hang on them."""

_CHARACTERS: Final = re.compile(r"[A-Za-z0-9._\-+@$=,~() ]+")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)


class ProgramError(Exception):
    """A program that we do not take. `code` is a key of the catalogue, `message` its sentence."""

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.message = sentence(code, **facts)
        super().__init__(self.message)


def shown(name: str | bytes) -> str:
    """A stranger's name as a person may see it: printable ASCII, short, no quotes to break out of."""
    text = name.decode("ascii", "backslashreplace") if isinstance(name, bytes) else name
    text = text.encode("unicode_escape").decode("ascii").replace("`", "'")
    return text if len(text) <= 80 else f"{text[:77]}..."


def checked_path(raw: bytes | str) -> str:
    """The relative path of an entry, without a leading `./` or a trailing slash; "" for the root itself.

    Raises ProgramError: absolute_path, path_outside, bad_name.
    """
    name = raw.decode("ascii", "surrogateescape") if isinstance(raw, bytes) else raw
    if name.startswith(("/", "\\")) or _DRIVE.match(name):
        raise ProgramError("absolute_path", path=shown(raw))
    if ".." in re.split(r"[/\\]", name):
        raise ProgramError("path_outside", path=shown(raw))
    name = name.removeprefix("./").removesuffix("/")
    if name in ("", "."):
        return ""
    parts = name.split("/")
    if len(name) > MAX_PATH or len(parts) > MAX_DEPTH or not all(map(_is_good_name, parts)):
        raise ProgramError("bad_name", path=shown(raw))
    return name


def _is_good_name(part: str) -> bool:
    """One name between slashes that every file system takes and no tool mistakes for an option."""
    if not _CHARACTERS.fullmatch(part) or part == ".":
        return False
    if part.startswith(("-", " ")) or part.endswith((".", " ")):
        return False
    return part.split(".")[0].strip().lower() not in _DEVICES


class Tree:
    """The files of one program, checked while they are listed; contents come after all names are good."""

    def __init__(self) -> None:
        self._spellings: dict[str, str] = {}
        self._folders: set[str] = set()
        self._entries = 0
        self._files = 0
        self._bytes = 0
        self.files: dict[str, bytes] = {}

    def list_folder(self, raw: bytes | str) -> None:
        """Note a folder that the archive lists."""
        self._count_entry()
        if path := checked_path(raw):
            self._claim(path, is_file=False)

    def list_file(self, raw: bytes | str, size: int) -> str:
        """Note a file of that size; its checked path. Raises ProgramError at the first limit passed."""
        self._count_entry()
        path = checked_path(raw)
        if not path:
            raise ProgramError("bad_name", path=shown(raw))
        self._claim(path, is_file=True)
        self._files += 1
        self._bytes += size
        if self._files > MAX_FILES:
            raise ProgramError("too_many_files", limit=MAX_FILES)
        if self._bytes > MAX_UNPACKED:
            raise ProgramError("unpacked_too_big", limit=MAX_UNPACKED // MIB)
        return path

    def _count_entry(self) -> None:
        self._entries += 1
        if self._entries > MAX_ENTRIES:
            raise ProgramError("too_many_files", limit=MAX_FILES)

    def _claim(self, path: str, *, is_file: bool) -> None:
        for folder in _folders_above(path):
            self._claim_one(folder, is_file=False)
        self._claim_one(path, is_file=is_file)

    def _claim_one(self, path: str, *, is_file: bool) -> None:
        """One spelling and one kind for each name, whatever its case: some disks know no difference."""
        earlier = self._spellings.setdefault(path.casefold(), path)
        if earlier != path or path in self.files or (is_file and path in self._folders):
            raise ProgramError("name_collision", path=shown(path), other=shown(earlier))
        if is_file:
            self.files[path] = b""
        else:
            self._folders.add(path)


def _folders_above(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def without_junk(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files that make the program."""
    return {path: data for path, data in files.items() if not JUNK.intersection(path.split("/"))}


def without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same files, the one folder that holds them all taken away."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) != 1 or not all("/" in path for path in files):
        return files
    return {path.partition("/")[2]: data for path, data in files.items()}
