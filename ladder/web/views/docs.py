"""Games and their rules, the documents, and a page for each code."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from bots.faults import CODES
from bots.languages import LANGUAGES
from bots.messages import MESSAGES
from engine.core import Game
from engine.registry import GAMES
from ladder.matches import selectors
from ladder.web import documents, replays, summaries

GOALS: Final = {
    "dont-go-in-there": "Dare each other into haunted rooms, and carry the fewest curses home.",
    "haunt-the-house": "Be the ghost that frightens the most hunters out of the house, and keep their gear.",
    "treasure-hunters": "Carry eight jewels out together before the ghosts take the house over.",
}
"""What each game is about, in a sentence."""


def games(request: HttpRequest) -> HttpResponseBase:
    return render(request, "web/games.html", {"games": [_facts(found) for found in GAMES.values()]})


def _facts(found: type[Game]) -> dict[str, Any]:
    """As plain values, for a template would call the class."""
    names = ("name", "title", "rules_version", "min_seats", "max_seats", "cooperative")
    facts = {name: getattr(found, name) for name in names}
    return {**facts, "goal": GOALS.get(found.name, ""), "modes": list(found.modes)}


def game(request: HttpRequest, name: str) -> HttpResponseBase:
    """The goal in a sentence, a board, the rules."""
    found = GAMES.get(name)
    if found is None:
        raise Http404("This house does not play that game.")
    newest = summaries.newest_proved(request.user, games=[name])
    context = {
        "game": _facts(found),
        "rules": documents.rules(name),
        "ladders": selectors.ladders().filter(game=name, is_open=True),
        "shown": newest,
        "replay": replays.replay(request.user, newest, step=None, seat=None) if newest else None,
    }
    return render(request, "web/game.html", context)


def index(request: HttpRequest) -> HttpResponseBase:
    faults = [(code, MESSAGES[code]) for code in CODES]
    offered = selectors.languages_offered()
    languages = [(row.name, " or ".join(offered.get(row.key, []))) for row in LANGUAGES.values()]
    context = {"pages": documents.contents(), "faults": faults, "languages": languages}
    return render(request, "web/docs.html", context)


def document(request: HttpRequest, name: str) -> HttpResponseBase:
    found = documents.document(name)
    if found is None:
        raise Http404("There is no such page.")
    return render(request, "web/document.html", {"document": found, "pages": documents.contents()})


def code(request: HttpRequest, code: str) -> HttpResponseBase:
    """What one code means: what happened, why, and one thing to do."""
    message = MESSAGES.get(code)
    if message is None:
        raise Http404("There is no such code.")
    blank = message.formatted(**dict.fromkeys(message.facts, "…"))
    return render(request, "web/code.html", {"code": code, "message": blank})
