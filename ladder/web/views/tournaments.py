"""Tournaments: the list, one of them with its bracket, a table, the picture as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from ladder.accounts.models import User
from ladder.common.errors import LadderError, NotFoundError
from ladder.matches.selectors import matches as visible_matches
from ladder.programs.models import Bot
from ladder.tournaments import selectors
from ladder.tournaments.board import RoundView, TableView, board_of
from ladder.tournaments.models import Entry, Tournament
from ladder.tournaments.picture import PALETTES, draw, png
from ladder.tournaments.selectors import Estimate
from ladder.tournaments.services import entries as entering
from ladder.tournaments.services import organise
from ladder.tournaments.standings import standings_view
from ladder.tournaments.words import sentence
from ladder.web.forms import TournamentForm, refuse
from ladder.web.views.common import bot_or_404, identifier, member, page

State = Tournament.State
_PAST: Final = 30
_HISTORY: Final = 60
ACTIONS: Final[Mapping[str, Callable[..., None]]] = {
    "open": organise.tournament_open,
    "pause": organise.tournament_pause,
    "resume": organise.tournament_resume,
    "cancel": partial(organise.tournament_cancel, reason="Its organiser cancelled it."),
}


def tournaments(request: HttpRequest) -> HttpResponseBase:
    """What is running, what is coming, what is over."""
    found = selectors.with_entries(selectors.tournaments(request.user))
    context = {
        "running": found.filter(state=State.RUNNING),
        "coming": found.filter(state__in=(State.DRAFT, *selectors.COMING)).order_by("starts_at"),
        "past": found.filter(state__in=selectors.OVER)[:_PAST],
        "series": selectors.all_series(request.user),
    }
    return render(request, "web/tournaments.html", context)


@page
def tournament(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One tournament: its bracket, standings, rounds, entries, and what its visitor may do."""
    found = selectors.tournament_by_slug(request.user, slug)
    shows = selectors.shows_results(request.user, found)
    rounds = board_of(found) if shows else []
    own = _own_entries(request, found)
    entries = list(selectors.entries_of(found))
    context = {
        "tournament": found,
        "shows": shows,
        "lede": _lede(found, entries, shows=shows),
        "bracket": _bracket(found, rounds, own),
        "rounds": [one for one in rounds if any(table.side not in "WLF" for table in one.tables)],
        "standings": standings_view(found) if shows and found.season_id else None,
        "entries": entries,
        "own": own,
        "may_enter": _bots_to_enter(request, found, own),
        "organises": selectors.organises(request.user, found),
        "estimate": _estimate(found),
        "history": [(one, sentence(one)) for one in selectors.happenings(request.user, found)[:_HISTORY]],
    }
    return render(request, "web/tournament.html", context)


def _estimate(found: Tournament) -> Estimate | None:
    over = found.state in selectors.OVER
    return None if over else selectors.estimate_of(found, now=timezone.now())


def _own_entries(request: HttpRequest, found: Tournament) -> set[int]:
    if not request.user.is_authenticated:
        return set()
    own = found.entries.filter(bot__memberships__user=request.user.pk)
    return set(own.values_list("pk", flat=True))


def _bots_to_enter(request: HttpRequest, found: Tournament, own: set[int]) -> list[Bot]:
    """The visitor's bots that could enter now; the service has the last word."""
    if not isinstance(request.user, User) or found.state != State.OPEN:
        return []
    mine = Bot.objects.filter(members=request.user, retired_at=None, entries__ladder=found.ladder)
    return list(mine.exclude(tournament_entries__in=own).distinct().order_by("name"))


def _lede(found: Tournament, entries: list[Entry], *, shows: bool) -> str:
    """The state of it in a sentence."""
    count = sum(entry.withdrawn_at is None for entry in entries)
    bots = f"{count} bot{'s' if count != 1 else ''}"
    if found.state == State.CANCELLED:
        return f"Cancelled. {found.reason}"
    if not shows:
        return f"{bots}. Results are shown at {found.hidden_until:%Y-%m-%d %H:%M} UTC."
    if found.is_paused:
        return f"Paused by its organiser. {bots}."
    if found.state == State.FINISHED:
        winner = next((entry.bot.name for entry in entries if entry.rank == 1), "Nobody")
        return f"{winner} won, of {bots}."
    return {
        State.DRAFT: "A draft: nobody else sees it until you open it.",
        State.OPEN: f"Open for registration. {bots} so far.",
        State.FROZEN: f"Frozen. {bots}. It starts at {found.starts_at:%Y-%m-%d %H:%M} UTC.",
        State.RUNNING: f"Running. {bots}.",
    }[State(found.state)]


def _bracket(found: Tournament, rounds: list[RoundView], own: set[int]) -> str:
    """The picture; empty for formats in rounds, which have none."""
    if not any(table.side in "WLF" for one in rounds for table in one.tables):
        return ""

    def address(table: TableView) -> str | None:
        laid = table.status in ("playing", "decided")
        return reverse("web:tournament-table", args=[found.slug, table.key]) if laid else None

    title = f"Bracket of {found.title}"
    return draw(rounds, title=title, address=address, own=own, background=False)


@page
def table(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Who met at a table, how it was decided, and its matches."""
    found = selectors.tournament_by_slug(request.user, slug)
    if not selectors.shows_results(request.user, found):
        raise NotFoundError("Results are not shown yet.")
    shown = [(one, table) for one in board_of(found) for table in one.tables if table.key == key]
    if not shown:
        raise NotFoundError(f"{found.title} has no table {key}.")
    round_view, table_view = shown[0]
    context = {
        "tournament": found,
        "round": round_view,
        "table": table_view,
        "chairs": [(chair, _target(table_view, chair.place)) for chair in table_view.ordered()],
        "matches": visible_matches(request.user).filter(public_id__in=table_view.matches).order_by("pk"),
    }
    return render(request, "web/tournament_table.html", context)


def _target(view: TableView, place: int | None) -> str | None:
    """Where somebody went on to from a place."""
    return view.goes_to[place - 1] if place is not None and place <= len(view.goes_to) else None


@page
def picture(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """The bracket as a file: `bracket.svg` for a README, `bracket.png` for a chat; `?theme=dark`."""
    found = selectors.tournament_by_slug(request.user, slug)
    theme = request.GET.get("theme", "light")
    if theme not in PALETTES:
        raise Http404("The themes are light and dark.")
    rounds = board_of(found) if selectors.shows_results(request.user, found) else []
    if not any(table.side in "WLF" for one in rounds for table in one.tables):
        raise NotFoundError("There is no bracket to draw (yet).")
    svg = draw(rounds, title=f"Bracket of {found.title}", theme=theme)
    if kind == "png":
        return HttpResponse(png(svg), content_type="image/png")
    return HttpResponse(svg, content_type="image/svg+xml")


@login_required
def make(request: HttpRequest) -> HttpResponseBase:
    """Make a tournament."""
    form = TournamentForm(request.POST or None, user=member(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = organise.tournament_create(owner=member(request), **form.asked(now=timezone.now()))
        except LadderError as error:
            refuse(form, error)
        else:
            messages.success(request, "It is open for registration. Share its address.")
            return redirect("web:tournament", slug=made.slug)
    return render(request, "web/tournament_make.html", {"form": form})


@require_POST
@login_required
@page
def enter(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Enter a bot, or withdraw one."""
    found = selectors.tournament_by_slug(request.user, slug)
    bot = bot_or_404(identifier(request.POST.get("bot", "")))
    try:
        if "withdraw" in request.POST:
            entering.entry_withdraw(entry=selectors.entry_by_bot(found, bot.public_id), user=member(request))
            messages.success(request, f"{bot.name} is out.")
        else:
            entering.entry_create(tournament=found, user=member(request), bot=bot)
            frozen = "its newest active version is frozen when registration ends"
            messages.success(request, f"{bot.name} is in; {frozen}.")
    except NotFoundError:
        raise
    except LadderError as error:
        messages.error(request, error.message)
    return redirect("web:tournament", slug=slug)


@require_POST
@login_required
@page
def act(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What its organiser does with a button."""
    found = selectors.tournament_by_slug(request.user, slug)
    action = ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        raise Http404("There is no such action.")
    try:
        action(tournament=found, actor=member(request))
    except LadderError as error:
        messages.error(request, error.message)
    return redirect("web:tournament", slug=slug)
