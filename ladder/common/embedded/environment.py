"""The environment of a house that runs here: where its data is, its secrets, the addresses of its servers.

`manage.py` asks for it before Django reads its settings, so that `manage.py up` needs nothing from outside
and `manage.py shell` finds the house that `make up` runs. Real servers named in the environment always win.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ladder.common.embedded.errors import EmbeddedError
from ladder.common.embedded.folders import PREFIX, SHORT_TMP
from ladder.common.embedded.postgres import Postgres
from ladder.common.embedded.valkey import Valkey, worker_acl

BASE_DIR = Path(__file__).resolve().parent.parent.parent.parent
DATABASE = "hauntladder"
OWN_HOUSE = {"up": "var", "demo": "var/demo"}
"""Commands that make a house of their own where there is none, and the folder it lives in."""

_SECRETS = ("SECRET_KEY", "VALKEY_PASSWORD", "WORKER_BROKER_PASSWORD", "WORKER_TOKEN")


@dataclass(frozen=True, slots=True)
class HouseFolder:
    """Everything that one house keeps: data, logs, secrets; and the short folder of its sockets."""

    var: Path

    @property
    def run(self) -> Path:
        return self.var / "run"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def sockets(self) -> Path:
        """Short, private, and the same for every process of this house and user."""
        name = hashlib.blake2b(str(self.var).encode(), digest_size=5).hexdigest()
        return SHORT_TMP / f"{PREFIX}up-{os.getuid()}-{name}"

    @property
    def secrets_file(self) -> Path:
        return self.var / "secrets.json"

    def secrets(self) -> dict[str, str]:
        """The house's secrets, made on first use, readable by their owner alone."""
        try:
            known: dict[str, str] = json.loads(self.secrets_file.read_text())
        except FileNotFoundError:
            known = {}
        if not known.keys() >= set(_SECRETS):
            known = {name: secrets.token_urlsafe(32) for name in _SECRETS} | known
            self.var.mkdir(mode=0o711, parents=True, exist_ok=True)
            self.secrets_file.touch(mode=0o600)
            self.secrets_file.write_text(json.dumps(known))
        return known

    def postgres(self) -> Postgres:
        return Postgres(self.var / "postgres", self.sockets, run_dir=self.run, log=self.logs / "postgres.log")

    def valkey(self) -> Valkey:
        own = self.secrets()
        return Valkey(
            self.var / "valkey",
            self.sockets,
            password=own["VALKEY_PASSWORD"],
            durable=True,
            acl=[worker_acl(own["WORKER_BROKER_PASSWORD"])],
            run_dir=self.run,
            log=self.logs / "redis.log",
        )

    def make(self) -> None:
        """Make the folders. Raises EmbeddedError when somebody else made the sockets' folder before us."""
        self.var.mkdir(mode=0o711, parents=True, exist_ok=True)
        for folder in (self.run, self.logs):
            folder.mkdir(mode=0o700, exist_ok=True)
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        seen = self.sockets.lstat()
        if self.sockets.is_symlink() or seen.st_uid not in {os.getuid(), 65534} or seen.st_mode & 0o077:
            raise EmbeddedError("sockets_not_ours", f"{self.sockets} belongs to somebody else; remove it.")


def house_folder(environ: Mapping[str, str], default: str = "var") -> HouseFolder:
    """The folder of the house: LADDER_VAR, or `var` in the checkout."""
    return HouseFolder((BASE_DIR / environ.get("LADDER_VAR", default)).resolve())


def adopt(environ: MutableMapping[str, str], arguments: Sequence[str]) -> None:
    """Complete `environ` for `manage.py <command>` from the house that lives here, if one does or may.

    A house is made for the commands that start one; for the others it must be there already. So a production
    host with a forgotten DATABASE_URL is still told so.
    """
    command = arguments[1] if len(arguments) > 1 else ""
    folder = house_folder(environ, OWN_HOUSE.get(command, "var"))
    if command not in OWN_HOUSE and not folder.secrets_file.exists():
        return
    own = folder.secrets()
    environ.setdefault("LADDER_VAR", str(folder.var))
    environ.setdefault("SECRET_KEY", own["SECRET_KEY"])
    environ.setdefault("DATABASE_URL", folder.postgres().url(DATABASE))
    environ.setdefault("REDIS_URL", folder.valkey().url())
    environ.setdefault("STORAGE_URL", f"file://{folder.var / 'storage'}")
