"""What an organiser does: make, open, pause, move, cancel, clone. Each is noted with who did it."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from ladder.accounts.models import User
from ladder.common.errors import ConflictError, ForbiddenError, QuotaError
from ladder.matches.models import Bundle
from ladder.matches.services.bundles import bundles_cancel
from ladder.tournaments.models import Invited, Plan, Series, Tournament
from ladder.tournaments.plans import PlanData, ahead_check, invalid, plan_check, plan_of, times_check
from ladder.tournaments.services.history import note

State = Tournament.State
TOURNAMENTS_A_DAY: Final = 50
RESERVED: Final = frozenset({"estimate", "new", "series"})
"""Words that stand in addresses where a tournament's own could."""


def may_organise(user: User, plan: Plan) -> bool:
    """The owner of a tournament or series may, and admins."""
    return user.is_staff or plan.owner_id == user.pk


def organiser_check(user: User, plan: Plan) -> None:
    """Raises ForbiddenError for one who may not organise it."""
    if not may_organise(user, plan):
        raise ForbiddenError("Only its organiser and admins may do that.")


def tournament_hold(tournament_id: int) -> Tournament:
    """A tournament's row, locked to the end of the transaction, with its ladder."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("ladder").get(pk=tournament_id)


@transaction.atomic
def tournament_create(
    *,
    owner: User,
    plan: PlanData,
    registration_ends_at: datetime,
    starts_at: datetime,
    hidden_until: datetime | None = None,
    is_open: bool = True,
) -> Tournament:
    """A tournament, open for registration or a draft.

    Raises InvalidError with the field that contradicts another, ForbiddenError where somebody who is no
    admin wants it listed, QuotaError past 50 in 24 hours.
    """
    if plan.is_listed and not owner.is_staff:
        raise ForbiddenError(
            "Only an admin can list a tournament; leave `is_listed` out, and share its address."
        )
    _check_quota(owner)
    plan_check(plan)
    times_check(
        now=timezone.now(),
        registration_ends_at=registration_ends_at,
        starts_at=starts_at,
        hidden_until=hidden_until,
    )
    tournament = Tournament.objects.create(
        **plan.fields(),
        owner=owner,
        slug=new_slug(plan.title, is_listed=plan.is_listed),
        state=State.OPEN if is_open else State.DRAFT,
        registration_ends_at=registration_ends_at,
        starts_at=starts_at,
        hidden_until=hidden_until,
    )
    note(tournament, "made", actor=owner)
    if is_open:
        note(tournament, "opened", actor=owner)
    return tournament


def _check_quota(owner: User) -> None:
    """Tournaments go before the ladder's matches, so nobody makes more than one can look after."""
    day = timedelta(days=1)
    made = Tournament.objects.filter(owner=owner, series=None, created_at__gt=timezone.now() - day)
    if owner.is_staff or made.count() < TOURNAMENTS_A_DAY:
        return
    first = made.order_by("created_at").values_list("created_at", flat=True)[0]
    raise QuotaError(
        f"You have made {TOURNAMENTS_A_DAY} tournaments in 24 hours.",
        code="tournaments_per_day",
        retry_at=first + day,
    )


def new_slug(title: str, *, is_listed: bool) -> str:
    """An address that nobody has: for an unlisted tournament one that nobody can guess."""
    base = slugify(title)[:40].strip("-") or "tournament"
    taken = (
        base in RESERVED
        or Tournament.objects.filter(slug=base).exists()
        or Series.objects.filter(slug=base).exists()
    )
    return base if is_listed and not taken else f"{base}-{secrets.token_hex(3 if is_listed else 8)}"


@transaction.atomic
def tournament_open(*, tournament: Tournament, actor: User) -> None:
    """Open a draft for registration."""
    held = _held(tournament, actor, State.DRAFT)
    times_check(
        now=timezone.now(),
        registration_ends_at=held.registration_ends_at,
        starts_at=held.starts_at,
        hidden_until=held.hidden_until,
    )
    held.state = State.OPEN
    held.save(update_fields=["state"])
    note(held, "opened", actor=actor)


@transaction.atomic
def tournament_pause(*, tournament: Tournament, actor: User) -> None:
    """Nothing new is laid until it is resumed; matches that are being played are played to their end."""
    held = _held(tournament, actor, State.OPEN, State.FROZEN, State.RUNNING)
    if held.is_paused:
        raise ConflictError("It is paused already.", code="paused")
    held.is_paused = True
    held.save(update_fields=["is_paused"])
    note(held, "paused", actor=actor)


@transaction.atomic
def tournament_resume(*, tournament: Tournament, actor: User) -> None:
    """Go on where it was paused."""
    held = _held(tournament, actor, State.OPEN, State.FROZEN, State.RUNNING)
    if not held.is_paused:
        raise ConflictError("It is not paused.", code="not_paused")
    held.is_paused = False
    held.save(update_fields=["is_paused"])
    note(held, "resumed", actor=actor)


@transaction.atomic
def tournament_move(
    *, tournament: Tournament, actor: User, starts_at: datetime, registration_ends_at: datetime | None = None
) -> None:
    """Move the start, and with it the end of registration where that is still to come."""
    held = _held(tournament, actor, State.DRAFT, State.OPEN, State.FROZEN)
    ends = registration_ends_at or held.registration_ends_at
    if held.state == State.FROZEN and ends != held.registration_ends_at:
        raise invalid("registration_ends_at", "Registration has ended; only the start can be moved.")
    ahead_check("starts_at", starts_at, timezone.now())
    shift = starts_at - held.starts_at
    if registration_ends_at is None and held.state != State.FROZEN:
        ends = held.registration_ends_at + shift
    hidden_until = held.hidden_until + shift if held.hidden_until else None
    times_check(now=timezone.now(), registration_ends_at=ends, starts_at=starts_at, hidden_until=hidden_until)
    facts = {
        "starts_at": [held.starts_at, starts_at],
        "registration_ends_at": [held.registration_ends_at, ends],
    }
    held.starts_at, held.registration_ends_at, held.hidden_until = starts_at, ends, hidden_until
    held.save(update_fields=["starts_at", "registration_ends_at", "hidden_until"])
    note(held, "moved", actor=actor, **facts)


@transaction.atomic
def tournament_cancel(*, tournament: Tournament, actor: User, reason: str) -> None:
    """End it without ranks: what was played stays and is shown, what still waits is not played."""
    held = _held(tournament, actor, State.DRAFT, State.OPEN, State.FROZEN, State.RUNNING)
    call_off(held, reason=reason, actor=actor)


def call_off(held: Tournament, *, reason: str, actor: User | None = None) -> None:
    """Cancel a tournament whose row the caller holds; `actor` None is the clock."""
    held.state, held.reason, held.finished_at = State.CANCELLED, reason[:200], timezone.now()
    held.hidden_until = None
    held.save(update_fields=["state", "reason", "finished_at", "hidden_until"])
    bundles = Bundle.objects.filter(table_bundle__table__tournament=held)
    bundles.update(is_sealed=False, hidden_until=None)
    bundles_cancel(bundles=bundles.filter(finished_at=None), code="tournament_cancelled")
    note(held, "cancelled", actor=actor, reason=held.reason)


@transaction.atomic
def tournament_clone(*, tournament: Tournament, actor: User, starts_at: datetime) -> Tournament:
    """The same plan once more, as a draft of the actor's own, its times as far apart as they were."""
    ahead_check("starts_at", starts_at, timezone.now())
    shift = starts_at - tournament.starts_at
    hidden = tournament.hidden_until
    copy = tournament_create(
        owner=actor,
        plan=replace(plan_of(tournament), is_listed=tournament.is_listed and actor.is_staff),
        registration_ends_at=tournament.registration_ends_at + shift,
        starts_at=starts_at,
        hidden_until=hidden + shift if hidden else None,
        is_open=False,
    )
    if may_organise(actor, tournament):  # whom it invited is its organiser's business
        Invited.objects.bulk_create(
            Invited(tournament=copy, user_id=user)
            for user in tournament.invited.values_list("user_id", flat=True)
        )
    return copy


@transaction.atomic
def user_invite(*, tournament: Tournament, actor: User, user: User) -> None:
    """Let a user enter a tournament for invited ones. Safe to repeat."""
    held = _held(tournament, actor, State.DRAFT, State.OPEN, State.FROZEN, State.RUNNING)
    _, new = Invited.objects.get_or_create(tournament=held, user=user)
    if new:
        note(held, "invited", actor=actor, user=user.username)


def _held(tournament: Tournament, actor: User, *states: Tournament.State) -> Tournament:
    """The tournament's row, locked, for one who may organise it. Raises ForbiddenError or ConflictError."""
    held = tournament_hold(tournament.pk)
    organiser_check(actor, held)
    if held.state not in states:
        raise ConflictError(
            f"It is {held.get_state_display()}; that cannot be done any more.", code="too_late"
        )
    return held


def series_tournament(*, series: Series, instant: datetime, starts_at: datetime) -> Tournament:
    """What a series makes for one instant: once, whatever calls it."""
    made, _ = Tournament.objects.get_or_create(
        series=series,
        instant=instant,
        defaults={
            **plan_of(series).fields(),
            "owner": series.owner,
            "title": f"{series.title} {instant:%Y-%m-%d %H:%M}"[:80],
            "slug": f"{series.slug}-{instant:%Y%m%d-%H%M}",
            "state": State.OPEN,
            "registration_ends_at": starts_at,
            "starts_at": starts_at,
            "hidden_until": starts_at + timedelta(seconds=series.hidden_s) if series.hidden_s else None,
        },
    )
    return made
