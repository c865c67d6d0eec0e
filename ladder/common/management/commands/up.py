"""`manage.py up`: the whole house on this machine, until Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connection

from ladder.common.embedded import EmbeddedError
from ladder.common.embedded.address import make_address
from ladder.common.embedded.environment import house_folder
from ladder.common.embedded.house import House
from ladder.settings import environment as env

INVITE_PATH = "/join/{}/"


class Command(BaseCommand):
    """PostgreSQL, Valkey, site, workers and beat as child processes of this one."""

    help = (
        "Run the whole house here. PORT, LAN=1 and SIGNUP=open|invite|closed are read from the environment."
    )
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupt)
        port, lan = env.number("PORT", 8000, least=1), env.flag("LAN")
        house = make_house(os.environ, self.say, port=port, lan=lan)
        try:
            self.open(house)
            house.watch()
        except KeyboardInterrupt:
            self.say("stopping")
        except EmbeddedError as error:
            raise CommandError(str(error)) from None
        finally:
            try:
                house.stop()
            except KeyboardInterrupt:
                house.kill()

    def open(self, house: House) -> None:
        """From nothing to a served page, with an address to type."""
        began = time.monotonic()
        house.start_servers()
        self.say("database and house bots")
        invitation = prepare_database(house)
        self.say("site")
        house.start_site()
        house.start_workers()
        self.say(f"open after {time.monotonic() - began:.1f} s")
        self.stdout.write(f"\n  Hauntladder: {house.address.public_url}\n")
        if invitation:
            link = house.address.public_url + INVITE_PATH.format(invitation)
            self.stdout.write(f"  First admin, once: {link}\n")
        if house.address.host != "127.0.0.1":
            show_qr_code(house.address.public_url)
        self.stdout.write(f"  Logs: {house.folder.logs}   Stop: Ctrl-C\n\n")
        self.stdout.flush()

    def say(self, line: str) -> None:
        self.stdout.write(f"· {line}")
        self.stdout.flush()


def make_house(environ: Mapping[str, str], say: Callable[[str], None], *, port: int, lan: bool) -> House:
    """The house that the environment describes; nothing is started."""
    where = make_address(port=port, lan=lan)
    public_url = environ.get("PUBLIC_URL", where.public_url)
    return House(
        folder=house_folder(environ),
        address=where,
        environ=dict(environ)
        | {
            "PUBLIC_URL": public_url,
            "ALLOWED_HOSTS": environ.get("ALLOWED_HOSTS", ",".join(where.allowed_hosts)),
            "SIGNUP": environ.get("SIGNUP", "invite" if lan else "open"),
        },
        say=say,
    )


def prepare_database(house: House) -> str:
    """Migrate and seed in this process, which has Django loaded. Returns the first admin's invitation."""
    call_command("migrate", verbosity=0, interactive=False)
    invitation = call_command(
        "seed_house", stdout=io.StringIO(), worker_token=house.folder.secrets()["WORKER_TOKEN"]
    )
    connection.close()
    close_pool = getattr(connection, "close_pool", None)
    if close_pool is not None:
        close_pool()
    return str(invitation or "")


def show_qr_code(url: str) -> None:
    """For the phones of those who sit around the table; a terminal's own letters draw it."""
    import segno

    segno.make(url, error="l").terminal(out=sys.stdout, compact=True)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
