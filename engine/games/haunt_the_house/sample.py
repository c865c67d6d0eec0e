"""A random full position that agrees with one observation (HH 9.4): what a search bot looks ahead from.

Cards that nobody has seen are dealt to the places where one lies, each card alike, but for what is known of
where they cannot be: a deck holds nothing that its last shuffle did not put there, and a Scare that lay
invisibly through that shuffle was not in it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import comb, perm, prod
from typing import TYPE_CHECKING, Any

from engine.core import CHANCE, OVER, Seat
from engine.games.haunt_the_house.tables import (
    AFTERS,
    BLUES,
    BOO_WORDS,
    CARDS,
    COUNTS,
    EFFECTS,
    ENDED,
    GEAR,
    HUNTER_DRAW,
    HUNTERS,
    KINDS,
    KNOWN_TO,
    NO_BOO,
    OWNER,
    PHANTOMS,
    PHASES,
    REDS,
    ROOM_DRAW,
    ROOMS,
    SCARE_DRAW,
    SCARES,
    SHUFFLED,
    SIZE,
    TROPHY_DRAW,
    UNIT,
    WHOLE,
    heap,
)

if TYPE_CHECKING:
    from engine.games.haunt_the_house import HauntTheHouse
    from engine.games.haunt_the_house.state import HouseState

Observation = Mapping[str, Any]


def sample(game: HauntTheHouse, observation: Observation, seat: Seat, rng: random.Random) -> HouseState:
    """The open part as it is seen, the hidden part at random."""
    state = game.initial_state()
    _set_course(state, observation)
    _set_table(state, observation)
    for of, player in enumerate(observation["players"]):
        _set_scares(state, observation, of, player, seat, rng)
    own = observation["own"]
    base = game.seats * seat
    state.known[base : base + game.seats] = [heap(counts) for counts in own["known_by"]]
    _set_phantoms(state, observation, seat, rng)
    _set_trophies(state, observation, seat, rng)
    state.derive()
    return state


# --- what is open ---


def _set_course(state: HouseState, observation: Observation) -> None:
    """Phase and turn, and what is being carried out."""
    phase = state.phase = PHASES.index(observation["phase"])
    nobody = OVER if phase == ENDED else CHANCE
    state.acting = nobody if observation["actor"] is None else observation["actor"]
    state.turn = observation["on_turn"]
    state.turns = observation["turn"] - 1
    state.starter = _number(observation["start"])
    state.trigger = _number(observation["trigger"])
    state.actions = observation["actions"]
    state.fresh = observation["fresh"]
    state.phantom_free = observation["phantom_free"]
    state.echo = -1 if observation["echo"] is None else ROOMS.index(observation["echo"])
    state.clear_effect()
    boo, effect, drawing = observation["boo"], observation["effect"], observation["drawing"]
    state.boo = BOO_WORDS.index(boo["outcome"]) if boo else NO_BOO
    if boo:
        state.place = boo["room"] - 1
        state.due = sum(1 << marked for marked in boo["rewards"])
    if effect:
        state.effect = EFFECTS.index(effect["of"])
        state.picks = effect["choices"]
        state.target = _number(effect["target"])
        state.place = -1 if effect["room"] is None else effect["room"] - 1
        state.card = _chosen(effect)
    state.owed = 0
    if drawing:
        state.drawer = drawing["seat"]
        if phase != TROPHY_DRAW:
            state.owed = drawing["cards"]
        if phase == SCARE_DRAW:
            state.after = AFTERS.index(drawing["then"])


def _number(value: int | None) -> int:
    return -1 if value is None else value


def _chosen(effect: Observation) -> int:
    if "card" in effect:
        return int(effect["card"]) - 1
    if "owner" in effect:
        return KINDS * int(effect["owner"]) + SCARES.index(str(effect["scare"]))
    return HUNTERS.index(str(effect["hunter"])) if "hunter" in effect else -1


def _set_table(state: HouseState, observation: Observation) -> None:
    game, rooms, players = state.game, observation["rooms"], observation["players"]
    state.rooms = [-1 if room["room"] is None else ROOMS.index(room["room"]) for room in rooms]
    state.hunters = [-1 if room["hunter"] is None else HUNTERS.index(room["hunter"]) for room in rooms]
    if state.starter < 0 and state.phase in (ROOM_DRAW, HUNTER_DRAW):
        state.place = (state.rooms if state.phase == ROOM_DRAW else state.hunters).index(-1)
    state.rooms_out = tuple(ROOMS.index(key) for key in observation["room_discard"])
    gone = {*state.rooms, *state.rooms_out}
    state.rooms_left = tuple(room for room in game.rooms if room not in gone)
    claimed = [[HUNTERS.index(key) for key in player["hunters"]] for player in players]
    taken = {*state.hunters, *(hunter for held in claimed for hunter in held)}
    state.hunters_left = tuple(hunter for hunter in game.hunters if hunter not in taken)
    state.claimed = [sum(1 << hunter for hunter in held) for held in claimed]
    state.visible = [heap(counts) for room in rooms for counts in room["visible"]]
    state.tokens = [player["skulls"] for player in players]
    state.discard = [heap(player["discard"]) for player in players]
    state.made = [heap(player["shuffled"]) for player in players]
    state.hidden = [tuple(_card(card) for card in room["invisible"]) for room in rooms]


def _card(card: Observation) -> int:
    """An invisible Scare; its kind is 0 for now where it is not known."""
    kind = SCARES.index(card["scare"]) if "scare" in card else 0
    known: int = sum(KNOWN_TO[seat] for seat in card["known_to"])
    return kind | int(card["seat"]) << OWNER | known | (SHUFFLED if card["before_shuffle"] else 0)


# --- what is hidden ---


def _set_scares(
    state: HouseState, observation: Observation, of: Seat, player: Observation, seat: Seat, rng: random.Random
) -> None:
    """Hand, deck and invisible Scares of one owner."""
    unseen = WHOLE - state.discard[of] - sum(state.visible[of :: state.game.seats])
    cards = [
        (place, number, card)
        for place, room in enumerate(observation["rooms"])
        for number, card in enumerate(room["invisible"])
        if card["seat"] == of
    ]
    seen = [card for _, _, card in cards if "scare" in card]
    unseen -= sum(UNIT[SCARES.index(card["scare"])] for card in seen)
    if of == seat:
        state.hand[of] = heap(observation["own"]["hand"])
        state.deck[of] = heap(observation["own"]["deck"])
        return
    known = state.known[state.game.seats * of + seat] = heap(player["known"])
    unseen -= known
    old = [(place, number) for place, number, card in cards if "scare" not in card and card["before_shuffle"]]
    new = [
        (place, number) for place, number, card in cards if "scare" not in card and not card["before_shuffle"]
    ]
    kept_out = WHOLE - state.made[of]
    kept_out -= sum(UNIT[SCARES.index(card["scare"])] for card in seen if card["before_shuffle"])
    deck, laid = _split(unseen, player["deck"], len(old), state.made[of], kept_out, rng)
    rest = _shuffled(CARDS[unseen - deck - laid], rng)
    in_hand = player["hand"] - SIZE[known]
    state.deck[of] = deck
    state.hand[of] = known + sum(UNIT[kind] for kind in rest[:in_hand])
    _lay(state, [*zip(old, _shuffled(CARDS[laid], rng), strict=True), *zip(new, rest[in_hand:], strict=True)])


def _lay(state: HouseState, cards: Iterable[tuple[tuple[int, int], int]]) -> None:
    for (place, number), kind in cards:
        lying = list(state.hidden[place])
        lying[number] |= kind
        state.hidden[place] = tuple(lying)


def _shuffled(cards: Sequence[int], rng: random.Random) -> list[int]:
    """A random order by `random()` alone: its sequence is the same in all Pythons."""
    return [card for _, card in sorted((rng.random(), card) for card in cards)]


def _split(
    unseen: int, in_deck: int, lying: int, made: int, kept_out: int, rng: random.Random
) -> tuple[int, int]:
    """Which of the unseen Scares are the deck, and which lay invisibly when it was shuffled."""
    if made == WHOLE and not lying:
        cards = _shuffled(CARDS[unseen], rng)
        return sum(UNIT[kind] for kind in cards[:in_deck]), 0
    splits, chances = _splits(unseen, in_deck, lying, made, kept_out)
    return rng.choices(splits, cum_weights=chances)[0]


@lru_cache(maxsize=1024)
def _splits(
    unseen: int, in_deck: int, lying: int, made: int, kept_out: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """All that can be, and by how many ways to deal the cards, added up.

    Of a kind, what was seen since the shuffle may have been of the deck or kept out of it, each card alike.
    """
    there, new, old = COUNTS[unseen], COUNTS[made], COUNTS[kept_out]
    seen = tuple(more + less - count for more, less, count in zip(new, old, there, strict=True))
    splits, ways = [], []
    for deck in _parts(there, new, in_deck):
        left = tuple(map(int.__sub__, there, deck))
        for laid in _parts(left, old, lying):
            free = map(int.__add__, seen, map(int.__sub__, left, laid))
            splits.append((heap(deck), heap(laid)))
            ways.append(prod(map(comb, new, deck)) * prod(map(comb, old, laid)) * prod(map(perm, free, seen)))
    return splits, [*accumulate(ways)]


def _parts(there: Sequence[int], most: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Counts of so many cards, no more of a kind than there are and than may be."""
    ranges = (range(min(count, limit) + 1) for count, limit in zip(there, most, strict=True))
    return [counts for counts in product(*ranges) if sum(counts) == size]


def _set_phantoms(state: HouseState, observation: Observation, seat: Seat, rng: random.Random) -> None:
    """In others' hands, in the deck and under it: any that were never seen."""
    players, under = observation["players"], observation["under_deck"]
    own = tuple(PHANTOMS.index(key) for key in observation["own"]["phantoms"])
    offered = tuple(PHANTOMS.index(key) for key in observation["offered"])
    state.played = [tuple(PHANTOMS.index(key) for key in player["played"]) for player in players]
    unseen = Counter(state.game.phantoms)
    unseen.subtract(Counter([*own, *offered, *(kind for played in state.played for kind in played)]))
    unseen.subtract(Counter(PHANTOMS.index(card["phantom"]) for card in under if "phantom" in card))
    heap_of = _shuffled(sorted(unseen.elements()), rng)
    state.held = [
        own if of == seat else tuple(sorted(heap_of.pop() for _ in range(player["phantoms"])))
        for of, player in enumerate(players)
    ]
    state.bottom = tuple(
        (PHANTOMS.index(card["phantom"]) if "phantom" in card else heap_of.pop()) | card["seat"] << 4
        for card in under
    )
    state.top = tuple(sorted(heap_of.pop() for _ in range(observation["phantom_deck"])))
    state.drawn = offered or tuple(sorted(heap_of))


def _set_trophies(state: HouseState, observation: Observation, seat: Seat, rng: random.Random) -> None:
    """Others' trophies are any that this seat does not hold."""
    own = tuple(GEAR.index(key) for key in observation["own"]["trophies"])
    each = state.game.setup.trophies
    kinds = (REDS, BLUES) if each > 1 else (tuple(range(len(GEAR))),)
    piles = [_shuffled([gear for gear in set_ if gear not in own], rng) for set_ in kinds]
    for of, player in enumerate(observation["players"]):
        if player["trophies"] is not None:
            state.trophies[of] = tuple(GEAR.index(key) for key in player["trophies"])
        elif of == seat:
            state.trophies[of] = own
        else:
            number = _trophies_dealt(state, observation, of)
            state.trophies[of] = tuple(pile.pop() for pile in piles[:number])


def _trophies_dealt(state: HouseState, observation: Observation, of: Seat) -> int:
    each = state.game.setup.trophies
    if state.phase > TROPHY_DRAW:
        return each
    drawing = observation["drawing"]
    if drawing is None or of > drawing["seat"]:
        return 0
    return each if of < drawing["seat"] else each - int(drawing["cards"])
