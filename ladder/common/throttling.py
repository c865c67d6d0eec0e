"""Rate limits: by user where one is signed in, else by address; a 429 says when to come again.

What is left of a limit stands in the headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset
(seconds), as in the IETF draft on rate limit headers; `RateLimitHeaders` puts them there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:  # the framework imports this module while it is itself being imported
    from django.http import HttpRequest, HttpResponse
    from rest_framework.request import Request
    from rest_framework.views import APIView


class Limit(SimpleRateThrottle):
    """A limit whose figures travel with the request to the answer's headers."""

    num_requests: int | None
    duration: int | None

    def allow_request(self, request: Request, view: APIView) -> bool:
        allowed = bool(super().allow_request(request, view))
        if self.num_requests is not None and self.duration is not None:
            left = max(0, self.num_requests - len(self.history))
            oldest = self.history[-1] if self.history else self.now
            reset = int(max(0.0, oldest + self.duration - self.now)) + 1
            request._request.rate_limit = (self.num_requests, left, reset)  # type: ignore[attr-defined] # noqa: SLF001
        return allowed


class RateLimit(Limit):
    """Every request of the API."""

    scope = "user"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        user = request.user
        self.scope = "user" if user and user.is_authenticated else "anonymous"
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        ident = str(user.pk) if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class PasswordLimit(Limit):
    """Doors where a password may be tried: few knocks from one address."""

    scope = "password"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class RateLimitHeaders:
    """Middleware: says in each answer of the API how much of the limit is left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        for name, value in zip(
            ("Limit", "Remaining", "Reset"), getattr(request, "rate_limit", ()), strict=False
        ):
            response.headers[f"RateLimit-{name}"] = str(value)
        return response
