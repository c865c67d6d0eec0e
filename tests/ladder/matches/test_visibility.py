"""Who sees what of a match: every door, every viewer, every state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from ladder.accounts.models import User
from ladder.matches.models import Match, Purpose, Worker
from ladder.matches.services.bundles import bundle_create, preflight_create
from ladder.matches.services.claims import private_seed
from ladder.matches.services.ladders import season_ensure
from ladder.programs.models import Version
from tests.ladder import house

pytestmark = pytest.mark.django_db
VIEWERS = ("anonymous", "stranger", "member", "opponent", "admin")
STATES = ("queued", "running", "half", "finished", "preflight")
SECRET_DOORS = (
    "",
    "/attempts",
    "/record",
    "/replay",
    "/replay?seat=0",
    "/transcript?seat=0",
    "/transcript?seat=1",
)


@dataclass
class Scene:
    """A match between the member's bot and the opponent's in one state, and who looks at it."""

    match: Match
    version: Version
    clients: dict[str, Client]

    def own_seats(self, viewer: str) -> set[int]:
        seats = {seat.number: seat.version for seat in self.match.seats.all()}
        if viewer == "admin":
            return set(seats)
        mine = {"member": self.version.bot.name, "opponent": "theirs"}.get(viewer)
        return {number for number, version in seats.items() if version.bot.name == mine}

    def sees(self, viewer: str) -> bool:
        return self.match.bundle.purpose != Purpose.PREFLIGHT or viewer in ("member", "admin")


Stage = Callable[[str], Scene]


@pytest.fixture
def stage() -> Stage:
    ladder, worker = house.ladder(2), house.worker()
    member, opponent = house.user("member"), house.user("opponent")
    clients = {name: Client() for name in VIEWERS}
    clients["member"].force_login(member)
    clients["opponent"].force_login(opponent)
    clients["stranger"].force_login(house.user("stranger"))
    clients["admin"].force_login(User.objects.create_superuser("root", password="a long password 1"))
    mine = house.version("mine", owner=member, on=ladder)
    theirs = house.version("theirs", owner=opponent, on=ladder)
    house.version("h1", on=ladder)
    season = season_ensure(ladder=ladder)

    def set_up(state: str) -> Scene:
        if state == "preflight":
            bundle = preflight_create(season=season, version=mine)
            bundle.subject = None  # judged elsewhere
            bundle.save(update_fields=["subject"])
        else:
            bundle = bundle_create(season=season, purpose=Purpose.LADDER, versions=[mine, theirs])
        first, second = bundle.matches.order_by("number")
        _bring(worker, state, first, second)
        return Scene(Match.objects.get(pk=first.pk), mine, clients)

    return set_up


def _bring(worker: Worker, state: str, first: Match, second: Match) -> None:
    if state == "running":
        house.claim(worker, first)
    if state in ("half", "finished", "preflight"):
        house.play(worker, first)
    if state in ("finished", "preflight"):
        house.play(worker, second)


def doors(match: Match) -> list[str]:
    base = f"/api/v1/matches/{match.public_id}"
    page = f"/matches/{match.public_id}/"
    pages = [page, f"{page}?step=9", f"{page}proof/", f"{page}seats/1/", f"{page}seats/2/"]
    lists = ["/api/v1/matches", "/matches/", "/", "/api/v1/ladders/dont-go-in-there-2/records"]
    return [*(base + door for door in SECRET_DOORS), *pages, *lists]


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_door_tells_a_seed_before_its_time_or_to_the_wrong_person(
    stage: Stage, state: str, viewer: str
) -> None:
    scene = stage(state)
    client, match = scene.clients[viewer], scene.match
    may_prove = state in ("finished", "preflight") and scene.sees(viewer)
    for door in doors(match):
        response = client.get(door)
        assert response.status_code < 500, door
        if not may_prove:
            assert match.bundle.seed.encode() not in body(response), door


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_each_door_of_the_api_answers_whom_it_should(stage: Stage, state: str, viewer: str) -> None:
    scene = stage(state)
    client, match = scene.clients[viewer], scene.match
    base = f"/api/v1/matches/{match.public_id}"
    exists = scene.sees(viewer)
    over = state in ("half", "finished", "preflight")
    proved = state in ("finished", "preflight")
    assert client.get(base).status_code == (200 if exists else 404)
    assert client.get(f"{base}/attempts").status_code == (200 if exists else 404)
    listed = {row["id"] for row in client.get("/api/v1/matches").json()["results"]}
    assert (str(match.public_id) in listed) is exists
    for door in ("/record", "/replay", "/replay?seat=0"):
        assert client.get(base + door).status_code == ((200 if proved else 403) if exists else 404), door
    for seat in (0, 1):
        own = over and seat in scene.own_seats(viewer)
        wanted = (200 if own else 403) if exists else 404
        assert client.get(f"{base}/transcript?seat={seat}").status_code == wanted, seat
        page = client.get(f"/matches/{match.public_id}/seats/{seat + 1}/")
        assert (page.status_code == 200) is (exists and own)
    for page in ("", "proof/"):
        assert client.get(f"/matches/{match.public_id}/{page}").status_code == (200 if exists else 404)


@pytest.mark.parametrize("state", STATES)
def test_records_of_the_ladder_are_of_rated_bundles_that_have_ended(stage: Stage, state: str) -> None:
    scene = stage(state)
    response = scene.clients["anonymous"].get("/api/v1/ladders/dont-go-in-there-2/records")
    assert len(body(response).splitlines()) == (2 if state == "finished" else 0)


def test_a_transcript_tells_a_seat_s_own_dice_and_nobody_else_s(stage: Stage) -> None:
    scene = stage("finished")
    (seat,) = scene.own_seats("member")
    response = scene.clients["member"].get(f"/api/v1/matches/{scene.match.public_id}/transcript?seat={seat}")
    lines = response.json()["lines"]
    assert [line["kind"] for line in lines] == ["hello", "end"], "the report tells of no questions"
    seeds = {
        each.number: private_seed(scene.match.bundle.seed, each.version.digest)
        for each in scene.match.seats.all()
    }
    text = "".join(line["line"] for line in lines)
    assert text.count("\n") == len(lines)
    assert seeds[seat] in text
    assert seeds[1 - seat] not in text
    assert scene.match.bundle.seed not in text
