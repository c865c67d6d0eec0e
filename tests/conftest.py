"""Fixtures for the whole suite. The servers themselves are in tests/servers.py."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests.leftovers import Leftovers
from tests.servers import Servers

# `--hypothesis-profile deep` looks further than the suite has time for. No deadlines: machines are noisy.
settings.register_profile("suite", deadline=None, max_examples=40)
settings.register_profile("deep", deadline=None, max_examples=3_000)
settings.load_profile("suite")


# A shell that starts us in the background has us ignore Ctrl-C, and so would the processes whose end we try.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """Of all that the tests start. The first fixture to be set up, so the last to look."""
    leftovers = Leftovers(alone=os.environ.get("CI") == "true")
    yield
    left = leftovers.new()
    assert left == [], "the tests left this behind: " + "; ".join(left)


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[Servers]:
    """A real PostgreSQL and Valkey; tests with database access have them without asking."""
    own = request.config.pluginmanager.get_plugin("embedded-servers")
    own.start()
    yield own
    own.stop()


@pytest.fixture(scope="session")
def django_db_setup(servers: Servers, django_db_setup: None) -> None:
    """pytest-django's own, once the servers of this run are up."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI nothing may be skipped: a skipped test is a failed one."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Nor may a whole file."""
    report = yield
    if report.outcome == "skipped" and os.environ.get("CI") == "true":
        report.outcome = "failed"
    return report
