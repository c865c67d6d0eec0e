"""Bundles: made whole, settled when their last match has ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from engine.bundle import seatings
from engine.chance import commit, new_seed
from ladder.accounts.models import User
from ladder.matches.models import Bundle, LadderVersion, Match, MatchSeat, Purpose, Season
from ladder.programs.models import Version

UNFINISHED = (Match.Status.QUEUED, Match.Status.RUNNING)


@transaction.atomic
def bundle_create(
    *,
    season: Season,
    purpose: Purpose,
    versions: Sequence[Version],
    requested_by: User | None = None,
    seed: str | None = None,
) -> Bundle:
    """The k rotations of one cyclic order of k versions, queued on one seed."""
    seed = seed or new_seed()
    tables = [[versions[entrant] for entrant in seating] for seating in seatings(seed, len(versions))]
    return _bundle(
        season=season, purpose=purpose, tables=tables, seed=seed, requested_by=requested_by, subject=None
    )


@transaction.atomic
def tournament_bundle_create(
    *,
    season: Season,
    versions: Sequence[Version],
    seed: str,
    team_of: int | None = None,
    hidden_until: datetime | None = None,
    is_sealed: bool = False,
) -> Bundle:
    """A bundle of a tournament's table, on a seed that the tournament derives from its own.

    With `team_of` (co-operative games) the one version sits in so many seats, in a single match.
    """
    if team_of is not None:
        tables = [[version] * team_of for version in versions]
    else:
        tables = [[versions[entrant] for entrant in seating] for seating in seatings(seed, len(versions))]
    bundle = _bundle(
        season=season,
        purpose=Purpose.TOURNAMENT,
        tables=tables,
        seed=seed,
        requested_by=None,
        subject=None,
    )
    bundle.hidden_until, bundle.is_sealed = hidden_until, is_sealed
    bundle.save(update_fields=["hidden_until", "is_sealed"])
    return bundle


@transaction.atomic
def preflight_create(*, season: Season, version: Version) -> Bundle:
    """One match in each seat for `version`, house versions in the others; itself where the house has none."""
    house = list(house_versions(season=season)) or [version]
    tables = []
    for seat in range(season.ladder.seats):
        others = [house[(seat + number) % len(house)] for number in range(season.ladder.seats - 1)]
        tables.append([*others[:seat], version, *others[seat:]])
    return _bundle(
        season=season,
        purpose=Purpose.PREFLIGHT,
        tables=tables,
        seed=new_seed(),
        requested_by=None,
        subject=version,
    )


def house_versions(*, season: Season) -> list[Version]:
    """Active house versions on the season's ladder, in a fixed order."""
    active = LadderVersion.objects.filter(
        ladder=season.ladder, state=LadderVersion.State.ACTIVE, version__bot__is_house=True
    )
    return [state.version for state in active.select_related("version__bot").order_by("version_id")]


def _bundle(
    *,
    season: Season,
    purpose: Purpose,
    tables: Sequence[Sequence[Version]],
    seed: str,
    requested_by: User | None,
    subject: Version | None,
) -> Bundle:
    bundle = Bundle.objects.create(
        season=season,
        purpose=purpose,
        seed=seed,
        commitment=commit(seed),
        requested_by=requested_by,
        subject=subject,
    )
    matches = Match.objects.bulk_create(Match(bundle=bundle, number=number) for number in range(len(tables)))
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=seat, version=version, name=f"{version.bot.name} v{version.number}")
        for match, table in zip(matches, tables, strict=True)
        for seat, version in enumerate(table)
    )
    return bundle


@transaction.atomic
def bundles_cancel(*, bundles: Iterable[Bundle], code: str) -> None:
    """Play no match of these that has not begun; those that run are played to their end."""
    for bundle in bundles:
        bundle.matches.filter(status=Match.Status.QUEUED).update(
            status=Match.Status.VOID, void_code=code, finished_at=Now()
        )
        bundle_settle(bundle=bundle)


def bundle_settle(*, bundle: Bundle) -> bool:
    """Mark the bundle finished if its last match has ended; True when this call was the one to do so.

    The caller holds a transaction; the bundle's row orders two matches that end at once.
    """
    bundle = Bundle.objects.select_for_update(of=("self",), no_key=True).get(pk=bundle.pk)
    if bundle.finished_at is not None or bundle.matches.filter(status__in=UNFINISHED).exists():
        return False
    Bundle.objects.filter(pk=bundle.pk).update(finished_at=Now())
    return True
