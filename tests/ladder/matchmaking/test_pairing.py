"""Who sits with whom: what holds of every table, whatever the candidates."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.matchmaking.pairing import MIN_BUNDLES, NEW_BUNDLES, Candidate, next_table, rests

CAP = 50


def one(version_id: int, *, owners: Sequence[int] = (), **changes: object) -> Candidate:
    """A version that has played enough, the house's where nobody owns it."""
    known = Candidate(
        version_id=version_id,
        owners=frozenset(owners),
        is_house=not owners,
        elo=1500.0,
        standard_error=40.0,
        bundles=MIN_BUNDLES,
        bundles_today=0,
        waited=60.0,
    )
    return replace(known, **changes)  # type: ignore[arg-type]


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    found = []
    for version_id in range(draw(st.integers(0, 12))):
        is_house = draw(st.booleans())
        found.append(
            Candidate(
                version_id=version_id,
                # The house's bots may have members too, as admins are; that binds nobody.
                owners=draw(st.frozensets(st.integers(1, 4), min_size=0 if is_house else 1, max_size=2)),
                is_house=is_house,
                elo=draw(st.floats(0, 3000)),
                standard_error=draw(st.floats(1, 350)),
                bundles=draw(st.integers(0, 60)),
                bundles_today=draw(st.integers(0, CAP + 2)),
                waited=draw(st.floats(0, 1e6)),
            )
        )
    return found


tables = given(found=candidates(), seats=st.integers(2, 5), seed=st.text(max_size=8))


@tables
@settings(max_examples=300, deadline=None)
def test_a_table_keeps_every_rule(found: list[Candidate], seats: int, seed: str) -> None:
    table = next_table(found, seats=seats, cap=CAP, seed=seed)
    if table is None:
        return
    by_id = {candidate.version_id: candidate for candidate in found}
    guests = [by_id[version_id] for version_id in table]
    assert len(guests) == seats
    assert all(guest.bundles_today < CAP for guest in guests)
    users = [guest for guest in guests if not guest.is_house]
    owners = [owner for user in users for owner in user.owners]
    assert len(owners) == len(set(owners))
    assert len(set(table)) > 1
    house = [c for c in found if c.is_house and c.bundles_today < CAP]
    copies = Counter(guest.version_id for guest in guests if guest.is_house)
    if seats == 4 and len(house) >= 2:
        assert max(copies.values(), default=0) < 3
    if house and any(user.bundles < NEW_BUNDLES for user in users):
        assert len(users) == 1


@tables
@settings(max_examples=100, deadline=None)
def test_the_seed_decides_and_not_the_order_of_candidates(
    found: list[Candidate], seats: int, seed: str
) -> None:
    shuffled = random.Random(seed).sample(found, len(found))
    table = next_table(found, seats=seats, cap=CAP, seed=seed)
    assert table == next_table(shuffled, seats=seats, cap=CAP, seed=seed)


@given(found=candidates(), seats=st.integers(2, 5), seed=st.text(max_size=8))
@settings(max_examples=100, deadline=None)
def test_with_two_house_versions_a_table_is_always_found(
    found: list[Candidate], seats: int, seed: str
) -> None:
    house = [one(100), one(101)]
    assert next_table([*found, *house], seats=seats, cap=CAP, seed=seed) is not None


def test_nobody_sits_alone_with_itself() -> None:
    assert next_table([], seats=2, cap=CAP, seed="a") is None
    assert next_table([one(1)], seats=2, cap=CAP, seed="a") is None
    assert next_table([one(1, owners=[1]), one(2, owners=[1])], seats=2, cap=CAP, seed="a") is None


def test_who_finds_no_company_does_not_keep_others_from_playing() -> None:
    """Version 1 is new and shares members with two of the others; the house has had its day."""
    found = [one(1, owners=[1, 2], bundles=0), *(one(number, owners=[number - 1]) for number in range(2, 6))]
    found.append(one(9, bundles_today=CAP))
    table = next_table(found, seats=4, cap=CAP, seed="a")
    assert table is not None
    assert sorted(table) == [2, 3, 4, 5]


def test_new_versions_meet_each_other_where_there_is_no_house() -> None:
    found = [one(1, owners=[1], bundles=0), one(2, owners=[2], bundles=0)]
    assert next_table(found, seats=2, cap=CAP, seed="a") is not None


def test_everyone_gets_to_play() -> None:
    """Well-known versions far from all others too: each tenth of a fair share at the least."""
    found = [
        one(number, owners=[number], standard_error=300.0 if number < 3 else 8.0, elo=900.0 + 90 * number)
        for number in range(1, 16)
    ]
    found += [one(100), one(101)]
    seen: Counter[int] = Counter()
    for number in range(600):
        table = next_table(found, seats=2, cap=10_000, seed=str(number))
        assert table is not None
        found = [
            replace(
                each,
                waited=0.0 if each.version_id in table else each.waited + 1,
                bundles_today=each.bundles_today + (each.version_id in table),
            )
            for each in found
        ]
        seen.update(table)
    assert all(seen[each.version_id] >= 600 * 2 / len(found) / 10 for each in found)


def test_close_and_uncertain_ones_are_met_most() -> None:
    focus = one(1, owners=[1], standard_error=350.0)
    found = [focus, one(2, owners=[2]), one(3, owners=[3], elo=2300.0)]
    met = Counter(
        guest
        for number in range(300)
        for guest in next_table(found, seats=2, cap=CAP, seed=str(number)) or ()
    )
    assert met[2] > met[3]


def test_a_ladder_rests_when_all_is_known_or_had_its_share() -> None:
    known = one(1, owners=[1], standard_error=5.0)
    assert rests([known], aim=20, cap=CAP)
    assert rests([], aim=20, cap=CAP)
    assert not rests([known, replace(known, standard_error=40.0)], aim=20, cap=CAP)
    assert not rests([replace(known, bundles=MIN_BUNDLES - 1)], aim=20, cap=CAP)
    assert rests([replace(known, standard_error=40.0, bundles_today=CAP)], aim=20, cap=CAP)
