"""Tags of the pages: icons, faces of bots, figures and times."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from bots.job import HostFigures
from bots.languages import LANGUAGES
from ladder.tournaments.board import Chair, where_from
from ladder.tournaments.words import DECISIONS
from ladder.web.drawing import windows

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative sign out of icons.svg."""
    return format_html(
        '<svg class="ic" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("web/icons.svg"),
        name,
    )


@register.simple_tag
def use(name: str, x: float, y: float, size: float, css: str) -> SafeString:
    """The same sign inside a drawing."""
    return format_html(
        '<use href="{}#{}" x="{}" y="{}" width="{}" height="{}" class="{}"/>',
        static("web/icons.svg"),
        name,
        x,
        y,
        size,
        size,
        css,
    )


@register.inclusion_tag("web/parts/avatar.html")
def avatar(public_id: UUID) -> dict[str, Any]:
    """The face of a bot."""
    return {"windows": windows(public_id)}


@register.filter
def language(key: str) -> str:
    """A language as it is written."""
    return LANGUAGES[key].name if key in LANGUAGES else key


@register.filter
def elo(value: float) -> str:
    return f"{value:.0f}"


@register.filter
def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share else "none"


@register.filter
def score(value: float | None) -> str:
    """A score without a needless decimal point."""
    return "" if value is None else f"{value:g}"


@register.filter
def ago(at: datetime | None) -> str:
    """How long ago, roughly: `40 s ago`, `3 min ago`, `5 h ago`, else the day."""
    if at is None:
        return "never"
    seconds = int((timezone.now() - at).total_seconds())
    if seconds < 60:
        return f"{max(seconds, 0)} s ago"
    if seconds < 3600:
        return f"{seconds // 60} min ago"
    if seconds < 86400:
        return f"{seconds // 3600} h ago"
    return f"{at:%Y-%m-%d}"


@register.filter
def duration(seconds: float) -> str:
    """How long, roughly: `40 s`, `3 min`, `5 h`, `2 days`."""
    for length, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


@register.filter
def spaced(key: str) -> str:
    """A key as words: `double_elimination` is double elimination."""
    return key.replace("_", " ")


@register.filter
def waits(chair: Chair) -> str:
    """Who a chair of a bracket waits for."""
    return where_from(chair.comes_from)


@register.filter
def decided(decision: str) -> str:
    """How a table was decided, after the word."""
    return DECISIONS.get(decision, decision)


@register.filter
def milliseconds(microseconds: int) -> str:
    return f"{microseconds / 1000:,.1f}"


@register.filter
def how_busy(host: HostFigures) -> str:
    """How busy a host was while an attempt was played, for people who ask why it was played again."""
    core = "no core of its own" if host.core is None else f"core {host.core} to itself"
    words = [f"the match had {core}", f"a watcher woke {milliseconds(host.longest_late_us)} ms late at worst"]
    if host.pressure_us is not None:
        words.append(f"somebody waited for a core for {milliseconds(host.pressure_us)} ms")
    if host.steal_us is not None:
        words.append(f"{milliseconds(host.steal_us)} ms went to other guests of the hardware")
    return f"The host: {', '.join(words)}."


@register.filter
def dash(rank: str | None) -> str:
    """A rank range with the dash that print uses."""
    return (rank or "\N{EN DASH}").replace("-", "\N{EN DASH}")
