"""Intake: what an upload may hold, and the code for everything that it may not."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.intake import MAX_FILES, MAX_PACKED, MAX_UNPACKED
from bots.program import ProgramError, from_tar, read_path, read_upload
from tests.bots.archives import (
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

BAD_NAMES: list[tuple[str, str]] = [
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

BAD_ZIPS: dict[str, tuple[Callable[[], bytes], str]] = {
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

BAD_TARS: dict[str, tuple[Callable[[], bytes], str]] = {
    "symlink": (lambda: tarred(("main.py", MAIN), ("l", b"", tarfile.SYMTYPE)), "link"),
    "hard link": (lambda: tarred(("main.py", MAIN), ("l", b"", tarfile.LNKTYPE)), "link"),
    "device": (lambda: tarred(("d", b"", tarfile.CHRTYPE)), "special_file"),
    "block device": (lambda: tarred(("d", b"", tarfile.BLKTYPE)), "special_file"),
    "fifo": (lambda: tarred(("d", b"", tarfile.FIFOTYPE)), "special_file"),
    "sparse": (lambda: tarred(("d", b"", tarfile.GNUTYPE_SPARSE)), "special_file"),
    "case collision": (lambda: tarred(("Bot.py", b"x"), ("bot.py", b"y")), "name_collision"),
    "the same name twice": (lambda: tarred(("bot.py", b"x"), ("bot.py", b"y")), "name_collision"),
    "file used as a folder": (lambda: tarred(("a", b"x"), ("a/b", b"y")), "name_collision"),
    "30,000 entries": (lambda: tarred(*[(f"f{n}", b"") for n in range(30_000)]), "too_many_files"),
    "30,000 folders": (
        lambda: tarred(*[(f"f{n}", b"", tarfile.DIRTYPE) for n in range(30_000)]),
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


def refusal(data: bytes, name: str, **more: str) -> ProgramError:
    """The refusal of an upload; it must come in well under a second."""
    start = time.process_time()
    with pytest.raises(ProgramError) as caught:
        read_upload(data, name, **more)  # type: ignore[arg-type]
    assert time.process_time() - start < 0.8
    assert caught.value.message
    assert caught.value.message.isascii()
    return caught.value


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("case", BAD_ZIPS)
def test_bad_zip_is_refused_with_its_code(case: str) -> None:
    make, code = BAD_ZIPS[case]
    assert refusal(make(), "bot.zip").code == code


@pytest.mark.parametrize("case", BAD_TARS)
def test_bad_tar_is_refused_with_its_code(case: str) -> None:
    make, code = BAD_TARS[case]
    assert refusal(make(), "bot.tar.gz").code == code


@pytest.mark.parametrize(("name", "code"), BAD_NAMES)
def test_bad_name_is_refused_in_a_zip(name: str, code: str) -> None:
    assert refusal(zipped(("main.py", MAIN), (name, b"x")), "bot.zip").code == code


@pytest.mark.parametrize(("name", "code"), BAD_NAMES)
@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_bad_name_is_refused_in_a_tar(name: str, code: str, kind: int) -> None:
    assert refusal(tarred(("main.py", MAIN), (name, b"x"), format=kind), "bot.tgz").code == code


def test_same_name_twice_in_a_zip() -> None:
    data = zipped(("bot.py", b"x"), ("bo2.py", b"y")).replace(b"bo2.py", b"bot.py")
    assert refusal(data, "bot.zip").code == "name_collision"


def test_refusal_says_what_was_found_and_what_to_do() -> None:
    message = refusal(zipped(("../run.sh", b"x")), "bot.zip").message
    assert message == (
        "We opened nothing: the archive holds `../run.sh`. A path may not leave the archive. "
        "Zip the folder itself and upload again."
    )


FILES = {"main.py": MAIN, "lib/strategy.py": b"x = 1\n", "bot.toml": b'language = "python"\n'}


@pytest.mark.parametrize(
    "data",
    [
        zipped(*FILES.items()),
        zipped(*FILES.items(), method=zipfile.ZIP_STORED),
        zipped(
            ("candlewick/", b"", 0o040755), *((f"candlewick/{name}", data) for name, data in FILES.items())
        ),
        zipped(
            *FILES.items(), ("__MACOSX/._main.py", b"x"), ("lib/__pycache__/a.pyc", b"x"), (".DS_Store", b"x")
        ),
        tarred(*FILES.items(), format=tarfile.GNU_FORMAT),
        tarred(*FILES.items(), format=tarfile.PAX_FORMAT),
        tarred(*FILES.items(), format=tarfile.USTAR_FORMAT),
        tarred(("./", b"", tarfile.DIRTYPE), *((f"./{name}", data) for name, data in FILES.items())),
        tarred(("c/", b"", tarfile.DIRTYPE), *((f"c/{name}", data) for name, data in FILES.items())),
    ],
)
def test_one_program_has_one_digest_in_every_wrapping(data: bytes, tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "main.pyc").write_bytes(b"x")
    at_home = read_path(tmp_path)
    uploaded = read_upload(io.BytesIO(data), "bot.zip")
    assert dict(uploaded.files) == FILES
    assert (uploaded.language, uploaded.entry, uploaded.build) == ("python", "main.py", None)
    assert uploaded.digest == at_home.digest
    assert from_tar(uploaded.to_tar()) == FILES


def test_long_names_survive_the_canonical_tar() -> None:
    name = "/".join(["folder" * 4] * 8) + "/leaf.py"
    for kind in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        program = read_upload(tarred(("main.py", MAIN), (name, b"x"), format=kind), "bot.tgz")
        assert from_tar(program.to_tar())[name] == b"x"


def test_a_zip_written_to_a_pipe_has_its_sizes_behind() -> None:
    out = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            return out.write(bytes(data))  # type: ignore[call-overload]

    with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        archive.writestr("main.py", MAIN)
    assert out.getvalue()[6] & 8
    assert dict(read_upload(out.getvalue(), "bot.zip").files) == {"main.py": MAIN}


@pytest.mark.parametrize(("name", "language"), [("candlewick.py", "python"), ("bot.js", "javascript")])
def test_one_source_file_is_a_program(name: str, language: str) -> None:
    program = read_upload(MAIN, name)
    assert (program.entry, program.language, dict(program.files)) == (name, language, {name: MAIN})


@pytest.mark.parametrize(
    ("name", "code"),
    [("../bot.py", "path_outside"), ("bot.txt", "not_an_archive")],
)
def test_one_source_file_is_checked_too(name: str, code: str) -> None:
    assert refusal(MAIN, name).code == code


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ('language = "cobol"', "language_not_offered"),
        ("language = 1", "bad_bot_toml"),
        ('entry = "absent.py"', "no_entry"),
        ("entry = true", "bad_bot_toml"),
        ('build = "make"', "bad_bot_toml"),
        ("build = []", "bad_bot_toml"),
        ("build = [1]", "bad_bot_toml"),
        ('games = "dont-go-in-there"', "bad_bot_toml"),
        ('games = ["chess"]', "unknown_game"),
        ('games = ["dont-go-in-there:blitz"]', "unknown_game"),
        ('secret = "x"', "bad_bot_toml"),
        ("language = ", "bad_bot_toml"),
        ("a = " + "[" * 9000, "bad_bot_toml"),
        ("a = " + "9" * 9000, "bad_bot_toml"),
        ("# " + "x" * 20_000, "bad_bot_toml"),
    ],
)
def test_bad_bot_toml_is_refused(manifest: str, code: str) -> None:
    assert refusal(zipped(("main.py", MAIN), ("bot.toml", manifest.encode())), "bot.zip").code == code


def test_bot_toml_that_is_not_text() -> None:
    assert refusal(zipped(("main.py", MAIN), ("bot.toml", b"\xff")), "bot.zip").code == "bad_bot_toml"


def test_bot_toml_is_followed() -> None:
    manifest = b'entry = "lib/go.py"\nlanguage = "python"\nbuild = ["python", "make.py"]\n'
    manifest += b'games = ["dont-go-in-there:base", "dont-go-in-there"]\n'
    program = read_upload(zipped(("lib/go.py", MAIN), ("bot.toml", manifest)), "bot.zip")
    assert (program.entry, program.build) == ("lib/go.py", ("python", "make.py"))
    assert program.games == ("dont-go-in-there:base", "dont-go-in-there")


def test_entry_is_looked_for() -> None:
    assert read_upload(zipped(("main.js", MAIN), ("lib.js", b"x")), "b.zip").language == "javascript"
    assert read_upload(zipped(("only.py", MAIN), ("data/a.bin", b"x")), "b.zip").entry == "only.py"
    both = zipped(("main.py", MAIN), ("main.js", MAIN))
    assert read_upload(both, "b.zip", language="javascript").entry == "main.js"
    assert refusal(zipped(("a.py", MAIN), ("b.py", MAIN)), "b.zip").code == "no_entry"
    assert refusal(zipped(("README", MAIN)), "b.zip").code == "no_entry"
    assert read_upload(zipped(("src/main.rs", MAIN), ("lib.rs", MAIN)), "b.zip").entry == "src/main.rs"
    assert refusal(both, "b.zip", language="rust").code == "no_entry"
    assert refusal(both, "b.zip", language="cobol").code == "language_not_offered"
    assert refusal(MAIN, "bot.rs", languages=("python",)).code == "language_not_offered"
    said = zipped(("main.py", MAIN), ("bot.toml", b'language = "python"'))
    assert refusal(said, "b.zip", language="javascript").code == "bad_bot_toml"


def test_folder_at_home_gets_the_same_checks(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(MAIN)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    with pytest.raises(ProgramError) as caught:
        read_path(tmp_path)
    assert caught.value.code == "link"
    (tmp_path / "link.py").unlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ProgramError) as caught:
        read_path(tmp_path)
    assert caught.value.code == "special_file"
    with pytest.raises(ProgramError):
        read_path(tmp_path / "pipe")


def test_canonical_tar_is_read_as_strictly() -> None:
    with pytest.raises(ProgramError) as caught:
        from_tar(gzip.decompress(tarred(("../x", b"x"))))
    assert caught.value.code == "path_outside"
