"""The artefact cache: bounded, verified, and shared by processes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from pathlib import Path

import pytest

from workers.cache import ArtefactCache
from workers.errors import ArtefactError


def named(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Source:
    """Counts how often an artefact had to be fetched."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.fetched = 0

    def __call__(self) -> bytes:
        self.fetched += 1
        return self.data


def stored(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def test_artefact_is_fetched_once(tmp_path: Path) -> None:
    source = Source(b"tar")
    for _ in range(3):
        assert ArtefactCache(tmp_path / "c", 1000).get(named(b"tar"), source) == b"tar"
    assert source.fetched == 1


def test_damaged_artefact_is_fetched_again(tmp_path: Path) -> None:
    cache, source = ArtefactCache(tmp_path, 1000), Source(b"tar")
    cache.get(named(b"tar"), source)
    (tmp_path / named(b"tar")).write_bytes(b"rat")
    assert cache.get(named(b"tar"), source) == b"tar"
    assert source.fetched == 2


def test_what_is_not_as_promised_is_refused_and_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError):
        ArtefactCache(tmp_path, 1000).get(named(b"tar"), Source(b"rat"))
    assert not stored(tmp_path)


@pytest.mark.parametrize("digest", ["", "../x", "A" * 64, "0" * 63])
def test_only_digests_are_names(tmp_path: Path, digest: str) -> None:
    with pytest.raises(ArtefactError):
        ArtefactCache(tmp_path, 1000).get(digest, Source(b"x"))


def test_least_recently_used_goes_first(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path, 250)
    blobs = [bytes([number]) * 100 for number in range(3)]
    for age, blob in enumerate(blobs[:2]):
        cache.get(named(blob), Source(blob))
        os.utime(tmp_path / named(blob), (age, age))
    cache.get(named(blobs[0]), Source(blobs[0]))  # used again: now the younger one
    cache.get(named(blobs[2]), Source(blobs[2]))
    assert stored(tmp_path) == {named(blobs[0]), named(blobs[2])}


def test_what_a_dead_writer_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / ".new-left").write_bytes(b"half")
    ArtefactCache(tmp_path, 1000).get(named(b"x"), Source(b"x"))
    assert not (tmp_path / ".new-left").exists()


def _hammer(folder: str, start: int) -> None:
    cache = ArtefactCache(Path(folder), 1500)
    for step in range(60):
        blob = bytes([(start + step * 7) % 20]) * 200
        if cache.get(named(blob), Source(blob)) != blob:
            raise SystemExit(1)


def test_processes_share_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_hammer, args=(str(tmp_path), start)) for start in (0, 3, 11)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1500
