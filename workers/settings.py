"""What a worker is told by its environment, checked once, at the door."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from workers.errors import SettingsError

_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a worker needs to know about where it is."""

    broker_url: str
    ladder_url: str
    """Where this worker reaches the ladder; the paths in jobs are below it. No slash at its end."""
    token: str
    slots: int
    """Matches played at once."""
    cache_dir: Path
    cache_bytes: int
    name: str

    @property
    def journal_dir(self) -> Path:
        """Where processes that play say whose turn it is; see workers/journal.py."""
        return self.cache_dir / ".journals"


def from_environment(environ: Mapping[str, str] | None = None) -> Settings:
    """The worker's settings. Raises SettingsError with a sentence that names the variable."""
    env = os.environ if environ is None else environ
    default_cache = Path(env.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hauntladder" / "artefacts"
    return Settings(
        broker_url=_url(env, "BROKER_URL", ("redis", "rediss", "redis+socket", "memory")),
        ladder_url=_url(env, "LADDER_URL", ("http", "https")).rstrip("/"),
        token=_text(env, "WORKER_TOKEN"),
        slots=_number(env, "WORKER_SLOTS", max(1, (os.cpu_count() or 2) - 1)),
        cache_dir=Path(env.get("WORKER_CACHE_DIR") or default_cache),
        cache_bytes=_number(env, "WORKER_CACHE_MIB", 1024) * _MIB,
        name=env.get("WORKER_NAME") or socket.gethostname(),
    )


def _text(env: Mapping[str, str], name: str) -> str:
    value = env.get(name, "").strip()
    if not value:
        raise SettingsError(f"Set {name} in the environment; docs/deploy.md says what it is for.")
    return value


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str:
    value = _text(env, name)
    if urlsplit(value).scheme not in schemes:
        raise SettingsError(f"{name} must be an address that begins with {schemes[0]}://.")
    return value


def _number(env: Mapping[str, str], name: str, default: int) -> int:
    value = env.get(name) or str(default)
    if not value.isascii() or not value.isdigit() or not int(value):
        raise SettingsError(f"{name} is {value!r}; it must be a whole number, 1 or more.")
    return int(value)
