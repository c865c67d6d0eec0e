"""Whatever goes wrong at a program's door leaves as problem+json, and health says what does not answer."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.test import Client, RequestFactory

from ladder.accounts.services import token_create
from ladder.common import blobs, errors
from ladder.matches.models import Worker
from tests.ladder import house

pytestmark = pytest.mark.django_db


def problem_of(answer: Any) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"] == f"/docs/errors/{body['code']}/"
    assert body["detail"]
    return answer.status_code, body["code"]


@pytest.mark.parametrize("address", ["/api/v1/nothing", "/api/nothing", "/internal/nothing"])
def test_a_wrong_address(address: str) -> None:
    assert problem_of(Client().get(address)) == (404, "not_found")


def test_a_page_that_is_not_there_stays_a_page() -> None:
    answer = Client().get("/nothing/at/all/")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")


def test_wrong_method_body_kind_and_json() -> None:
    _, key = token_create(user=house.user(), name="t", scopes=["upload"])
    by = Client(headers={"Authorization": f"Bearer {key}"})
    address = "/api/v1/bots"
    assert problem_of(by.put(address)) == (405, "method_not_allowed")
    assert problem_of(by.post(address, "{", content_type="application/json")) == (400, "parse_error")
    assert problem_of(by.post(address, "x", content_type="text/x")) == (415, "unsupported_media_type")


def test_a_body_beyond_what_json_needs_is_not_read() -> None:
    _, key = token_create(user=house.user(), name="t", scopes=["upload"])
    by = Client(headers={"Authorization": f"Bearer {key}"})
    body = '{"name": "' + "x" * (3 << 20) + '"}'
    assert problem_of(by.post("/api/v1/bots", body, content_type="application/json")) == (413, "too_large")


def test_a_session_without_the_csrf_token_is_refused() -> None:
    by = Client(enforce_csrf_checks=True)
    by.force_login(house.user())
    answer = by.post("/api/v1/bots", {"name": "Candlewick"}, content_type="application/json")
    assert problem_of(answer)[0] == 403


def test_a_host_that_is_not_ours() -> None:
    assert problem_of(Client(headers={"Host": "evil.example"}).get("/api/v1/bots"))[0] == 400


def test_a_mistake_of_ours_tells_nothing_of_it() -> None:
    answer = errors.server_error(RequestFactory().get("/api/v1/bots"))
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")


def test_a_cursor_that_is_not_ours() -> None:
    assert problem_of(Client().get("/api/v1/bots?cursor=nonsense")) == (400, "invalid")


def test_pages_follow_each_other_to_the_end() -> None:
    for number in range(5):
        house.version(f"bot {number}")
    names, address = [], "/api/v1/bots?page_size=2"
    while address:
        page = Client().get(address).json()
        names += [row["name"] for row in page["results"]]
        address = page["next"]
    assert names == [f"bot {number}" for number in (4, 3, 2, 1, 0)]


def test_a_list_that_has_not_changed_is_a_304() -> None:
    etag = Client().get("/api/v1/bots").headers["ETag"]
    assert Client(headers={"If-None-Match": etag}).get("/api/v1/bots").status_code == 304
    house.version("new")
    assert Client(headers={"If-None-Match": etag}).get("/api/v1/bots").status_code == 200


def test_health_answers() -> None:
    assert Client().get("/health/live").json() == {"status": "ok"}
    worker = house.worker()
    Worker.objects.filter(pk=worker.pk).update(
        slots=2, languages=house.LANGUAGES, layers=["bubblewrap"], last_seen_at=Now()
    )
    house.worker("never heard of")
    assert Client().get("/health/ready").json() == {
        "status": "ok",
        "database": "ok",
        "valkey": "ok",
        "migrations_waiting": [],
        "workers": [
            {"name": "w1", "slots": 2, "languages": house.LANGUAGES, "layers": ["bubblewrap"]},
        ],
    }


def test_health_names_migrations_that_wait() -> None:
    recorder = MigrationRecorder(connection)
    newest = MigrationLoader(connection).graph.leaf_nodes("matches")[0]
    recorder.record_unapplied(*newest)
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert answer.json()["migrations_waiting"] == [".".join(newest)]


def test_health_says_what_does_not_answer(settings: Any) -> None:
    dead = "unix:///nowhere/valkey.sock"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": dead}
    }
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["valkey"]) == (503, "unreachable")


def test_a_blob_is_its_digest_or_nothing() -> None:
    digest = blobs.blob_put(b"a lantern")
    assert blobs.blob_put(b"a lantern") == digest
    assert blobs.blob_get(digest) == b"a lantern"
    with default_storage.open(f"blobs/{digest[:2]}/{digest}", "wb") as file:
        file.write(b"a candle")
    with pytest.raises(blobs.BlobError, match="damaged"):
        blobs.blob_get(digest)
    default_storage.delete(f"blobs/{digest[:2]}/{digest}")
    with pytest.raises(blobs.BlobError, match="missing"):
        blobs.blob_get(digest)
    with pytest.raises(blobs.BlobError, match="no digest"):
        blobs.blob_get("../../etc/passwd")
