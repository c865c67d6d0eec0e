"""Names and passwords, at every door where one may be tried: pages, admin, the API."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from django.contrib.auth.backends import ModelBackend
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

from ladder.accounts.models import User

GUESSES: Final = 10
GUESSES_SECONDS: Final = 600


class GuessLimitedBackend(ModelBackend):
    """After 10 wrong passwords for one name from one address, none is tried from there for 10 minutes.

    The count goes by name and address, so that nobody can lock somebody else out; a name that does not
    exist is counted alike, so that the limit tells nothing of who is here.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        if request is None or not username:
            return self._try(request, username, password, **kwargs)
        key = _key(request, username)
        if cache.get(key, 0) >= GUESSES:
            raise PermissionDenied  # Django then asks no other backend, and answers as for a wrong password
        user = self._try(request, username, password, **kwargs)
        if user is not None:
            cache.delete(key)
        elif not cache.add(key, 1, GUESSES_SECONDS):
            _count(key)
        return user

    def _try(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> User | None:
        user = super().authenticate(request, *args, **kwargs)
        return user if isinstance(user, User) else None


def _count(key: str) -> None:
    try:
        cache.incr(key)
    except ValueError:  # it ended between the two calls
        cache.add(key, 1, GUESSES_SECONDS)


def _key(request: HttpRequest, username: str) -> str:
    address: Any = BaseThrottle().get_ident(request)  # type: ignore[arg-type]
    return "guesses:" + hashlib.sha256(f"{username.lower()}\n{address}".encode()).hexdigest()
