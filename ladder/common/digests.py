"""All that is ever kept of a secret."""

from __future__ import annotations

import hashlib


def secret_digest(secret: str) -> str:
    """SHA-256 in hex. Our secrets are long and random, so neither salt nor slowness adds anything."""
    return hashlib.sha256(secret.encode()).hexdigest()
