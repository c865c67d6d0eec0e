from __future__ import annotations

import pytest

from engine.actions import ActionSpace
from engine.errors import InvalidMoveError

SPACE = ActionSpace({"bid": {"dice": range(1, 4), "loud": [False, True]}, "call": {}, "name": {"who": "ab"}})


def test_blocks_lie_end_to_end():
    assert len(SPACE) == 3 * 2 + 1 + 2
    assert SPACE.starts == {"bid": 0, "call": 6, "name": 7}
    assert SPACE.decode(0) == {"type": "bid", "dice": 1, "loud": False}
    assert SPACE.decode(5) == {"type": "bid", "dice": 3, "loud": True}
    assert SPACE.decode(6) == {"type": "call"}


def test_ids_and_moves_invert_each_other():
    assert [SPACE.encode(SPACE.decode(action)) for action in range(len(SPACE))] == list(range(len(SPACE)))


def test_the_order_of_keys_does_not_matter():
    assert SPACE.encode({"loud": True, "dice": 2, "type": "bid"}) == SPACE.encode(
        {"type": "bid", "dice": 2, "loud": True}
    )


@pytest.mark.parametrize(
    "move",
    [
        {"type": "bid", "dice": True, "loud": True},
        {"type": "bid", "dice": 1.0, "loud": True},
        {"type": "bid", "dice": 1, "loud": 1},
        {"type": "bid", "dice": 1},
        {"type": "bid", "dice": 1, "loud": True, "more": 1},
        {"type": "call", "dice": [1]},
        {"type": ["call"]},
        "call",
        None,
    ],
    ids=repr,
)
def test_near_misses_are_invalid(move):
    with pytest.raises(InvalidMoveError):
        SPACE.encode(move)


@pytest.mark.parametrize("action", [-1, 9, True, 0.0, "0", None])
def test_ids_outside_the_table_are_invalid(action):
    with pytest.raises(InvalidMoveError):
        SPACE.decode(action)


def test_a_decoded_move_belongs_to_the_caller():
    SPACE.decode(0).clear()
    assert SPACE.decode(0) == {"type": "bid", "dice": 1, "loud": False}
