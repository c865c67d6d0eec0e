"""Pictures of the site: `python -m tests.pictures http://127.0.0.1:8000 docs/pictures / /matches/...`.

Each page in three shapes: wide and light, wide and dark, and as a phone shows it.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Browser, sync_playwright

SHAPES = {
    "1440-light": (1440, 900, "light"),
    "1440-dark": (1440, 900, "dark"),
    "390-light": (390, 844, "light"),
}
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


def chromium() -> str:
    """The browser of the system. Raises SystemExit when there is none."""
    for name in CHROMIUM_NAMES:
        if found := shutil.which(name):
            return found
    raise SystemExit("No Chromium here. As root: apt-get install chromium")


def take(browser: Browser, url: str, folder: Path, name: str) -> list[Path]:
    """One page in all shapes. Raises SystemExit when the page has an error or is wider than its window."""
    files = []
    for shape, (width, height, scheme) in SHAPES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error, seen=errors: seen.append(str(error)))
        answer = page.goto(url, wait_until="load")
        overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if answer is None or not answer.ok or errors or overflow > 0:
            raise SystemExit(
                f"{url} at {shape}: {answer and answer.status}, {errors}, {overflow} px too wide"
            )
        files.append(folder / f"{name}-{shape}.png")
        page.screenshot(path=files[-1], full_page=True)
        context.close()
    return files


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.pictures")
    parser.add_argument("site")
    parser.add_argument("folder", type=Path)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        for path in arguments.paths:
            name = re.sub(r"[^a-z0-9]+", "-", path.strip("/").lower()) or "home"
            for file in take(browser, urljoin(arguments.site, path), arguments.folder, name):
                print(file)
        browser.close()


if __name__ == "__main__":
    main()
