"""Every page, for everybody: it renders, keeps the content policy, and shows nobody what is not theirs."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from bots.faults import CODES
from engine.registry import GAMES
from ladder.accounts.models import ApiToken, User
from ladder.programs.models import Bot, Version
from ladder.programs.services import version_rests
from ladder.web.documents import PAGES
from tests.ladder import house
from tests.ladder.web.conftest import House

pytestmark = pytest.mark.django_db

INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def addresses(house: House) -> list[str]:
    """Pages that everybody may open."""
    bot = house.version.bot.public_id
    seat = f"/matches/{house.finished.public_id}/"
    matches = [house.finished, house.half, house.running, house.queued, house.void, house.faulted]
    return [
        *("/", "/now/", "/ladders/", "/matches/", "/games/", "/docs/"),
        *(f"/games/{name}/" for name in GAMES),
        f"/ladders/{house.ladder.slug}/",
        f"/ladders/{house.ladder.slug}/?all=1&q=candle",
        f"/ladders/{house.ladder.slug}/?q=nobody-is-called-so",
        f"/ladders/{house.ladder.slug}/seasons/1/",
        f"/bots/{bot}/",
        f"/bots/{bot}/versions/1/",
        f"/bots/{bot}/versions/2/",
        f"/bots/{bot}/versions/2/?part=progress",
        *(f"/matches/{match.public_id}/" for match in (*matches, house.benched)),
        *(f"/matches/{match.public_id}/proof/" for match in (*matches, house.benched)),
        *(f"{seat}?step={step}&seat={who}" for step in (1, 38, 9999, "x") for who in ("", 1, 2, 9)),
        f"{seat}?step=5&part=stage",
        f"/matches/?bot={bot}&result=win&fault=false&ladder={house.ladder.slug}&status=finished",
        f"/matches/?before={house.finished.public_id}",
        "/matches/?bot=not-an-id&before=nonsense&status=odd",
        *(
            "/sign-up/",
            "/sign-in/",
            "/join/no-such-token/",
            "/password/",
            "/password/sent/",
            "/password/a/b/",
        ),
        *(f"/docs/faults/{code}/" for code in CODES),
        "/docs/errors/path_outside/",
        *(f"/docs/{name}/" for name in PAGES),
    ]


def check(response: Any, address: str) -> str:
    policy = response.headers["Content-Security-Policy"]
    assert "unsafe" not in policy, address
    assert "default-src 'self'" in policy, address
    text: str = response.content.decode()
    found = INLINE.search(text)
    assert found is None, (address, text[max(0, found.start() - 60) : found.end() + 60] if found else "")
    return text


@pytest.mark.parametrize("who", ["anonymous", "author", "stranger", "admin"])
def test_every_page_opens_and_holds_no_inline_script_or_style(furnished: House, who: str) -> None:
    client = client_of(furnished.viewers()[who])
    for address in addresses(furnished):
        response = client.get(address)
        signed_in = who != "anonymous" and address == "/sign-in/"
        assert response.status_code == (302 if signed_in else 200), address
        text = check(response, address)
        if "part=" not in address and address != "/now/" and not signed_in:
            assert text.count("<h1") == 1, address
            assert '<main id="main"' in text, address


@pytest.mark.parametrize("address", ["/desk/", "/desk/upload/", "/desk/tokens/"])
def test_the_desk_asks_who_is_there(furnished: House, address: str) -> None:
    response = Client().get(address)
    assert response.status_code == 302
    assert response.headers["Location"] == f"/sign-in/?next={address}"
    check(client_of(furnished.author).get(address), address)
    check(client_of(furnished.admin).get(address), address)


@pytest.mark.parametrize(
    "address",
    [
        "/nothing/",
        "/ladders/none/",
        "/bots/00000000-0000-0000-0000-000000000000/",
        "/matches/00000000-0000-0000-0000-000000000000/",
        "/docs/none/",
        "/docs/../settings/",
        "/docs/faults/none/",
        "/games/none/",
    ],
)
def test_what_is_not_there(db: None, address: str) -> None:
    response = Client().get(address)
    assert response.status_code == 404
    assert "This room is empty" in check(response, address)


def test_a_document_shows_its_picture(db: None) -> None:
    text = check(Client().get("/docs/tournaments/"), "/docs/tournaments/")
    assert "Winners' final</text>" in text
    assert "<img" not in text


def test_a_form_without_its_token_is_answered_in_our_voice(furnished: House) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/sign-in/", {"username": "ada", "password": "x"})
    assert response.status_code == 403
    assert "The form was too old" in check(response, "/sign-in/")


# ---------------------------------------------------------------- who may see what


def test_a_stranger_reads_nothing_private(furnished: House) -> None:
    seats = [f"/matches/{furnished.finished.public_id}/seats/{number}/?turn=1" for number in (1, 2)]
    for who in (None, User.objects.create_user("eve")):
        client = client_of(who)
        for address in [*addresses(furnished), *seats]:
            text = client.get(address).content.decode()
            assert "HUSH" not in text, address
            assert "built &lt;well&gt;" not in text, address
            assert furnished.half.bundle.seed not in text, address
        assert [client.get(address).status_code for address in seats] == [403, 403]
        assert client.get(f"/matches/{furnished.preflight.public_id}/").status_code == 404
        assert str(furnished.preflight.public_id) not in client.get("/matches/").content.decode()


def test_a_member_reads_the_own_seat_alone(furnished: House) -> None:
    match = furnished.finished
    mine = match.seats.get(version=furnished.version).number + 1
    client = client_of(furnished.author)
    own = client.get(f"/matches/{match.public_id}/seats/{mine}/?turn=1")
    text = check(own, "own seat")
    assert own.status_code == 200
    for words in ("HUSHNOTE", "HUSHSTDERR", "HUSHANSWER", "&quot;type&quot;:&quot;move&quot;"):
        assert words in text
    assert client.get(f"/matches/{match.public_id}/seats/{3 - mine}/").status_code == 403
    assert client.get(f"/matches/{match.public_id}/seats/7/").status_code == 403
    assert client.get(f"/matches/{furnished.preflight.public_id}/").status_code == 200
    version = client.get(f"/bots/{furnished.version.bot.public_id}/versions/2/").content.decode()
    assert "built &lt;well&gt;" in version
    assert "stopped here" in version


def test_seed_and_board_are_shown_when_the_bundle_has_ended(furnished: House) -> None:
    client = client_of(furnished.admin)
    half = client.get(f"/matches/{furnished.half.public_id}/proof/").content.decode()
    assert furnished.half.bundle.commitment in half
    assert furnished.half.bundle.seed not in half
    assert 'id="stage"' not in client.get(f"/matches/{furnished.half.public_id}/?step=3").content.decode()
    done = client.get(f"/matches/{furnished.finished.public_id}/proof/").content.decode()
    assert furnished.finished.bundle.seed in done
    assert "haunt verify" in done


def test_a_seat_s_view_hides_the_card_that_it_has_not_looked_at(furnished: House) -> None:
    client = Client()
    address = f"/matches/{furnished.finished.public_id}/"
    boards = {
        seat: [
            client.get(f"{address}?step={step}&seat={seat}&part=stage").content.decode()
            for step in range(1, 80, 6)
        ]
        for seat in ("", "1", "2")
    }
    backs = {seat: sum(text.count('class="back"') for text in texts) for seat, texts in boards.items()}
    assert backs["1"] >= backs[""]
    assert backs["2"] >= backs[""]


# ---------------------------------------------------------------- what pages say


def test_matches_say_how_they_stand(furnished: House) -> None:
    client = Client()

    def text(match: Any) -> str:
        return client.get(f"/matches/{match.public_id}/").content.decode()

    assert "wins" in text(furnished.finished) or "share" in text(furnished.finished)
    assert "No worker that is there now can play this match." in text(furnished.queued)
    assert "are at the table" in text(furnished.running)
    assert "it was tried again and again" in text(furnished.void)
    assert "lost this one by a fault, not by play" in text(furnished.faulted)
    assert "opens when the last match of its bundle" in text(furnished.half)


def test_standings_show_ranks_beams_and_the_own_row(furnished: House) -> None:
    text = client_of(furnished.author).get(f"/ladders/{furnished.ladder.slug}/").content.decode()
    assert text.count('class="beam"') == 5
    assert "<b>yours</b>" in text
    assert "of the house" in text
    assert 'class="ci"' in text


def test_now_is_answered_with_304_until_something_ends(
    furnished: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, minute = Client(), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: minute)
    first = client.get("/now/")
    again = client.get("/now/", headers={"if-none-match": first.headers["ETag"]})
    furnished.half.delete()
    after = client.get("/now/", headers={"if-none-match": first.headers["ETag"]})
    assert [answer.status_code for answer in (first, again, after)] == [200, 304, 200]
    monkeypatch.setattr(timezone, "now", lambda: minute + timedelta(minutes=1))
    turned = client.get("/now/", headers={"if-none-match": after.headers["ETag"]})
    assert turned.status_code == 200, "it tells the minute"


def test_the_theme_is_a_cookie_that_the_server_reads(db: None) -> None:
    client = Client()
    seen = []
    for _ in range(3):
        response = client.post("/theme/", {"next": "/docs/"})
        assert response.headers["Location"] == "/docs/"
        text = client.get("/docs/").content.decode()
        seen.append(re.findall(r'data-theme="(\w+)"', text))
    assert seen == [["dark"], ["light"], []]
    assert client.post("/theme/", {"next": "https://example.org/"}).headers["Location"] == "/"


# ---------------------------------------------------------------- forms


def test_signing_up_in_and_out(db: None, settings: Any) -> None:
    client = Client()
    weak = client.post("/sign-up/", {"username": "lin", "password": "short"})
    assert weak.status_code == 400
    assert "too short" in check(weak, "/sign-up/")
    done = client.post("/sign-up/", {"username": "lin", "password": "a long password 1"})
    assert done.headers["Location"] == "/desk/"
    assert "Three steps" in client.get("/desk/").content.decode()
    client.post("/sign-out/")
    assert client.get("/desk/").status_code == 302
    wrong = client.post("/sign-in/", {"username": "lin", "password": "wrong"})
    assert "not right" in check(wrong, "/sign-in/")
    right = client.post(
        "/sign-in/", {"username": "lin", "password": "a long password 1", "next": "/desk/tokens/"}
    )
    assert right.headers["Location"] == "/desk/tokens/"
    settings.SIGNUP = "invite"
    assert "By invitation" in Client().get("/sign-up/").content.decode()
    settings.SIGNUP = "closed"
    assert "Full house" in Client().get("/sign-up/").content.decode()


def test_an_invitation_opens_a_closed_house_once(furnished: House, settings: Any) -> None:
    settings.SIGNUP = "closed"
    admin = client_of(furnished.admin)
    page = admin.post("/desk/invite/", follow=True).content.decode()
    found = re.search(r"/join/([\w-]+)/", page)
    assert found is not None
    address = f"/join/{found[1]}/"
    fields = {"username": "mia", "password": "a long password 1"}
    assert Client().post(address, fields).headers["Location"] == "/desk/"
    again = Client().post(address, {**fields, "username": "max"})
    assert "This invitation has ended" in check(again, address)
    assert client_of(furnished.author).post("/desk/invite/").status_code == 403


def test_a_forgotten_password(db: None, mailoutbox: list[Any]) -> None:
    User.objects.create_user("lin", "lin@example.org", "an old password 1")
    client = Client()
    assert client.post("/password/", {"email": "lin@example.org"}).headers["Location"] == "/password/sent/"
    found = re.search(r"http://testserver(/password/\S+)", mailoutbox[0].body)
    assert found is not None
    form = client.get(found[1], follow=True)
    address = form.redirect_chain[-1][0]
    check(form, address)
    fields = {"new_password1": "quite another 2", "new_password2": "quite another 2"}
    assert client.post(address, fields).headers["Location"] == "/desk/"
    assert User.objects.get(username="lin").check_password("quite another 2")


def test_uploading_a_text_makes_bot_and_version(furnished: House) -> None:
    client = client_of(furnished.author)
    assert "from sdk import run" in client.get("/desk/upload/").content.decode()
    fields = {"name": "Tin Bell", "language": "python", "source": "print(1)\r\n", "note": "first"}
    done = client.post("/desk/upload/", fields)
    version = Version.objects.get(bot__name="Tin Bell")
    assert done.headers["Location"] == f"/bots/{version.bot.public_id}/versions/1/"
    text = check(client.get(done.headers["Location"]), "version")
    assert "Waits for its build" in text
    assert "data-poll=" in text


def test_a_version_that_no_ladder_plays_says_so_and_waits_for_nothing(furnished: House) -> None:
    rests = house.version("Gem Hunter", owner=furnished.author)
    version_rests(version=rests, code="no_ladder", games="treasure-hunters")
    client = client_of(furnished.author)
    page = check(client.get(f"/bots/{rests.bot.public_id}/versions/1/"), "version")
    assert "none here plays treasure-hunters." in page
    assert "data-poll=" not in page
    assert "none here plays treasure-hunters." in client.get("/desk/").content.decode()
    assert client.get("/docs/errors/no_ladder/").status_code == 200


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "", "source": "x"}, "Give the new bot a name"),
        ({"name": "Tin Bell", "source": " "}, "Choose a file, or write"),
        ({"name": "candleWICK", "source": "x"}, "There is a bot called candleWICK already"),
    ],
)
def test_an_upload_that_is_not_right_says_why(furnished: House, fields: dict[str, str], words: str) -> None:
    response = client_of(furnished.author).post("/desk/upload/", {"language": "python", **fields})
    assert response.status_code == 400
    assert words in check(response, "/desk/upload/")


def test_a_refused_archive_leaves_no_bot_behind(furnished: House, tmp_path: Any) -> None:
    path = tmp_path / "bot.zip"
    path.write_bytes(b"no zip at all")
    with path.open("rb") as file:
        response = client_of(furnished.author).post(
            "/desk/upload/", {"name": "Tin Bell", "language": "python", "file": file}
        )
    assert response.status_code == 400
    assert "We opened nothing" in check(response, "/desk/upload/")
    assert not Bot.objects.filter(name="Tin Bell").exists()


def test_another_s_bot_cannot_be_uploaded_to_or_entered(furnished: House) -> None:
    client = client_of(furnished.stranger)
    fields = {"bot": str(furnished.version.bot.public_id), "language": "python", "source": "x"}
    assert client.post("/desk/upload/", fields).status_code == 400
    address = f"/bots/{furnished.version.bot.public_id}/entry/"
    assert client.post(address, {"ladder": furnished.ladder.slug, "withdraw": "1"}).status_code == 403
    own = client_of(furnished.author)
    own.post(address, {"ladder": furnished.ladder.slug, "withdraw": "1"})
    assert not furnished.version.bot.entries.filter(ladder=furnished.ladder, withdrawn_at=None).exists()
    own.post(address, {"ladder": furnished.ladder.slug})
    assert furnished.version.bot.entries.filter(ladder=furnished.ladder, withdrawn_at=None).exists()


def test_a_token_is_shown_once_and_can_be_revoked(furnished: House) -> None:
    client = client_of(furnished.author)
    page = check(client.post("/desk/tokens/", {"name": "laptop", "scopes": ["read"], "days": "9"}), "tokens")
    assert re.search(r"hl_[0-9a-f]{10}_[\w-]{20,}", page)
    assert not re.search(r"hl_[0-9a-f]{10}_", client.get("/desk/tokens/").content.decode())
    token = ApiToken.objects.get(user=furnished.author)
    address = f"/desk/tokens/{token.public_id}/end/"
    assert client_of(furnished.stranger).post(address).status_code == 404
    client.post(address)
    token.refresh_from_db()
    assert token.revoked_at is not None
    refused = client.post("/desk/tokens/", {"name": "x", "scopes": ["admin"], "days": "9"})
    assert "Only an admin" in check(refused, "tokens")


# ---------------------------------------------------------------- how much is asked of the database


@pytest.mark.parametrize("page", ["home", "standings", "match", "bot", "matches"])
def test_queries_do_not_grow_with_what_there_is(
    furnished: House, page: str, django_assert_max_num_queries: Any
) -> None:
    address, most = {
        "home": ("/", 40),
        "standings": (f"/ladders/{furnished.ladder.slug}/", 18),
        "match": (f"/matches/{furnished.finished.public_id}/", 10),
        "bot": (f"/bots/{furnished.version.bot.public_id}/", 20),
        "matches": ("/matches/", 6),
    }[page]
    with django_assert_max_num_queries(most):
        assert Client().get(address).status_code == 200


def test_the_board_tells_what_each_meeple_met(furnished: House) -> None:
    address = f"/matches/{furnished.finished.public_id}/"
    steps = Client().get(f"/api/v1{address[:-1]}/replay").json()["steps"]
    met = next(step for step in steps if step["event"]["kind"] == "ghosts" and "space" in step["event"])
    text = Client().get(f"{address}?step={met['step'] + 1}&part=stage").content.decode()
    assert f">+{met['event']['change']}</text>" in text
