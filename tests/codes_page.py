"""docs/codes.md, made from the one catalogue of messages: `python -m tests.codes_page` writes it."""

from __future__ import annotations

from pathlib import Path

from bots.messages import MESSAGES, Message

PAGE = Path(__file__).resolve().parent.parent / "docs" / "codes.md"
TOPICS = {
    "intake": "Uploads that are refused",
    "build": "Builds",
    "preflight": "Checks and pre-flight",
    "fault": "Faults in a match",
    "void": "Attempts that do not count",
    "cli": "The haunt command",
    "api": "The API",
}
HEAD = """\
# Codes

Everything that this house refuses or reports has a code that does not change and a sentence that may get
better. Pages, the API's `detail`, `haunt` and build logs take the sentences from one catalogue; words in
braces are the facts of the case. This page is made from it (`make golden`).
"""


def page() -> str:
    """The whole page."""
    topics: dict[str, dict[str, Message]] = {}
    for code, message in MESSAGES.items():
        topics.setdefault(message.topic, {})[code] = message
    parts = [HEAD]
    for topic, rows in topics.items():
        parts.append(f"\n## {TOPICS.get(topic, topic.capitalize())}\n\n")
        parts.append("| code | what happened | what to do |\n|---|---|---|\n")
        for code, message in rows.items():
            what = " ".join(text for text in (message.title, message.what) if text)
            parts.append(f"| `{code}` | {_cell(what)} | {_cell(message.next_step)} |\n")
    return "".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page())
