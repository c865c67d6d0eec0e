"""The project's own documents as pages: Markdown of docs/, with no HTML of its own and no inline style."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

PAGES: Final = {
    "protocol": "The bot protocol",
    "languages": "Languages and builds",
    "codes": "Codes and what they mean",
    "engine": "The engine",
    "tournaments": "Tournaments",
    "api": "The API",
    "security": "The sandbox and other walls",
    "architecture": "How the house is built",
    "deploy": "Running a house",
}
"""Documents that are shown, in this order, where they are there."""

_LINK: Final = re.compile(
    r'<a href="(?!https?:|#)(?:\.\./|\./)*(?:docs/)?([^"#]*?)(#[^"]*)?">(.*?)</a>', re.DOTALL
)
_PICTURE: Final = re.compile(r'<p><img src="(images/[a-z0-9-]+\.svg)" alt="([^"]*)" /></p>')


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    html: SafeString


def folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


def contents() -> list[tuple[str, str]]:
    """Names and titles of the documents that are there."""
    return [(name, title) for name, title in PAGES.items() if (folder() / f"{name}.md").is_file()]


def document(name: str) -> Document | None:
    """One of PAGES."""
    return _read(folder() / f"{name}.md") if name in PAGES else None


def rules(game: str) -> Document | None:
    """The rules of a registered game."""
    return _read(folder() / "games" / f"{game}.md")


def _read(path: Path) -> Document | None:
    if not path.is_file():
        return None
    return _render(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _render(path: Path, _modified: int) -> Document:
    text = path.read_text(encoding="utf-8")
    title, _, body = text.partition("\n")
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(body)
    for token in tokens:
        if token.attrs.pop("style", None):  # a column that the document aligns
            token.attrs["class"] = "right"
    html = parser.renderer.render(tokens, parser.options, {})
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    html = html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    html = _PICTURE.sub(_drawn, _LINK.sub(_address, html))
    return Document(title.lstrip("# ").strip(), mark_safe(html))  # noqa: S308 - ours


def _drawn(found: re.Match[str]) -> str:
    """A picture of docs/images as a part of the page: its words can be found and read aloud."""
    path = folder() / found[1]
    if not path.is_file():
        return f"<p>{found[2]}</p>"
    return f'<div class="scroll" tabindex="0">{path.read_text(encoding="utf-8")}</div>'


def _address(found: re.Match[str]) -> str:
    """Where a link between documents leads on the site; to files that are not shown, nowhere."""
    path, anchor, text = found[1], found[2] or "", found[3]
    name = path.removesuffix(".md")
    if path == f"games/{name.removeprefix('games/')}.md":
        return f'<a href="/{name}/{anchor}">{text}</a>'
    return f'<a href="/docs/{name}/{anchor}">{text}</a>' if name in PAGES and path != name else text
