"""The desk of somebody who is signed in: bots, uploads, tokens."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ladder.accounts.models import ApiToken, User
from ladder.accounts.services import invitation_create, token_create, token_revoke
from ladder.common.errors import ForbiddenError, LadderError
from ladder.programs.models import Bot, Version
from ladder.programs.services import bot_create, version_upload
from ladder.web import summaries
from ladder.web.forms import SOURCE_NAMES, TokenForm, UploadForm, refuse, starter
from ladder.web.views.common import member, page


@login_required
def desk(request: HttpRequest) -> HttpResponseBase:
    """What needs me, and my bots; three steps where there are none."""
    return render(request, "web/desk.html", {"bots": summaries.own_bots(member(request))})


@login_required
def upload(request: HttpRequest) -> HttpResponseBase:
    """A bot and its program. What the checks find stands on the form, or on the version's page."""
    user = member(request)
    if request.method != "POST":
        initial = {"bot": _own_bot(user, request.GET.get("bot")), "source": starter()}
        return render(request, "web/upload.html", {"form": UploadForm(user=user, initial=initial)})
    form = UploadForm(request.POST, request.FILES, user=user)
    if form.is_valid():
        try:
            version = _store(user, form.cleaned_data)
        except LadderError as error:
            refuse(form, error)
        else:
            messages.success(request, f"{version.bot.name} v{version.number} is in. You may close this page.")
            return redirect("web:version", bot_id=version.bot.public_id, number=version.number)
    return render(request, "web/upload.html", {"form": form}, status=400)


def _own_bot(user: User, bot_id: str | None) -> Bot | None:
    try:
        wanted = UUID(bot_id or "")
    except ValueError:
        return None
    return Bot.objects.filter(public_id=wanted, members=user).first()


@transaction.atomic
def _store(user: User, fields: dict[str, Any]) -> Version:
    """Both or neither: a bot whose program is refused is not made."""
    bot = fields["bot"] or bot_create(user=user, name=fields["name"])
    note = fields["note"]
    if fields["file"]:
        file = fields["file"]
        return version_upload(bot=bot, user=user, data=file, filename=file.name, note=note)
    language = fields["language"]
    text = BytesIO(fields["source"].replace("\r\n", "\n").encode())
    return version_upload(bot=bot, user=user, data=text, filename=SOURCE_NAMES[language], note=note)


@login_required
def tokens(request: HttpRequest) -> HttpResponseBase:
    """Keys for scripts; a new one is shown once."""
    user = member(request)
    form = TokenForm(request.POST or None)
    key = ""
    if request.method == "POST" and form.is_valid():
        try:
            _, key = token_create(user=user, **form.cleaned_data)
        except LadderError as error:
            refuse(form, error)
        else:
            form = TokenForm()
    context = {"form": form, "key": key, "tokens": user.api_tokens.filter(revoked_at=None).order_by("-pk")}
    status = 400 if form.errors else 200
    return render(request, "web/tokens.html", context, status=status)


@require_POST
@login_required
def token_end(request: HttpRequest, token_id: UUID) -> HttpResponseBase:
    """Revoke one of one's own tokens."""
    token = ApiToken.objects.filter(public_id=token_id, user=member(request)).first()
    if token is None:
        raise Http404("There is no such token.")
    token_revoke(token=token)
    messages.success(request, f"The token {token.name} opens nothing any more.")
    return redirect("web:tokens")


@require_POST
@login_required
@page
def invite(request: HttpRequest) -> HttpResponseBase:
    """An admin makes a link that lets one person sign up."""
    if not request.user.is_staff:
        raise ForbiddenError("Only an admin can invite.")
    link = request.build_absolute_uri(f"/join/{invitation_create(by=member(request))}/")
    messages.success(request, f"One person may sign up with this link: {link}")
    return redirect("web:desk")
