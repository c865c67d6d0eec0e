"""`Authorization: Bearer hl_<prefix>_<secret>`."""

from __future__ import annotations

import hmac

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ladder.accounts.models import ApiToken, User
from ladder.common.digests import secret_digest


class TokenAuthentication(BaseAuthentication):
    """API tokens; no secret is compared but by its digest, in constant time."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, key = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = self._find(key.strip())
        if token is None:
            raise AuthenticationFailed("This token is not known, has ended, or was revoked.")
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=timezone.now())
        if ApiToken.Scope.ADMIN not in token.scopes:
            # An admin's everyday token is no more than anybody's; this object is never saved.
            token.user.is_staff = token.user.is_superuser = False
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"

    def _find(self, key: str) -> ApiToken | None:
        mark, _, rest = key.partition("_")
        prefix, _, secret = rest.partition("_")
        if mark != "hl" or not secret:
            return None
        alive = ApiToken.objects.filter(revoked_at=None, expires_at__gt=timezone.now(), user__is_active=True)
        token = alive.select_related("user").filter(prefix=prefix).first()
        if token is None or not hmac.compare_digest(token.secret_sha256, secret_digest(secret)):
            return None
        return token
