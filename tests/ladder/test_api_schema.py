"""The API's schema is whole, docs/api.md tells all of it, and no request that it allows breaks a door."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase
from hypothesis import settings as examples
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from ladder.accounts.services import token_create
from ladder.wsgi import application
from tests.ladder import house

DOC = Path(__file__).parents[2] / "docs" / "api.md"
PREFIX = "/api/v1/"


def drawn() -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def test_the_schema_is_valid_and_drawn_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


def test_the_page_about_the_api_tells_every_door_and_no_other() -> None:
    rows = re.findall(r"^\| `([a-z-][^`]*)` \| ([A-Z, ]+) \|", DOC.read_text(), re.MULTILINE)
    told = {address: set(methods.split(", ")) for address, methods in rows}
    doors = {
        path.removeprefix(PREFIX): {method.upper() for method in operations}
        for path, operations in drawn()["paths"].items()
    }
    assert told == doors


def test_every_operation_may_answer_with_a_problem() -> None:
    operations = [each for path in drawn()["paths"].values() for each in path.values()]
    assert operations
    for operation in operations:
        assert "application/problem+json" in operation["responses"]["default"]["content"]


@pytest.fixture
def token(db: None) -> Iterator[str]:
    """A token of someone with a bot on a ladder; the test's transaction outlives its requests."""
    ladder = house.ladder(2)
    user = house.user()
    house.version("mine", owner=user, on=ladder)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield token_create(user=user, name="t", scopes=["read", "upload", "enter"])[1]
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


api = schemathesis.openapi.from_dict(drawn())


@api.parametrize()
@examples(
    max_examples=5,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_that_the_schema_allows_breaks_a_door(case: Any, token: str) -> None:
    answer = case.call(app=application, headers={"Authorization": f"Bearer {token}"})
    case.validate_response(
        answer, checks=[not_a_server_error, status_code_conformance, content_type_conformance]
    )
