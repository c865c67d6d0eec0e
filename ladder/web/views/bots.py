"""A bot, its versions, and the ladders that it is entered into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ladder.common.errors import ForbiddenError, LadderError
from ladder.matches import selectors
from ladder.matches.attempts import version_voids
from ladder.matches.models import Entry, Ladder, LadderVersion, Match
from ladder.matches.services.entries import bot_enter, bot_withdraw
from ladder.programs.models import Bot, Version
from ladder.programs.selectors import is_member, versions_of
from ladder.ratings.models import Rating
from ladder.ratings.selectors import Curve, rating_history
from ladder.ratings.separation import Z95
from ladder.ratings.standings import PROVISIONAL_BELOW
from ladder.web import summaries
from ladder.web.drawing import curve
from ladder.web.views.common import bot_or_404, page


@dataclass(frozen=True, slots=True)
class Place:
    """A bot on one ladder: its rating there and the curve of its newest version."""

    ladder: Ladder
    state: LadderVersion
    rating: Rating | None
    curve: dict[str, Any] | None

    @property
    def half_width(self) -> float | None:
        """Of the 95 % interval, in Elo; None while it is provisional."""
        if self.rating is None or self.rating.bundles < PROVISIONAL_BELOW:
            return None
        return Z95 * self.rating.standard_error


@page
def bot(request: HttpRequest, bot_id: UUID) -> HttpResponseBase:
    found = bot_or_404(bot_id)
    context = {
        "bot": found,
        "owners": [membership.user for membership in found.memberships.all()],
        "versions": list(versions_of(found)[:30]),
        "places": _places(found),
        "opponents": summaries.opponents(found),
        "latest": summaries.latest(request.user, bot=found, limit=10),
        "is_member": is_member(request.user, found),
        "entries": _entries(found) if is_member(request.user, found) else [],
    }
    return render(request, "web/bot.html", context)


def _places(found: Bot) -> list[Place]:
    curves: dict[str, Curve] = {}
    for line in rating_history(found):  # in order: the newest version of a ladder's newest season stays
        curves[line.ladder] = line
    active = LadderVersion.objects.filter(version__bot=found, state=LadderVersion.State.ACTIVE)
    states = list(active.select_related("ladder", "version").order_by("ladder__slug"))
    ratings = {
        (rating.season.ladder_id, rating.version_id): rating
        for rating in Rating.objects.filter(
            version__in=[state.version_id for state in states], season__closed_at=None
        ).select_related("season")
    }
    return [
        Place(
            state.ladder,
            state,
            ratings.get((state.ladder_id, state.version_id)),
            curve(curves[state.ladder.slug].points) if state.ladder.slug in curves else None,
        )
        for state in states
    ]


def _entries(found: Bot) -> list[dict[str, Any]]:
    """Each open ladder and whether the bot is on it."""
    on = set(Entry.objects.filter(bot=found, withdrawn_at=None).values_list("ladder_id", flat=True))
    return [{"ladder": ladder, "on": ladder.pk in on} for ladder in selectors.ladders().filter(is_open=True)]


@require_POST
@login_required
@page
def entry(request: HttpRequest, bot_id: UUID) -> HttpResponseBase:
    """Enter a bot into a ladder, or withdraw it."""
    found = bot_or_404(bot_id)
    if not is_member(request.user, found):
        raise ForbiddenError("Only the bot's members may enter or withdraw it.")
    ladder = selectors.ladder_by_slug(request.POST.get("ladder", ""))
    try:
        if "withdraw" in request.POST:
            bot_withdraw(bot=found, ladder=ladder)
            messages.success(request, f"{found.name} is off {ladder.title}. Its results stay.")
        else:
            bot_enter(bot=found, ladder=ladder)
            messages.success(request, f"{found.name} is entered into {ladder.title}.")
    except LadderError as error:
        messages.error(request, error.message)
    return redirect("web:bot", bot_id=found.public_id)


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a version's way: done, now, failed or still to come."""

    title: str
    state: str
    words: str = ""


@page
def version(request: HttpRequest, bot_id: UUID, number: int) -> HttpResponseBase:
    """A version on its way to active; build log and pre-flights are its members' own."""
    found = bot_or_404(bot_id)
    shown = versions_of(found).filter(number=number).first()
    if shown is None:
        raise Http404(f"{found.name} has no v{number}.")
    states = list(selectors.ladder_states(shown))
    insider = is_member(request.user, found)
    preflights = _preflights(request, shown) if insider else []
    context = {
        "bot": found,
        "version": shown,
        "states": states,
        "stages": _stages(shown, states, preflights),
        "preflights": preflights,
        "is_member": insider,
        "voids": version_voids(request.user, shown),
        "moving": shown.state == Version.State.CHECKED
        or any(state.state == LadderVersion.State.PREFLIGHT for state in states),
    }
    part = request.GET.get("part") == "progress"
    return render(request, "web/parts/progress.html" if part else "web/version.html", context)


def _preflights(request: HttpRequest, shown: Version) -> list[Match]:
    matches = selectors.matches(request.user).filter(bundle__subject=shown)
    return list(matches.order_by("bundle_id", "number"))


def _stages(shown: Version, states: list[LadderVersion], preflights: list[Match]) -> list[Stage]:
    build_failed = shown.state == Version.State.REJECTED and not shown.artefact_sha256
    built = bool(shown.artefact_sha256)
    stages = [Stage("checked", "done", "The files are in order.")]
    if build_failed:
        return [
            *stages,
            Stage("built", "failed", shown.reason),
            Stage("pre-flight", "next"),
            Stage("active", "next"),
        ]
    if not built:
        usual = "Waits for its build, then plays one short match in every seat. About 40 seconds in all."
        words = shown.reason or usual
        return [*stages, Stage("built", "now", words), Stage("pre-flight", "next"), Stage("active", "next")]
    stages.append(Stage("built", "done", shown.toolchain))
    flying = [state for state in states if state.state == LadderVersion.State.PREFLIGHT]
    if shown.state == Version.State.REJECTED:
        return [*stages, Stage("pre-flight", "failed", shown.reason), Stage("active", "next")]
    if not states:
        return [*stages, Stage("pre-flight", "next", shown.reason), Stage("active", "next")]
    if flying:
        over = sum(match.status in (Match.Status.FINISHED, Match.Status.VOID) for match in preflights)
        one_each = "One short match in every seat."
        words = f"{over} of {len(preflights)} matches are over." if preflights else one_each
        words = next((why for match in preflights if (why := selectors.waits_for(match))), words)
        stages.append(Stage("pre-flight", "now", words))
    else:
        stages.append(Stage("pre-flight", "done"))
    playing = any(state.state == LadderVersion.State.ACTIVE for state in states)
    replaced = not playing and shown.state == Version.State.ACTIVE and not flying
    words = "A newer version has taken its place." if replaced else ""
    if playing:
        words = "It meets the house bots first. The first rank comes after five bundles."
    return [*stages, Stage("active", "done" if playing or replaced else "next", words)]
