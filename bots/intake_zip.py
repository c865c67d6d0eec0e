"""Reads a zip strictly: the end record first, then every header, then the contents, each bounded.

The standard library's reader is not used: it walks as many entries as there are bytes for before it
can be asked how many, and it takes archives that say one thing in front and another at the end.
"""

from __future__ import annotations

import stat
import struct
import zlib
from dataclasses import dataclass
from typing import Final

from bots.intake import MAX_ENTRIES, MAX_FILES, ProgramError, Tree, shown

MAGIC: Final = b"PK\x03\x04"
MAGIC_EMPTY: Final = b"PK\x05\x06"
_END: Final = struct.Struct("<4s4H2LH")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_ENCRYPTED: Final = 0x2041  # bits 0, 6 and 13: plain, strong, masked headers
_SIZES_FOLLOW: Final = 0x8
_STORED: Final = 0
_DEFLATED: Final = 8
_MADE_ON_UNIX: Final = 3


@dataclass(frozen=True, slots=True)
class _Entry:
    name: bytes
    is_folder: bool
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int


def read_zip(data: bytes) -> dict[str, bytes]:
    """All files of a zip, path -> contents. Raises ProgramError."""
    entries, directory_at = _central_directory(data)
    tree = Tree()
    paths: list[tuple[str, _Entry]] = []
    for entry in entries:
        if entry.is_folder:
            tree.list_folder(entry.name)
        else:
            paths.append((tree.list_file(entry.name, entry.size), entry))
    starts = _content_starts(data, entries, directory_at)
    for path, entry in paths:
        start = starts[entry.offset]
        tree.files[path] = _content(data[start : start + entry.packed], entry)
    return tree.files


def _damaged(why: str) -> ProgramError:
    return ProgramError("damaged_archive", why=why)


def _central_directory(data: bytes) -> tuple[list[_Entry], int]:
    """The entries as the end of the archive lists them, and where that list begins."""
    end_at = data.rfind(MAGIC_EMPTY, max(0, len(data) - _END.size - 0xFFFF))
    if end_at < 0 or end_at + _END.size > len(data):
        raise _damaged("it has no end, as if the upload was cut off")
    _, disk, first_disk, here, count, size, offset, comment = _END.unpack_from(data, end_at)
    if count > MAX_ENTRIES or here > MAX_ENTRIES:
        raise ProgramError("too_many_files", limit=MAX_FILES)
    if count == 0:
        raise ProgramError("empty")
    if disk or first_disk or here != count or end_at + _END.size + comment != len(data):
        raise _damaged("its end record does not fit")
    if offset + size != end_at:
        raise _damaged("its directory is not where its end says")
    entries: list[_Entry] = []
    at = offset
    for _ in range(count):
        if at + _CENTRAL.size > end_at:
            raise _damaged("its directory is cut off")
        entry, at = _central_entry(data, at)
        entries.append(entry)
    if at != end_at:
        raise _damaged("its directory holds more than it counts")
    return entries, offset


def _central_entry(data: bytes, at: int) -> tuple[_Entry, int]:
    fields = _CENTRAL.unpack_from(data, at)
    magic, made_by, _, flags, method, _, _, crc, packed, size, name_len, extra_len, note_len = fields[:13]
    if magic != b"PK\x01\x02":
        raise _damaged("its directory is not readable")
    name = data[at + _CENTRAL.size :][:name_len] if name_len < 4096 else b"?" * 4096
    mode = fields[15] >> 16 if made_by >> 8 == _MADE_ON_UNIX else 0
    _check_kind(name, mode)
    if flags & _ENCRYPTED:
        raise _damaged(f"`{shown(name)}` is encrypted")
    if method not in (_STORED, _DEFLATED):
        raise _damaged(f"`{shown(name)}` is packed in a way we do not read (method {method})")
    entry = _Entry(name, name.endswith(b"/"), flags, method, crc, packed, size, fields[16])
    if entry.is_folder and (size or packed > 2):
        raise ProgramError("lying_size", path=shown(name))
    return entry, at + _CENTRAL.size + name_len + extra_len + note_len


def _check_kind(name: bytes, mode: int) -> None:
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        raise ProgramError("link", path=shown(name))
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ProgramError("special_file", path=shown(name))


def _content_starts(data: bytes, entries: list[_Entry], directory_at: int) -> dict[int, int]:
    """Offset of each local header -> where its content begins; headers agree and nothing overlaps."""
    starts: dict[int, int] = {}
    at = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        if entry.offset < at or entry.offset + _LOCAL.size > directory_at:
            raise _damaged(f"`{shown(entry.name)}` lies over another file")
        magic, _, flags, method, _, _, crc, packed, size, name_len, extra_len = _LOCAL.unpack_from(
            data, entry.offset
        )
        name_at = entry.offset + _LOCAL.size
        if magic != MAGIC or data[name_at : name_at + name_len] != entry.name:
            raise _damaged(f"`{shown(entry.name)}` has another name in front than at the end")
        if (flags & _ENCRYPTED, method) != (0, entry.method):
            raise _damaged(f"`{shown(entry.name)}` is packed otherwise than its directory says")
        told = (0, 0, 0) if flags & _SIZES_FOLLOW and not packed else (entry.crc, entry.packed, entry.size)
        if (crc, packed, size) != told and packed != 0xFFFFFFFF:
            raise ProgramError("lying_size", path=shown(entry.name))
        starts[entry.offset] = name_at + name_len + extra_len
        at = starts[entry.offset] + entry.packed
    if at > directory_at:
        raise ProgramError("lying_size", path=shown(max(entries, key=lambda entry: entry.offset).name))
    return starts


def _content(packed: bytes, entry: _Entry) -> bytes:
    """The contents, never more than the size that the directory gives."""
    content = packed if entry.method == _STORED else _inflated(packed, entry)
    if len(content) != entry.size:
        raise ProgramError("lying_size", path=shown(entry.name))
    if zlib.crc32(content) != entry.crc:
        raise _damaged(f"`{shown(entry.name)}` does not match its checksum")
    return content


def _inflated(packed: bytes, entry: _Entry) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflater.decompress(packed, entry.size + 1)
    except zlib.error:
        raise _damaged(f"`{shown(entry.name)}` does not unpack") from None
    if len(content) <= entry.size and not inflater.eof:
        raise _damaged(f"`{shown(entry.name)}` is cut off")
    return content
