"""Who is in when a tournament is frozen, who may still join, and what a hidden one tells nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.common.errors import ConflictError
from ladder.matches.models import Bundle, Match
from ladder.programs.models import Bot, BotMember
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import EntryRule, Tournament
from ladder.tournaments.services.entries import entry_add_late, entry_withdraw
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("most", [1, 2])
def test_a_user_s_share_holds_where_all_above_a_rating_are_entered(most: int) -> None:
    ladder = house.ladder(2)
    ada, ben = house.user("ada"), house.user("ben")
    for name, owner in {"a1": ada, "a2": ada, "a3": ada, "b1": ben, "of both": ada}.items():
        house.version(name, owner=owner, on=ladder)
    BotMember.objects.create(bot=Bot.objects.get(name="of both"), user=ben)
    made = hall.tournament(
        ladder,
        Format.ROUND_ROBIN,
        entries=0,
        entry_rule=EntryRule.RATED,
        least_rating=0,
        entries_per_user=most,
    )
    hall.tick(made)
    entered = set(made.entries.values_list("bot__name", flat=True))
    own = {user: made.entries.filter(bot__members=user).count() for user in (ada, ben)}
    assert all(1 <= count <= most for count in own.values())
    for bot in Bot.objects.exclude(name__in=entered):
        assert any(own[user] == most for user in bot.members.all()), f"{bot.name} could have been in, too"


def test_a_bot_that_was_retired_before_the_freeze_is_left_out() -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=3)
    Bot.objects.filter(name="bot3").update(retired_at=timezone.now())
    hall.tick(made)
    assert made.happenings.get(kind="no_active_version").facts == {"bot": "bot3"}
    assert made.entries.filter(seeding__isnull=False).count() == 2


def test_a_bot_that_is_retired_after_the_freeze_plays_on() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=3)
    hall.tick(made, at=made.registration_ends_at)
    Bot.objects.filter(name="bot3").update(retired_at=timezone.now())
    hall.play_out(made, house.worker())
    assert not made.entries.get(bot__name="bot3").seats.filter(is_forfeit=True).exists()


def test_the_house_fills_no_tables_of_a_score_attack() -> None:
    ladder = hall.team_ladder()
    for number in range(4):
        house.version(f"house{number}", on=ladder)
    made = hall.tournament(ladder, Format.SCORE_ATTACK, entries=2, seats=4, rounds=1, house_fills=True)
    hall.tick(made)
    assert made.entries.count() == 2, "each entry plays alone: there is no table to fill"


def test_nobody_joins_a_swiss_whose_last_round_is_laid() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SWISS, entries=4, rounds=1)
    hall.tick(made)
    late = house.version("late", owner=house.user("late"), on=ladder)
    with pytest.raises(ConflictError) as caught:
        entry_add_late(tournament=made, actor=made.owner, bot=late.bot)
    assert caught.value.code == "too_late"
    assert not made.entries.filter(bot=late.bot).exists()


def test_to_withdraw_twice_at_once_is_refused_once() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    entry = made.entries.get(bot__name="bot1")
    again = made.entries.get(pk=entry.pk)
    assert entry.entered_by is not None
    user = entry.entered_by
    entry_withdraw(entry=entry, user=user)
    with pytest.raises(ConflictError) as caught:
        entry_withdraw(entry=again, user=user)
    assert caught.value.code == "withdrawn"


def test_the_desk_tells_nothing_of_a_hidden_tournament() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=2)
    hour = timezone.now() + timedelta(days=1)
    Tournament.objects.filter(pk=made.pk).update(hidden_until=hour)
    hall.tick(made)
    by = house.worker()
    for match in Match.objects.filter(status=Match.Status.QUEUED):
        bad = next(seat.number for seat in match.seats.all() if seat.version.bot.name == "bot1")
        house.play(by, match, lost={bad: "crash"})
    owner = made.entries.get(bot__name="bot1").entered_by
    assert owner is not None
    client = Client()
    client.force_login(owner)
    told = "A fault: crash"
    assert told not in client.get(reverse("web:desk")).content.decode()
    Bundle.objects.update(hidden_until=None)
    assert told in client.get(reverse("web:desk")).content.decode()
