"""Signing up in each of the house's modes, tokens and their scopes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.accounts.models import ApiToken, Invitation, User
from ladder.accounts.services import invitation_create, token_create, token_revoke, user_sign_up
from ladder.common.errors import ConflictError, ForbiddenError, LadderError
from tests.ladder import house

pytestmark = pytest.mark.django_db
GOOD = "correct horse 17 battery"


def test_an_open_house_lets_anybody_in() -> None:
    assert user_sign_up(username="ada", password=GOOD).check_password(GOOD)


@pytest.mark.parametrize(("mode", "code"), [("invite", "invite_only"), ("closed", "signup_closed")])
def test_other_houses_say_why_not(settings: Any, mode: str, code: str) -> None:
    settings.SIGNUP = mode
    with pytest.raises(ForbiddenError) as caught:
        user_sign_up(username="ada", password=GOOD)
    assert caught.value.code == code


@pytest.mark.parametrize("mode", ["open", "invite", "closed"])
def test_an_invitation_opens_once_in_every_mode(settings: Any, mode: str) -> None:
    settings.SIGNUP = mode
    ticket = invitation_create(by=None)
    user = user_sign_up(username="ada", password=GOOD, invitation=ticket)
    assert Invitation.objects.get().used_by == user
    with pytest.raises(ForbiddenError):
        user_sign_up(username="ben", password=GOOD, invitation=ticket)


def test_an_invitation_ends() -> None:
    ticket = invitation_create(by=None)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(ForbiddenError):
        user_sign_up(username="ada", password=GOOD, invitation=ticket)


def test_the_first_admins_invitation_makes_an_admin() -> None:
    ticket = invitation_create(by=None, makes_admin=True)
    user = user_sign_up(username="ada", password=GOOD, invitation=ticket)
    assert user.is_staff
    assert user.is_superuser


def test_names_differ_by_more_than_case() -> None:
    user_sign_up(username="Ada", password=GOOD)
    with pytest.raises(ConflictError):
        user_sign_up(username="aDA", password=GOOD)


@pytest.mark.parametrize(("name", "password"), [("a b", GOOD), ("", GOOD), ("ada", "12345678"), ("ada", "x")])
def test_bad_names_and_weak_passwords_get_a_sentence(name: str, password: str) -> None:
    with pytest.raises(LadderError) as caught:
        user_sign_up(username=name, password=password)
    assert caught.value.message
    assert not User.objects.exists()


def api(key: str | None = None) -> Client:
    return Client(headers={"Authorization": f"Bearer {key}"} if key else {})


def test_login_gives_a_token_that_opens_me() -> None:
    house.user("ada")
    fields = {"username": "ada", "password": "a long password 1", "name": "laptop"}
    answer = api().post("/api/v1/login", fields, content_type="application/json")
    assert answer.status_code == 201
    me = api(answer.json()["token"]).get("/api/v1/me")
    assert me.json()["username"] == "ada"
    assert me.headers["RateLimit-Remaining"]


def test_a_wrong_password_is_a_401_with_a_code() -> None:
    house.user("ada")
    fields = {"username": "ada", "password": "nonsense", "name": "laptop"}
    answer = api().post("/api/v1/login", fields, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_password")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_the_password_is_not_tried_without_end(settings: Any) -> None:
    fields = {"username": "nobody", "password": "nonsense", "name": "laptop"}
    codes = [
        api()
        .post("/api/v1/login", fields, content_type="application/json", REMOTE_ADDR="192.0.2.7")
        .status_code
        for _ in range(25)
    ]
    assert codes[0] == 401
    assert codes[-1] == 429


def test_a_stranger_s_forwarded_address_buys_no_more_knocks() -> None:
    fields = {"username": "nobody", "password": "nonsense", "name": "laptop"}
    codes = {
        Client(headers={"X-Forwarded-For": f"198.51.100.{number}"})
        .post("/api/v1/login", fields, content_type="application/json", REMOTE_ADDR="192.0.2.8")
        .status_code
        for number in range(25)
    }
    assert codes == {401, 429}


@pytest.mark.parametrize("door", ["/sign-in/", "/admin/login/?next=/admin/"])
def test_one_name_s_password_is_guessed_ten_times_from_one_address(door: str) -> None:
    User.objects.create_user("root", password=GOOD, is_staff=True)
    here: dict[str, Any] = {"REMOTE_ADDR": f"192.0.2.{door.count('/')}1"}
    there: dict[str, Any] = {"REMOTE_ADDR": f"192.0.2.{door.count('/')}2"}
    right = {"username": "root", "password": GOOD}
    assert Client().post(door, right, **here).status_code == 302
    for _ in range(10):
        assert Client().post(door, {**right, "password": "nonsense"}, **here).status_code != 302
    assert Client().post(door, right, **here).status_code != 302
    assert Client().post(door, right, **there).status_code == 302


def test_a_token_that_ended_or_was_revoked_opens_nothing() -> None:
    token, key = token_create(user=house.user(), name="t", scopes=["read"])
    assert api(key).get("/api/v1/me").status_code == 200
    token_revoke(token=token)
    assert api(key).get("/api/v1/me").status_code == 401
    token, key = token_create(user=User.objects.get(), name="t", scopes=["read"])
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert api(key).get("/api/v1/me").status_code == 401
    assert api("hl_nonsense_nonsense").get("/api/v1/me").status_code == 401


def test_the_secret_is_nowhere_in_the_database() -> None:
    token, key = token_create(user=house.user(), name="t", scopes=["read"])
    secret = key.rpartition("_")[2]
    assert secret not in str(ApiToken.objects.filter(pk=token.pk).values().get())


@pytest.mark.parametrize(
    ("scopes", "made", "entered"),
    [(["read"], 403, 403), (["upload"], 201, 403), (["enter"], 403, 201), (["upload", "enter"], 201, 201)],
)
def test_a_token_does_what_its_scopes_say(scopes: list[str], made: int, entered: int) -> None:
    ladder = house.ladder(2)
    user = house.user()
    bot = house.version("mine", owner=user).bot
    _, key = token_create(user=user, name="t", scopes=scopes)
    answer = api(key).post("/api/v1/bots", {"name": "Another"}, content_type="application/json")
    assert answer.status_code == made
    answer = api(key).post(
        f"/api/v1/bots/{bot.public_id}/entries", {"ladder": ladder.slug}, content_type="application/json"
    )
    assert answer.status_code == entered
    assert api(key).get("/api/v1/me").status_code == 200


def test_a_token_makes_no_stronger_token() -> None:
    _, key = token_create(user=house.user(), name="t", scopes=["upload"])
    fields = {"name": "more", "scopes": ["upload", "enter"]}
    answer = api(key).post("/api/v1/me/tokens", fields, content_type="application/json")
    assert answer.status_code == 403


def test_tokens_are_listed_and_revoked_by_their_owner_alone() -> None:
    token, key = token_create(user=house.user(), name="t", scopes=["upload"])
    _, strangers = token_create(user=house.user("eve"), name="t", scopes=["upload"])
    address = f"/api/v1/me/tokens/{token.public_id}"
    assert api(strangers).delete(address).status_code == 404
    assert [row["id"] for row in api(key).get("/api/v1/me/tokens").json()["results"]] == [
        str(token.public_id)
    ]
    assert api(key).delete(address).status_code == 204
    assert api(key).get("/api/v1/me").status_code == 401


def test_an_admins_token_without_the_scope_is_anybodys() -> None:
    admin = User.objects.create_superuser("root", password=GOOD)
    version = house.version("hers", owner=house.user())
    address = f"/api/v1/versions/{version.public_id}"
    _, everyday = token_create(user=admin, name="t", scopes=["read", "upload"])
    _, full = token_create(user=admin, name="t", scopes=["admin", "read"])
    assert "build_log" not in api(everyday).get(address).json()
    assert "build_log" in api(full).get(address).json()
    fields = {"name": "more", "scopes": ["admin"]}
    answer = api(everyday).post("/api/v1/me/tokens", fields, content_type="application/json")
    assert answer.status_code == 403
    admin.refresh_from_db()
    assert admin.is_staff
