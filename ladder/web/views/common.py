"""What all views share: errors of services become pages, and who is asking."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, cast
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, NotFoundError
from ladder.programs.models import Bot

View = Callable[..., HttpResponseBase]

THEMES: Final = ("auto", "dark", "light")
"""The switch goes round in this order; `auto` is the system's wish, and no cookie."""
_YEAR: Final = 365 * 86400


def page(view: View) -> View:
    """NotFoundError is the page 404 and ForbiddenError the page 403, with the service's own sentence."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotFoundError as error:
            raise Http404(error.message) from None
        except ForbiddenError as error:
            raise PermissionDenied(error.message) from None

    return guarded


def member(request: HttpRequest) -> User:
    """Who is signed in; views that call it are behind `login_required`."""
    return cast("User", request.user)


def bot_or_404(bot_id: UUID) -> Bot:
    bot = Bot.objects.filter(public_id=bot_id).prefetch_related("memberships__user").first()
    if bot is None:
        raise Http404("There is no such bot.")
    return bot


def identifier(text: str) -> UUID:
    """An id out of a form. Raises Http404 for what is none."""
    try:
        return UUID(text)
    except ValueError:
        raise Http404("There is no such bot.") from None


def number(text: str | None, *, least: int, most: int) -> int | None:
    """A number out of a query string, kept within bounds; None for none."""
    if text is None or not text.isdecimal() or len(text) > 9:
        return None
    return min(max(int(text), least), most)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Switch between the system's wish, dark and light; the server reads the cookie, so nothing flashes."""
    now = request.COOKIES.get("theme", "auto")
    following = THEMES[(THEMES.index(now) + 1) % len(THEMES)] if now in THEMES else THEMES[0]
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = redirect(back)
    response.set_cookie("theme", following, max_age=_YEAR, samesite="Lax", secure=settings.HTTPS)
    return response
