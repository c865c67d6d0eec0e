"""Tournaments in the admin: looked at, and changed through the services."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.accounts.models import User
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from ladder.tournaments.services.organise import tournament_clone
from tests.ladder import house
from tests.ladder.tournaments import hall

pytestmark = pytest.mark.django_db


def test_admins_look_at_all_of_it_and_act_through_the_services() -> None:
    ladder, organiser = house.ladder(2), house.user("organiser")
    made = hall.play_out(
        hall.tournament(ladder, Format.ROUND_ROBIN, entries=2, organiser=organiser), house.worker()
    )
    running = hall.tick(hall.tournament(ladder, Format.ROUND_ROBIN, entries=0, organiser=organiser))
    assert running.state == Tournament.State.CANCELLED
    draft = tournament_clone(tournament=made, actor=organiser, starts_at=hall.later())
    admin, root = Client(), User.objects.create_superuser("root", password="a long password 1")
    admin.force_login(root)
    for name in (
        "series",
        "tournament",
        "entry",
        "invited",
        "table",
        "tableseat",
        "tablebundle",
        "happening",
    ):
        assert admin.get(f"/admin/tournaments/{name}/").status_code == 200, name
        assert admin.get(f"/admin/tournaments/{name}/add/").status_code == 403, name
    page = admin.get(f"/admin/tournaments/tournament/{made.pk}/change/").content.decode()
    assert made.seed in page
    assert "Save" not in page

    def act(action: str) -> str:
        data = {"action": action, "_selected_action": [made.pk, draft.pk]}
        address = "/admin/tournaments/tournament/"
        return str(admin.post(address, data, follow=True).content.decode())

    assert "cannot be done any more" in act("open"), "of the one that has finished"
    for action, is_paused in (("pause", True), ("resume", False)):
        act(action)
        draft.refresh_from_db()
        assert (draft.state, draft.is_paused) == (Tournament.State.OPEN, is_paused)
    act("cancel")
    draft.refresh_from_db()
    assert draft.state == Tournament.State.CANCELLED
    last = draft.happenings.last()
    assert last is not None
    assert (last.kind, last.actor) == ("cancelled", root)
