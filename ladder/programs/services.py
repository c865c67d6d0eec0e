"""Writes to bots and versions: making, uploading, what a build found."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from bots.job import TASK_BUILD
from bots.messages import sentence
from bots.program import Program, ProgramError, read_path, read_upload
from ladder.accounts.models import User
from ladder.common.blobs import blob_put
from ladder.common.errors import ConflictError, ForbiddenError, LadderError, QuotaError
from ladder.common.queue import enqueue_on_commit
from ladder.programs.models import Bot, BotMember, Build, Version

DAY = timedelta(days=1)


@transaction.atomic
def bot_create(*, user: User, name: str, description: str = "") -> Bot:
    """A new bot, owned by `user`. Raises ConflictError when the name is taken (case does not count)."""
    try:
        with transaction.atomic():
            bot = Bot.objects.create(name=name, description=description)
    except IntegrityError:
        raise ConflictError(
            f"There is a bot called {name} already; give yours another name.", code="name_taken"
        ) from None
    BotMember.objects.create(bot=bot, user=user, role=BotMember.Role.OWNER)
    return bot


@transaction.atomic
def bot_update(*, bot: Bot, name: str | None = None, description: str | None = None) -> Bot:
    """Rename or describe a bot. Raises ConflictError when the name is taken."""
    bot.name = bot.name if name is None else name
    bot.description = bot.description if description is None else description
    try:
        with transaction.atomic():
            bot.save(update_fields=["name", "description"])
    except IntegrityError:
        raise ConflictError(
            f"There is a bot called {name} already; give yours another name.", code="name_taken"
        ) from None
    return bot


@transaction.atomic
def bot_member_add(*, bot: Bot, user: User) -> BotMember:
    """Make `user` a co-author; nothing changes for one who is a member already."""
    return BotMember.objects.get_or_create(bot=bot, user=user, defaults={"role": BotMember.Role.AUTHOR})[0]


@transaction.atomic
def bot_member_remove(*, bot: Bot, user: User) -> None:
    """Take a co-author off. Raises ForbiddenError for the owner: a bot always has one."""
    member = BotMember.objects.filter(bot=bot, user=user).first()
    if member is None:
        return
    if member.role == BotMember.Role.OWNER:
        raise ForbiddenError("The owner of a bot cannot leave it.", code="owner_stays")
    member.delete()


def version_upload(
    *,
    bot: Bot,
    user: User,
    data: bytes | BinaryIO,
    filename: str,
    language: str | None = None,
    note: str = "",
) -> Version:
    """Check an upload and store it as the bot's next version, whose build is then queued.

    Raises LadderError with the intake's own code and sentence, QuotaError, or ConflictError when the
    newest version holds the same files. Nothing is stored then.
    """
    _check_quota(user)  # before the archive is read: a full quota costs us nothing
    try:
        program = read_upload(data, filename, language=language)
    except ProgramError as error:
        raise LadderError(error.message, code=error.code) from None
    with transaction.atomic():
        # Two uploads at once would both see a free place; the user's row is the lock that orders them.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_quota(user)
        return _version_create(bot=bot, user=user, program=program, note=note)


@transaction.atomic
def house_bot_ensure(*, name: str, folder: Path) -> Version:
    """The house's bot of this name at the program in `folder`: a new version only when that has changed."""
    bot, _ = Bot.objects.get_or_create(name=name, is_house=True)
    program = read_path(folder)
    newest = bot.versions.first()
    if newest is not None and newest.digest == program.digest:
        return newest
    return _version_create(bot=bot, user=None, program=program, note="of the house")


def _version_create(*, bot: Bot, user: User | None, program: Program, note: str) -> Version:
    Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    newest = bot.versions.first()
    if newest is not None and newest.digest == program.digest:
        raise ConflictError(
            f"v{newest.number} holds exactly these files; change something and upload again.",
            code="same_upload",
            version=str(newest.public_id),
        )
    source = program.to_tar()
    version = Version.objects.create(
        bot=bot,
        number=newest.number + 1 if newest else 1,
        language=program.language,
        entry=program.entry,
        build_command=list(program.build) if program.build else None,
        games=list(program.games),
        digest=blob_put(source),
        source_size=len(source),
        note=note,
        uploaded_by=user,
    )
    build = Build.objects.create(version=version, doorbell_at=timezone.now())
    enqueue_on_commit(TASK_BUILD, str(build.public_id))
    return version


def _check_quota(user: User) -> None:
    """A rolling day of uploads, and builds waiting. Raises QuotaError that says when to come again."""
    now = timezone.now()
    recent = Version.objects.filter(uploaded_by=user, uploaded_at__gt=now - DAY)
    if recent.count() >= settings.UPLOADS_PER_DAY:
        oldest = recent.order_by("-uploaded_at")[settings.UPLOADS_PER_DAY - 1]
        retry_at = oldest.uploaded_at + DAY
        raise QuotaError(
            f"You uploaded {settings.UPLOADS_PER_DAY} versions in 24 hours. "
            f"The next place is free at {retry_at:%H:%M} UTC.",
            code="uploads_per_day",
            retry_at=retry_at.isoformat(),
            retry_after=int((retry_at - now).total_seconds()) + 1,
        )
    waiting = Build.objects.filter(
        version__uploaded_by=user, status__in=[Build.Status.QUEUED, Build.Status.RUNNING]
    )
    if waiting.count() >= settings.BUILDS_WAITING:
        raise QuotaError(
            f"{settings.BUILDS_WAITING} of your versions wait to be built. Upload again when one is done.",
            code="builds_waiting",
            retry_at=(now + timedelta(seconds=30)).isoformat(),
            retry_after=30,
        )


@transaction.atomic
def version_built(*, version: Version, artefact_sha256: str, toolchain: str, log: str) -> None:
    """The build went well: what it made is kept, and the version may play its pre-flight."""
    version.state = Version.State.BUILT
    version.artefact_sha256 = artefact_sha256
    version.toolchain = toolchain
    version.build_log = log
    version.reason_code = version.reason = ""
    version.save(
        update_fields=["state", "artefact_sha256", "toolchain", "build_log", "reason_code", "reason"]
    )


@transaction.atomic
def version_rests(*, version: Version, code: str = "", **facts: object) -> None:
    """A built version plays on no ladder, for this reason; without a code it rests no longer."""
    version.reason_code = code
    version.reason = sentence(code, **facts) if code else ""
    version.save(update_fields=["reason_code", "reason"])


@transaction.atomic
def version_rejected(*, version: Version, code: str, reason: str = "", log: str | None = None) -> None:
    """The version will not play. `reason` defaults to the catalogue's sentence for `code`."""
    version.state = Version.State.REJECTED
    version.reason_code = code
    version.reason = reason or sentence(code)
    if log is not None:
        version.build_log = log
    version.save(update_fields=["state", "reason_code", "reason", "build_log"])


@transaction.atomic
def version_activated(*, version: Version) -> None:
    """The version passed its pre-flight on a ladder."""
    version.state = Version.State.ACTIVE
    version.reason_code = version.reason = ""
    version.save(update_fields=["state", "reason_code", "reason"])
