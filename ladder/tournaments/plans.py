"""What an organiser asks for, checked as a whole: one door for the API, the form and a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from engine.errors import OptionError
from engine.registry import GAMES, make_game
from ladder.common.errors import InvalidError
from ladder.matches.models import Ladder
from ladder.tournaments.facts import terms_of
from ladder.tournaments.formats.terms import Format, TermsError, TieBreak, check, default_tie_breaks
from ladder.tournaments.models import EntryRule, Plan, Seeding

FIRES_WITHIN: Final = timedelta(days=4 * 366)
"""A cron line that does not fire for so long never does; no tournament is planned further ahead."""

_YEAR: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanData:
    """The fields of a plan, as `models.Plan` describes them."""

    title: str
    ladder: Ladder
    format: Format
    seats: int = 2
    advance: int = 1
    rounds: int | None = None
    bundles: int = 1
    groups: int = 1
    qualify: int = 2
    tie_breaks: Sequence[TieBreak] = ()
    """Empty: the usual order of the format."""
    seeding: Seeding = Seeding.RATING
    entry_rule: EntryRule = EntryRule.OWNERS
    least_rating: int | None = None
    entries_per_user: int = 1
    min_entries: int = 2
    max_entries: int = 128
    house_fills: bool = False
    is_listed: bool = False
    description: str = ""

    def fields(self) -> dict[str, Any]:
        """As the columns of a plan, with the written order spelt out."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**values, "tie_breaks": [rule.value for rule in self.order()]}

    def order(self) -> tuple[TieBreak, ...]:
        """The written order of tie-breaks."""
        return tuple(self.tie_breaks) or default_tie_breaks(self.format)


def plan_of(plan: Plan) -> PlanData:
    """The same fields of a plan that stands in the database, as a clone or a series needs them."""
    values = {one.name: getattr(plan, one.name) for one in fields(PlanData)}
    return PlanData(
        **{
            **values,
            "format": Format(plan.format),
            "tie_breaks": [TieBreak(rule) for rule in plan.tie_breaks],
            "seeding": Seeding(plan.seeding),
            "entry_rule": EntryRule(plan.entry_rule),
        }
    )


@cache
def _time_zones() -> frozenset[str]:
    """Read from many files, so once."""
    return frozenset(available_timezones())


def invalid(field: str, sentence: str) -> InvalidError:
    """A 400 that names its field."""
    return InvalidError(sentence, fields={field: [sentence]})


def plan_check(plan: PlanData) -> None:
    """Find what contradicts itself, or the game. Raises InvalidError with the field and the sentence."""
    _check_game(plan)
    terms = replace(terms_of(plan), tie_breaks=plan.order())
    try:
        check(terms, least_entries=plan.min_entries, most_entries=plan.max_entries)
    except TermsError as error:
        raise invalid(error.field, error.message) from None
    if plan.max_entries > 2000:
        raise invalid("max_entries", f"At most 2000 can enter, not {plan.max_entries}.")
    if plan.entries_per_user < 1:
        raise invalid("entries_per_user", "Each user may enter at least one bot.")
    if (plan.entry_rule == EntryRule.RATED) != (plan.least_rating is not None):
        raise invalid("least_rating", "A least rating belongs to the entry rule `rated`, and to no other.")


def _check_game(plan: PlanData) -> None:
    ladder = plan.ladder
    game = GAMES[ladder.game]
    if game.cooperative != (plan.format == Format.SCORE_ATTACK):
        wanted = (
            "score attacks are for co-operative games" if not game.cooperative else "it takes a score attack"
        )
        raise invalid("format", f"{game.title} cannot be played as {plan.format.value}: {wanted}.")
    if not game.min_seats <= plan.seats <= game.max_seats:
        raise invalid("seats", f"{game.title} seats {game.min_seats} to {game.max_seats}, not {plan.seats}.")
    for seats in {plan.seats, max(game.min_seats, plan.seats - 1)}:
        try:
            make_game(ladder.game, seats, None, ladder.options)
        except OptionError as error:
            raise invalid("seats", f"{ladder.title} cannot be played so: {error}.") from None


def times_check(
    *, now: datetime, registration_ends_at: datetime, starts_at: datetime, hidden_until: datetime | None
) -> None:
    """Find times that contradict each other. Raises InvalidError."""
    for field, time in (("starts_at", starts_at), ("hidden_until", hidden_until)):
        ahead_check(field, time, now)
    if starts_at < registration_ends_at:
        raise invalid("starts_at", "It cannot start before the end of registration.")
    if starts_at < now:
        raise invalid("starts_at", "Its start has passed.")
    if hidden_until is not None and hidden_until < starts_at:
        raise invalid("hidden_until", "Results cannot be shown before the start.")


def ahead_check(field: str, time: datetime | None, now: datetime) -> None:
    """Find a time that no calendar of ours reaches. Raises InvalidError."""
    if time is not None and time - now > FIRES_WITHIN:
        raise invalid(field, "That is more than four years ahead.")


def next_instant(cron: str, time_zone: str, after: datetime) -> datetime:
    """The first instant of a cron line after another; InvalidError where there is none in four years."""
    if time_zone not in _time_zones():
        raise invalid(
            "time_zone", f"There is no time zone {time_zone!r:.60}; they are named like Europe/Berlin."
        )
    if len(cron.split()) != 5:  # a sixth field would be seconds
        five = "minute, hour, day, month, day of the week"
        raise invalid("cron", f"The cron line {cron!r:.80} cannot be read: it takes five fields, {five}.")
    try:
        instant = next(CronSim(cron, after.astimezone(ZoneInfo(time_zone))), None)
    except CronSimError as error:
        what = f"The cron line {cron!r:.80} cannot be read, or never fires: {error}."
        raise invalid("cron", what) from None
    if instant is None or instant - after > FIRES_WITHIN:
        raise invalid("cron", f"The cron line {cron!r:.80} never fires: not once within four years.")
    return instant.astimezone(UTC)  # in its own zone, a day of 23 hours would seem to have 24


def least_gap(cron: str, time_zone: str, after: datetime) -> timedelta:
    """The least time between two instants of a cron line, whenever it is asked for. Raises InvalidError.

    No line has more than 60 instants before it comes to the same minutes of another hour.
    """
    instant = next_instant(cron, time_zone, after)
    gaps: list[timedelta] = []
    while not gaps or (len(gaps) < 60 and instant - after < _YEAR):
        following = next_instant(cron, time_zone, instant)
        gaps.append(following - instant)
        instant = following
    return min(gaps)
