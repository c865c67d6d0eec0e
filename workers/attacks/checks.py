"""What must hold of a match beside its verdict; a row of programs/*.toml names one of these."""

from __future__ import annotations

import json
import re

from workers.referee import MatchOutcome
from workers.stderr import printable


def nothing(_: MatchOutcome) -> str:
    """No more than the verdict."""
    return ""


def cpu_is_charged(outcome: MatchOutcome) -> str:
    """All CPU time that the program says it used is on an account: start-up or a turn."""
    said = re.findall(r"^used ([0-9]+) us", _log(outcome), re.MULTILINE)
    if not said:
        return "it never told of its CPU time"
    seat = outcome.seats[0]
    charged = seat.startup_cpu_us + sum(turn.cpu_us for turn in seat.turns)
    return "" if charged >= 0.9 * int(said[-1]) - 20_000 else f"{said[-1]} us were used, {charged} us charged"


def only_text_is_shown(outcome: MatchOutcome) -> str:
    """Nothing that is kept of a program steers a terminal, breaks a database's text, or is no text."""
    seat = outcome.seats[0]
    kept = [
        *(chunk.text for chunk in seat.stderr),
        *(note.text for note in seat.notes),
        *(answer.text for answer in seat.bad_answers),
    ]
    if not seat.stderr or not seat.notes or not seat.bad_answers:
        return "not all of its log, its notes and its bad answers were kept"
    for text in kept:
        if "\0" in text:
            return "a NUL was kept"
        try:
            json.dumps(text, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return "half a character was kept"
        if any(not char.isprintable() and char != "\n" for char in printable(text)):
            return "a terminal would be steered"
    return ""


def ended_by_the_bank(outcome: MatchOutcome) -> str:
    """No single wait was too long: it is the sum of them that ended it."""
    waits = [turn.wall_us for turn in outcome.seats[0].turns]
    return "" if len(waits) >= 3 else f"it was stopped after {len(waits)} questions"


def _log(outcome: MatchOutcome) -> str:
    return "".join(chunk.text for chunk in outcome.seats[0].stderr)
