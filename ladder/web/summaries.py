"""Short answers for the home page, the desk and the ladders: reads through the apps' selectors."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.utils import timezone

from ladder.accounts.models import User
from ladder.matches import selectors
from ladder.matches.models import Ladder, LadderVersion, Match, MatchSeat, Purpose
from ladder.matches.visibility import visible_matches
from ladder.programs.models import Bot, Version
from ladder.ratings.selectors import season_get, season_standings
from ladder.ratings.standings import StandingRow

Viewer = User | AnonymousUser

TOP: Final = 3
LATEST: Final = 8
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LadderTop:
    """A ladder, who leads, and how much was played today."""

    ladder: Ladder
    rows: list[StandingRow]
    lede: str
    today: int


def tops() -> list[LadderTop]:
    """One for each open ladder."""
    today = _played_since_yesterday()
    found = []
    for ladder in selectors.ladders().filter(is_open=True, seasons__isnull=False).distinct():
        standings = season_standings(season_get(slug=ladder.slug))
        found.append(LadderTop(ladder, standings.rows[:TOP], standings.lede, today.get(ladder.pk, 0)))
    return found


def _played_since_yesterday() -> dict[int, int]:
    recent = Match.objects.filter(status=Match.Status.FINISHED, finished_at__gt=timezone.now() - _DAY)
    counts = recent.values("bundle__season__ladder").annotate(played=Count("pk")).order_by()
    return {row["bundle__season__ladder"]: row["played"] for row in counts}


def running(viewer: Viewer, *, ladder: Ladder | None = None, limit: int = 6) -> list[Match]:
    """Matches that are being played now."""
    found = selectors.matches(viewer).filter(status=Match.Status.RUNNING)
    return list((found.filter(bundle__season__ladder=ladder) if ladder else found)[:limit])


def latest(viewer: Viewer, *, bot: Bot | None = None, limit: int = LATEST) -> list[Match]:
    """Matches that ended last."""
    found = selectors.matches(viewer).filter(status=Match.Status.FINISHED).order_by("-finished_at", "-pk")
    if bot is not None:
        found = found.filter(pk__in=MatchSeat.objects.filter(version__bot=bot).values("match_id"))
    return list(found[:limit])


def newest_proved(viewer: Viewer, *, games: Collection[str]) -> Match | None:
    """The ladder match of one of these games that ended last of those whose replay is open."""
    done = Q(status=Match.Status.FINISHED, bundle__finished_at__isnull=False, bundle__purpose=Purpose.LADDER)
    found = selectors.matches(viewer).filter(done, bundle__season__ladder__game__in=games)
    return found.order_by("-finished_at", "-pk").first()


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot on its member's desk."""

    bot: Bot
    newest: Version | None
    places: list[LadderVersion]
    faults: list[MatchSeat]
    """Seats of the last day where it made a fault, newest first."""

    @property
    def needs_me(self) -> bool:
        return bool(self.faults) or (self.newest is not None and self.newest.state == Version.State.REJECTED)


def own_bots(user: User) -> list[OwnBot]:
    """The bots of a member with what needs looking at."""
    bots = list(user.bots.filter(retired_at=None).order_by("name"))
    newest: dict[int, Version] = {}
    for version in Version.objects.filter(bot__in=bots).order_by("bot", "-number").distinct("bot"):
        newest[version.bot_id] = version
    places: dict[int, list[LadderVersion]] = {}
    states = LadderVersion.objects.filter(version__in=newest.values()).select_related("ladder")
    for state in states.order_by("ladder__slug"):
        places.setdefault(state.version_id, []).append(state)
    seats = (
        MatchSeat.objects.filter(
            version__bot__in=bots,
            match__finished_at__gt=timezone.now() - _DAY,
            match__in=visible_matches(user).order_by(),
        )
        .exclude(fault_code="")
        .select_related("match", "version")
        .order_by("-match__finished_at")[:50]
    )
    faults: dict[int, list[MatchSeat]] = {}
    for seat in seats:
        faults.setdefault(seat.version.bot_id, []).append(seat)
    return [
        OwnBot(
            bot,
            newest.get(bot.pk),
            places.get(newest[bot.pk].pk, []) if bot.pk in newest else [],
            faults.get(bot.pk, [])[:3],
        )
        for bot in bots
    ]


@dataclass(frozen=True, slots=True)
class Opponent:
    """How a bot fared against another: matches in which it stood before, beside or behind it."""

    bot: Bot
    before: int
    level: int
    behind: int

    @property
    def matches(self) -> int:
        return self.before + self.level + self.behind

    @property
    def share(self) -> float:
        """In percent; a shared rank counts half."""
        return round(100 * (self.before + self.level / 2) / self.matches, 1)


def opponents(bot: Bot, *, limit: int = 12) -> list[Opponent]:
    """The bots that it met most, in ladder matches, over all of its versions."""
    counts: dict[int, list[int]] = {}
    own = MatchSeat.objects.filter(
        version__bot=bot, match__status=Match.Status.FINISHED, match__bundle__purpose=Purpose.LADDER
    ).order_by("-match_id")[:2000]
    ranks = {seat.match_id: seat.rank or 0 for seat in own}
    others = MatchSeat.objects.filter(match__in=list(ranks)).exclude(version__bot=bot)
    for match, other, rank in others.values_list("match_id", "version__bot_id", "rank"):
        row = counts.setdefault(other, [0, 0, 0])
        row[0 if ranks[match] < (rank or 0) else 1 if ranks[match] == rank else 2] += 1
    most = sorted(counts.items(), key=lambda item: -sum(item[1]))[:limit]
    bots = Bot.objects.in_bulk([pk for pk, _ in most])
    return [Opponent(bots[pk], *row) for pk, row in most]
