"""Bytes stored under their SHA-256: sources and artefacts. What is there never changes."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class BlobError(Exception):
    """A blob is missing, or its bytes are no longer those of its name."""

    code = "blob"


def blob_put(data: bytes) -> str:
    """Store `data`, once, and return its SHA-256 in hex."""
    digest = hashlib.sha256(data).hexdigest()
    name = _path(digest)
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(data))
    return digest


def blob_get(digest: str) -> bytes:
    """The bytes of a digest. Raises BlobError when they are missing or damaged."""
    try:
        with default_storage.open(_path(digest), "rb") as file:
            data: bytes = file.read()
    except FileNotFoundError as error:
        raise BlobError(f"blob {digest} is missing") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise BlobError(f"blob {digest} is damaged")
    return data


def _path(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise BlobError(f"no digest: {digest!r:.80}")
    return f"blobs/{digest[:2]}/{digest}"
