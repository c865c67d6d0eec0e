"""`manage.py demo`: a house of its own, and in it what two users would do, from sign-up to proved records.

On the way a small tournament of their bots and the house's starts by the clock, and runs to its end.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

from django.core.management import CommandError
from django.core.management.base import BaseCommand, CommandParser

from ladder.common.embedded import EmbeddedError
from ladder.common.embedded.address import free_port
from ladder.common.embedded.environment import BASE_DIR
from ladder.common.embedded.folders import hold
from ladder.common.embedded.house import House
from ladder.common.embedded.visitor import Visitor, until
from ladder.common.management.commands.up import make_house, prepare_database

LADDER = "dont-go-in-there-2"
KIT = BASE_DIR / "bots" / "kits" / "python"
AUTHORS = {"ada": "First Light", "ben": "Last Door"}
LAST_MOVE = ("return legal[0]", "return legal[-1]")
"""What ben changes in the starter bot: the last legal move in place of the first."""
CUP = {
    "title": "The demo's cup",
    "ladder": LADDER,
    "format": "double_elimination",
    "min_entries": 4,
    "max_entries": 4,
    "house_fills": True,
}
CUP_STARTS_IN_S = 5


class Command(BaseCommand):
    """Exits with 0, or says what failed and exits with 1."""

    help = (
        "Show the whole way from an upload to a proved, rated match and to a tournament won, "
        "on a port and a folder of its own."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=10, help="rated matches of each bot")
        parser.add_argument("--limit", type=float, default=300.0, help="seconds that all of it may take")

    def handle(self, *_args: Any, matches: int, limit: float, **_options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
            signal.signal(number, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, limit)
        logging.getLogger("httpx").setLevel(logging.WARNING)
        began = time.monotonic()
        house = make_house(dict(os.environ) | {"SIGNUP": "open"}, self.say, port=free_port(), lan=False)
        try:
            _empty(house)
            self.tour(house, matches)
        except KeyboardInterrupt:
            raise CommandError(f"The demo was ended after {time.monotonic() - began:.0f} s.") from None
        except EmbeddedError as error:
            raise CommandError(f"The demo failed: {error}\nLogs: {house.folder.logs}") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            house.stop()
        self.say(f"stopped; all of it took {time.monotonic() - began:.0f} s")

    def tour(self, house: House, matches: int) -> None:
        """Everything between the opening and the closing of the house."""
        house.start_servers()
        prepare_database(house)
        house.start_site()
        house.start_workers()
        self.say(f"open at {house.address.public_url}")
        with ExitStack() as doors:
            authors = [
                doors.enter_context(Visitor(house.address.public_url, username)) for username in AUTHORS
            ]
            bots = [
                self.upload(author, bot, _starter(house.folder.var / "demo-bots", author.username))
                for author, bot in zip(authors, AUTHORS.values(), strict=True)
            ]
            cup = self.make_cup(authors, bots)
            anybody = doors.enter_context(Visitor(house.address.public_url, "anybody"))
            self.say(f"waiting for {matches} rated matches of each")
            until(lambda: _all_rated(anybody, matches), "rated matches enough", within_s=240)
            self.show(anybody)
            records = until(lambda: anybody.records(LADDER), "record of an ended bundle", within_s=60)
            self.say("waiting for the tournament's end")
            until(lambda: _is_over(anybody, cup), "end of the tournament", within_s=240)
            self.show_cup(anybody, cup)
            records += _records_of(anybody, cup)
            self.say(f"{anybody.prove(records, house.folder.var / 'records')} records verified")

    def upload(self, author: Visitor, bot: str, folder: Path) -> str:
        """Sign up, upload, and wait until the version plays: the bot's id. Raises EmbeddedError."""
        author.sign_up()
        self.say(f"{author.username} signed up")
        version = author.haunt("upload", folder, "--bot", bot, "--new", "--wait", within_s=240)
        if version["state"] != "active":
            raise EmbeddedError("rejected", f"{bot} was rejected: {version.get('reason')}")
        self.say(f"{author.username} uploaded {bot}; it is active")
        return str(version["bot"])

    def make_cup(self, authors: Sequence[Visitor], bots: Sequence[str]) -> str:
        """A tournament that starts itself in some seconds: its address."""
        starts_at = datetime.now(UTC) + timedelta(seconds=CUP_STARTS_IN_S)
        made = authors[0].post("tournaments", json={**CUP, "starts_at": starts_at.isoformat()})
        for author, bot in zip(authors, bots, strict=True):
            author.post(f"tournaments/{made['slug']}/entries", json={"bot": bot})
        self.say(f"{authors[0].username} made a tournament, both entered; the clock starts it")
        return str(made["slug"])

    def show_cup(self, visitor: Visitor, cup: str) -> None:
        """The bracket, and the standings with what parted each row from the one before."""
        self.stdout.write("\n" + visitor.haunt_says("tournament", "bracket", cup, "--width", "100"))
        self.stdout.write("")
        for row in visitor.get(f"tournaments/{cup}/standings")["rows"]:
            self.stdout.write(f"  {row['rank']}. {row['name']:<14}{row['why'] or 'Won.'}")
        self.stdout.write(f"\n  the tournament: {visitor.url}/tournaments/{cup}/\n")

    def show(self, visitor: Visitor) -> None:
        """Standings, and a match to look at."""
        newest = visitor.get("matches", ladder=LADDER, status="finished")["results"][0]
        self.stdout.write(f"\n  {'bot':<14}{'rating':>8}{'+-':>6}{'matches':>9}")
        for row in visitor.standings(LADDER):
            numbers = f"{row['rating']:>8.0f}{row['half_width']:>6.0f}{row['matches']:>9}"
            self.stdout.write(f"  {row['bot']:<14}{numbers}")
        self.stdout.write(f"\n  a match: {visitor.url}/matches/{newest['id']}/\n")

    def say(self, line: str) -> None:
        self.stdout.write(f"· {line}")
        self.stdout.flush()


def _all_rated(visitor: Visitor, matches: int) -> bool:
    played = {row["bot"]: row["matches"] for row in visitor.standings(LADDER)}
    return all(played.get(bot, 0) >= matches for bot in AUTHORS.values())


def _is_over(visitor: Visitor, cup: str) -> bool:
    """Raises EmbeddedError when it was called off."""
    told = visitor.get(f"tournaments/{cup}")
    if told["state"] == "cancelled":
        raise EmbeddedError("cancelled", f"The tournament was cancelled: {told['reason']}")
    return bool(told["state"] == "finished")


def _records_of(visitor: Visitor, cup: str) -> list[str]:
    """The records of all its matches."""
    matches = visitor.get(f"tournaments/{cup}/matches", page_size="200")["results"]
    ended = [match for match in matches if match["status"] == "finished"]
    return [visitor.text(f"matches/{match['id']}/record") for match in ended]


def _starter(folder: Path, username: str) -> Path:
    """The starter bot, as `haunt new` gives it; ben's plays from the other end."""
    mine = folder / username
    shutil.copytree(KIT, mine, ignore=shutil.ignore_patterns("__pycache__"))
    if username == "ben":
        main = mine / "main.py"
        main.write_text(main.read_text().replace(*LAST_MOVE))
    return mine


def _empty(house: House) -> None:
    """A demo begins with nothing. Raises EmbeddedError while another one runs."""
    hold(house.folder.var, "a demo").close()
    for path in house.folder.var.iterdir():
        # Our own environment holds the secrets already.
        if path.is_dir():
            shutil.rmtree(path)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
