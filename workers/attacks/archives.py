"""Archives for the tests of intake: good ones, and the ways in which bad ones lie."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib

from bots.intake import MAX_UNPACKED

MAIN = b"print('hello')\n"


def zipped(*entries: tuple[str, bytes] | tuple[str, bytes, int], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data, *mode in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.create_system = 3
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            archive.writestr(info, data)
    return out.getvalue()


def tarred(
    *entries: tuple[str, bytes] | tuple[str, bytes, bytes], form: int = tarfile.DEFAULT_FORMAT
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=form) as archive:
        for name, data, *types in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            info.type = types[0] if types else tarfile.REGTYPE
            info.linkname = "main.py" if info.type in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def overlapping() -> bytes:
    """One packed file that 60 entries of the directory share."""
    one = zipped(("a.py", b"0" * (1 << 20)))
    directory_at = zipfile.ZipFile(io.BytesIO(one)).start_dir
    entry = one[directory_at : directory_at + 46 + 4]
    directory = b"".join(entry.replace(b"a.py", b"%04d" % number) for number in range(60))
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 60, 60, len(directory), directory_at, 0)
    return one[:directory_at] + directory + end


def overlapping_same_name() -> bytes:
    one = zipped(("a.py", MAIN), ("b.py", MAIN))
    second = one.index(b"PK\3\4", 4)
    return one.replace(struct.pack("<I", second) + b"b.py", struct.pack("<I", 0) + b"b.py")


def renamed_in_front() -> bytes:
    return zipped(("good.py", MAIN)).replace(b"good.py", b"evil.py", 1)


def lying(data: bytes, real: int, told: int) -> bytes:
    return data.replace(struct.pack("<I", real), struct.pack("<I", told))


def encrypted() -> bytes:
    data = bytearray(zipped(("main.py", MAIN)))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    return bytes(data)


def hidden_entries() -> bytes:
    """30,000 entries, of which the end record admits one."""
    many = zipped(*[(f"f{number}", b"") for number in range(30_000)])
    end = many.rindex(b"PK\5\6")
    return many[: end + 8] + struct.pack("<HH", 1, 1) + many[end + 12 :]


def gzip_bomb() -> bytes:
    """128 MiB behind one honest header."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = tarfile.TarInfo("main.py")
    head.size = 1
    pieces = [packer.compress(head.tobuf() + b"x" + bytes(511))]
    pieces += [packer.compress(b"\1" * (1 << 20)) for _ in range(128)]
    return b"".join([*pieces, packer.flush()])


def zero_bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(128)), packer.flush()])


def declared_huge() -> bytes:
    info = tarfile.TarInfo("main.py")
    info.size = MAX_UNPACKED + 1
    return gzip.compress(info.tobuf())
