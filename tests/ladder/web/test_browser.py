"""The pages in a real browser: widths, keys, the content policy, a bot uploaded by hand, and axe."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from ladder.programs.models import Version
from tests.ladder.web.conftest import House, furnish
from tests.ladder.web.test_text_boards import TEXT_GAMES, played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = {"narrow": (390, 844), "wide": (1440, 900)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright's loop runs in this thread; without this Django would refuse its own queries beside it.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as tools:
        started = tools.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Visit:
    """A page of a browser that remembers what its console complained of."""

    def __init__(self, browser: Browser, base: str, width: str = "wide", **options: Any) -> None:
        self.base = base
        across, high = WIDTHS[width]
        self.context = browser.new_context(viewport={"width": across, "height": high}, **options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, address: str) -> Page:
        self.page.goto(self.base + address)
        return self.page

    def sign_in(self, name: str) -> None:
        self.open("/sign-in/")
        self.page.fill("[name=username]", name)
        self.page.fill("[name=password]", "a long password 1")
        self.page.click("main button[type=submit]")
        self.page.wait_for_url("**/desk/")


def places(house: House) -> dict[str, str]:
    return {
        "home": "/",
        "ladders": "/ladders/",
        "standings": f"/ladders/{house.ladder.slug}/",
        "match": f"/matches/{house.finished.public_id}/?step=60",
        "faulted": f"/matches/{house.faulted.public_id}/",
        "queued": f"/matches/{house.queued.public_id}/",
        "void": f"/matches/{house.void.public_id}/",
        "benched": f"/matches/{house.benched.public_id}/",
        "benched-proof": f"/matches/{house.benched.public_id}/proof/",
        "played": f"/bots/{house.version.bot.public_id}/versions/1/",
        "proof": f"/matches/{house.finished.public_id}/proof/",
        "bot": f"/bots/{house.version.bot.public_id}/",
        "version": f"/bots/{house.version.bot.public_id}/versions/2/",
        "matches": "/matches/",
        "upload": "/desk/upload/",
        "tokens": "/desk/tokens/",
        "desk": "/desk/",
        "seat": f"/matches/{house.finished.public_id}/seats/1/?turn=1",
        "rules": "/games/dont-go-in-there/",
        "docs": "/docs/",
        "protocol": "/docs/protocol/",
        "fault": "/docs/faults/timeout/",
    }


def test_no_page_scrolls_sideways_or_upsets_the_console(browser: Browser, live_server: Any) -> None:
    house = furnish()
    pictures = os.environ.get("PICTURES")  # a folder to keep them in, for somebody to look at
    too_wide = []
    for width in WIDTHS:
        for scheme in ("light", "dark") if pictures else ("dark",):
            visit = Visit(browser, live_server.url, width, color_scheme=scheme)
            visit.sign_in("root")
            for name, address in places(house).items():
                page = visit.open(address)
                across = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if across > 0:
                    too_wide.append((name, width, across))
                if pictures:
                    page.screenshot(path=Path(pictures) / f"{name}-{width}-{scheme}.png", full_page=True)
            assert visit.complaints == []
            visit.context.close()
    assert too_wide == []


def test_replay_answers_keys_and_scrubber(browser: Browser, live_server: Any) -> None:
    house = furnish(bundles=1)
    visit = Visit(browser, live_server.url)
    page = visit.open(f"/matches/{house.finished.public_id}/")
    total = int(page.get_attribute("#stage", "data-total") or "0")

    def at(step: int) -> None:
        page.wait_for_selector(f'#stage[data-step="{step}"]')
        assert page.inner_text("#at") == str(step)
        assert page.url.endswith(f"step={step}")

    page.keyboard.press("ArrowRight")
    at(2)
    page.keyboard.press("ArrowRight")
    at(3)
    page.keyboard.press("ArrowLeft")
    at(2)
    page.keyboard.press("End")
    at(total)
    page.keyboard.press("Home")
    at(1)
    mark = int(page.get_attribute("#stage", "data-next-mark") or "0")
    page.keyboard.press("ArrowDown")
    at(mark)
    page.fill("#scrub", "5")
    at(5)
    page.click('.log a[data-step="7"]')
    at(7)
    page.keyboard.press(" ")
    page.wait_for_selector(", ".join(f'#stage[data-step="{step}"]' for step in range(9, 20)))
    page.select_option("select[name=seat]", "1")
    page.wait_for_url("**seat=1**")
    assert visit.complaints == []


def test_replay_needs_no_script(browser: Browser, live_server: Any) -> None:
    house = furnish(bundles=1)
    visit = Visit(browser, live_server.url, "narrow", java_script_enabled=False)
    page = visit.open(f"/matches/{house.finished.public_id}/?step=3&seat=2")
    page.click("[rel=next]")
    page.wait_for_url("**step=4&seat=2**")
    page.select_option("select[name=seat]", "")
    page.click("#view button")
    page.wait_for_url(re.compile(r"[?&]seat=(&|$)"))
    assert page.get_attribute("#stage", "data-step") == "4"


def test_a_bot_is_written_and_sent_in(browser: Browser, live_server: Any, tmp_path: Path) -> None:
    furnish(bundles=1)
    visit = Visit(browser, live_server.url, "narrow")
    visit.sign_in("ada")
    page = visit.open("/desk/upload/")
    page.fill("[name=name]", "Tin Bell")
    page.fill(
        "[name=source]", "from sdk import run\nrun(lambda observation, legal, context: legal[0]['id'])\n"
    )
    page.click("text=Send it in")
    page.wait_for_url("**/versions/1/")
    assert "Tin Bell v1 is in" in page.inner_text("main")
    Version.objects.filter(bot__name="Tin Bell").update(
        state=Version.State.REJECTED, reason_code="syntax_error", reason="The entry file does not compile."
    )
    page.wait_for_selector("text=stopped here", timeout=60_000)
    page = visit.open("/desk/upload/")
    path = tmp_path / "notes.txt"
    path.write_text("no bot")
    page.set_input_files("[name=file]", path)
    page.fill("[name=name]", "Second")
    visit.complaints.clear()
    page.click("text=Send it in")
    page.wait_for_selector("text=We opened nothing")
    assert [said for said in visit.complaints if "400" not in said] == []


def test_axe_finds_nothing_serious(browser: Browser, live_server: Any) -> None:
    house = furnish(bundles=1)
    axe = Axe()
    found = []
    for width in WIDTHS:
        visit = Visit(
            browser, live_server.url, width, bypass_csp=True
        )  # axe is put into the page as a script
        visit.sign_in("root")
        for name, address in places(house).items():
            visit.open(address)
            for problem in axe.run(visit.page).response["violations"]:
                if problem["impact"] in ("serious", "critical"):
                    where = [node["target"] for node in problem["nodes"]][:3]
                    found.append((name, width, problem["id"], where))
        visit.context.close()
    assert found == []


@pytest.mark.parametrize("name", TEXT_GAMES)
def test_a_board_in_text_keeps_to_its_page(browser: Browser, live_server: Any, name: str) -> None:
    match, axe = played(name), Axe()
    for width in WIDTHS:
        visit = Visit(browser, live_server.url, width, bypass_csp=True)
        for address in (f"/matches/{match.public_id}/?step=60", f"/games/{name}/", "/games/", "/"):
            page = visit.open(address)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (address, width)
            problems = axe.run(page).response["violations"]
            assert [one["id"] for one in problems if one["impact"] in ("serious", "critical")] == []
        page = visit.open(f"/matches/{match.public_id}/?step=60")
        before = page.inner_text("pre.table")
        page.keyboard.press("End")
        page.wait_for_selector(f'#stage[data-step="{page.get_attribute("#stage", "data-total")}"]')
        assert page.inner_text("pre.table") != before
        assert visit.complaints == []
        visit.context.close()
