"""Don't Go In There drawn: three rooms with cards, spaces, meeples and dice, and hands (rules: DG 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.games.dont_go_in_there.tables import (
    FLASHLIGHTS,
    LOWEST,
    NAMES,
    ROOMS,
    SPACE_GHOSTS,
    SPACES,
    TYPES,
)

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
_SPACE_TOP, _SPACE_STEP = 174, 43
_CARD_STEP = 70
_DIE, _DIE_STEP = 28, 33


def name(key: str) -> str:
    """A room or a type, as people say it."""
    english: str = NAMES[key]["en"]
    return english


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
        up, down = (_values(key, player[side].get(key, [])) for side in ("face_up", "dispelled"))
        hand.append({"type": key, "name": name(key), "up": up, "down": down})
    return {"ghosts": player["ghosts"], "curses": player["curses"], "hand": hand}


def _values(key: str, counts: Sequence[int]) -> str:
    """The curses of cards of one type; the lowest of some types is not 1."""
    lowest = LOWEST[TYPES.index(key)]
    return " ".join(str(curse) for curse, count in enumerate(counts, lowest) for _ in range(count))
