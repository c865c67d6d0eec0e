"""Tournaments through the API: made, entered, run, read; and what bad input gets."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.accounts.models import User
from ladder.accounts.services import token_create
from ladder.matches.models import LadderVersion, Match
from ladder.programs.models import Version
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import organise
from ladder.tournaments.services.series import series_fire
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db

URL = "/api/v1/tournaments"


def soon(minutes: int = 60) -> str:
    return (timezone.now() + timedelta(minutes=minutes)).isoformat()


def body(**changes: Any) -> dict[str, Any]:
    plan = {"title": "Friday", "ladder": "dont-go-in-there-2", "format": "swiss", "starts_at": soon()}
    return {**plan, **changes}


class Desk:
    """A signed-in user's requests."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.client = Client()
        self.client.force_login(user)

    def post(self, path: str, data: Any = None) -> Any:
        return self.client.post(path, data or {}, "application/json")

    def patch(self, path: str, data: Any) -> Any:
        return self.client.patch(path, data, "application/json")

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers=headers)


@pytest.fixture
def ada(db: None) -> Desk:
    house.ladder(2)
    return Desk(house.user("ada"))


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    said: dict[str, Any] = answer.json()
    assert (answer.status_code, said["code"]) == (status, code), said
    return said


BAD = [
    ({"seats": 8}, "seats", "2 to 5"),
    ({"format": "single_elimination", "advance": 3}, "advance", "3 of 2 cannot advance"),
    ({"registration_ends_at": soon(60 * 24)}, "starts_at", "before the end of registration"),
    ({"rounds": 9, "max_entries": 8}, "rounds", "1 to 7 rounds, for a Swiss of 8"),
    ({"starts_at": soon(-5)}, "starts_at", "has passed"),
    ({"starts_at": "9999-12-31T23:59:59Z"}, "starts_at", "four years"),
    ({"hidden_until": soon(30)}, "hidden_until", "before the start"),
    ({"tie_breaks": ["buchholz"]}, "tie_breaks", "the lot"),
    ({"tie_breaks": ["lot", "lot"]}, "tie_breaks", "twice"),
    ({"min_entries": 9, "max_entries": 8}, "min_entries", "at most 8"),
    ({"entry_rule": "rated"}, "least_rating", "rated"),
    ({"format": "score_attack"}, "format", "co-operative"),
    ({"format": "round_robin", "seats": 3, "max_entries": 500}, "max_entries", "128"),
    ({"format": "groups", "groups": 2, "min_entries": 3}, "groups", "fewer than 2"),
    ({"ladder": "nowhere"}, "ladder", "no ladder nowhere"),
    ({"prize": 100}, "prize", "no such field"),
    ({"seats": "many"}, "seats", "integer"),
    ({"rounds": []}, "rounds", "integer"),
    ({"title": None}, "title", "null"),
    ({"title": "x\x00"}, "title", "ull"),
    ({"bundles": 10**30}, "bundles", ""),
    ({"advance": 10**9}, "advance", ""),
    ({"starts_at": "soon"}, "starts_at", "format"),
    ({"starts_at": None}, "starts_at", "null"),
    ({"format": "chess"}, "format", "not a valid choice"),
]


def test_a_plan_that_contradicts_itself_names_its_field(ada: Desk) -> None:
    for changes, field, sentence in BAD:
        said = refused(ada.post(URL, body(**changes)), 400, "invalid")
        assert list(said["fields"]) == [field], (changes, said)
        assert sentence in " ".join(said["fields"][field]), (changes, said)
    refused(ada.post(URL, [1]), 400, "invalid")
    refused(ada.post(URL, body(is_listed=True)), 403, "forbidden")
    assert not Tournament.objects.exists()


def test_a_series_that_cannot_be_names_its_field(ada: Desk) -> None:
    for changes, field, sentence in [
        ({"cron": "0 0 30 2 *"}, "cron", "never fires"),
        ({"cron": "0 0 31 4,6 *"}, "cron", "never fires"),
        ({"cron": "every day"}, "cron", "cannot be read"),
        ({"cron": "0 20 * * fri", "time_zone": "Berlin"}, "time_zone", "Europe/Berlin"),
        ({"cron": "0 * * * *", "registration_s": 86_400}, "registration_s", "36000 seconds"),
        ({}, "cron", "required"),
    ]:
        plan = {"title": "Friday", "ladder": "dont-go-in-there-2", "format": "swiss", **changes}
        said = refused(ada.post("/api/v1/series", plan), 400, "invalid")
        assert list(said["fields"]) == [field], said
        assert sentence in " ".join(said["fields"][field]), said


def test_series_are_made_stopped_and_found_by_their_address(ada: Desk) -> None:
    plan = {"title": "F" * 80, "ladder": "dont-go-in-there-2", "format": "swiss", "cron": "0 20 * * *"}
    began = soon(0)
    made = ada.post("/api/v1/series", plan).json()
    address = f"/api/v1/series/{made['slug']}"
    assert re.search(r"-[0-9a-f]{16}$", made["slug"])
    assert made["next_at"] > began[:19]
    stranger = Desk(house.user("eve"))
    assert stranger.get(address).status_code == 200
    assert stranger.get("/api/v1/series").json()["results"] == []
    assert ada.get("/api/v1/series").json()["results"][0]["slug"] == made["slug"]
    refused(stranger.post(f"{address}/stop"), 403, "forbidden")
    assert ada.post(f"{address}/stop").json()["next_at"] is None
    again = ada.post(f"{address}/resume").json()
    assert again["is_active"] is True
    series_fire(now=datetime.fromisoformat(again["next_at"]))
    (row,) = ada.get(f"{URL}?series={made['slug']}").json()["results"]
    assert (row["series"], row["state"]) == (made["slug"], "open")


def test_who_may_make_what_by_scope_and_standing(ada: Desk) -> None:
    root = User.objects.create_superuser("root", password="a long password 1")
    cases = [
        (ada.user, ["read"], {}, 403),
        (ada.user, ["upload"], {}, 403),
        (ada.user, ["enter"], {}, 201),
        (root, ["enter"], {"is_listed": True}, 403),
        (root, ["enter", "admin"], {"is_listed": True}, 201),
    ]
    for user, scopes, changes, status in cases:
        key = token_create(user=user, name="t", scopes=scopes)[1]
        headers = {"Authorization": f"Bearer {key}"}
        answer = Client().post(URL, body(title="Estimate", **changes), "application/json", headers=headers)
        assert answer.status_code == status, (scopes, answer.content)
    assert Client().post(URL, body(), "application/json").status_code == 401
    theirs = Tournament.objects.get(owner=ada.user)
    for scopes, status in ((["enter"], 403), (["enter", "admin"], 200)):
        key = token_create(user=root, name="t", scopes=scopes)[1]
        headers = {"Authorization": f"Bearer {key}"}
        answer = Client().post(f"{URL}/{theirs.slug}/pause", {}, "application/json", headers=headers)
        assert answer.status_code == status, "an admin's everyday token is no more than anybody's"
    slugs = Tournament.objects.values_list("slug", flat=True)
    assert all(re.fullmatch(r"estimate-([0-9a-f]{16}|[0-9a-f]{6})", slug) for slug in slugs)


def test_a_user_makes_so_many_a_day(ada: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(organise, "TOURNAMENTS_A_DAY", 1)
    assert ada.post(URL, body()).status_code == 201
    assert refused(ada.post(URL, body()), 429, "tournaments_per_day")["retry_at"] > soon(60 * 23)[:19]
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert ada.post(URL, body()).status_code == 201


def test_what_entering_may_be_refused_for(ada: Desk) -> None:
    made = Tournament.objects.get(slug=ada.post(URL, body(entries_per_user=2, max_entries=3)).json()["slug"])
    entries = f"{URL}/{made.slug}/entries"
    mine, theirs = (house.version(name, on=made.ladder, owner=user) for name, user in
                    (("mine", ada.user), ("theirs", house.user("bob"))))  # fmt: skip
    draft = house.version("draft", owner=ada.user)
    other = house.version("other", owner=ada.user)
    Version.objects.filter(pk=other.pk).update(games=["haunt-the-house"])
    enter = {"bot": str(mine.bot.public_id)}

    refused(ada.post(entries, {"bot": "mine"}), 400, "invalid")
    refused(ada.post(entries, {**enter, "seat": 1}), 400, "invalid")
    refused(ada.post(entries, {"bot": str(made.owner.public_id)}), 404, "not_found")
    refused(ada.post(entries, {"bot": str(theirs.bot.public_id)}), 403, "forbidden")
    refused(ada.post(entries, {"bot": str(draft.bot.public_id)}), 400, "not_active")
    refused(ada.post(entries, {"bot": str(other.bot.public_id)}), 400, "other_game")
    refused(ada.post(entries, {**enter, "version": str(theirs.public_id)}), 400, "other_bot")
    entry = ada.post(entries, enter)
    assert (entry.status_code, entry.json()["name"]) == (201, "mine")
    refused(ada.post(entries, enter), 409, "entered")
    ada.post(entries, {"bot": str(house.version("second", on=made.ladder, owner=ada.user).bot.public_id)})
    third = house.version("third", on=made.ladder, owner=ada.user)
    refused(ada.post(entries, {"bot": str(third.bot.public_id)}), 429, "entries_per_user")
    assert Desk(theirs.uploaded_by).post(entries, {"bot": str(theirs.bot.public_id)}).status_code == 201
    late = house.version("late", on=made.ladder, owner=house.user("cyd"))
    refused(Desk(late.uploaded_by).post(entries, {"bot": str(late.bot.public_id)}), 409, "full")
    Tournament.objects.update(entry_rule="invited")
    refused(Desk(late.uploaded_by).post(entries, {"bot": str(late.bot.public_id)}), 403, "not_invited")
    Tournament.objects.update(registration_ends_at=timezone.now() - timedelta(seconds=1))
    refused(Desk(late.uploaded_by).post(entries, {"bot": str(late.bot.public_id)}), 409, "too_late")


def test_members_choose_a_version_and_withdraw(ada: Desk) -> None:
    made = Tournament.objects.get(slug=ada.post(URL, body()).json()["slug"])
    first = house.version("mine", on=made.ladder, owner=ada.user)
    LadderVersion.objects.update(state=LadderVersion.State.REPLACED)
    house.version("mine", on=made.ladder, owner=ada.user, number=2)
    door = f"{URL}/{made.slug}/entries/{first.bot.public_id}"
    stranger = Desk(house.user("eve"))
    assert ada.get(door).status_code == 404
    ada.post(f"{URL}/{made.slug}/entries", {"bot": str(first.bot.public_id)})
    choice = {"version": str(first.public_id)}
    refused(stranger.patch(door, choice), 403, "forbidden")
    refused(ada.patch(door, {}), 400, "invalid")
    assert ada.patch(door, choice).json()["wish"] == choice["version"]
    assert stranger.get(door).json()["wish"] is None, "a wish is its members' own"
    assert ada.patch(door, {"version": None}).json()["wish"] is None
    refused(stranger.client.delete(door), 403, "forbidden")
    assert ada.client.delete(door).status_code == 204
    assert ada.get(door).status_code == 404


def test_an_estimate_counts_and_measures(ada: Desk) -> None:
    plan = body(format="double_elimination", entries=16)
    said = ada.post(f"{URL}/estimate", plan).json()
    assert (said["matches"], said["entries"], said["is_measured"]) == (62, 16, False), "31 tables of two"
    assert (said["slots"], said["remaining_s"]) == (0, None)
    del plan["starts_at"]
    assert ada.post(f"{URL}/estimate", plan).json() == said
    refused(ada.post(f"{URL}/estimate", {**plan, "max_entries": 8}), 400, "invalid")
    refused(ada.post(f"{URL}/estimate", {**plan, "seats": 9}), 400, "invalid")
    assert not Tournament.objects.exists()

    worker = house.worker()
    made = hall.play_out(hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=2), worker)
    type(worker).objects.update(last_seen_at=timezone.now(), slots=4)
    Match.objects.update(started_at=made.starts_at, finished_at=made.starts_at + timedelta(seconds=3))
    said = ada.post(f"{URL}/estimate", {**plan, "entries": 2}).json()
    assert said["is_measured"] is True
    assert (said["match_s"], said["slots"]) == (3.0, 4)
    assert said["remaining_s"] == 3 * said["rounds"], "two matches at a time, round after round"


def test_a_finished_bracket_reads_the_same_at_every_door(ada: Desk) -> None:
    made = hall.tournament(house.ladder(2), Format.DOUBLE_ELIMINATION, entries=5)
    hall.play_out(made, house.worker())
    at = f"{URL}/{made.slug}"
    bracket = ada.get(f"{at}/bracket").json()
    nodes = {node["key"]: node for node in bracket["nodes"]}
    assert bracket["edges"]
    for edge in bracket["edges"]:
        slots = nodes[edge["to"]]["slots"]
        source = next(
            slot
            for slot in slots
            if (slot["comes_from"]["table"], slot["comes_from"]["place"]) == (edge["table"], edge["place"])
        )
        sender = nodes[edge["table"]]["slots"][edge["place"] - 1]
        if nodes[edge["to"]]["status"] == "decided":
            assert source["bot"] == sender["bot"], edge
    rows = ada.get(f"{at}/standings").json()["rows"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert [bool(row["why"]) for row in rows] == [False, True, True, True, True]
    assert all(rows[number]["name"] in rows[number + 1]["why"] for number in range(4))
    ranks = {entry["name"]: entry["rank"] for entry in ada.get(f"{at}/entries").json()}
    assert ranks == {row["name"]: row["rank"] for row in rows}
    finals = [node for key, node in nodes.items() if node["side"] == "F" and node["status"] == "decided"]
    assert finals[-1]["slots"][0]["name"] == rows[0]["name"]
    matches = ada.get(f"{at}/matches?page_size=200").json()["results"]
    assert {row["id"] for row in matches} == {one for node in nodes.values() for one in node["matches"]}

    exported = ada.get(f"{at}/export").json()
    assert exported["standings"]["rows"] == rows
    assert [table for stage in exported["rounds"] for table in stage["tables"]] == bracket["nodes"]
    assert exported["events"][-1]["text"] == f"It ended. {rows[0]['name']} won."
    assert exported["tournament"]["seed"] == made.seed
    table = list(csv.DictReader(io.StringIO(ada.get(f"{at}/standings?export=csv").content.decode())))
    assert [(row["name"], row["why"]) for row in table] == [(row["name"], row["why"]) for row in rows]
    table = list(csv.DictReader(io.StringIO(ada.get(f"{at}/export?export=csv").content.decode())))
    assert len(table) == sum(len(node["slots"]) for node in nodes.values() if node["status"] == "decided")
    refused(ada.get(f"{at}/standings?export=pdf"), 400, "invalid")

    tag = ada.get(f"{at}/standings").headers["ETag"]
    assert ada.get(f"{at}/standings", **{"If-None-Match": tag}).status_code == 304


def test_points_are_explained_and_meetings_counted_at_larger_tables(ada: Desk) -> None:
    made = hall.tournament(house.ladder(2), Format.ROUND_ROBIN, entries=4, seats=3, rounds=4)
    assert ada.get(f"{URL}/{made.slug}/standings").json()["rows"] == [], "before the freeze"
    hall.tick(made)
    Match.objects.update(status=Match.Status.VOID)
    said = ada.get(f"{URL}/{made.slug}/standings").json()
    assert [row["seeding"] for row in said["rows"]] == [1, 2, 3, 4]
    assert said["rows"][1]["parted_by"] == "seeding"
    assert said["rows"][1]["why"] == f"As many points. Seeded 2; {said['rows'][0]['name']} 1."
    assert said["meetings"] == {"least": 0, "most": 0}
    assert said["tie_breaks"][-1] == "lot"


def test_organisers_let_in_late_invite_and_clone(ada: Desk) -> None:
    made = hall.tournament(house.ladder(2), Format.SWISS, entries=2, organiser=ada.user, entry_rule="owners")
    at = f"{URL}/{made.slug}"
    refused(ada.post(f"{at}/invite", {"username": "nobody"}), 404, "not_found")
    assert ada.post(f"{at}/invite", {"username": "USER1"}).json() == {"invited": ["user1"]}
    hall.tick(made)
    late = house.version("late", on=made.ladder, owner=house.user("cyd"))
    stranger = Desk(late.uploaded_by)
    refused(stranger.post(f"{at}/late-entry", {"bot": str(late.bot.public_id)}), 403, "forbidden")
    entry = ada.post(f"{at}/late-entry", {"bot": str(late.bot.public_id)}).json()
    assert (entry["seeding"], entry["from_round"]) == (3, 2)
    events = ada.get(f"{at}/events").json()["results"]
    assert (events[0]["kind"], events[0]["actor"]) == ("late_entry", "ada")
    assert events[0]["text"] == "late was let in late, from round 2 on."

    refused(stranger.post(f"{at}/clone", {"starts_at": "9999-12-31T00:00:00Z"}), 400, "invalid")
    copy = stranger.post(f"{at}/clone", {"starts_at": soon()}).json()
    assert (copy["state"], copy["organiser"], copy["may_organise"]) == ("draft", "cyd", True)
    assert stranger.get(f"{URL}/{copy['slug']}/invite").json() == {"invited": []}, "not the copier's to know"
    own = ada.post(f"{at}/clone", {"starts_at": soon()}).json()
    assert ada.get(f"{URL}/{own['slug']}/invite").json() == {"invited": ["user1"]}
    refused(ada.post(f"{at}/move", {"starts_at": soon()}), 409, "too_late")


def test_lists_cost_the_same_however_long(ada: Desk) -> None:
    counts: dict[str, list[int]] = {}
    made = Tournament.objects.get(slug=ada.post(URL, body(entries_per_user=9)).json()["slug"])
    for number in range(1, 4):
        ada.post(URL, body(title=f"No. {number}"))
        bot = house.version(f"b{number}", owner=ada.user, on=made.ladder).bot
        ada.post(f"{URL}/{made.slug}/entries", {"bot": str(bot.public_id)})
        for door in (URL, f"{URL}/{made.slug}/entries", f"{URL}/{made.slug}/events"):
            with CaptureQueriesContext(connection) as queries:
                assert ada.get(door).json()
            counts.setdefault(door, []).append(len(queries))
    assert all(one[0] == one[1] == one[2] <= 8 for one in counts.values()), counts
    assert ada.get(f"{URL}?state=coming&ladder=dont-go-in-there-2").json()["results"][-1]["entries"] == 3
    assert ada.get(f"{URL}?state=past").json()["results"] == []
    refused(ada.get(f"{URL}?state=gone"), 400, "invalid")
