"""Writes to people: signing up, invitations, tokens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.accounts.models import ApiToken, Invitation, User
from ladder.common.digests import secret_digest
from ladder.common.errors import ConflictError, ForbiddenError, LadderError

INVITATION_DAYS: Final = 14
TOKEN_DAYS: Final = 90
TOKEN_DAYS_AT_MOST: Final = 366


@transaction.atomic
def user_sign_up(*, username: str, password: str, email: str = "", invitation: str | None = None) -> User:
    """A new user, where the house's SIGNUP lets one in.

    Raises ForbiddenError when it does not, ConflictError for a name that is taken, LadderError for one
    that is not allowed or a password that is too weak.
    """
    ticket = _open_invitation(invitation) if invitation else None
    if ticket is None:
        _check_door_is_open()
    user = User(username=username, email=email)
    try:
        user.full_clean(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        if User.objects.filter(username__iexact=username).exists():
            raise _name_taken(username) from None
        raise LadderError(" ".join(error.messages), code="invalid") from None
    user.set_password(password)
    if ticket is not None and ticket.makes_admin:
        user.is_staff = user.is_superuser = True
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise _name_taken(username) from None
    if ticket is not None:
        ticket.used_by = user
        ticket.save(update_fields=["used_by"])
    return user


def _name_taken(username: str) -> ConflictError:
    return ConflictError(
        f"There is a user called {username} already; choose another name.", code="name_taken"
    )


def _check_door_is_open() -> None:
    if settings.SIGNUP == "invite":
        raise ForbiddenError(
            "This house is open to those who were invited: ask for a link.", code="invite_only"
        )
    if settings.SIGNUP == "closed":
        raise ForbiddenError("This house takes no new users now.", code="signup_closed")


def _open_invitation(token: str) -> Invitation:
    ticket = (
        Invitation.objects.select_for_update(no_key=True)
        .filter(token_sha256=secret_digest(token), used_by=None, expires_at__gt=timezone.now())
        .first()
    )
    if ticket is None:
        raise ForbiddenError(
            "This invitation has ended. Ask who gave it to you for a new one.", code="invitation"
        )
    return ticket


def invitation_create(*, by: User | None, days: int = INVITATION_DAYS, makes_admin: bool = False) -> str:
    """The token of a link that lets one person sign up; only its digest is kept."""
    token = secrets.token_urlsafe(24)
    Invitation.objects.create(
        token_sha256=secret_digest(token),
        makes_admin=makes_admin,
        created_by=by,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token


def token_create(
    *, user: User, name: str, scopes: Sequence[str], days: int = TOKEN_DAYS
) -> tuple[ApiToken, str]:
    """A token for scripts and its key, `hl_<prefix>_<secret>`, which is not shown again.

    Raises ForbiddenError for the scope `admin` where the user is none.
    """
    if ApiToken.Scope.ADMIN in scopes and not user.is_staff:
        raise ForbiddenError("Only an admin can make a token with the scope admin.")
    if not 1 <= days <= TOKEN_DAYS_AT_MOST:
        raise LadderError(f"A token lives for 1 to {TOKEN_DAYS_AT_MOST} days.", code="invalid")
    prefix, secret = secrets.token_hex(5), secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=prefix,
        secret_sha256=secret_digest(secret),
        scopes=sorted(set(scopes)),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, f"hl_{prefix}_{secret}"


def token_revoke(*, token: ApiToken) -> None:
    """From now on the token opens nothing."""
    token.revoked_at = token.revoked_at or timezone.now()
    token.save(update_fields=["revoked_at"])
