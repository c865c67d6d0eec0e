"""The pages of tournaments, in every state, by whoever looks."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.tournaments.board import board_of
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.picture import draw, png
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db


FORM = {
    "seats": "2",
    "advance": "1",
    "groups": "1",
    "qualify": "2",
    "bundles": "1",
    "starts_in": "5",
    "min_entries": "2",
    "max_entries": "16",
}
"""What the form's fields hold unless somebody changes them."""


def text(client: Client, name: str, *args: str, status: int = 200, query: str = "") -> str:
    answer = client.get(reverse(f"web:{name}", args=args) + query)
    assert answer.status_code == status, answer.content[:500]
    return answer.content.decode()


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - drawn here


def test_a_tournament_from_its_form_to_its_winner(client: Client) -> None:
    ladder = house.ladder(2)
    owner = house.user("owner")
    mine = house.version("mine", owner=owner, on=ladder)
    client.force_login(owner)
    form = text(client, "tournament-make")
    assert "double elimination" in form
    asked = FORM | {"title": "Friday Night House", "ladder": ladder.slug, "format": "double_elimination"}
    made_at = client.post(reverse("web:tournament-make"), asked)
    made = Tournament.objects.get()
    assert made_at["Location"] == reverse("web:tournament", args=[made.slug])
    page = text(client, "tournament", made.slug)
    assert "Open for registration. 0 bots so far." in page
    enter = reverse("web:tournament-enter", args=[made.slug])
    client.post(enter, {"bot": str(mine.bot.public_id)})
    client.post(enter, {"bot": str(mine.bot.public_id), "withdraw": "1"})
    assert not made.entries.exists()
    client.post(enter, {"bot": str(mine.bot.public_id)})
    for number in range(3):
        other = house.user(f"other{number}")
        other_client = Client()
        other_client.force_login(other)
        other_client.post(
            enter, {"bot": str(house.version(f"b{number}", owner=other, on=ladder).bot.public_id)}
        )
    hall.tick(made)
    page = text(client, "tournament", made.slug)
    assert "Running. 4 bots." in page
    assert 'class="bracket"' in page
    hall.play_out(made, house.worker())
    page = text(client, "tournament", made.slug)
    assert "won, of 4 bots." in page
    assert made.seed in page
    table = text(client, "tournament-table", made.slug, "W1.1")
    assert re.search(r"Decided by (points|a play-off|the written order)", table)
    assert all(str(match) in table for match in board_of(made)[0].tables[0].matches)
    listed = text(client, "tournaments")
    assert "Friday Night House" in listed
    assert "Friday Night House" not in text(Client(), "tournaments")


@pytest.mark.parametrize("format_", [Format.SWISS, Format.GROUPS, Format.ROUND_ROBIN])
def test_formats_in_rounds_show_their_rounds_and_what_parted_whom(client: Client, format_: Format) -> None:
    options = {"groups": 2, "min_entries": 6} if format_ == Format.GROUPS else {}
    made = hall.tournament(house.ladder(2), format_, entries=6, **options)
    hall.play_out(made, house.worker())
    page = text(client, "tournament", made.slug)
    assert "Rounds" in page
    assert "Behind the one before, because" in page
    assert ('class="bracket"' in page) == (format_ == Format.GROUPS)


def test_a_form_that_contradicts_itself_says_where(client: Client) -> None:
    client.force_login(house.user("owner"))
    ladder = house.ladder(2)
    asked = FORM | {"title": "x", "ladder": ladder.slug, "format": "single_elimination", "advance": "2"}
    answer = client.post(reverse("web:tournament-make"), asked)
    assert answer.status_code == 200
    assert "2 of 2 cannot advance" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_hidden_tournament_shows_nothing_of_its_results(client: Client) -> None:
    made = hall.tournament(house.ladder(2), Format.SINGLE_ELIMINATION, entries=4)
    Tournament.objects.filter(pk=made.pk).update(hidden_until=timezone.now() + timedelta(days=1))
    made.refresh_from_db()
    hall.play_out(made, house.worker())
    page = text(client, "tournament", made.slug)
    winner = made.entries.get(rank=1).bot.name
    assert "Results are shown at" in page
    assert " won" not in page  # with its space: a token of the page may hold the letters
    assert f"{winner} won" not in page
    assert 'class="bracket"' not in page
    text(client, "tournament-table", made.slug, "W1.1", status=404)
    text(client, "tournament-svg", made.slug, status=404)
    assert "No match" in text(client, "matches") or winner not in text(client, "matches")


def test_drafts_and_strangers(client: Client) -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2)
    Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.DRAFT)
    text(client, "tournament", made.slug, status=404)
    client.force_login(made.owner)
    assert "A draft" in text(client, "tournament", made.slug)
    client.post(reverse("web:tournament-act", args=[made.slug]), {"action": "open"})
    made.refresh_from_db()
    assert made.state == Tournament.State.OPEN
    stranger = Client()
    stranger.force_login(house.user("stranger"))
    stranger.post(reverse("web:tournament-act", args=[made.slug]), {"action": "cancel"})
    made.refresh_from_db()
    assert made.state == Tournament.State.OPEN
    assert (
        stranger.post(reverse("web:tournament-act", args=[made.slug]), {"action": "burn"}).status_code == 404
    )


@pytest.mark.parametrize(
    ("format_", "entries", "seats"), [(Format.DOUBLE_ELIMINATION, 7, 3), (Format.SINGLE_ELIMINATION, 4, 2)]
)
def test_the_picture_is_a_file_for_readme_and_chat(
    client: Client, format_: Format, entries: int, seats: int
) -> None:
    made = hall.tournament(house.ladder(2), format_, entries=entries, seats=seats)
    hall.play_out(made, house.worker())
    for theme in ("light", "dark"):
        svg = parsed(text(client, "tournament-svg", made.slug, query=f"?theme={theme}"))
        names = {element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")}
        assert {entry.bot.name for entry in made.entries.all()} <= names
    text(client, "tournament-svg", made.slug, query="?theme=pink", status=404)
    picture = client.get(reverse("web:tournament-png", args=[made.slug]))
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


def test_no_two_tables_of_a_picture_lie_on_each_other() -> None:
    made = hall.tournament(house.ladder(2), Format.DOUBLE_ELIMINATION, entries=11, seats=3)
    hall.tick(made)
    svg = parsed(draw(board_of(made), title="x & <y>"))
    boxes = []
    for group in svg.iter("{http://www.w3.org/2000/svg}g"):
        x, y = map(float, group.attrib["transform"][len("translate(") : -1].split())
        rect = next(group.iter("{http://www.w3.org/2000/svg}rect"))
        boxes.append((x, y, x + float(rect.attrib["width"]), y + float(rect.attrib["height"])))
    assert len(boxes) > 8
    for number, (left, top, right, bottom) in enumerate(boxes):
        for left2, top2, right2, bottom2 in boxes[:number]:
            assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
    assert len(png(draw(board_of(made), title="x"))) > 1000
