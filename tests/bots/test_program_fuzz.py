"""Whatever bytes come in, intake answers with a program or a ProgramError and nothing else."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import zipfile

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.program import ProgramError, from_tar, read_upload


def _good_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", "print(1)\n" * 20)
        archive.writestr("bot.toml", 'games = ["dont-go-in-there"]\n')
    return out.getvalue()


def _good_tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("main.py", "x" * 150 + ".py"):
            info = tarfile.TarInfo(name)
            info.size = 9
            archive.addfile(info, io.BytesIO(b"print(1)\n"))
    return out.getvalue()


GOOD_ZIP = _good_zip()
GOOD_TAR = _good_tar()
edits = st.lists(
    st.tuples(st.integers(0, 1 << 16), st.binary(min_size=1, max_size=4)), min_size=1, max_size=6
)


def _edited(data: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    changed = bytearray(data)
    for at, piece in changes:
        start = at % len(data)
        changed[start : start + len(piece)] = piece
    return bytes(changed)


def _tolerant_read(data: bytes, name: str) -> None:
    with contextlib.suppress(ProgramError):
        program = read_upload(data, name)
        assert program.entry in program.files


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([b"", b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08"]), st.binary(max_size=2000))
def test_random_bytes(head: bytes, data: bytes) -> None:
    _tolerant_read(head + data, "bot.zip")
    _tolerant_read(gzip.compress(data), "bot.tar.gz")


@settings(max_examples=400, deadline=None)
@given(edits)
def test_a_zip_with_a_few_bytes_changed(changes: list[tuple[int, bytes]]) -> None:
    _tolerant_read(_edited(GOOD_ZIP, changes), "bot.zip")


@settings(max_examples=400, deadline=None)
@given(edits)
def test_a_tar_with_a_few_bytes_changed(changes: list[tuple[int, bytes]]) -> None:
    data = _edited(GOOD_TAR, changes)
    _tolerant_read(gzip.compress(data, 1), "bot.tar.gz")
    with contextlib.suppress(ProgramError):
        from_tar(data)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bot_toml(manifest: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("main.py", "x")
        archive.writestr("bot.toml", manifest)
    _tolerant_read(out.getvalue(), "bot.zip")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.binary(max_size=20))
def test_any_file_name(name: str, data: bytes) -> None:
    _tolerant_read(data, name + ".py")
