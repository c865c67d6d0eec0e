"""Intake: what an upload may hold. What it may not is a list of attacks (workers/attacks/uploads.py)."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from bots.program import ProgramError, from_tar, read_path, read_upload
from workers.attacks.archives import (
    MAIN,
    tarred,
    zipped,
)


def refusal(data: bytes, name: str, **more: str) -> ProgramError:
    """The refusal of an upload; it must come in well under a second."""
    start = time.process_time()
    with pytest.raises(ProgramError) as caught:
        read_upload(data, name, **more)  # type: ignore[arg-type]
    assert time.process_time() - start < 0.8
    assert caught.value.message
    assert caught.value.message.isascii()
    return caught.value


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
        tarred(*FILES.items(), form=tarfile.GNU_FORMAT),
        tarred(*FILES.items(), form=tarfile.PAX_FORMAT),
        tarred(*FILES.items(), form=tarfile.USTAR_FORMAT),
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
        program = read_upload(tarred(("main.py", MAIN), (name, b"x"), form=kind), "bot.tgz")
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
