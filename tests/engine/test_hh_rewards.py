"""Rules 7.2 to 7.4 of docs/games/haunt-the-house.md: rewards."""

from __future__ import annotations

from tests.engine.hh_tables import (
    boo,
    chance,
    chances,
    do,
    moves,
    phantoms,
    rooms_in_play,
    settle,
    table,
    types,
)


def example(hand="BBK", **more):
    """The example of the rulebook: Green alone earns a reward."""
    return table(
        3,
        "full",
        rooms={"crypt": "gh10"},
        visible={"crypt": [(1, "M")]},
        invisible={"crypt": [(1, "K"), (2, "M")]},
        hands={0: hand},
        **more,
    )


def test_hh_7_3_the_reward_is_chosen_when_the_boo_is_wholly_done():
    state = example()
    boo(state, "crypt")
    assert state.tokens == [0, 0, 0], "only a marker yet"
    settle(state)
    assert len(rooms_in_play(state)) == 4
    assert "crypt" not in rooms_in_play(state), "the new room is out"
    assert state.actor() == 2
    assert types(state) == {"take_skull", "draw_phantoms"}
    do(state, "take_skull")
    assert state.tokens == [0, 0, 1]
    assert state.actor() == 1


def test_hh_7_3_or_two_phantoms_of_which_one_is_kept():
    state = example()
    boo(state, "crypt")
    settle(state)
    do(state, "draw_phantoms")
    assert state.chance_stream() == "phantoms"
    chances(state, "hasty", "slumbering")
    assert state.actor() == 2
    assert moves(state, "keep") == [{"phantom": "hasty"}, {"phantom": "slumbering"}]
    events = do(state, "keep", phantom="slumbering")
    assert phantoms(state, 2) == ["slumbering"]
    assert len(state.top) + len(state.bottom) == 29
    for onlooker in (None, 0, 1):
        assert not any("slumbering" in str(e.seen_by(onlooker)) for e in events), (
            "nobody else sees either (9.4)"
        )
    assert state.actor() == 1


def test_hh_7_3_on_a_bad_boo_before_anything_is_thrown_away():
    state = example("KKK")
    boo(state, "crypt")
    assert (state.actor(), types(state)) == (2, {"take_skull", "draw_phantoms"})
    do(state, "take_skull")
    assert (state.actor(), types(state)) == (0, {"discard", "pass"})


def test_hh_7_3_in_turn_order_from_the_caller():
    state = table(
        4,
        "full",
        rooms={"crypt": "gh10"},
        invisible={"crypt": [(1, "M"), (3, "B"), (0, "M")]},
        hands={0: "BCK"},
    )
    boo(state, "crypt")
    settle(state)
    for seat in (0, 1, 3):
        assert state.actor() == seat
        do(state, "take_skull")
    assert state.tokens == [1, 1, 0, 1]
    state = table(
        4,
        "full",
        turn=2,
        rooms={"crypt": "gh10"},
        invisible={"crypt": [(1, "M"), (3, "B"), (0, "M")]},
        hands={2: "BCK"},
    )
    boo(state, "crypt")
    settle(state)
    order = []
    while types(state) >= {"take_skull"}:
        order.append(state.actor())
        do(state, "take_skull")
    assert order == [3, 0, 1]


def test_hh_7_3_the_phantom_put_under_the_deck_comes_last():
    state = example("KKK", phantoms=["hasty", "gathering", "peering"])
    boo(state, "crypt")
    do(state, "draw_phantoms")
    chances(state, "gathering", "hasty")
    do(state, "keep", phantom="hasty")
    assert state.observe(None)["phantom_deck"] == 1
    assert state.observe(None)["under_deck"] == state.observe(1)["under_deck"] == [{"seat": 2}]
    assert state.observe(2)["under_deck"] == [{"seat": 2, "phantom": "gathering"}], "he remembers"


def test_hh_7_3_what_lies_under_the_deck_is_drawn_when_the_rest_is_gone():
    state = table(
        3, "full", rooms={"crypt": "gh10"}, invisible={"crypt": [(1, "M"), (2, "B")]}, hands={0: "KKK"},
        phantoms=["hasty", "gathering", "peering"],
    )  # fmt: skip
    boo(state, "crypt")
    do(state, "draw_phantoms")
    chances(state, "gathering", "hasty")
    do(state, "keep", phantom="hasty")
    do(state, "draw_phantoms")
    chance(state, "peering")
    assert state.actor() == 2, "the second is known to seat 2 alone, and no chance"
    assert moves(state, "keep") == [{"phantom": "gathering"}, {"phantom": "peering"}]
    do(state, "keep", phantom="gathering")
    assert (phantoms(state, 1), phantoms(state, 2)) == (["hasty"], ["gathering"])


def test_hh_7_4_the_last_phantom_is_kept():
    state = example("KKK", phantoms=["peering"])
    boo(state, "crypt")
    do(state, "draw_phantoms")
    settle(state)
    assert phantoms(state, 2) == ["peering"]
    assert state.actor() == 0
    seen = state.observe(None)
    assert (seen["phantom_deck"], seen["under_deck"]) == (0, [])


def test_hh_7_4_without_phantoms_the_skull_token_is_taken():
    state = example("KKK", phantoms=[])
    boo(state, "crypt")
    if state.actor() == 2:
        assert types(state) == {"take_skull"}
        do(state, "take_skull")
    assert state.tokens == [0, 0, 1]


def test_hh_7_2_no_phantoms_in_the_beginner_game():
    state = table(3, "beginner", rooms={"crypt": "gh10"}, invisible={"crypt": [(2, "M")]}, hands={0: "KKK"})
    boo(state, "crypt")
    assert state.tokens == [0, 0, 1]
    assert types(state) == {"discard", "pass"}
