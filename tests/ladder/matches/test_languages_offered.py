"""Languages that workers offer: told to everybody, and to authors whose version waits for one."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO

import pytest
from django.db.models.functions import Now
from django.test import Client

from bots.languages import LANGUAGES
from bots.messages import sentence
from ladder.common.locks import database_now
from ladder.matches.models import Worker
from ladder.matches.selectors import HEARD_LATELY, languages_offered
from ladder.matches.services.waiting import builds_tell
from ladder.matches.tasks import reap
from ladder.programs.models import Build, Version
from ladder.programs.services import bot_create, version_upload
from tests.ladder import house

pytestmark = pytest.mark.django_db

RUST = {"rust": "rustc 1.63.0"}


def beats(name: str, languages: dict[str, str], *, slots: int = 1) -> None:
    """A sign of life."""
    worker = Worker.objects.filter(name=name).first() or house.worker(name)
    Worker.objects.filter(pk=worker.pk).update(languages=languages, slots=slots, last_seen_at=Now())


def uploaded(*, long_ago: bool = True) -> Version:
    user = house.user()
    bot = bot_create(user=user, name="Ferris")
    version = version_upload(bot=bot, user=user, data=BytesIO(b"fn main() {}\n"), filename="main.rs")
    if long_ago:
        Build.objects.update(created_at=Now() - 2 * HEARD_LATELY)
    return version


def test_languages_are_those_of_living_workers() -> None:
    beats("a", {"python": "Python 3.11", **RUST})
    beats("b", {"python": "Python 3.13", "c": "gcc 12"})
    beats("closing", {"go": "go1.19"}, slots=0)
    beats("gone", {"java": "javac 17"})
    Worker.objects.filter(name="gone").update(last_seen_at=Now() - 2 * HEARD_LATELY)
    assert languages_offered() == {
        "python": ["Python 3.11", "Python 3.13"], "c": ["gcc 12"], "rust": ["rustc 1.63.0"],
    }  # fmt: skip


def test_the_api_and_the_docs_list_all_languages_with_their_versions(client: Client) -> None:
    beats("a", RUST)
    rows = client.get("/api/v1/languages").json()
    assert [row["language"] for row in rows] == list(LANGUAGES)
    (rust,) = [row for row in rows if row["versions"]]
    assert rust == {
        "language": "rust", "name": "Rust", "suffixes": [".rs"], "entries": ["main.rs", "src/main.rs"],
        "versions": ["rustc 1.63.0"],
    }  # fmt: skip
    page = client.get("/docs/").content.decode()
    assert "rustc 1.63.0" in page
    assert page.count("no worker has it now") == len(LANGUAGES) - 1
    assert client.get("/docs/languages/").status_code == 200


def test_a_version_in_a_language_that_no_worker_has_waits_and_says_so(client: Client) -> None:
    beats("a", {"python": "Python 3.11"})
    version = uploaded()
    reap()
    version.refresh_from_db()
    assert (version.state, version.reason_code) == ("checked", "no_worker")
    assert version.reason == sentence("no_worker")
    page = client.get(f"/bots/{version.bot.public_id}/versions/1/").content.decode()
    assert "No worker that plays this language is there now." in page

    beats("b", RUST)
    reap()
    version.refresh_from_db()
    assert (version.state, version.reason_code, version.reason) == ("checked", "", "")
    assert Build.objects.get(version=version).status == Build.Status.QUEUED


def test_a_worker_is_not_missed_before_it_could_be_heard() -> None:
    version = uploaded(long_ago=False)
    assert builds_tell(now=database_now()) == 0
    assert builds_tell(now=database_now() + HEARD_LATELY + timedelta(seconds=1)) == 1
    version.refresh_from_db()
    assert version.reason_code == "no_worker"
