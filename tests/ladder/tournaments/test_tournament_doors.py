"""Who sees what of a tournament: every door, every viewer, every state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.accounts.models import User
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.services.entries import entry_create
from ladder.tournaments.services.organise import (
    tournament_cancel,
    tournament_create,
    tournament_open,
    user_invite,
)
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db

VIEWERS = ("anonymous", "stranger", "entrant", "organiser", "admin")
STATES = ("draft", "open", "frozen", "running", "hidden", "hidden_over", "finished", "cancelled")
OPEN_DOORS = ("", "/entries", "/matches", "/events")
RESULT_DOORS = ("/bracket", "/rounds", "/standings", "/standings?export=csv", "/export", "/export?export=csv")
RESULT_KINDS = {"round", "table_decided", "finished", "late_entry"}


@dataclass
class Scene:
    """A tournament in one state, and who looks at it."""

    made: Tournament
    state: str
    clients: dict[str, Client]
    answers: dict[tuple[str, str], Any] = field(default_factory=dict)

    def get(self, viewer: str, door: str) -> Any:
        """Each door is knocked at once."""
        if (viewer, door) not in self.answers:
            address = f"/api/v1/tournaments/{self.made.slug}{door}"
            self.answers[viewer, door] = self.clients[viewer].get(address)
        return self.answers[viewer, door]

    def exists_for(self, viewer: str) -> bool:
        return self.state != "draft" or viewer in ("organiser", "admin")

    def shows_results_to(self, viewer: str) -> bool:
        return not self.state.startswith("hidden") or viewer == "admin"


@pytest.fixture
def stage() -> Callable[[str], Scene]:
    ladder = house.ladder(2)
    organiser, entrant = house.user("organiser"), house.user("entrant")
    users = {
        "stranger": house.user("stranger"),
        "entrant": entrant,
        "organiser": organiser,
        "admin": User.objects.create_superuser("root", password="a long password 1"),
    }
    clients = {name: Client() for name in VIEWERS}
    for name, user in users.items():
        clients[name].force_login(user)

    def set_up(state: str) -> Scene:
        now = timezone.now()
        made = tournament_create(
            owner=organiser,
            plan=hall.plan(ladder, Format.SINGLE_ELIMINATION),
            registration_ends_at=now + hall.SOON,
            starts_at=now + hall.SOON,
            hidden_until=now + timedelta(days=1) if state.startswith("hidden") else None,
            is_open=False,
        )
        user_invite(tournament=made, actor=organiser, user=entrant)
        _bring(made, state, organiser, entrant)
        made.refresh_from_db()
        return Scene(made, state, clients)

    return set_up


def _bring(made: Tournament, state: str, organiser: User, entrant: User) -> None:
    if state == "draft":
        return
    tournament_open(tournament=made, actor=organiser)
    for name, owner in {"mine": entrant, "b1": house.user("u1"), "b2": house.user("u2")}.items():
        entry_create(tournament=made, user=owner, bot=house.version(name, owner=owner, on=made.ladder).bot)
    if state == "open":
        return
    if state == "frozen":
        Tournament.objects.filter(pk=made.pk).update(starts_at=hall.later() + hall.SOON)
        hall.tick(made)
        return
    worker = house.worker()
    if state in ("hidden_over", "finished"):
        hall.play_out(made, worker)
        return
    hall.tick(made)
    hall.play_round(worker)
    if state == "cancelled":
        tournament_cancel(tournament=made, actor=organiser, reason="Rain.")


@pytest.mark.parametrize("state", STATES)
def test_each_door_answers_whom_it_should(stage: Callable[[str], Scene], state: str) -> None:
    scene = stage(state)
    for viewer in VIEWERS:
        exists, shown = scene.exists_for(viewer), scene.shows_results_to(viewer)
        for door in OPEN_DOORS:
            assert scene.get(viewer, door).status_code == (200 if exists else 404), (viewer, door)
        for door in RESULT_DOORS:
            wanted = (200 if shown else 403) if exists else 404
            answer = scene.get(viewer, door)
            assert answer.status_code == wanted, (viewer, door)
            if wanted == 403:
                assert answer.json()["code"] == "results_hidden"
        organises = viewer in ("organiser", "admin")
        wanted = 200 if organises else 403 if exists else 404
        assert scene.get(viewer, "/invite").status_code == wanted, viewer
        if exists:
            _check_body(scene, viewer)


def _check_body(scene: Scene, viewer: str) -> None:
    """What the open doors tell is no more than this viewer may know."""
    made, shown = scene.made, scene.shows_results_to(viewer)
    organises = viewer in ("organiser", "admin")
    body = scene.get(viewer, "").json()
    assert (body["shows_results"], body["may_organise"]) == (shown, organises), viewer
    assert bool(body["commitment"]) == (scene.state not in ("draft", "open"))
    is_over = made.state == Tournament.State.FINISHED
    assert body["seed"] == (made.seed if is_over and shown else None), viewer
    assert (body["estimate"] is None) == (scene.state in ("hidden_over", "finished", "cancelled"))

    entries = scene.get(viewer, "/entries").json()
    assert len(entries) == (0 if scene.state == "draft" else 3)
    ranks = {1, 2, 3} if is_over and shown else {None} if entries else set()
    assert {entry["rank"] for entry in entries} == ranks, viewer

    seen = len(scene.get(viewer, "/matches").json()["results"])
    played = scene.state in ("running", "hidden", "hidden_over", "finished", "cancelled")
    assert bool(seen) == (played and shown), viewer

    events = scene.get(viewer, "/events").json()["results"]
    kinds = {event["kind"] for event in events}
    assert "made" in kinds
    assert ("invited" in kinds) == organises, viewer
    assert bool(kinds & RESULT_KINDS) == (played and shown), viewer
    assert {event["actor"] for event in events if event["kind"] == "opened"} <= {"organiser"}

    text = b"".join(scene.get(viewer, door).content for door in (*OPEN_DOORS, *RESULT_DOORS))
    if made.seed and not (is_over and shown):
        assert made.seed.encode() not in text, viewer


@pytest.mark.parametrize("is_listed", [True, False])
def test_lists_hold_what_is_listed_and_one_s_own(stage: Callable[[str], Scene], is_listed: bool) -> None:
    scene = stage("open")
    Tournament.objects.update(is_listed=is_listed)
    for state in ("open", "draft"):
        Tournament.objects.update(state=state)
        for viewer, client in scene.clients.items():
            rows = client.get("/api/v1/tournaments").json()["results"]
            own = viewer in ("organiser", "admin") or (viewer == "entrant" and state == "open")
            assert bool(rows) == (own or (is_listed and state == "open")), (viewer, state)
            mine = client.get("/api/v1/tournaments?mine=true").json()["results"]
            is_mine = viewer == "organiser" or (viewer == "entrant" and state == "open")
            assert bool(mine) == is_mine, (viewer, state)


ACTIONS = {
    "open": ({}, {"draft"}),
    "pause": ({}, {"open", "running"}),
    "resume": ({}, set()),  # nothing is paused
    "move": ({"starts_at": (timezone.now() + timedelta(days=2)).isoformat()}, {"draft", "open"}),
    "invite": ({"username": "stranger"}, {"draft", "open", "running"}),
    "cancel": ({"reason": "Rain."}, {"draft", "open", "running"}),
}


@pytest.mark.parametrize("state", ["draft", "open", "running", "finished"])
def test_organisers_alone_act_and_only_in_time(stage: Callable[[str], Scene], state: str) -> None:
    scene = stage(state)
    base = f"/api/v1/tournaments/{scene.made.slug}"
    for name, (body, states) in ACTIONS.items():
        for viewer in ("anonymous", "stranger", "entrant"):
            answer = scene.clients[viewer].post(f"{base}/{name}", body, "application/json")
            refused = {401, 403} if viewer == "anonymous" else {403 if scene.exists_for(viewer) else 404}
            assert answer.status_code in refused, (name, viewer)
        answer = scene.clients["organiser"].post(f"{base}/{name}", body, "application/json")
        assert answer.status_code == (200 if state in states else 409), (name, answer.content)
        if name == "pause" and state in states:
            assert scene.clients["admin"].post(f"{base}/resume").json()["is_paused"] is False
        if name == "open" and state in states:
            Tournament.objects.update(state=Tournament.State.DRAFT)
