"""The freeze: versions are pinned, the seeding is fixed, the seed is drawn and committed to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from engine.chance import commit, new_seed
from ladder.matches.models import Ladder, LadderVersion, Season
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import Bot, Version
from ladder.ratings.selectors import rating_for
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.formats.tiebreaks import lot
from ladder.tournaments.models import Entry, EntryRule, Seeding, Tournament
from ladder.tournaments.services.history import note

State = LadderVersion.State


def tournament_freeze(*, tournament: Tournament, now: datetime) -> bool:
    """Freeze an open tournament; False where it has too few entries and is cancelled instead.

    The caller holds the tournament's row.
    """
    tournament.season = season_ensure(ladder=tournament.ladder)
    tournament.seed = new_seed()
    tournament.commitment = commit(tournament.seed)
    _enter_rated(tournament, tournament.season)
    for entry in tournament.entries.filter(withdrawn_at=None).select_related("bot", "wish"):
        _pin(entry, tournament.ladder, now)
    _fill_with_house(tournament)
    entries = list(
        tournament.entries.filter(version__isnull=False, withdrawn_at=None).select_related("version", "bot")
    )
    if len(entries) < max(2, tournament.min_entries):
        tournament.state = Tournament.State.CANCELLED
        tournament.reason = f"{len(entries)} entries, and {tournament.min_entries} were needed."
        tournament.finished_at = now
        tournament.save()
        note(tournament, "cancelled", reason=tournament.reason)
        return False
    _seed(tournament, tournament.season, entries)
    tournament.state, tournament.frozen_at = Tournament.State.FROZEN, now
    tournament.save()
    note(tournament, "frozen", entries=len(entries), commitment=tournament.commitment)
    return True


def version_to_play(*, bot: Bot, ladder: Ladder, wish: Version | None = None) -> Version | None:
    """The version that a bot plays with: the wished one, if it was ever active there; else the active one."""
    if bot.retired_at is not None:
        return None
    states = LadderVersion.objects.filter(ladder=ladder, version__bot=bot).select_related("version")
    if wish is not None:
        states = states.filter(version=wish, state__in=[State.ACTIVE, State.REPLACED])
    else:
        states = states.filter(state=State.ACTIVE)
    found = states.order_by("-version__number").first()
    return found.version if found else None


def _enter_rated(tournament: Tournament, season: Season) -> None:
    """Everybody above the line, the strongest first, while there is room and no member has its share."""
    if tournament.entry_rule != EntryRule.RATED:
        return
    active = _active(tournament).filter(version__bot__is_house=False)
    versions = [
        state.version for state in active.prefetch_related("version__bot__memberships").order_by("version_id")
    ]
    if not versions:
        return
    rated = zip(rating_for(versions, season).elo.tolist(), versions, strict=True)
    line = tournament.least_rating or 0

    def key(one: tuple[float, Version]) -> tuple[float, float]:
        return (-one[0], lot(tournament.seed, "seeding", one[1].bot.public_id))

    own = Counter(tournament.entries.values_list("bot__memberships__user", flat=True))
    entered = []
    for _, version in sorted((one for one in rated if one[0] >= line), key=key):
        members = [member.user_id for member in version.bot.memberships.all()]
        if all(own[member] < tournament.entries_per_user for member in members):
            own.update(members)
            entered.append(Entry(tournament=tournament, bot=version.bot))
    room = tournament.max_entries - tournament.entries.filter(withdrawn_at=None).count()
    Entry.objects.bulk_create(entered[: max(0, room)])


def _active(tournament: Tournament) -> QuerySet[LadderVersion]:
    """The versions that play on its ladder, of bots that are not in it."""
    active = LadderVersion.objects.filter(
        ladder=tournament.ladder, state=State.ACTIVE, version__bot__retired_at=None
    )
    return active.exclude(version__bot__in=tournament.entries.values("bot")).select_related("version__bot")


def _pin(entry: Entry, ladder: Ladder, now: datetime) -> None:
    """Fix the version of an entry; one whose bot has none any more is withdrawn, and the history says so."""
    version = version_to_play(bot=entry.bot, ladder=ladder, wish=entry.wish) or version_to_play(
        bot=entry.bot, ladder=ladder
    )
    if version is None:
        entry.withdrawn_at = now
        entry.save(update_fields=["withdrawn_at"])
        note(entry.tournament, "no_active_version", bot=entry.bot.name)
        return
    entry.version = version
    entry.save(update_fields=["version"])


def _fill_with_house(tournament: Tournament) -> None:
    """House bots up to the least number of entries and the next full table, as far as the house has bots."""
    if not tournament.house_fills:
        return
    playing = tournament.entries.filter(version__isnull=False, withdrawn_at=None).count()
    at_a_table = 1 if tournament.format == Format.SCORE_ATTACK else tournament.seats
    target = max(tournament.min_entries, playing + -playing % at_a_table)
    house = _active(tournament).filter(version__bot__is_house=True)
    chosen = [state.version for state in house.order_by("-version_id")]
    for version in chosen[: max(0, min(target, tournament.max_entries) - playing)]:
        Entry.objects.create(tournament=tournament, bot=version.bot, version=version)
        note(tournament, "house_fills", bot=version.bot.name)


def _seed(tournament: Tournament, season: Season, entries: Sequence[Entry]) -> None:
    """1 for the strongest; equals, and everybody where the plan says so, by lot from the committed seed."""
    versions = [entry.version for entry in entries if entry.version is not None]
    ratings = rating_for(versions, season).elo.tolist()
    by_lot = tournament.seeding == Seeding.LOT

    def key(one: tuple[float, Entry]) -> tuple[float, float]:
        rating, entry = one
        return (0.0 if by_lot else -rating, lot(tournament.seed, "seeding", entry.bot.public_id))

    for place, (rating, entry) in enumerate(sorted(zip(ratings, entries, strict=True), key=key), 1):
        entry.seeding, entry.rating = place, rating
    Entry.objects.bulk_update(entries, ["seeding", "rating"])
