"""English for people: what the texts of all games have in common."""

from __future__ import annotations


def count(number: int, one: str, many: str = "") -> str:
    """So many of something: "1 ghost", "2 ghosts"; `many` where an s does not do."""
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"
