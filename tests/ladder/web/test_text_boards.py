"""Pages of the games that nobody draws yet: the board in text, events in sentences, where it is played."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from bots.job import FAST
from engine.registry import GAMES, make_game
from ladder.matches.models import Ladder, Match, Purpose
from ladder.matches.services.bundles import bundle_create
from ladder.matches.services.ladders import ladders_ensure, season_ensure
from ladder.web.boards import DRAWINGS, LANDMARKS
from tests.ladder import house

pytestmark = pytest.mark.django_db

TEXT_GAMES = sorted(set(GAMES) - set(DRAWINGS))


def played(name: str) -> Match:
    """A match of the game's first mode, on a ladder of the test's own, whose bundle has ended."""
    game = make_game(name, GAMES[name].min_seats)
    ladder = Ladder.objects.create(
        slug=f"{name}-test",
        title=f"{game.title}, tried",
        game=name,
        mode=game.mode,
        options=dict(game.options),
        seats=game.seats,
        clock_bank_ms=FAST.bank_ms,
        clock_increment_ms=FAST.increment_ms,
    )
    bots = [house.version(f"bot {seat}", on=ladder) for seat in range(game.seats)]
    bundle = bundle_create(season=season_ensure(ladder=ladder), purpose=Purpose.LADDER, versions=bots)
    worker = house.worker()
    for match in bundle.matches.all():
        house.play(worker, match)
    found = bundle.matches.first()
    assert found is not None
    return found


@pytest.mark.parametrize("name", TEXT_GAMES)
def test_a_match_is_shown_as_a_person_at_a_terminal_sees_it(name: str) -> None:
    match = played(name)
    client, address = Client(), f"/matches/{match.public_id}/"
    steps = client.get(f"/api/v1/matches/{match.public_id}/replay").json()["steps"]
    game = make_game(name, GAMES[name].min_seats)
    for number in (1, len(steps) // 2, len(steps)):
        page = client.get(f"{address}?step={number}").content.decode()
        board = re.search(r'<pre class="table"[^>]*>(.*?)</pre>', page, re.DOTALL)
        assert board is not None
        assert html.unescape(board[1]) == game.board_text(steps[number - 1]["board"])
        assert max(map(len, html.unescape(board[1]).splitlines())) <= 100
        assert f"marks are {LANDMARKS[name]}s" in page
        assert f"Next {LANDMARKS[name]}" in page
    if GAMES[name].cooperative:
        assert re.search(r"<h1>bot \d v1 and bot \d v1 (win|lose) together</h1>", page)
    plain = re.sub(r"<[^>]+>", "", page)
    said = {step["event"]["kind"] for step in steps}
    assert said <= set(GAMES[name].sentences), "an event without a sentence"
    assert "{&#x27;" not in plain
    assert client.get(f"{address}?step=3&seat=2&part=stage").status_code == 200
    assert '<pre class="table"' in client.get(f"/games/{name}/").content.decode()
    assert '<pre class="table"' not in client.get("/").content.decode(), "the front page shows a drawing"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_says_where_it_is_played(name: str) -> None:
    ladders_ensure()
    page = Client().get(f"/games/{name}/").content.decode()
    assert GAMES[name].title in html.unescape(page)
    assert all(f"<code>{mode}</code>" in page for mode in GAMES[name].modes)
    has_ladder = Ladder.objects.filter(game=name).exists()
    assert ("No ladder plays it yet" in page) == (not has_ladder)
    assert (f"/ladders/{name}-" in page) == has_ladder
    assert GAMES[name].title in html.unescape(Client().get("/games/").content.decode())
