"""Reads of bots and versions, and who may read what of them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from ladder.accounts.models import User
from ladder.programs.models import Bot, BotMember, Version

Viewer = User | AnonymousUser


def bots(*, member: Viewer | None = None) -> QuerySet[Bot]:
    """All bots that are not retired, or those of one member."""
    found = Bot.objects.filter(retired_at=None).prefetch_related("memberships__user")
    return found if member is None else found.filter(memberships__user=member.pk)


def versions_of(bot: Bot) -> QuerySet[Version]:
    """The versions of a bot, newest first."""
    return bot.versions.select_related("bot").order_by("-number")


def is_member(viewer: Viewer, bot: Bot) -> bool:
    """Whether the viewer may upload to the bot and read what is private of it; admins may."""
    if not viewer.is_authenticated:
        return False
    return bool(viewer.is_staff) or BotMember.objects.filter(bot=bot, user_id=viewer.pk).exists()


def is_owner(viewer: Viewer, bot: Bot) -> bool:
    """Whether the viewer may rename the bot and choose its members; admins may."""
    if not viewer.is_authenticated:
        return False
    owners: Any = BotMember.objects.filter(bot=bot, user_id=viewer.pk, role=BotMember.Role.OWNER)
    return bool(viewer.is_staff) or owners.exists()
