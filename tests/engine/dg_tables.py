"""Positions of Don't Go In There set up by hand, in the words of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core import CHANCE, Event
from engine.games.dont_go_in_there import DontGoInThere, HauntState
from engine.games.dont_go_in_there.tables import (
    BASE_TYPES,
    CARDS,
    PHASES,
    RAVEN,
    ROOMS,
    SETUP,
    SLOTS,
    SPACES,
    TYPES,
    cards_of,
    face_of,
)
from engine.games.dont_go_in_there.text import Parts, build

QUIET = ("amulet", "cat", "music_box", "portrait")
"""Types that do nothing when taken."""

Card = tuple[str, int]
"""Type and curse."""


def face(card: Card) -> int:
    return face_of({"type": card[0], "curse": card[1]})


def of(kind: str, *curses: int) -> list[Card]:
    """Cards of one type."""
    return [(kind, curse) for curse in curses]


def card_of(number: int) -> Card:
    return CARDS[number]["type"], CARDS[number]["curse"]


def game_with(*types: str, seats: int = 2, dispel: str = "auto") -> DontGoInThere:
    """A game in which these types are in play, filled up with quiet ones and then any of the base game."""
    named = (*types, *QUIET, *TYPES[:BASE_TYPES])
    chosen = list(dict.fromkeys(named))[: max(SETUP[seats].types, len(set(types)))]
    expansion = "on" if any(key in TYPES[BASE_TYPES:] for key in chosen) else "off"
    return DontGoInThere(seats, None, {"types": chosen, "dispel": dispel, "expansion": expansion})


def _spaces(meeples: Mapping[str, Mapping[int, int]]) -> list[int]:
    spaces = [-1] * (3 * SPACES)
    for room, row in meeples.items():
        for space, seat in row.items():
            spaces[SPACES * (ROOMS.index(room) // 2) + space - 1] = seat
    return spaces


def _row(
    game: DontGoInThere,
    rooms: Sequence[str | None],
    cards: Mapping[str, Sequence[Card | None]],
    hands: Sequence[Sequence[int]],
) -> list[int]:
    """The nine slots: cards as given, else any that lie nowhere else."""
    laid = {room: [-1 if card is None else face(card) for card in row] for room, row in cards.items()}
    spare = cards_of(game.types or ())
    for taken in (*hands, *laid.values()):
        for one in taken:
            if one >= 0:
                spare.remove(one)
    slots: list[int] = []
    for room in rooms:
        if room is None:
            slots += [-1] * SLOTS
        else:
            slots += laid[room] if room in laid else [spare.pop() for _ in range(SLOTS)]
    return slots


def _hands(game: DontGoInThere, held: Mapping[int, Sequence[Card]] | None) -> list[list[int]]:
    return [[face(card) for card in (held or {}).get(seat, ())] for seat in range(game.seats)]


def _removed(game: DontGoInThere, given: list[int], lying: Sequence[Sequence[int]]) -> list[int]:
    """Where ravens are in play, as many cards as were removed: those given and then any, ascending."""
    if RAVEN not in (game.types or ()):
        return []
    spare = cards_of(game.types or ())
    number = len(spare) - game.setup.deck
    for taken in (given, *lying):
        for one in taken:
            if one >= 0:
                spare.remove(one)
    return sorted([*given, *spare[::2], *spare[1::2]][:number])


def table(
    game: DontGoInThere,
    *,
    rooms: Sequence[str | None] = ("nursery", "hallway", "secret_passage"),
    cards: Mapping[str, Sequence[Card | None]] | None = None,
    meeples: Mapping[str, Mapping[int, int]] | None = None,
    up: Mapping[int, Sequence[Card]] | None = None,
    down: Mapping[int, Sequence[Card]] | None = None,
    ghosts: Sequence[int] | None = None,
    phase: str = "place",
    haunted: str | None = None,
    rolled: int = -1,
    dice: int = 0,
    placed: int = 0,
    acting: int | None = None,
    clock_used: bool = False,
    removed: Sequence[Card] = (),
    returned: Sequence[Card] = (),
    looked: Sequence[int] = (),
) -> HauntState:
    """A position; rooms whose cards are not given get any that are left. Spaces count from 1.

    Where ravens are in play the removed cards are those given, and any.
    """
    face_up, dispelled_ones = _hands(game, up), _hands(game, down)
    aside = [face(card) for card in removed]
    on_table = _row(game, rooms, cards or {}, (*face_up, *dispelled_ones, aside))
    return build(
        game,
        Parts(
            phase=PHASES.index(phase),
            acting=placed % game.seats if acting is None else acting,
            placed=placed,
            board=ROOMS.index(haunted) // 2 if haunted else 0,
            dice=dice,
            rolled=rolled,
            rerolled=False,
            clock_used=clock_used,
            types=game.types or (),
            rooms=[-1 if room is None else ROOMS.index(room) for room in rooms],
            spaces=_spaces(meeples or {}),
            cards=on_table,
            ghosts=list(ghosts or [0] * game.seats),
            up=face_up,
            down=dispelled_ones,
            removed=_removed(game, aside, (on_table, *face_up, *dispelled_ones)),
            returned=sorted(face(card) for card in returned),
            looked=sum(1 << seat for seat in looked),
        ),
    )


def taking(
    game: DontGoInThere,
    card: Card,
    *others: Card,
    room: str = "nursery",
    seat: int = 0,
    held: Sequence[Card] = (),
    ghosts: Sequence[int] | None = None,
    meeples: Sequence[int] | None = None,
    **more: object,
) -> HauntState:
    """`seat` stands topmost in a room being haunted by no ghost, and may take `card` from slot 1."""
    spare = cards_of(game.types or ())
    for one in (card, *others, *held, *(more.get("removed") or ())):
        spare.remove(face(one))
    quiet = [card_of(one) for one in spare if card_of(one)[0] in QUIET][::-1]
    row = [card, *others, *quiet][:SLOTS]
    rest = list(meeples) if meeples is not None else [seat, seat]
    return table(
        game,
        rooms=[room if ROOMS.index(room) // 2 == board else name
               for board, name in enumerate(("attic", "hallway", "secret_passage"))],
        cards={room: row},
        meeples={room: dict(enumerate([seat, *rest], start=1))},
        up={seat: held, **(more.pop("up", None) or {})},
        ghosts=ghosts,
        phase="pick",
        haunted=room,
        rolled=0,
        dice=3,
        acting=seat,
        **more,
    )  # fmt: skip


def do(state: HauntState, move: Mapping[str, object]) -> list[Event]:
    """Play one move through the checked door; what happened."""
    events: list[Event] = []
    state.game.play(state, state.game.actions.encode(dict(move)), events.append)
    return events


def pick(state: HauntState, slot: int = 1) -> list[Event]:
    return do(state, {"type": "pick", "slot": slot})


def place(state: HauntState, room: str, space: int) -> list[Event]:
    return do(state, {"type": "place", "room": room, "space": space})


def chance(state: HauntState, outcome: int) -> list[Event]:
    assert state.actor() == CHANCE
    events: list[Event] = []
    state.game.play(state, outcome, events.append)
    return events


def moves(state: HauntState) -> list[dict[str, object]]:
    return [state.game.actions.decode(action) for action in state.legal_actions()]


def cards_in(state: HauntState, seat: int, pile: str = "face_up") -> list[Card]:
    """A seat's cards as (type, curse), by type and curse."""
    counts = state.observe(None)["players"][seat][pile]
    return cards_of_counts(counts)


def cards_of_counts(counts: Mapping[str, Sequence[int]]) -> list[Card]:
    """The cards that an observation counts by type and curse."""
    return [
        card_of(TYPES.index(key) * len(row) + step)
        for key, row in counts.items()
        for step, number in enumerate(row)
        for _ in range(number)
    ]


def dispelled(state: HauntState, seat: int = 0) -> list[Card]:
    return cards_in(state, seat, "dispelled")


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]
