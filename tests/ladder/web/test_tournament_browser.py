"""Pages of tournaments in a real browser: none is too wide, the console is silent, axe is content."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from ladder.tournaments.formats.terms import Format
from ladder.tournaments.models import Tournament
from tests.ladder import house
from tests.ladder.tournaments import hall
from tests.ladder.web.test_browser import Visit, browser

__all__ = ["browser"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pods(transactional_db: None) -> Tournament:
    """A double elimination of pods in the middle of it."""
    made = hall.tournament(house.ladder(2), Format.DOUBLE_ELIMINATION, entries=9, seats=3)
    by = house.worker()
    for _ in range(3):
        hall.tick(made)
        hall.play_round(by)
    return hall.tick(made)


@pytest.mark.parametrize("width", ["narrow", "wide"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_tournament(
    browser: Browser, live_server: object, pods: Tournament, width: str, scheme: str
) -> None:
    organiser = pods.owner
    organiser.set_password("a long password 1")
    organiser.save()
    visit = Visit(browser, str(live_server), width, color_scheme=scheme)
    visit.sign_in(organiser.username)
    addresses = ["/tournaments/", f"/tournaments/{pods.slug}/", "/tournaments/new/"]
    addresses.append(f"/tournaments/{pods.slug}/tables/W1.1/")
    for address in addresses:
        page = visit.open(address)
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, address
        found = Axe().run(page).response["violations"]
        grave = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
        assert grave == [], (address, grave)
    assert visit.complaints == []
    page = visit.open(f"/tournaments/{pods.slug}/")
    page.locator(".bracket a").first.click()
    page.wait_for_url("**/tables/**")
    page.locator(".rows a").first.click()
    page.wait_for_url("**/matches/**")
    visit.context.close()
