"""Which bot plays on which ladder, and how far each version has come there."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from bots import program
from bots.messages import sentence
from ladder.accounts.models import User
from ladder.common.errors import ConflictError, LadderError, QuotaError
from ladder.matches.models import Bundle, Entry, Ladder, LadderVersion, Match, MatchSeat
from ladder.matches.services.bundles import preflight_create
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import Bot, Version
from ladder.programs.services import version_activated, version_rejected, version_rests

State = LadderVersion.State


@transaction.atomic
def bot_enter(*, bot: Bot, ladder: Ladder) -> Entry:
    """Enter a bot; its newest built version starts its pre-flight there.

    Raises LadderError when the ladder is closed or the bot does not play its game, QuotaError when a
    member has as many bots on the ladder as one may have.
    """
    if not ladder.is_open:
        raise ConflictError(f"{ladder.title} is closed.", code="ladder_closed")
    newest = bot.versions.exclude(state=Version.State.REJECTED).first()
    if newest is not None and not plays(newest, ladder):
        raise LadderError(
            f"{newest} does not play {ladder.game}; its bot.toml lists: {', '.join(newest.games)}.",
            code="other_game",
        )
    _check_places(bot, ladder)
    entry, _ = Entry.objects.update_or_create(bot=bot, ladder=ladder, defaults={"withdrawn_at": None})
    if newest is not None and newest.state in (Version.State.BUILT, Version.State.ACTIVE):
        preflight_start(version=newest, ladder=ladder)
    return entry


@transaction.atomic
def bot_withdraw(*, bot: Bot, ladder: Ladder) -> None:
    """Take a bot off a ladder: its results stay, it is seated no more."""
    Entry.objects.filter(bot=bot, ladder=ladder, withdrawn_at=None).update(withdrawn_at=timezone.now())
    LadderVersion.objects.filter(
        version__bot=bot, ladder=ladder, state__in=[State.ACTIVE, State.PREFLIGHT]
    ).update(state=State.WITHDRAWN, since=timezone.now())


def plays(version: Version, ladder: Ladder) -> bool:
    """Whether the version plays the ladder's game in its mode, by its bot.toml."""
    return program.plays(version.games, ladder.game, ladder.mode)


def _check_places(bot: Bot, ladder: Ladder) -> None:
    if bot.is_house:
        return
    for member in User.objects.select_for_update(no_key=True).filter(memberships__bot=bot).order_by("pk"):
        others = Entry.objects.filter(
            ladder=ladder, withdrawn_at=None, bot__memberships__user=member
        ).exclude(bot=bot)
        if others.count() >= settings.BOTS_PER_LADDER:
            raise QuotaError(
                f"{member.username} has {settings.BOTS_PER_LADDER} bots on {ladder.title} already, "
                "and more are not allowed. Withdraw one first.",
                code="bots_per_ladder",
            )


@transaction.atomic
def preflights_start(*, version: Version) -> None:
    """A version was built: it plays its pre-flight on every ladder that its bot is entered into.

    A bot's first version enters every open ladder of its games where its members have a place left. A
    version that is left without a ladder rests, and says why.
    """
    bot = version.bot
    open_to_it = [
        ladder for ladder in Ladder.objects.filter(is_open=True).order_by("pk") if plays(version, ladder)
    ]
    if not bot.entries.exists():
        for ladder in open_to_it:
            try:
                with transaction.atomic():
                    bot_enter(bot=bot, ladder=ladder)
            except QuotaError:
                continue
    entries = bot.entries.filter(withdrawn_at=None, ladder__is_open=True).select_related("ladder")
    for entry in entries:
        if plays(version, entry.ladder):
            preflight_start(version=version, ladder=entry.ladder)
    if not version.ladder_states.exists():
        code = "not_entered" if open_to_it else "no_ladder"
        version_rests(version=version, code=code, games=", ".join(version.games))


@transaction.atomic
def preflight_start(*, version: Version, ladder: Ladder) -> None:
    """Queue the pre-flight of a version on one ladder, once; one that was withdrawn plays it again."""
    state, new = LadderVersion.objects.get_or_create(version=version, ladder=ladder)
    if not new:
        if state.state != State.WITHDRAWN:
            return
        state.state, state.since = State.PREFLIGHT, timezone.now()
        state.save(update_fields=["state", "since"])
    if version.state == Version.State.BUILT:
        version_rests(version=version)
    preflight_create(season=season_ensure(ladder=ladder), version=version)


def preflight_judge(*, bundle: Bundle) -> None:
    """Decide a finished pre-flight. The caller holds the transaction that settled the bundle."""
    version = bundle.subject
    if version is None:
        return
    state = LadderVersion.objects.select_for_update(no_key=True).get(
        version=version, ladder=bundle.season.ladder
    )
    if state.state != State.PREFLIGHT:
        return
    lost = (
        MatchSeat.objects.filter(match__bundle=bundle, version=version, lost_by_fault=True)
        .order_by("match__number", "number")
        .first()
    )
    if lost is not None:
        seats = bundle.season.ladder.seats
        where = sentence("preflight_fault", seat=lost.number + 1, seats=seats)  # people count from one
        reason = f"{where} {sentence(lost.fault_code)}"
        _reject(state, code=lost.fault_code, reason=reason)
    elif bundle.matches.filter(status=Match.Status.VOID).exists():
        _reject(state, code="out_of_attempts", reason=sentence("preflight_platform"))
    else:
        _activate(state)


def _reject(state: LadderVersion, *, code: str, reason: str) -> None:
    state.state, state.reason_code, state.reason, state.since = State.REJECTED, code, reason, timezone.now()
    state.save(update_fields=["state", "reason_code", "reason", "since"])
    others = state.version.ladder_states.exclude(state=State.REJECTED)
    if not others.exists():
        version_rejected(version=state.version, code=code, reason=reason)


def _activate(state: LadderVersion) -> None:
    """The version takes its bot's place on the ladder, unless a newer one has it already."""
    version, ladder, now = state.version, state.ladder, timezone.now()
    rivals = LadderVersion.objects.filter(ladder=ladder, version__bot=version.bot, state=State.ACTIVE)
    if rivals.filter(version__number__gt=version.number).exists():
        state.state = State.REPLACED
    else:
        rivals.update(state=State.REPLACED, since=now)
        state.state = State.ACTIVE
    state.since = now
    state.save(update_fields=["state", "since"])
    version_activated(version=version)
