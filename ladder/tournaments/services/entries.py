"""Who enters: by the owner of a bot, by the organiser, and out again."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from ladder.accounts.models import User
from ladder.common.errors import ConflictError, ForbiddenError, LadderError, QuotaError
from ladder.matches.services.entries import plays
from ladder.programs.models import Bot, Version
from ladder.programs.selectors import is_member
from ladder.tournaments.facts import last_round, terms_of
from ladder.tournaments.formats.plan import rounds_of
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Entry, EntryRule, Tournament
from ladder.tournaments.services.freeze import version_to_play
from ladder.tournaments.services.history import note
from ladder.tournaments.services.organise import may_organise, organiser_check, tournament_hold

State = Tournament.State
JOINABLE_WHILE_RUNNING = (Format.SWISS,)
"""Formats that pair each round anew, so that one more can join."""


@transaction.atomic
def entry_create(*, tournament: Tournament, user: User, bot: Bot, wish: Version | None = None) -> Entry:
    """Enter a bot of one's own while registration is open.

    Raises ForbiddenError for another's bot or without an invitation, ConflictError when it is too late, full
    or entered already, LadderError for a version that does not play there, QuotaError past one's share.
    """
    held = tournament_hold(tournament.pk)
    if held.state != State.OPEN:
        raise ConflictError(f"Registration is closed: it is {held.get_state_display()}.", code="too_late")
    if timezone.now() >= held.registration_ends_at:
        raise ConflictError("Registration has ended.", code="too_late")
    if not is_member(user, bot) or bot.is_house:
        raise ForbiddenError("You can enter your own bots alone.")
    _check_rule(held, user)
    _check_version(held, bot, wish)
    if held.entries.filter(bot=bot).exists():
        raise ConflictError(f"{bot.name} is entered already.", code="entered")
    _check_room(held, user)
    entry = _add(held, bot, user, wish)
    note(held, "entered", actor=user, bot=bot.name)
    return entry


@transaction.atomic
def entry_choose(*, entry: Entry, user: User, wish: Version | None) -> None:
    """Choose the version that is frozen; None: the newest active one at the freeze."""
    held = tournament_hold(entry.tournament_id)
    if not is_member(user, entry.bot):
        raise ForbiddenError("You can choose for your own bots alone.")
    if held.state != State.OPEN:
        raise ConflictError("The versions are frozen.", code="too_late")
    _check_version(held, entry.bot, wish)
    Entry.objects.filter(pk=entry.pk).update(wish=wish)


@transaction.atomic
def entry_withdraw(*, entry: Entry, user: User) -> None:
    """Take an entry out: before the freeze as if it had never been, later it forfeits what is to come."""
    held = tournament_hold(entry.tournament_id)
    if not is_member(user, entry.bot) and not may_organise(user, held):
        raise ForbiddenError("You can withdraw your own bots alone.")
    if not held.entries.filter(pk=entry.pk, withdrawn_at=None).exists():
        raise ConflictError(f"{entry.bot.name} has withdrawn already.", code="withdrawn")
    if held.state in (State.FINISHED, State.CANCELLED):
        raise ConflictError("It is over.", code="too_late")
    note(held, "withdrawn", actor=user, bot=entry.bot.name)
    if held.state in (State.DRAFT, State.OPEN):
        entry.delete()
        return
    entry.withdrawn_at = timezone.now()
    entry.until_round = last_round(held)
    entry.save(update_fields=["withdrawn_at", "until_round"])


@transaction.atomic
def entry_add_late(*, tournament: Tournament, actor: User, bot: Bot) -> Entry:
    """The organiser lets one more in after the freeze: the lowest seeding, from the next round on.

    Raises ConflictError where the format or the hour has no room for it, else what entry_create raises.
    """
    held = tournament_hold(tournament.pk)
    organiser_check(actor, held)
    running = held.state == State.RUNNING
    if held.state not in (State.OPEN, State.FROZEN, State.RUNNING):
        raise ConflictError(f"It is {held.get_state_display()}.", code="too_late")
    if running and held.format not in JOINABLE_WHILE_RUNNING:
        raise ConflictError("Once it runs, only a Swiss can take one more.", code="too_late")
    if running:
        _check_rounds(held)
    _check_version(held, bot, None)
    _check_room(held, None)
    entry = _add(held, bot, actor, None)
    if held.state != State.OPEN:
        entry.version = version_to_play(bot=bot, ladder=held.ladder)
        entry.seeding = 1 + (held.entries.aggregate(last=Max("seeding"))["last"] or 0)
        entry.from_round = last_round(held) + 1
        entry.save(update_fields=["version", "seeding", "from_round"])
    note(held, "late_entry", actor=actor, bot=bot.name, round=entry.from_round)
    return entry


def _add(tournament: Tournament, bot: Bot, user: User, wish: Version | None) -> Entry:
    try:
        with transaction.atomic():
            return Entry.objects.create(tournament=tournament, bot=bot, entered_by=user, wish=wish)
    except IntegrityError:
        raise ConflictError(f"{bot.name} is entered already.", code="entered") from None


def _check_rule(tournament: Tournament, user: User) -> None:
    if tournament.entry_rule == EntryRule.INVITED and not tournament.invited.filter(user=user).exists():
        raise ForbiddenError("This tournament is for invited users. Ask its organiser.", code="not_invited")
    if tournament.entry_rule == EntryRule.RATED:
        raise ForbiddenError(
            f"Everybody rated {tournament.least_rating} or more is entered at the freeze, and nobody else.",
            code="not_invited",
        )


def _check_version(tournament: Tournament, bot: Bot, wish: Version | None) -> None:
    """The wished version, or any, plays on the tournament's ladder."""
    ladder = tournament.ladder
    if wish is not None and wish.bot_id != bot.pk:
        raise LadderError(f"{wish} is not a version of {bot.name}.", code="other_bot")
    newest = wish or bot.versions.exclude(state=Version.State.REJECTED).first()
    if newest is not None and not plays(newest, ladder):
        raise LadderError(f"{newest} does not play {ladder.game}.", code="other_game")
    if version_to_play(bot=bot, ladder=ladder, wish=wish) is None:
        what = f"{wish} was never active" if wish else f"{bot.name} has no active version"
        raise LadderError(f"{what} on {ladder.title}.", code="not_active")


def _check_room(tournament: Tournament, user: User | None) -> None:
    playing = tournament.entries.filter(withdrawn_at=None)
    if playing.count() >= tournament.max_entries:
        raise ConflictError(f"It is full: {tournament.max_entries} have entered.", code="full")
    if user is None:
        return
    own = playing.filter(bot__memberships__user=user).count()
    if own >= tournament.entries_per_user:
        raise QuotaError(
            f"You have entered {own} already, and {tournament.entries_per_user} a user is the most.",
            code="entries_per_user",
        )


def _check_rounds(tournament: Tournament) -> None:
    """Whoever joins now has a round to play in."""
    seeded = tournament.entries.filter(seeding__isnull=False).count()
    if last_round(tournament) >= rounds_of(terms_of(tournament), seeded + 1):
        raise ConflictError("Its last round is laid already.", code="too_late")
