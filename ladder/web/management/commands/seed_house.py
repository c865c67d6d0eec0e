"""`manage.py seed_house`: what a fresh house needs before anybody comes. Safe to repeat.

It stands in the topmost app, for it calls the services of all others.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from bots.house import HOUSE, house_path
from ladder.accounts.models import Invitation, User
from ladder.accounts.services import invitation_create
from ladder.matches.models import Entry, Ladder
from ladder.matches.services.entries import bot_enter, plays
from ladder.matches.services.ladders import ladders_ensure
from ladder.matches.services.workers import worker_ensure
from ladder.programs.services import house_bot_ensure

FIRST_ADMIN_DAYS = 1


class Command(BaseCommand):
    """Prints (and returns) the token of the first admin's invitation, or nothing when there is an admin."""

    help = "Make default ladders and house bots, register the house's worker, invite the first admin."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--worker-token", default="", help="token of the house's own match worker")

    @transaction.atomic
    def handle(self, *_args: Any, worker_token: str, **_options: Any) -> str | None:
        if worker_token:
            worker_ensure(name="house", token=worker_token)
        seed_house_bots(ladders_ensure())
        return invite_first_admin()


def seed_house_bots(ladders: list[Ladder]) -> None:
    """Every house bot at the program that this release brings, entered where it plays and never was yet."""
    for name in HOUSE:
        version = house_bot_ensure(name=name, folder=house_path(name))
        for ladder in ladders:
            if plays(version, ladder) and not Entry.objects.filter(bot=version.bot, ladder=ladder).exists():
                bot_enter(bot=version.bot, ladder=ladder)


def invite_first_admin() -> str | None:
    """A fresh invitation that makes an admin, replacing an unused one; None when there is an admin."""
    if User.objects.filter(is_superuser=True).exists():
        return None
    Invitation.objects.filter(makes_admin=True, used_by=None, created_by=None).delete()
    return invitation_create(by=None, days=FIRST_ADMIN_DAYS, makes_admin=True)
