"""Which seats of a table have an owner in common."""

from __future__ import annotations

from collections.abc import Sequence

from bots.job import HOUSE_PARTY
from ladder.matches.models import MatchSeat
from ladder.programs.models import BotMember


def parties(members: Sequence[frozenset[int]]) -> list[int]:
    """A number for each seat, by the members of its bot: equal where two have one in common, also by way of
    a third seat; from 1 in the order of seats, and HOUSE_PARTY where there are none."""
    found: list[tuple[set[int], list[int]]] = []
    for seat, own in enumerate(members):
        if own:
            touching = [party for party in found if party[0] & own]
            found = [party for party in found if not party[0] & own]
            people = own.union(*(party[0] for party in touching))
            found.append((set(people), sorted([seat, *(one for party in touching for one in party[1])])))
    numbers = [HOUSE_PARTY] * len(members)
    for number, (_, seats) in enumerate(sorted(found, key=lambda party: party[1]), start=1):
        for seat in seats:
            numbers[seat] = number
    return numbers


def parties_of(seats: Sequence[MatchSeat]) -> list[int]:
    """The same for the seats of a match, in their order."""
    members: dict[int, set[int]] = {}
    bots = {seat.version.bot_id for seat in seats}
    for bot, user in BotMember.objects.filter(bot__in=bots, bot__is_house=False).values_list("bot", "user"):
        members.setdefault(bot, set()).add(user)
    return parties([frozenset(members.get(seat.version.bot_id, ())) for seat in seats])
