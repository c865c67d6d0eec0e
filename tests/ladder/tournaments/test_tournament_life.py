"""What people and accidents do to a tournament, and that it goes on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.chance import commit
from ladder.common.errors import ConflictError, ForbiddenError, InvalidError, LadderError, QuotaError
from ladder.matches.models import Bundle, LadderVersion, Match
from ladder.matches.services.reports import match_requeue
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import EntryRule, Table, Tournament
from ladder.tournaments.plans import next_instant, plan_check
from ladder.tournaments.services import entries as entering
from ladder.tournaments.services import organise
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db
State = Tournament.State


def void(match: Match) -> None:
    """Three attempts broke."""
    Match.objects.filter(pk=match.pk).update(fence=3)
    match.refresh_from_db()
    match_requeue(match=match)


def waiting() -> list[Match]:
    return list(Match.objects.filter(status=Match.Status.QUEUED).order_by("pk"))


# ---------------------------------------------------------------- freeze


def test_the_freeze_pins_versions_and_commits_to_a_seed() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SWISS, entries=2)
    chosen = made.entries.get(bot__name="bot1")
    older = chosen.bot.versions.get()
    owner = chosen.entered_by
    assert owner is not None
    LadderVersion.objects.filter(version=older).update(state=LadderVersion.State.REPLACED)
    newer = house.version("bot1", owner=owner, on=ladder, number=2)
    entering.entry_choose(entry=chosen, user=owner, wish=older)
    hall.tick(made, at=made.registration_ends_at)
    assert made.state in (State.FROZEN, State.RUNNING)
    assert made.entries.get(bot__name="bot1").version == older
    assert made.entries.get(bot__name="bot2").version is not None
    assert commit(made.seed) == made.commitment
    assert sorted(made.entries.values_list("seeding", flat=True)) == [1, 2]
    with pytest.raises(ConflictError):
        entering.entry_choose(entry=chosen, user=owner, wish=newer)


def test_a_bot_without_an_active_version_is_left_out_by_name() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=3)
    gone = made.entries.get(bot__name="bot3")
    LadderVersion.objects.filter(version__bot=gone.bot).update(state=LadderVersion.State.WITHDRAWN)
    hall.tick(made)
    assert made.entries.get(pk=gone.pk).withdrawn_at is not None
    assert made.happenings.get(kind="no_active_version").facts == {"bot": "bot3"}
    assert made.state == State.RUNNING


def test_house_bots_fill_the_last_table() -> None:
    ladder = house.ladder(2)
    house.version("the house", on=ladder)
    made = hall.tournament(ladder, Format.SWISS, entries=3, house_fills=True)
    hall.tick(made)
    assert made.entries.filter(bot__is_house=True).count() == 1


def test_all_above_a_rating_are_entered() -> None:
    ladder = house.ladder(2)
    for number in range(3):
        house.version(f"rated{number}", owner=house.user(f"owner{number}"), on=ladder)
    made = hall.tournament(ladder, Format.SWISS, entries=0, entry_rule=EntryRule.RATED, least_rating=1000)
    hall.tick(made)
    assert made.entries.count() == 3
    far = hall.tournament(
        ladder,
        Format.SWISS,
        entries=0,
        organiser=made.owner,
        entry_rule=EntryRule.RATED,
        least_rating=3000,
    )
    hall.tick(far)
    assert far.state == State.CANCELLED


# ---------------------------------------------------------------- organisers


def test_pause_stops_what_is_new_and_resume_goes_on() -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=4)
    hall.tick(made)
    by = house.worker()
    organise.tournament_pause(tournament=made, actor=made.owner)
    assert hall.play_round(by) == 4
    hall.tick(made)
    assert not waiting()
    with pytest.raises(ConflictError):
        organise.tournament_pause(tournament=made, actor=made.owner)
    organise.tournament_resume(tournament=made, actor=made.owner)
    hall.play_out(made, by)
    kinds = set(made.happenings.filter(actor=made.owner).values_list("kind", flat=True))
    assert {"paused", "resumed"} <= kinds


def test_moving_the_start_keeps_registration_before_it() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    later = made.starts_at + timedelta(hours=1)
    organise.tournament_move(tournament=made, actor=made.owner, starts_at=later)
    made.refresh_from_db()
    assert (made.starts_at, made.registration_ends_at) == (later, later)
    with pytest.raises(InvalidError) as caught:
        organise.tournament_move(
            tournament=made,
            actor=made.owner,
            starts_at=later,
            registration_ends_at=later + timedelta(minutes=1),
        )
    assert "starts_at" in caught.value.data["fields"]


def test_a_stranger_organises_nothing() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    stranger = house.user("stranger")
    for act in (organise.tournament_pause, organise.tournament_resume, organise.tournament_open):
        with pytest.raises(ForbiddenError):
            act(tournament=made, actor=stranger)
    with pytest.raises(ForbiddenError):
        organise.tournament_cancel(tournament=made, actor=stranger, reason="no")
    with pytest.raises(ForbiddenError):
        hall.tournament(house.ladder(2), Format.SWISS, entries=0, organiser=stranger, is_listed=True)


def test_a_cancelled_tournament_plays_no_further() -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=4)
    hall.tick(made)
    house.play(house.worker(), waiting()[0])
    organise.tournament_cancel(tournament=made, actor=made.owner, reason="rain")
    assert not waiting()
    assert Match.objects.filter(status=Match.Status.FINISHED).count() == 1
    assert set(Match.objects.filter(status=Match.Status.VOID).values_list("void_code", flat=True)) == {
        "tournament_cancelled"
    }
    assert not Bundle.objects.filter(finished_at=None).exists()
    hall.tick(made)
    assert made.state == State.CANCELLED


def test_a_clone_is_a_draft_of_ones_own() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2, rounds=1)
    other = house.user("other")
    copy = organise.tournament_clone(
        tournament=made, actor=other, starts_at=made.starts_at + timedelta(days=7)
    )
    assert (copy.state, copy.owner, copy.rounds, copy.entries.count()) == (State.DRAFT, other, 1, 0)
    assert copy.slug != made.slug


def test_a_late_entry_joins_a_swiss_from_the_next_round_on() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SWISS, entries=3, rounds=3)
    hall.tick(made)
    late = house.version("late", owner=house.user("late"), on=ladder)
    entry = entering.entry_add_late(tournament=made, actor=made.owner, bot=late.bot)
    assert (entry.seeding, entry.from_round) == (4, 2)
    hall.play_out(made, house.worker())
    assert entry.seats.count() == 2
    assert made.entries.filter(rank__isnull=False).count() == 4


def test_a_late_entry_to_a_running_bracket_is_refused() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SINGLE_ELIMINATION, entries=3)
    hall.tick(made)
    late = house.version("late", owner=house.user("late"), on=ladder)
    with pytest.raises(ConflictError):
        entering.entry_add_late(tournament=made, actor=made.owner, bot=late.bot)


# ---------------------------------------------------------------- entering


def test_bad_entries_get_a_clear_answer() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SWISS, entries=1, max_entries=2)
    own = made.entries.get()
    owner, stranger = own.entered_by, house.user("stranger")
    assert owner is not None

    def enter(**changes: Any) -> None:
        entering.entry_create(**{"tournament": made, "user": owner, "bot": own.bot, **changes})

    with pytest.raises(ConflictError) as again:
        enter()
    assert again.value.code == "entered"
    with pytest.raises(QuotaError):
        enter(bot=house.version("another of mine", owner=owner, on=ladder).bot)
    with pytest.raises(ForbiddenError):
        enter(user=stranger)
    elsewhere = house.version("elsewhere", owner=stranger)
    with pytest.raises(LadderError) as caught:
        enter(user=stranger, bot=elsewhere.bot)
    assert caught.value.code == "not_active"
    with pytest.raises(LadderError) as caught:
        enter(user=stranger, bot=elsewhere.bot, wish=own.bot.versions.get())
    assert caught.value.code == "other_bot"
    second = house.version("second", owner=stranger, on=ladder)
    enter(user=stranger, bot=second.bot)
    third_owner = house.user("third")
    with pytest.raises(ConflictError) as full:
        enter(user=third_owner, bot=house.version("third", owner=third_owner, on=ladder).bot)
    assert full.value.code == "full"
    hall.tick(made)
    with pytest.raises(ConflictError) as late:
        enter(user=stranger, bot=second.bot)
    assert late.value.code == "too_late"


def test_only_the_invited_enter_a_tournament_for_invited() -> None:
    ladder = house.ladder(2)
    made = hall.tournament(ladder, Format.SWISS, entries=0, entry_rule=EntryRule.INVITED)
    guest = house.user("guest")
    bot = house.version("guest's", owner=guest, on=ladder).bot
    with pytest.raises(ForbiddenError) as caught:
        entering.entry_create(tournament=made, user=guest, bot=bot)
    assert caught.value.code == "not_invited"
    organise.user_invite(tournament=made, actor=made.owner, user=guest)
    organise.user_invite(tournament=made, actor=made.owner, user=guest)
    entering.entry_create(tournament=made, user=guest, bot=bot)
    assert made.happenings.filter(kind="invited").count() == 1


def test_who_withdraws_forfeits_what_is_to_come() -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=4)
    by = house.worker()
    hall.tick(made)
    entry = made.entries.get(bot__name="bot2")
    assert entry.entered_by is not None
    entering.entry_withdraw(entry=entry, user=entry.entered_by)
    hall.play_out(made, by)
    seats = list(entry.seats.order_by("table__round"))
    assert [seat.is_forfeit for seat in seats] == [False, True, True]
    walkovers = Table.objects.filter(tournament=made, decision=Table.Decision.WALKOVER)
    assert walkovers.count() == 2
    assert all(table.seats.get(place=1).points == 1.0 for table in walkovers)


def test_a_bracket_ends_though_everybody_withdraws() -> None:
    made = hall.tournament(house.ladder(2), Format.DOUBLE_ELIMINATION, entries=4)
    hall.tick(made)
    for entry in made.entries.all():
        assert entry.entered_by is not None
        entering.entry_withdraw(entry=entry, user=entry.entered_by)
    hall.play_out(made, house.worker())
    assert sorted(made.entries.values_list("rank", flat=True)) == [1, 2, 3, 4]


# ---------------------------------------------------------------- accidents


def test_a_bot_that_faults_in_every_match_forfeits_its_table() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=2)
    hall.tick(made)
    by = house.worker()
    for match in waiting():
        bad = next(seat.number for seat in match.seats.all() if seat.version.bot.name == "bot1")
        house.play(by, match, lost={bad: "crash"})
    hall.tick(made)
    seat = made.entries.get(bot__name="bot1").seats.get()
    assert (seat.is_forfeit, seat.place, seat.points) == (True, 2, 0.0)
    assert made.entries.get(bot__name="bot2").rank == 1


def test_a_void_bundle_is_played_again_on_another_seed() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=2)
    hall.tick(made)
    first, second = waiting()
    house.play(house.worker(), first)
    void(second)
    hall.tick(made)
    bundles = made.tables.get().bundles.all()
    assert [one.is_void for one in bundles] == [True, False]
    assert len({one.bundle.seed for one in bundles}) == 2
    hall.play_out(made, house.worker("w2"))


def test_after_three_void_bundles_the_written_rule_decides() -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=2)
    hall.tick(made)
    for _ in range(3):
        for match in waiting():
            void(match)
        hall.tick(made)
    table = made.tables.get()
    assert table.decision == Table.Decision.VOIDS
    assert made.state == State.FINISHED
    assert table.seats.get(place=1).entry.seeding == 1


def test_steps_may_be_repeated() -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=4, rounds=2)
    hall.tick(made)
    before = (Bundle.objects.count(), made.tables.count(), made.happenings.count())
    for _ in range(3):
        hall.tick(made)
    assert (Bundle.objects.count(), made.tables.count(), made.happenings.count()) == before


# ---------------------------------------------------------------- what contradicts itself


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("seats", {"seats": 8}),
        ("advance", {"format": Format.SINGLE_ELIMINATION, "advance": 3}),
        ("advance", {"format": Format.DOUBLE_ELIMINATION, "seats": 3, "advance": 3}),
        ("rounds", {"rounds": 8, "max_entries": 8}),
        ("rounds", {"format": Format.ROUND_ROBIN, "rounds": 2}),
        ("bundles", {"bundles": 0}),
        ("min_entries", {"min_entries": 1}),
        ("min_entries", {"min_entries": 9, "max_entries": 8}),
        ("groups", {"format": Format.GROUPS, "groups": 1}),
        ("groups", {"format": Format.GROUPS, "groups": 8, "min_entries": 8}),
        ("qualify", {"format": Format.GROUPS, "groups": 2, "min_entries": 6, "qualify": 3}),
        ("tie_breaks", {"tie_breaks": ["seeding"]}),
        ("format", {"format": Format.SCORE_ATTACK}),
        ("least_rating", {"entry_rule": EntryRule.RATED}),
        ("max_entries", {"max_entries": 5000}),
        (
            "max_entries",
            {"format": Format.SINGLE_ELIMINATION, "seats": 3, "advance": 2, "max_entries": 300},
        ),
    ],
)
def test_plans_that_contradict_themselves_name_the_field(field: str, changes: dict[str, Any]) -> None:
    asked = {"format": Format.SWISS, **changes}
    with pytest.raises(InvalidError) as caught:
        plan_check(hall.plan(house.ladder(2), asked.pop("format"), **asked))
    assert list(caught.value.data["fields"]) == [field]
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("field", "cron", "zone"),
    [
        ("cron", "0 0 30 2 *", "UTC"),
        ("cron", "every friday", "UTC"),
        ("time_zone", "0 20 * * 5", "Mars/Olympus"),
    ],
)
def test_cron_lines_that_never_fire_are_refused(field: str, cron: str, zone: str) -> None:
    with pytest.raises(InvalidError) as caught:
        next_instant(cron, zone, timezone.now())
    assert list(caught.value.data["fields"]) == [field]
