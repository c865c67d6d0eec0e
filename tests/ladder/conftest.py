"""What every test of the ladder begins with."""

from __future__ import annotations

import pytest
from django.core.cache import cache

_WITH_DATABASE = {"db", "transactional_db", "live_server"}


@pytest.fixture(autouse=True)
def fresh_limits(request: pytest.FixtureRequest) -> None:
    """Nobody has knocked yet. Limits count for a minute, whichever tests its requests come from."""
    if request.node.get_closest_marker("django_db") or _WITH_DATABASE.intersection(request.fixturenames):
        request.getfixturevalue("servers")
        cache.clear()
