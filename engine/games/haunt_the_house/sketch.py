"""The table as text, for a person at a terminal; seats count from 1 here, as people count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, Final

from engine.english import count
from engine.games.haunt_the_house.tables import (
    LETTERS,
    NAMES,
    PHANTOM_SKULLS,
    PHANTOMS,
    SCARES,
)
from engine.games.haunt_the_house.words import DOES, hunter, name, phantom

WIDTH: Final = 100
_DOING: Final = {
    "act": "an Action",
    "use": "use the power or not",
    "retrieve": "a Scare to take back",
    "look": "an invisible Scare to look at",
    "lay": "a Scare to lay invisibly",
    "move": "an invisible Scare to move",
    "move_to": "the room it moves to",
    "fetch": "a Scare to take to the hand",
    "name": "whom the Attack names",
    "answer": "an answer to the Attack",
    "banish": "an invisible Scare to discard",
    "peer": "a room to look into",
    "drift": "a visible Scare to move",
    "drift_to": "the room it moves to",
    "haggle": "a Scare to sell",
    "startled": "a Scare to drop",
    "give": "the hunter to give",
    "get": "the hunter to get",
    "rally": "whether to rally",
    "reward": "a reward",
    "keep": "the Phantom to keep",
    "discard": "Scares to throw away",
    "last_chance": "a last BOO",
}


_LEGEND: Final = (
    ", ".join(f"{letter} {NAMES[key]['en']}" for letter, key in zip(LETTERS, SCARES, strict=True))
    + "; invisible 2:P3?, the 2nd, of seat 3; =M you know it; + others do too; * laid before P3 shuffled"
)


def board(observation: Mapping[str, Any]) -> str:
    """Rooms with what lies in them, then what lies before each seat, then what only you see."""
    lines = [_head(observation), _LEGEND]
    for number, room in enumerate(observation["rooms"], start=1):
        lines += _room(number, room, observation["seat"])
    lines += [_piles(observation), ""]
    for seat, player in enumerate(observation["players"]):
        lines += _player(seat, player, is_you=seat == observation["seat"])
    if observation["own"] is not None:
        lines += _own(observation)
    return "\n".join(
        part for line in lines for part in (wrap(line, WIDTH, subsequent_indent="      ") or [""])
    )


def _head(observation: Mapping[str, Any]) -> str:
    actor, phase = observation["actor"], observation["phase"]
    who = "nobody" if actor is None else "you" if actor == observation["seat"] else f"seat {actor + 1}"
    words = [f"Turn {observation['turn']} of seat {observation['on_turn'] + 1}"]
    if phase == "act":
        or_boo = " or a BOO" if observation["fresh"] else ""
        words.append(f"{count(observation['actions'], 'Action')} left{or_boo}")
    if (effect := observation["effect"]) is not None:
        words.append(f"{name(effect['of'])} at work" + _aimed(effect))
    if (boo := observation["boo"]) is not None:
        words.append(f"BOO in room {boo['room']} ({boo['outcome']})")
    if observation["trigger"] is not None:
        words.append(f"seat {observation['trigger'] + 1} has brought the end")
    doing = f" ({_DOING[phase]})" if phase in _DOING else ""
    return "; ".join([*words, f"to decide: {who}{doing}"])


def _aimed(effect: Mapping[str, Any]) -> str:
    at = "" if effect["target"] is None else f" on seat {effect['target'] + 1}"
    what = "".join(f", {key} {_said(effect[key])}" for key in ("card", "scare", "hunter") if key in effect)
    return at + what


def _room(number: int, room: Mapping[str, Any], you: int | None) -> list[str]:
    """The room and its hunter, what lies open, what lies hidden."""
    if room["room"] is None or room["hunter"] is None:
        return [f"{number}. {'--' if room['room'] is None else name(room['room'])}: nobody in the doorway"]
    shown = [f"P{seat + 1} {_letters(counts)}" for seat, counts in enumerate(room["visible"]) if any(counts)]
    hidden = [f"{at}:{_card(card, you)}" for at, card in enumerate(room["invisible"], start=1)]
    lying = sum(map(sum, room["visible"]))
    where = f"{name(room['room'])}: {DOES[room['room']]}"
    return [
        f"{number}. {hunter(room['hunter'])} needs {_letters(room['need'])}; {where}",
        f"      visible ({lying}): {', '.join(shown) or '--'};  invisible: {'  '.join(hidden) or '--'}",
    ]


def _card(card: Mapping[str, Any], you: int | None) -> str:
    """As `_LEGEND` says."""
    known = f"={LETTERS[SCARES.index(card['scare'])]}" if "scare" in card else "?"
    others = [seat for seat in card["known_to"] if seat not in (card["seat"], you)]
    return f"P{card['seat'] + 1}{known}{'*' if card['before_shuffle'] else ''}{'+' if others else ''}"


def _piles(observation: Mapping[str, Any]) -> str:
    gone = ", ".join(name(key) for key in observation["room_discard"]) or "none"
    phantoms = observation["phantom_deck"] + len(observation["under_deck"])
    return (
        f"Room pile {observation['room_pile']} (discarded: {gone}); hunters to come "
        f"{observation['hunters_left']}; Phantom deck {phantoms}"
    )


def _player(seat: int, player: Mapping[str, Any], *, is_you: bool) -> list[str]:
    mine = " (you)" if is_you else ""
    known = f" (surely {_letters(player['known'])})" if any(player["known"]) else ""
    tokens, discard = player["skulls"], _letters(player["discard"]) or "--"
    cards = f"hand {player['hand']}{known}, deck {player['deck']}, discard {discard}"
    lines = [f"P{seat + 1}{mine}: Skull tokens {tokens}, {cards}, Phantoms {player['phantoms']}"]
    if player["hunters"]:
        lines.append("      hunters: " + ", ".join(hunter(key) for key in player["hunters"]))
    if player["played"]:
        played = (f"{name(key)} ({PHANTOM_SKULLS[PHANTOMS.index(key)]:+d})" for key in player["played"])
        lines.append(f"      played: {', '.join(played)}")
    if player["trophies"]:
        lines.append("      trophies: " + _names(player["trophies"]))
    return lines


def _own(observation: Mapping[str, Any]) -> list[str]:
    own = observation["own"]
    hand, deck = (_letters(own[heap]) or "--" for heap in ("hand", "deck"))
    trophies = _names(own["trophies"]) or "--"
    lines = ["", f"Your hand {hand}; in your deck {deck}; your trophies: {trophies}"]
    if own["phantoms"]:
        lines.append("Your Phantoms: " + ", ".join(phantom(key) for key in own["phantoms"]))
    if observation["offered"]:
        lines.append("Drawn to choose from: " + ", ".join(phantom(key) for key in observation["offered"]))
    return lines


def _letters(counts: Sequence[int]) -> str:
    """`BBM` for two Bumps and a Moan."""
    return "".join(letter * count for letter, count in zip(LETTERS, counts, strict=True))


def _names(keys: Sequence[str]) -> str:
    return ", ".join(name(key) for key in keys)


def _said(value: Any) -> str:
    return name(value) if value in NAMES else str(value)
