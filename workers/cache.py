"""Artefacts by their digest, on disk, bounded in bytes, shared by every process of a host."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from workers.errors import ArtefactError

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class ArtefactCache:
    """A folder of files named by the SHA-256 of what is in them.

    Files come whole, by a rename, and go least recently used first. Each is checked against its name
    whenever it is read, so a damaged disk or a hand in the folder costs one more download, no match.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes

    def get(self, sha256: str, fetch: Callable[[], bytes]) -> bytes:
        """The artefact of that digest; fetched where it is not here. Raises ArtefactError."""
        if not _DIGEST.fullmatch(sha256):
            raise ArtefactError(f"{sha256!r:.80} is not a digest")
        path = self._folder / sha256
        if (data := self._read(path, sha256)) is not None:
            return data
        data = fetch()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise ArtefactError(f"what came for artefact {sha256} is not it")
        self._keep(path, data)
        return data

    def _read(self, path: Path, sha256: str) -> bytes | None:
        try:
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == sha256:
                os.utime(path)
                return data
            path.unlink()
        except FileNotFoundError:
            pass  # another process may take it away at any moment
        return None

    def _keep(self, path: Path, data: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._locked():
            self._make_room(len(data))
            handle, name = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(path)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time on this host, so that the bound holds."""
        with (self._folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _make_room(self, wanted: int) -> None:
        """Drop what was used longest ago until `wanted` more bytes fit; called under the lock."""
        kept: list[tuple[float, int, Path]] = []
        for path in self._folder.iterdir():
            if path.name.startswith(".new-"):
                path.unlink(missing_ok=True)  # of a writer that died: writers hold the lock
            elif not path.name.startswith("."):  # the lock, and what others keep here
                with contextlib.suppress(FileNotFoundError):
                    status = path.stat()
                    kept.append((status.st_mtime, status.st_size, path))
        total = wanted + sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size
