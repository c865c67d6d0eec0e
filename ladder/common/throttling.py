"""Rate limits: by user where one is signed in, else by address; a 429 says when to come again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:  # the framework imports this module while it is itself being imported
    from rest_framework.request import Request
    from rest_framework.views import APIView


class RateLimit(SimpleRateThrottle):
    """Every request of the API."""

    scope = "user"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        user = request.user
        self.scope = "user" if user and user.is_authenticated else "anonymous"
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        ident = str(user.pk) if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class PasswordLimit(SimpleRateThrottle):
    """Doors where a password may be tried: few knocks from one address."""

    scope = "password"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}
