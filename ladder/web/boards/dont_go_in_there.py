"""Don't Go In There drawn: three rooms with cards, spaces, meeples and dice, and hands (rules: DG 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.games.dont_go_in_there.tables import FLASHLIGHTS, NAMES, ROOMS, SPACE_GHOSTS, SPACES
from ladder.web.boards.parts import Part, line

Json = Mapping[str, Any]
Steps = Sequence[Json]

NOTES: Final = {
    "attic": "+1 ghost on space 1",
    "nursery": "\N{MINUS SIGN}1 ghost on space 4",
    "basement": "roll again, once",
    "hallway": "flip one die",
    "library": "+1, 0, \N{MINUS SIGN}1 by card",
    "secret_passage": "one card face down",
}
WORDS: Final = {
    "haunt": "the haunt",
}
_SPACE_TOP, _SPACE_STEP = 174, 43
_CARD_STEP = 70
_DIE, _DIE_STEP = 28, 33


def name(key: str) -> str:
    """A room, a type or another cause, as people say it."""
    row = NAMES.get(key)
    return row["en"] if row else WORDS.get(key, key.replace("_", " "))


# ---------------------------------------------------------------- the board


def draw(steps: Steps, index: int, seat: int | None) -> dict[str, Any]:
    """The rooms at one step. A face-down card is shown to everyone's view and to a seat that has looked."""
    step = steps[index]
    board, event = step["board"], step["event"]
    hot = event.get("room") or (board["haunt"] or {}).get("room")
    gains = _gains(steps, index) if board["haunt"] else {}
    rooms = []
    for place, room in enumerate(board["rooms"]):
        key = room["room"]
        is_hot = key is not None and key == hot
        rooms.append(
            {
                "name": name(key) if key else f"Board {room['board']}",
                "note": NOTES[key] if key else "closed",
                "closed": key is None,
                "hot": is_hot,
                "cards": _cards(steps, index, room, seat),
                "spaces": _spaces(room, gains if is_hot else {}),
                "dice": _dice(room, board["haunt"] if is_hot else None),
                "place": place,
            }
        )
    return {"rooms": rooms}


def _cards(steps: Steps, index: int, room: Json, seat: int | None) -> list[dict[str, Any]]:
    drawn = []
    for slot, card in enumerate(room["cards"]):
        x = 6 + _CARD_STEP * slot
        if card is None:
            drawn.append({"kind": "empty", "x": x})
            continue
        hidden = bool(card.get("face_down"))
        known = _face_down(steps, index, room["room"], seat) if hidden else card
        if known is None:
            drawn.append({"kind": "back", "x": x, "q_x": x + 34})
            continue
        drawn.append(
            {
                "kind": "card",
                "x": x,
                "hidden": hidden,
                "type": known["type"],
                "name": name(known["type"]),
                "curse": known["curse"],
                "dice_count": known["dice"],
                "value_x": x + 8,
                "icon_x": x + 27,
                "dice": [{"x": x + 9 + 17 * die, "dot": x + 15.5 + 17 * die} for die in range(known["dice"])],
            }
        )
    return drawn


def _face_down(steps: Steps, index: int, room: str, seat: int | None) -> Json | None:
    """The hidden card of a room: what the seat saw when it looked; for everyone, what it turns out to be."""
    if seat is None:
        for step in steps[index:]:
            event = step["event"]
            if event["kind"] == "reveal" and event["room"] == room:
                card: Json = event["card"]
                return card
        return None
    for step in reversed(steps[: index + 1]):
        event = step["event"]
        if event["kind"] == "deal" and event["room"] == room:
            return None
        if event["kind"] == "peek" and event["room"] == room and event["seat"] == seat:
            seen: Json | None = event.get("card")
            return seen
    return None


def _spaces(room: Json, gains: Mapping[int, int]) -> list[dict[str, Any]]:
    key = room["room"]
    lights = FLASHLIGHTS[ROOMS.index(key)] if key else tuple(range(SPACES))
    first = SPACES * ROOMS.index(key) if key else None
    rows = []
    for space, who in enumerate(room["spaces"]):
        y = _SPACE_TOP + _SPACE_STEP * space
        change = SPACE_GHOSTS[first + space] if first is not None else 0
        rows.append(
            {
                "number": space + 1,
                "y": y,
                "icon_y": y + 6,
                "meeple_y": y + 2,
                "text_y": y + 25,
                "gain_y": y + 27,
                "ghost_y": y + 8,
                "light": lights[space],
                "torches": [{"x": 11 + 33 * at, "lit": at < lights[space]} for at in range(3)],
                "seat": who,
                "numeral": None if who is None else who + 1,
                "rule": f"{change:+d}".replace("-", "\N{MINUS SIGN}")
                if change and who is None and not gains
                else "",
                "gain": gains.get(space + 1, 0) if gains and who is not None else None,
            }
        )
    return rows


def _gains(steps: Steps, index: int) -> dict[int, int]:
    """By space, the ghosts that each meeple of the haunted room has just met; 0 for those that were safe."""
    board = steps[index]["board"]
    if board["haunt"]["ghosts"] is None or steps[index]["event"]["kind"] not in ("ghosts", "roll"):
        return {}
    row = next(room for room in board["rooms"] if room["room"] == board["haunt"]["room"])
    gains = {space: 0 for space, who in enumerate(row["spaces"], 1) if who is not None}
    for step in steps:
        event = step["event"]
        if step["ply"] == steps[index]["ply"] and event["kind"] == "ghosts" and event["cause"] == "haunt":
            gains[event["space"]] = event["change"]
    return gains if board["phase"] == "pick" else {}


def _dice(room: Json, haunt: Json | None) -> list[dict[str, Any]]:
    """Dice that were rolled, or as many empty places as the cards of the room will roll."""
    rolled = haunt is not None and haunt["ghosts"] is not None
    if haunt is not None:
        count = haunt["dice"]
    else:
        count = sum(_icons(card) for card in room["cards"] if card)
    left = 110 - (count * _DIE_STEP - 5) / 2
    return [
        {
            "x": left + _DIE_STEP * at,
            "icon_x": left + _DIE_STEP * at + 4,
            "rolled": rolled,
            "ghost": rolled and haunt is not None and at < haunt["ghosts"],
        }
        for at in range(count)
    ]


def _icons(card: Json) -> int:
    return int(card.get("dice", 1))


# ---------------------------------------------------------------- the seats


def curses(board: Json, seat: int) -> float:
    """Curses on the face-up cards of a seat."""
    return float(board["players"][seat]["curses"])


def seat_view(board: Json, seat: int) -> dict[str, Any]:
    """Ghosts, curses and cards of a seat, by type, dispelled ones apart."""
    player = board["players"][seat]
    hand = []
    for key in sorted({*player["face_up"], *player["dispelled"]}):
        down = _values(player["dispelled"].get(key, []))
        hand.append(
            {"type": key, "name": name(key), "up": _values(player["face_up"].get(key, [])), "down": down}
        )
    return {"ghosts": player["ghosts"], "curses": player["curses"], "hand": hand}


def _values(counts: Sequence[int]) -> str:
    return " ".join(str(curse) for curse, count in enumerate(counts, 1) for _ in range(count))


# ---------------------------------------------------------------- the words


def tell(event: Json) -> tuple[Part, ...]:
    """One event as a sentence."""
    return _WORDS[event["kind"]](event)


def _card(card: Json | None) -> str:
    return f"{name(card['type'])} {card['curse']}" if card else "a card face down"


def _ghosts(number: int) -> str:
    return f"{number} ghost" if number == 1 else f"{number} ghosts"


def _dice_words(event: Json) -> str:
    return f"{event['dice']} dice, {_ghosts(event['ghosts'])}"


def _gained(event: Json) -> tuple[Part, ...]:
    change = event["change"]
    verb = "meets" if change >= 0 else "loses"
    return line(
        event["seat"], f" {verb} {_ghosts(abs(change))} ({name(event['cause'])}), {event['total']} now"
    )


def _taken(event: Json) -> tuple[Part, ...]:
    verb = "is left with" if event["forced"] else "takes"
    return line(event["seat"], f" {verb} {_card(event['card'])}")


def _setup(event: Json) -> tuple[Part, ...]:
    types = ", ".join(name(key) for key in event["types"])
    return line(f"The doors open on {event['deck']} cards: {types}.")


_WORDS: Final[Mapping[str, Callable[[Json], tuple[Part, ...]]]] = {
    "setup": _setup,
    "deal": lambda e: line(f"{name(e['room'])}, slot {e['slot']}: {_card(e['card'])}"),
    "place": lambda e: line(e["seat"], f" steps into the {name(e['room'])}, space {e['space']}"),
    "peek": lambda e: line(
        e["seat"], " looks at the hidden card", f": {_card(e['card'])}" if "card" in e else ""
    ),
    "haunt": lambda e: line(f"The {name(e['room'])} is haunted: {e['dice']} dice"),
    "reveal": lambda e: line(f"The hidden card is {_card(e['card'])}"),
    "roll": lambda e: line(f"{'Rolled again' if e['again'] else 'Rolled'}: {_dice_words(e)}"),
    "keep": lambda e: line(e["seat"], " leaves the dice as they are"),
    "reroll": lambda e: line(e["seat"], " rolls again"),
    "flip": lambda e: line(e["seat"], f" flips a die to a {e['to']}: {_ghosts(e['ghosts'])}"),
    "ghosts": _gained,
    "pass": lambda e: line(
        e["seat"], f" sends {_ghosts(e['ghosts'])} to ", e["to"], f" ({name(e['cause'])})"
    ),
    "take": _taken,
    "tome": lambda e: line(e["seat"], f" opens the Tome and names {name(e['curse_type'])}"),
    "dispel": lambda e: line(
        e["seat"], f" dispels {', '.join(_card(card) for card in e['cards'])} ({name(e['cause'])})"
    ),
    "turn_over": lambda e: line(f"The {name(e['room'])} turns over: the {name(e['to'])}"),
    "remove_room": lambda e: line(f"The {name(e['room'])} is closed for good"),
    "penalty": lambda e: line(e["seat"], f" has {_ghosts(e['ghosts'])}, the most: {e['curses']} curses more"),
    "end": lambda e: line(f"The night is over. Curses: {', '.join(str(n) for n in e['curses'])}"),
}
