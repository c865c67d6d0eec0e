"""Rate limits, told in headers: X-RateLimit-Limit, -Remaining, -Reset, and Retry-After with a 429."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:  # the framework imports this module while it is itself being imported
    from rest_framework.request import Request
    from rest_framework.views import APIView


class RateLimit(SimpleRateThrottle):
    """By user where one is signed in, else by address."""

    scope = "user"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        user = request.user
        self.scope = "user" if user and user.is_authenticated else "anonymous"
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        ident = str(user.pk) if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
