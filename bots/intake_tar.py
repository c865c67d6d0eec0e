"""Reads a tar strictly, header by header, from a stream whose length is bounded.

Plain files and folders in the formats that tools write (ustar, GNU long names, pax paths); all else
is refused. The standard library's reader follows too many old formats to meet strangers' bytes.
"""

from __future__ import annotations

import zlib
from typing import Final, Protocol

from bots.intake import MAX_ENTRIES, MAX_UNPACKED, MIB, ProgramError, Tree, shown

GZIP_MAGIC: Final = b"\x1f\x8b"
_BLOCK: Final = 512
_ZEROS: Final = bytes(_BLOCK)
_MAX_STREAM: Final = MAX_UNPACKED + MAX_ENTRIES * 4 * _BLOCK
"""Contents, and for each entry a header, a long name and padding."""
_MAX_META: Final = 64 * 1024
"""Longest pax header or long name that we read."""
_MAX_PADDING: Final = 1 * MIB
"""Zeros that may follow the end of the archive."""
_MAX_HEADERS: Final = 3 * MAX_ENTRIES


class _Stream(Protocol):
    def read(self, size: int) -> bytes:
        """Up to `size` bytes; fewer only at the end."""

    def finish(self) -> None:
        """Check what only the end of the stream can tell."""


class _Plain:
    """A tar as it is."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def read(self, size: int) -> bytes:
        start, self._at = self._at, min(self._at + size, len(self._data))
        return self._data[start : self._at]

    def finish(self) -> None:
        """Nothing: all of it was read."""


class _Gunzip:
    """Unpacks one gzip member as it is read, and not a byte more than the limit."""

    _STEP: Final = 256 * 1024

    def __init__(self, data: bytes) -> None:
        self._packed = data
        self._at = 0
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._ready = bytearray()
        self._total = 0

    def read(self, size: int) -> bytes:
        while len(self._ready) < size and not self._inflater.eof:
            self._unpack(max(size - len(self._ready), 16 * 1024))
        piece = bytes(self._ready[:size])
        del self._ready[:size]
        return piece

    def _unpack(self, wanted: int) -> None:
        rest = self._inflater.unconsumed_tail
        if not rest:
            rest = self._packed[self._at : self._at + self._STEP]
            self._at += len(rest)
        try:
            piece = self._inflater.decompress(rest, wanted)
        except zlib.error:
            raise ProgramError("damaged_archive", why="it does not unpack") from None
        if not piece and not rest and not self._inflater.eof:
            raise ProgramError("damaged_archive", why="it has no end, as if the upload was cut off")
        self._total += len(piece)
        if self._total > _MAX_STREAM:
            raise ProgramError("unpacked_too_big", limit=MAX_UNPACKED // MIB)
        self._ready += piece

    def finish(self) -> None:
        if self._inflater.unused_data or self._at < len(self._packed):
            raise ProgramError("damaged_archive", why="something follows after its end")


def read_tar_gz(data: bytes) -> dict[str, bytes]:
    """All files of a tar.gz, path -> contents. Raises ProgramError."""
    return _read(_Gunzip(data))


def read_tar(data: bytes) -> dict[str, bytes]:
    """All files of an unpacked tar, path -> contents. Raises ProgramError."""
    return _read(_Plain(data))


def _damaged(why: str) -> ProgramError:
    return ProgramError("damaged_archive", why=why)


def _read(stream: _Stream) -> dict[str, bytes]:
    tree = Tree()
    long_name: bytes | None = None
    for _ in range(_MAX_HEADERS):
        header = stream.read(_BLOCK)
        if len(header) < _BLOCK:
            raise _damaged("it has no end, as if the upload was cut off")
        if header == _ZEROS:
            _finish(stream)
            return tree.files
        kind, name, size = _header(header)
        if kind in b"xgL":
            text = _content(stream, size, _MAX_META)
            long_name = text.rstrip(b"\0") if kind == b"L" else _pax_path(text, kind) or long_name
            continue
        _take(tree, stream, kind, name if long_name is None else long_name, size)
        long_name = None
    raise ProgramError("too_many_files", limit=MAX_ENTRIES // 2)


def _take(tree: Tree, stream: _Stream, kind: bytes, name: bytes, size: int) -> None:
    """One entry: a file with its contents, a folder, or a refusal."""
    if kind == b"5" or (kind == b"0" and name.endswith(b"/")):
        if size:
            raise ProgramError("lying_size", path=shown(name))
        tree.list_folder(name)
    elif kind == b"0":
        path = tree.list_file(name, size)
        tree.files[path] = _content(stream, size, MAX_UNPACKED)
    elif kind in b"12":
        raise ProgramError("link", path=shown(name))
    else:
        raise ProgramError("special_file", path=shown(name))


def _content(stream: _Stream, size: int, limit: int) -> bytes:
    if size > limit:
        raise _damaged("one of its headers is too long")
    content = stream.read(size)
    padding = -size % _BLOCK
    if len(content) != size or len(stream.read(padding)) != padding:
        raise _damaged("it has no end, as if the upload was cut off")
    return content


def _header(block: bytes) -> tuple[bytes, bytes, int]:
    """Kind, name and size of one header."""
    total = sum(block) - sum(block[148:156]) + 8 * ord(" ")
    if _octal(block[148:156]) != total:
        raise _damaged("one of its headers does not match its checksum")
    name = block[:100].split(b"\0")[0]
    is_ustar = block[257:263] == b"ustar\0"
    if is_ustar and (prefix := block[345:500].split(b"\0")[0]):
        name = prefix + b"/" + name
    kind = block[156:157].replace(b"\0", b"0").replace(b"7", b"0")
    return kind, name, _octal(block[124:136])


def _octal(field: bytes) -> int:
    digits = field.strip(b" \0")
    if not digits.isdigit() or any(digit > ord("7") for digit in digits):
        raise _damaged("one of its headers is not readable")
    return int(digits, 8)


def _pax_path(text: bytes, kind: bytes) -> bytes | None:
    """The path that a pax header gives to the entry after it, if it gives one."""
    path = None
    while text:
        length, space, _ = text.partition(b" ")
        if (
            not space
            or not length.isdigit()
            or len(length) > 6
            or not len(length) + 2 < int(length) <= len(text)
        ):
            raise _damaged("one of its headers is not readable")
        key, _, value = text[len(length) + 1 : int(length) - 1].partition(b"=")
        if (
            key in (b"size", b"linkpath")
            or key.startswith(b"GNU.sparse")
            or (key == b"path" and kind == b"g")
        ):
            raise ProgramError("special_file", path=shown(value))
        path = value if key == b"path" else path
        text = text[int(length) :]
    return path


def _finish(stream: _Stream) -> None:
    """After the end: zeros, not too many, and then nothing."""
    padding = stream.read(_MAX_PADDING + 1)
    if len(padding) > _MAX_PADDING or padding.strip(b"\0"):
        raise _damaged("something follows after its end")
    stream.finish()
